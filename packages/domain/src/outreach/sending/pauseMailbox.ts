import { Effect, Either } from "effect"
import { CampaignMachine } from "../campaigns/CampaignMachine.js"
import { type Campaign, CampaignStore } from "../campaigns/CampaignStore.js"
import { step } from "../../kernel/machine.js"
import { makeTell, type TrailSource } from "../../kernel/trail/TrailEvent.js"
import { MailboxMachine, type MailboxPauseReason } from "./MailboxMachine.js"
import { type Mailbox, SendingStore } from "./SendingStore.js"
import { makeTellPause } from "./vendor/tellPause.js"

export interface MailboxPause {
  readonly reason: MailboxPauseReason
  /** Further detail for the trail. */
  readonly detail: Readonly<Record<string, unknown>>
  /** Which of its campaigns are paused with it: each, or only those without another mailbox. */
  readonly campaigns: "each" | "without_another"
  /** The actor; default: the system. */
  readonly source?: TrailSource
}

/**
 * Pauses a locked mailbox and, for lack of capacity, the campaigns that can't continue, in the caller's transaction.
 * False: it was not active.
 */
export const makePauseMailbox = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const campaigns = yield* CampaignStore
  const tell = yield* makeTell
  const tellPause = yield* makeTellPause

  /** Whether the campaign sends from the paused mailbox and can't continue. */
  const isStopped = ({ campaignId, workspaceId }: Campaign, { mailboxId }: Mailbox, which: MailboxPause["campaigns"]) =>
    Effect.map(sendings.mailboxesOfCampaign(workspaceId, campaignId), (writing) => {
      if (!writing.some((one) => one.mailboxId === mailboxId)) return false
      return (
        which === "each" || writing.every((one) => one.mailboxId === mailboxId || !MailboxMachine.is.sending(one.state))
      )
    })

  return (mailbox: Mailbox, pause: MailboxPause, nowMillis: number) =>
    Effect.gen(function* () {
      const { operationId, workspaceId } = mailbox
      const paused = step(MailboxMachine, mailbox.state, "pause")
      if (Either.isLeft(paused) || paused.right === mailbox.state) return false
      yield* sendings.updateMailboxes([{ ...mailbox, state: paused.right, pauseReason: pause.reason }])
      yield* tell(nowMillis, {
        workspaceId,
        source: pause.source ?? "system",
        operationId,
        kind: "mailbox_paused",
        detail: { mailbox: mailbox.address, ...pause.detail }
      })
      for (const campaign of yield* campaigns.lockActive(workspaceId)) {
        const stopped = step(CampaignMachine, campaign.state, "stop")
        if (Either.isLeft(stopped) || !(yield* isStopped(campaign, mailbox, pause.campaigns))) continue
        yield* campaigns.update({ ...campaign, state: stopped.right, pauseReason: "capacity" })
        yield* tellPause(campaign, "capacity", { source: "system" })
      }
      return true
    })
})

import { Clock, Effect, Either, Option } from "effect"
import type { Campaign } from "../campaigns/Campaign.js"
import { CampaignMachine } from "../campaigns/CampaignMachine.js"
import { CampaignStore } from "../campaigns/CampaignStore.js"
import { invalid, refuse } from "../../kernel/errors/Wire.js"
import { step } from "../../kernel/machine.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeTell } from "../../kernel/trail/events.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { MailboxMachine } from "./MailboxMachine.js"
import { type Mailbox, SendingStore } from "./SendingStore.js"
import { makeTellPause } from "./vendor/tellPause.js"
import { VendorStore } from "./vendor/VendorStore.js"

/** Why a mailbox can't be given back: purchased, the workspace's own, or unknown in this workspace. */
export type ReleaseRefusal = "bought" | "own" | "unknown"

export interface ReleaseReport {
  readonly released: ReadonlyArray<{ readonly mailboxId: string; readonly address: string }>
  readonly refused: ReadonlyArray<{ readonly address: string; readonly why: ReleaseRefusal }>
  /**
   * Paused campaigns that the vendor has not verifiably stopped yet. Nothing is given back before that; repeat the call
   * after some seconds.
   */
  readonly stopping: ReadonlyArray<string>
}

/**
 * Gives adopted mailboxes back: the workspace stops sending from them, and any workspace may adopt them. A vendor sends
 * a campaign from all mailboxes of its workspace, so none is given back while one of its campaigns may be sending. The
 * trail keeps the mailbox's history.
 */
export const makeReleaseMailboxes = Effect.gen(function* () {
  const workspaces = yield* WorkspaceStore
  const sendings = yield* SendingStore
  const campaigns = yield* CampaignStore
  const vendors = yield* VendorStore
  const tell = yield* makeTell
  const tellPause = yield* makeTellPause
  const { atomically } = yield* UnitOfWork

  /** Locks the active campaigns that send from these mailboxes. */
  const sentFrom = (workspaceId: string, mailboxes: ReadonlyArray<Mailbox>) =>
    Effect.gen(function* () {
      const active = yield* campaigns.lockActive(workspaceId)
      const atVendor = yield* vendors.among(
        workspaceId,
        active.map(({ campaignId }) => campaignId)
      )
      const uses = (campaign: Campaign) =>
        atVendor.has(campaign.campaignId)
          ? Effect.succeed(true)
          : Effect.map(sendings.mailboxesOfCampaign(workspaceId, campaign.campaignId), (writing) =>
              writing.some(({ mailboxId }) => mailboxes.some((one) => one.mailboxId === mailboxId))
            )
      return yield* Effect.filter(active, uses)
    })

  /** Campaigns with open leads that the vendor may be sending. */
  const stillSending = (workspaceId: string) =>
    Effect.flatMap(vendors.mayBeSending(workspaceId), (found) =>
      Effect.filter(found, (campaignId) =>
        Effect.map(
          campaigns.get(workspaceId, campaignId),
          Option.exists(({ state }) => !CampaignMachine.is.over(state))
        )
      )
    )

  const pause = (campaign: Campaign) =>
    Effect.gen(function* () {
      const stopped = step(CampaignMachine, campaign.state, "stop")
      if (Either.isLeft(stopped)) return
      yield* campaigns.update({ ...campaign, state: stopped.right, pauseReason: "capacity" })
      yield* tellPause(campaign, "capacity", { source: "system" })
    })

  const givenBack = (mailbox: Mailbox, nowMillis: number) =>
    Effect.gen(function* () {
      const released = step(MailboxMachine, mailbox.state, "release")
      if (Either.isLeft(released)) return []
      yield* sendings.updateMailboxes([{ ...mailbox, state: released.right, pauseReason: null }])
      yield* tell(nowMillis, {
        workspaceId: mailbox.workspaceId,
        source: "system",
        kind: "mailbox_paused",
        detail: { mailbox: mailbox.address, reason: "released" }
      })
      return [{ mailboxId: mailbox.mailboxId, address: mailbox.address }]
    })

  return (workspaceId: string, addresses: ReadonlyArray<string>, options: { readonly pauseCampaigns: boolean }) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      if (Option.isNone(yield* workspaces.get(workspaceId))) {
        return yield* Effect.fail(refuse("not_found", {}, "Workspace not found."))
      }
      const wanted = [...new Set(addresses.map((address) => address.trim().toLowerCase()))]
      const ours = (yield* sendings.lockAddresses(wanted)).filter((one) => one.workspaceId === workspaceId)
      const adopted = ours.filter(({ kind, operationId }) => kind === "purchased" && operationId === null)
      const refused = wanted.flatMap((address) => {
        if (adopted.some((one) => one.address === address)) return []
        const other = ours.find((one) => one.address === address)
        return [{ address, why: other === undefined ? "unknown" : other.kind === "own" ? "own" : "bought" } as const]
      })
      const locked = yield* Effect.forEach(adopted, ({ mailboxId }) => sendings.lockMailbox(workspaceId, mailboxId))
      const mailboxes = locked.flatMap((mailbox) => Option.toArray(mailbox))
      if (mailboxes.length === 0) return { released: [], refused, stopping: [] } satisfies ReleaseReport
      const using = yield* sentFrom(workspaceId, mailboxes)
      if (using.length > 0 && !options.pauseCampaigns) {
        const message = `is used by ${using.length} active campaigns: ${using.map(({ name }) => name).join(", ")}`
        return yield* Effect.fail(invalid([{ path: "address", message }]))
      }
      yield* Effect.forEach(using, pause, { discard: true })
      const stopping = yield* stillSending(workspaceId)
      if (stopping.length > 0) return { released: [], refused, stopping } satisfies ReleaseReport
      const released = yield* Effect.forEach(mailboxes, (mailbox) => givenBack(mailbox, nowMillis))
      return { released: released.flat(), refused, stopping } satisfies ReleaseReport
    }).pipe(atomically)
})

import { Effect, Option } from "effect"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { MailboxMachine, type MailboxPauseReason } from "../sending/MailboxMachine.js"
import { makePauseMailbox } from "../sending/Breaker.js"
import { type Mailbox, SendingStore } from "../sending/SendingStore.js"

/** Why mailboxes of a domain pause; null: this one goes on. */
export interface DomainPause {
  readonly reason: Extract<MailboxPauseReason, "dmarc" | "blocklist">
  readonly detail: Readonly<Record<string, unknown>>
}

/** Pauses the active mailboxes of a domain for which there is a reason, in the caller's transaction. */
export const makePauseDomain = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const workspaces = yield* WorkspaceStore
  const pauseMailbox = yield* makePauseMailbox

  return (
    workspaceId: string,
    domain: string,
    reasonFor: (mailbox: Mailbox) => DomainPause | null,
    nowMillis: number
  ) =>
    Effect.gen(function* () {
      const isLive = Option.exists(yield* workspaces.get(workspaceId), ({ kind }) => kind === "live")
      if (!isLive) return
      const active = (yield* sendings.activeMailboxes(workspaceId)).filter((one) => one.domain === domain)
      const sorted = active.toSorted((a, b) => (a.mailboxId < b.mailboxId ? -1 : 1))
      for (const { mailboxId } of sorted) {
        const mailbox = Option.getOrNull(yield* sendings.lockMailbox(workspaceId, mailboxId))
        if (mailbox === null || !MailboxMachine.is.sending(mailbox.state)) continue
        const pause = reasonFor(mailbox)
        if (pause === null) continue
        const { detail, reason } = pause
        yield* pauseMailbox(mailbox, { reason, detail: { reason, ...detail }, campaigns: "without_another" }, nowMillis)
      }
    })
})

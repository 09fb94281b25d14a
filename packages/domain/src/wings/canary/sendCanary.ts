import { Clock, Effect, Option, Scope } from "effect"
import { after, allows } from "../../kernel/machine.js"
import { MINUTE_MILLIS } from "../../kernel/durations.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { inSpan } from "../../kernel/telemetry.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { CampaignMachine } from "../../outreach/campaigns/CampaignMachine.js"
import { CampaignStore } from "../../outreach/campaigns/CampaignStore.js"
import { type MailAccount, MailTransport, type OutgoingMail, smtpAnswerOf } from "../../outreach/mail/MailTransport.js"
import { askProvider } from "../../outreach/sending/askProvider.js"
import { MailboxMachine } from "../../outreach/sending/MailboxMachine.js"
import { openAccount, OWN_MAILBOX, OwnMailboxStore } from "../../outreach/sending/OwnMailboxes.js"
import { claimOptions } from "../../outreach/sending/OwnSession.js"
import { evidenceOf } from "../../outreach/sending/refusals.js"
import { SendingStore } from "../../outreach/sending/SendingStore.js"
import { makeUnsubscribeUrls } from "../../outreach/suppression/links.js"
import { ProviderFailure } from "../../sources/ports/Source.js"
import { AGAIN_MILLIS, type Canary, endedBy, PLANNED_MILLIS_MAX } from "./Canary.js"
import { CanaryMachine } from "./CanaryMachine.js"
import { CanaryStore } from "./CanaryStore.js"
import { letterOf } from "./letter.js"

/** Timeout of one session. */
const SESSION_SECONDS = 120

/** Why a canary does not leave: for now, or never. */
type Held = { readonly _tag: "later" } | { readonly _tag: "never"; readonly says: string }
const never = (says: string): Held => ({ _tag: "never", says })

/**
 * Sends a planned canary, once. Its claim is written when the other mailbox's server has accepted the recipient, in a transaction
 * that looks at everything that may forbid it. From then on it may have left, so it is never sent again, whatever happens to
 * this host.
 */
export const makeSendCanary = Effect.gen(function* () {
  const store = yield* CanaryStore
  const campaigns = yield* CampaignStore
  const crypto = yield* Crypto
  const owns = yield* OwnMailboxStore
  const sendings = yield* SendingStore
  const transport = yield* MailTransport
  const urlsOf = yield* makeUnsubscribeUrls
  const workspaces = yield* WorkspaceStore
  const { atomically } = yield* UnitOfWork

  /** What forbids it now; null: nothing. */
  const heldBy = ({ campaignId, fromMailboxId, organisation, workspaceId }: Canary, nowMillis: number) =>
    Effect.gen(function* () {
      const setting = Option.getOrNull(yield* store.setting(workspaceId))
      if (setting?.isOn !== true) return never("canaries were turned off")
      if ((yield* workspaces.sending(workspaceId)).suspendedAtMillis !== null) return never("all sending is stopped")
      const campaign = Option.getOrNull(yield* campaigns.get(workspaceId, campaignId))
      if (!CampaignMachine.is.running(campaign?.state)) return never("its campaign is not running any more")
      const mailbox = Option.getOrNull(yield* sendings.mailbox(workspaceId, fromMailboxId))
      if (mailbox === null || !MailboxMachine.is.sending(mailbox.state)) return never("its mailbox sends nothing now")
      const { left, restsUntilMillis } = yield* sendings.roomAt(claimOptions(mailbox, nowMillis), organisation)
      if ((restsUntilMillis ?? 0) > nowMillis) return never("its mailbox leaves the organisation alone")
      return left > 0 ? null : ({ _tag: "later" } as const)
    })

  /** The claim. True: it may leave, once. */
  const claim = (canary: Canary) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      // A kill waits for this claim, or this claim sees it.
      yield* workspaces.shareSending(canary.workspaceId)
      const locked = Option.getOrNull(yield* store.lock(canary))
      if (locked === null || !allows(CanaryMachine, locked.state, "claim")) return false
      if ((yield* heldBy(locked, nowMillis)) !== null) return false
      yield* store.put({
        ...locked,
        state: after(CanaryMachine, locked.state, "claim"),
        claimedAtMillis: nowMillis,
        nextAtMillis: nowMillis + MINUTE_MILLIS
      })
      return true
    }).pipe(atomically)

  const hand = (account: MailAccount, mail: OutgoingMail, canary: Canary) =>
    Effect.suspend(() => {
      const session = { isTaken: false, isOver: false }
      const claiming = Effect.suspend(() => (session.isOver ? Effect.succeed(false) : claim(canary))).pipe(
        Effect.map((isTaken) => (session.isTaken = isTaken) && !session.isOver),
        Effect.mapError((cause) => new ProviderFailure({ provider: OWN_MAILBOX, reason: "transient", cause }))
      )
      const one = Effect.acquireUseRelease(
        Scope.make(),
        (scope) =>
          Effect.flatMap(Scope.provide(transport.session(account), scope), (smtp) => smtp.send(mail, claiming)),
        (scope, exit) => Effect.forkDetach(Scope.close(scope, exit))
      )
      return askProvider(OWN_MAILBOX, { seconds: SESSION_SECONDS, otherwise: "unknown_outcome" }, () => one).pipe(
        inSpan("mail.send", { kind: "client", attributes: () => ({ "outbound.canary": canary.canaryId }) }),
        Effect.result,
        Effect.ensuring(Effect.sync(() => (session.isOver = true))),
        Effect.map((result) => ({ result, isTaken: session.isTaken }))
      )
    })

  /** Writes what came of it, if nobody wrote meanwhile that it was found. */
  const record = (canary: Canary, change: (locked: Canary) => Canary) =>
    Effect.gen(function* () {
      const locked = Option.getOrNull(yield* store.lock(canary))
      if (locked !== null && CanaryMachine.is.open(locked.state)) yield* store.put(change(locked))
    }).pipe(atomically)

  return (canary: Canary) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const { campaignId, fromMailboxId, toMailboxId, workspaceId } = canary
      const drop = (says: string) => record(canary, (locked) => endedBy(locked, "drop", nowMillis, { says }))
      const later = record(canary, (locked) =>
        nowMillis - locked.plannedAtMillis > PLANNED_MILLIS_MAX
          ? endedBy(locked, "drop", nowMillis, { says: "it could not leave in time" })
          : { ...locked, nextAtMillis: nowMillis + AGAIN_MILLIS }
      )
      const held = yield* heldBy(canary, nowMillis)
      if (held !== null) return yield* held._tag === "later" ? later : drop(held.says)
      const from = Option.getOrNull(yield* owns.get(workspaceId, fromMailboxId))
      const to = Option.getOrNull(yield* owns.get(workspaceId, toMailboxId))
      const campaign = Option.getOrNull(yield* campaigns.get(workspaceId, campaignId))
      const workspace = Option.getOrNull(yield* workspaces.get(workspaceId))
      const account = from === null ? null : openAccount(crypto, from)
      if (from === null || to === null || campaign === null || workspace === null || account === null) {
        return yield* drop("one of its mailboxes is gone")
      }
      const urlFor = yield* urlsOf({ workspaceId, domain: from.mailbox.domain })
      const mail = letterOf(crypto, canary, {
        campaign,
        from: from.mailbox,
        to: to.mailbox,
        postalAddress: workspace.postalAddress,
        unsubscribeUrl: urlFor({ campaignLeadId: canary.canaryId })
      })
      const { isTaken, result } = yield* hand(account, mail, canary)
      const doneAtMillis = yield* Clock.currentTimeMillis
      if (result._tag === "Success") {
        if (result.success === "withdrawn") {
          // The claim was refused: what it saw is looked at again. A claim that was taken too late left nothing.
          return yield* isTaken
            ? record(canary, (locked) =>
                endedBy(locked, "refuse", doneAtMillis, { says: "it was given up before it left" })
              )
            : Effect.void
        }
        return yield* record(canary, (locked) => ({
          ...locked,
          state: after(CanaryMachine, locked.state, "accept"),
          sentAtMillis: doneAtMillis,
          nextAtMillis: doneAtMillis + MINUTE_MILLIS
        }))
      }
      const { failure } = result
      // It may have left: it is looked for.
      if (isTaken && failure.reason === "unknown_outcome") return
      const says = evidenceOf(smtpAnswerOf(failure)?.text ?? failure.reason)
      if (isTaken) return yield* record(canary, (locked) => endedBy(locked, "refuse", doneAtMillis, { says }))
      return yield* failure.reason === "invalid" ? drop(says) : later
    }).pipe(Effect.uninterruptible)
})

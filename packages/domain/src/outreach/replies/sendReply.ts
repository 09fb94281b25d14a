import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Effect, Exit, Option, Ref, Result } from "effect"
import { CallJournal } from "../../calls/CallJournal.js"
import type { Call, Plan } from "../../calls/Handler.js"
import { type AnyWireError, isWireError, refuse } from "../../kernel/errors/Wire.js"
import { zero } from "../../kernel/money/Credits.js"
import { ProviderFailure } from "../../sources/ports/Source.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { unavailable } from "../../sources/refusals.js"
import { makeSenderOf } from "../sending/senderOf.js"
import { type Mailbox, SendingStore } from "../sending/SendingStore.js"
import { suspended } from "../sending/suspended.js"
import { about, inSpan } from "../../kernel/telemetry.js"
import type { ReplyToThread } from "../../verbs/ReplyToThread.js"
import type { ResultOf } from "../../verbs/Verb.js"
import { type SendingState, type WorkspaceCaps, WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { makeReplyOutcome, sentResult } from "./ReplyOutcome.js"
import { composeReply, type ReplyDraft, replyDraftTo } from "./outgoingReply.js"
import { SentReplyMachine } from "./SentReplyMachine.js"
import { type RepliesOfDay, type SentReply, SentReplyStore } from "./SentReplyStore.js"
import { dayStart } from "../sending/Dispatcher.js"
import { Contactability } from "../suppression/Contactability.js"
import { type Addressed, suppressionReason, SuppressionStore } from "../suppression/SuppressionStore.js"
import { ReplyStore, type ReplyWithLead } from "./ReplyStore.js"

/** Everything that a reply to an inbound message depends on. */
export interface ReplyContext extends ReplyWithLead {
  readonly sending: SendingState
  /** The owner's switch for agents. Always on for a person who answers in their own name. */
  readonly enabled: boolean
  /** An earlier reply that prevents another one. */
  readonly standing: SentReply | null
  readonly answer: ReplyDraft | null
  /** The mailbox that received the message, if it can still send. */
  readonly mailbox: Mailbox | null
  readonly suppressed: "opted_out" | "platform_blocked" | null
  readonly caps: WorkspaceCaps
}

const MAILBOX_MESSAGE =
  "The mailbox that received this message is paused or removed, and replies are sent only from it. An owner can check it in the console."

/** Reasons against asking for or sending this reply, with their names in a dry run. */
const obstacles = (context: ReplyContext): ReadonlyArray<AnyWireError> => {
  const { answer, enabled, mailbox, standing, suppressed } = context
  const found: Array<AnyWireError> = []
  if (!enabled) found.push(refuse("reply_send_disabled", {}))
  if (standing !== null) {
    found.push(
      SentReplyMachine.is.left(standing.state)
        ? refuse("reply_already_sent", { sent_reply_id: standing.sentReplyId })
        : refuse("reply_intent_pending", {})
    )
  }
  if (suppressed !== null) found.push(refuse("suppressed_recipient", { suppressed_reason: suppressed }))
  if (answer === null) found.push(refuse("reply_content_unavailable", {}))
  else if (mailbox === null) found.push(refuse("mailbox_unavailable", {}, MAILBOX_MESSAGE))
  return found
}

/** The first reason, after a suspension and before the token's own state. */
export const obstacle = (context: ReplyContext): AnyWireError | null => obstacles(context)[0] ?? null

/** A reached cap. An approval may be used the next day, so only sending checks it, not asking. */
export const capReached = (today: RepliesOfDay, caps: WorkspaceCaps, nowMillis: number): AnyWireError | null => {
  const limit =
    today.workspace >= caps.dailyReplies
      ? "workspace_daily_replies"
      : today.mailbox >= caps.mailboxDailyReplies
        ? "mailbox_daily_replies"
        : null
  const tomorrow = dayStart(nowMillis) + DAY_MILLIS
  return limit === null
    ? null
    : refuse("rate_limited", { retry_after_seconds: Math.ceil((tomorrow - nowMillis) / 1000), limit })
}

export const wouldExceed = (context: ReplyContext, today: RepliesOfDay, nowMillis: number): ReadonlyArray<string> =>
  [suspended(context.sending), ...obstacles(context), capReached(today, context.caps, nowMillis)].flatMap((error) =>
    error === null ? [] : [error.code]
  )

/** Reads everything that a reply depends on, except what the caller already has. */
export const makeReplyContext = Effect.gen(function* () {
  const replies = yield* ReplyStore
  const workspaces = yield* WorkspaceStore
  const sendings = yield* SendingStore
  const suppressions = yield* SuppressionStore
  const contactability = yield* Contactability

  /**
   * The suppression that forbids replying: any except the person's own reply, which only keeps them out of campaigns
   * (contract: replies, replying in a thread). Checks both the original recipient and the actual writer.
   */
  const suppressedBy = (workspaceId: string, people: ReadonlyArray<Addressed>) =>
    Effect.forEach(people, ({ addressHash, email }) => suppressions.sourcesOf(workspaceId, addressHash, email)).pipe(
      Effect.map((sources) => suppressionReason(sources.flat().filter((source) => source !== "reply"))),
      Effect.tapError((error) => Effect.logError("checking suppression failed", error.cause)),
      Effect.mapError(() => refuse("contact_history_unavailable", {}))
    )

  return {
    suppressedBy,
    /** The hash of the inbound message's sender, if it has one. */
    hashOf: (workspaceId: string, answer: ReplyDraft) => contactability.hashOf(workspaceId, answer.toEmail),
    context: (
      of: { readonly workspaceId: string; readonly replyId: string },
      held: {
        readonly sending: SendingState
        readonly standing: Option.Option<SentReply>
        readonly isByPerson: boolean
      }
    ) =>
      Effect.gen(function* () {
        const { workspaceId } = of
        const found = yield* replies.get(workspaceId, of.replyId)
        if (Option.isNone(found)) return Option.none<ReplyContext>()
        const { lead, reply } = found.value
        const workspace = Option.getOrThrow(yield* workspaces.get(workspaceId))
        const answer = replyDraftTo(reply)
        const active = yield* sendings.activeMailboxes(workspaceId)
        const people = [
          lead,
          ...(answer === null
            ? []
            : [{ addressHash: contactability.hashOf(workspaceId, answer.toEmail), email: answer.toEmail }])
        ]
        return Option.some<ReplyContext>({
          reply,
          lead,
          answer,
          sending: held.sending,
          enabled: held.isByPerson || (yield* workspaces.replySend(workspaceId)),
          standing: Option.getOrNull(held.standing),
          mailbox: active.find((mailbox) => mailbox.address.toLowerCase() === answer?.fromEmail) ?? null,
          suppressed: yield* suppressedBy(workspaceId, people),
          caps: workspace.caps
        })
      })
  }
})

export type ReplyCall = Call<Plan, ResultOf<typeof ReplyToThread>>

/** How long the last check stays valid. A reply whose turn comes later is not sent. */
const CHECK_GOOD_MILLIS = 30_000

/** It was checked at that time, right before it may leave. */
type Cleared = SentReply & { readonly askedAtMillis: number }

const WITHDRAWN = "Nothing was sent: the last check before sending failed."

/**
 * Sends a recorded and approved reply. Commits that its effect begins, runs the last checks while sharing the
 * workspace's sending row, and asks the provider once. Afterwards it records what is known; the reconciliation finds
 * out the rest.
 */
export const makeSendReply = Effect.gen(function* () {
  const journal = yield* CallJournal
  const workspaces = yield* WorkspaceStore
  const sentReplies = yield* SentReplyStore
  const contexts = yield* makeReplyContext
  const senderOf = yield* makeSenderOf
  const ends = yield* makeReplyOutcome
  const { atomically } = yield* UnitOfWork

  /** If this fails, the operation's step finds that nothing was sent. */
  const withdraw = (sent: SentReply, why: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => atomically(ends.unsent(sent, nowMillis, why))).pipe(
      Effect.ignore({ log: true })
    )

  /** Fails with the reason against sending it now. */
  const check = (sent: SentReply, isByPerson: boolean) =>
    Effect.gen(function* () {
      const { replyId, workspaceId } = sent
      const sending = yield* workspaces.shareSending(workspaceId)
      const locked = yield* sentReplies.lock(workspaceId, sent.sentReplyId)
      const isOurs = ({ askedAtMillis, state }: SentReply) =>
        SentReplyMachine.is.pending(state) && askedAtMillis === sent.askedAtMillis
      if (!Option.exists(locked, isOurs)) return yield* Effect.fail(refuse("internal", {}))
      const context = yield* contexts.context(
        { workspaceId, replyId },
        { sending, standing: Option.none(), isByPerson }
      )
      const against = Option.match(context, {
        onNone: (): AnyWireError | null => refuse("not_found", {}),
        onSome: (found) => suspended(sending) ?? obstacle(found)
      })
      if (against !== null) return yield* Effect.fail(against)
    })

  /** The second check, right before sending. It records the time; from then on the reply may be in transit. */
  const clear = (sent: SentReply, isByPerson: boolean) =>
    Effect.gen(function* () {
      yield* check(sent, isByPerson)
      const cleared = { ...sent, askedAtMillis: yield* Clock.currentTimeMillis }
      yield* sentReplies.update(cleared)
      return cleared
    }).pipe(atomically)

  /** Checks again when the mailbox's server waits for the content. Stores the reason against it in `against`. */
  const stillClear = (sent: SentReply, isByPerson: boolean, against: Ref.Ref<AnyWireError>): FromStore<boolean> =>
    atomically(check(sent, isByPerson)).pipe(
      Effect.as(true),
      Effect.catch((error) => (isWireError(error) ? Effect.as(Ref.set(against, error), false) : Effect.fail(error)))
    )

  const begin = (call: ReplyCall, sent: SentReply): FromStore<Cleared, AnyWireError> =>
    journal.effectStarts(call.admitted).pipe(
      Effect.flatMap((starts) =>
        starts ? clear(sent, call.byUserId !== null) : Effect.fail<AnyWireError>(refuse("internal", {}))
      ),
      Effect.tapCause(() => withdraw(sent, WITHDRAWN))
    )

  const ask = (call: ReplyCall, sent: Cleared, mailbox: Mailbox, against: Ref.Ref<AnyWireError>) =>
    Effect.gen(function* () {
      const sender = yield* senderOf(call.workspaceKind, mailbox)
      const nowMillis = yield* Clock.currentTimeMillis
      if (sender === null || nowMillis - sent.askedAtMillis > CHECK_GOOD_MILLIS) {
        return yield* Effect.fail(new ProviderFailure({ provider: sender?.name ?? "none", reason: "transient" }))
      }
      return yield* inSpan("reply.send", { kind: "client", attributes: () => ({ "peer.service": sender.name }) })(
        sender.reply(composeReply(sent, mailbox), stillClear(sent, call.byUserId !== null, against))
      )
    }).pipe(
      // We could not read whom to ask, so we asked no one.
      Effect.catchTag("StoreUnavailable", (cause) =>
        Effect.fail(new ProviderFailure({ provider: "none", reason: "transient", cause }))
      ),
      Effect.result
    )

  const accept = (call: ReplyCall, sent: SentReply) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      Effect.gen(function* () {
        const now = yield* ends.sent(sent, { nowMillis, sentAtMillis: nowMillis }, "api")
        // Another host took this one for dead and has already resolved the reply.
        if (Option.isNone(now)) return yield* Effect.fail(refuse("internal", {}))
        return yield* call.settleIn({ result: sentResult(now.value, nowMillis), charge: zero })
      }).pipe(atomically)
    )

  const lose = (sent: SentReply) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => atomically(ends.unknown(sent, nowMillis)))

  return (call: ReplyCall, recorded: SentReply, mailbox: Mailbox) =>
    Effect.gen(function* () {
      const sent = yield* begin(call, recorded)
      const against = yield* Ref.make<AnyWireError>(refuse("internal", {}))
      const asked = yield* ask(call, sent, mailbox, against)
      if (Result.isFailure(asked) && asked.failure.reason !== "unknown_outcome") {
        yield* Effect.logWarning("sending a reply failed", asked.failure)
        yield* withdraw(sent, `The provider refused the message (${asked.failure.reason}). Nothing was sent.`)
        return yield* Effect.fail(unavailable([asked.failure]))
      }
      if (Result.isSuccess(asked) && asked.success === "withdrawn") {
        yield* withdraw(sent, WITHDRAWN)
        return yield* Effect.fail(yield* Ref.get(against))
      }
      if (Result.isSuccess(asked)) {
        const accepted = yield* Effect.exit(accept(call, sent))
        if (Exit.isSuccess(accepted)) return accepted.value
        yield* Effect.logError("recording a sent reply failed", accepted.cause)
      } else {
        yield* Effect.ignore(lose(sent), { log: true })
      }
      return yield* Effect.fail(refuse("operation_unknown_state", { operation_id: sent.requestId }))
    }).pipe(
      about({
        campaign_id: recorded.campaignId,
        campaign_lead_id: recorded.campaignLeadId,
        mailbox_id: recorded.mailboxId,
        message_id: recorded.sentReplyId
      })
    )
})

import { Effect, Option } from "effect"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { dayStart } from "../sending/Dispatcher.js"
import { type Mailbox, SendingStore } from "../sending/SendingStore.js"
import { suspended } from "../sending/suspended.js"
import { Contactability } from "../suppression/Contactability.js"
import { type Addressed, suppressionReason, SuppressionStore } from "../suppression/SuppressionStore.js"
import { type SendingState, type WorkspaceCaps, WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { type ReplyDraft, replyDraftTo } from "./outgoingReply.js"
import { ReplyStore, type ReplyWithLead } from "./ReplyStore.js"
import { SentReplyMachine } from "./SentReplyMachine.js"
import type { RepliesOfDay, SentReply } from "./SentReplyStore.js"

const DAY_MILLIS = 86_400_000

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
    : refuse("rate_limited", { retry_after_seconds: Math.max(1, Math.ceil((tomorrow - nowMillis) / 1000)), limit })
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

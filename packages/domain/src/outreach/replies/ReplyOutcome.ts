import { Effect, Either, Option } from "effect"
import { makeRelease } from "../../calls/approvals/Release.js"
import { step } from "../../kernel/machine.js"
import { OperationMachine } from "../operations/OperationMachine.js"
import { type OperationItem, OperationStore } from "../operations/OperationStore.js"
import { makeTell, type TrailSource } from "../../kernel/trail/TrailEvent.js"
import { SentReplyMachine } from "./SentReplyMachine.js"
import { type SentReply, SentReplyStore } from "./SentReplyStore.js"

type OperationEvent = (typeof OperationMachine.events)[number]

/**
 * Records how a reply ended, in the caller's transaction: the reply, its operation, its approval and the trail. A reply
 * that already ended otherwise stays so; the result is none.
 */
export const makeReplyOutcome = Effect.gen(function* () {
  const sentReplies = yield* SentReplyStore
  const operations = yield* OperationStore
  const tell = yield* makeTell
  const release = yield* makeRelease

  const moveOperation = (
    sent: SentReply,
    nowMillis: number,
    to: { readonly event: OperationEvent; readonly item: OperationItem["status"]; readonly error: string | null }
  ) =>
    Effect.gen(function* () {
      const locked = yield* operations.lock(sent.workspaceId, sent.requestId)
      if (Option.isNone(locked)) return
      const status = step(OperationMachine, locked.value.status, to.event)
      if (Either.isLeft(status)) return
      yield* operations.update({
        ...locked.value,
        status: status.right,
        items: locked.value.items.map((item) => ({ ...item, status: to.item })),
        error: to.error,
        updatedAtMillis: nowMillis,
        finishedAtMillis: to.event === "wait" ? null : nowMillis
      })
    })

  /** Locks the reply and applies the event; none: its state no longer allows it. */
  const advance = (
    { askedAtMillis, sentReplyId, workspaceId }: SentReply,
    event: (typeof SentReplyMachine.events)[number],
    sentAtMillis: number | null
  ) =>
    Effect.gen(function* () {
      const locked = yield* sentReplies.lock(workspaceId, sentReplyId)
      // Another host has asked since; that host ends it.
      if (Option.isNone(locked) || locked.value.askedAtMillis !== askedAtMillis) return Option.none<SentReply>()
      const state = step(SentReplyMachine, locked.value.state, event)
      if (Either.isLeft(state) || state.right === locked.value.state) return Option.none<SentReply>()
      const now = { ...locked.value, state: state.right, sentAtMillis }
      yield* sentReplies.update(now)
      return Option.some(now)
    })

  return {
    /** It was sent. */
    sent: (sent: SentReply, at: { readonly nowMillis: number; readonly sentAtMillis: number }, source: TrailSource) =>
      Effect.gen(function* () {
        const now = yield* advance(sent, "accept", at.sentAtMillis)
        if (Option.isNone(now)) return now
        yield* moveOperation(sent, at.nowMillis, { event: "succeed", item: "done", error: null })
        yield* tell(at.nowMillis, {
          workspaceId: sent.workspaceId,
          kind: "reply_sent",
          source,
          campaignId: sent.campaignId,
          campaignLeadId: sent.campaignLeadId,
          replyId: sent.replyId,
          requestId: sent.requestId,
          operationId: sent.requestId,
          email: sent.toEmail
        })
        return now
      }),
    /** It was certainly not sent: another reply may be sent, and its approval can be used again by the same call. */
    unsent: (sent: SentReply, nowMillis: number, error: string) =>
      Effect.gen(function* () {
        const now = yield* advance(sent, "reject", null)
        if (Option.isNone(now)) return now
        yield* moveOperation(sent, nowMillis, { event: "fail", item: "failed", error })
        yield* release(sent.workspaceId, sent.approvalId, nowMillis)
        return now
      }),
    /** We can't tell whether it was sent. */
    unknown: (sent: SentReply, nowMillis: number) =>
      Effect.gen(function* () {
        const now = yield* advance(sent, "lose", null)
        if (Option.isSome(now)) yield* moveOperation(sent, nowMillis, { event: "wait", item: "pending", error: null })
        return now
      }),
    /** We will never know whether it was sent. It stays unknown, and a person decides. */
    unknowable: (sent: SentReply, nowMillis: number, error: string) =>
      Effect.gen(function* () {
        yield* advance(sent, "lose", null)
        yield* moveOperation(sent, nowMillis, { event: "fail", item: "failed", error })
      })
  }
})

/** The result of a call that sent a reply. */
export const sentResult = (sent: SentReply, sentAtMillis: number) => ({
  status: "sent" as const,
  sent_reply_id: sent.sentReplyId,
  thread_id: sent.threadId,
  from_email: sent.fromEmail,
  to_email: sent.toEmail,
  sent_at: new Date(sentAtMillis).toISOString()
})

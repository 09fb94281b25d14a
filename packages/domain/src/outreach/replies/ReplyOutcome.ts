import { Effect, Either, Option } from "effect"
import { makeRelease } from "../../calls/approvals/Release.js"
import { step } from "../../kernel/machine.js"
import { OperationMachine } from "../operations/OperationMachine.js"
import { type OperationItem, OperationStore } from "../operations/OperationStore.js"
import { makeTell } from "../../kernel/trail/events.js"
import type { TrailSource } from "../../kernel/trail/TrailEvent.js"
import { SentReplyMachine } from "./SentReplyMachine.js"
import { type SentReply, SentReplyStore } from "./SentReplyStore.js"

type OperationEvent = (typeof OperationMachine.events)[number]

/**
 * Writes down how an answer ended: it, its operation, its approval and the trail, in the caller's transaction. What
 * has ended another way before stays so, and is given back as none.
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

  /** The answer, locked, in the state that the event leads to; none where it can't come there any more. */
  const advance = (
    { askedAtMillis, sentReplyId, workspaceId }: SentReply,
    event: (typeof SentReplyMachine.events)[number],
    sentAtMillis: number | null
  ) =>
    Effect.gen(function* () {
      const locked = yield* sentReplies.lock(workspaceId, sentReplyId)
      // Asked since it was looked at, it is somebody else's to end.
      if (Option.isNone(locked) || locked.value.askedAtMillis !== askedAtMillis) return Option.none<SentReply>()
      const state = step(SentReplyMachine, locked.value.state, event)
      if (Either.isLeft(state) || state.right === locked.value.state) return Option.none<SentReply>()
      const now = { ...locked.value, state: state.right, sentAtMillis }
      yield* sentReplies.update(now)
      return Option.some(now)
    })

  return {
    /** It left. */
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
    /** It did not leave, for certain: its place is free again, and its approval good for the same call. */
    unsent: (sent: SentReply, nowMillis: number, error: string) =>
      Effect.gen(function* () {
        const now = yield* advance(sent, "reject", null)
        if (Option.isNone(now)) return now
        yield* moveOperation(sent, nowMillis, { event: "fail", item: "failed", error })
        yield* release(sent.workspaceId, sent.approvalId, nowMillis)
        return now
      }),
    /** Nobody knows whether it left. */
    unknown: (sent: SentReply, nowMillis: number) =>
      Effect.gen(function* () {
        const now = yield* advance(sent, "lose", null)
        if (Option.isSome(now)) yield* moveOperation(sent, nowMillis, { event: "wait", item: "pending", error: null })
        return now
      }),
    /** Nobody ever will know: it stays unknown, and is left to a human. */
    unknowable: (sent: SentReply, nowMillis: number, error: string) =>
      Effect.gen(function* () {
        yield* advance(sent, "lose", null)
        yield* moveOperation(sent, nowMillis, { event: "fail", item: "failed", error })
      })
  }
})

/** What a call that sent an answer says of it. */
export const sentResult = (sent: SentReply, sentAtMillis: number) => ({
  status: "sent" as const,
  sent_reply_id: sent.sentReplyId,
  thread_id: sent.threadId,
  from_email: sent.fromEmail,
  to_email: sent.toEmail,
  sent_at: new Date(sentAtMillis).toISOString()
})

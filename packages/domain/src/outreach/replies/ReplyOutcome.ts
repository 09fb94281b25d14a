import { Clock, Effect, Option, Result } from "effect"
import { makeRelease } from "../../calls/approvals/Expiry.js"
import { step } from "../../kernel/machine.js"
import { OperationMachine } from "../operations/OperationMachine.js"
import { type OperationItem, OperationStore, type ReplyOperation } from "../operations/OperationStore.js"
import { makeTell, type TrailSource } from "../../kernel/trail/TrailEvent.js"
import { SentReplyMachine } from "./SentReplyMachine.js"
import { type SentReply, SentReplyStore } from "./SentReplyStore.js"
import { CallJournal } from "../../calls/CallJournal.js"
import type { Reconciled } from "../../calls/Attempt.js"
import { WIRE } from "../../kernel/errors/Wire.js"
import { DONE, waitFor } from "../../kernel/ports/LongWork.js"
import { type InTx, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeSenderOf } from "../sending/senderOf.js"
import { SendingStore } from "../sending/SendingStore.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { composeReply } from "./outgoingReply.js"

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
      if (Result.isFailure(status)) return
      yield* operations.update({
        ...locked.value,
        status: status.success,
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
      if (Result.isFailure(state) || state.success === locked.value.state) return Option.none<SentReply>()
      const now = { ...locked.value, state: state.success, sentAtMillis }
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

/** How often we check whether the call has ended. */
const POLL_MILLIS = 500

/** Pause before asking a provider again that could not tell. */
const LOOK_UP_PAUSE_MILLIS = 5_000

/** After this many look-ups without an answer, a person decides. */
export const LOOK_UPS_MAX = 100

/** How long a host that was taken for dead may still be asking the provider. Only then can we see the outcome. */
export const ASKING_MILLIS_MAX = 90_000

const NOT_SENT = "The reply was not sent. Repeat the same call; its approval is valid until it expires."
const UNKNOWABLE =
  "We can't tell whether the reply was sent, and we won't send it again. Check the mailbox's sent messages."

/**
 * Finds out what happened to a reply whose call ended with unknown outcome or whose host died. If the provider was
 * never asked, nothing happened. Otherwise we ask it for the outcome, which replaces the call's answer.
 */
export const replyReconciliation = Effect.gen(function* () {
  const journal = yield* CallJournal
  const sentReplies = yield* SentReplyStore
  const sendings = yield* SendingStore
  const workspaces = yield* WorkspaceStore
  const senderOf = yield* makeSenderOf
  const ends = yield* makeReplyOutcome
  const { atomically } = yield* UnitOfWork

  const remembered = (sent: SentReply, to: Omit<Reconciled, "workspaceId" | "requestId">) =>
    journal.reconcileIn({ workspaceId: sent.workspaceId, requestId: sent.requestId, ...to })

  /** Records its end and the new answer to repeats. If it changed meanwhile, we look again. */
  const ended = (end: InTx<Option.Option<SentReply>>, remember: InTx<void>) =>
    atomically(
      Effect.flatMap(
        end,
        Option.match({ onNone: () => Effect.succeed(waitFor(POLL_MILLIS)), onSome: () => Effect.as(remember, DONE) })
      )
    )

  const wasSent = (sent: SentReply, sentAtMillis: number, nowMillis: number) => {
    const body = JSON.stringify(sentResult(sent, sentAtMillis))
    return ended(
      ends.sent(sent, { nowMillis, sentAtMillis }, "system"),
      remembered(sent, { status: "succeeded", httpStatus: 200, errorCode: null, body, subjects: [sent.addressHash] })
    )
  }

  const wasNotSent = (sent: SentReply, nowMillis: number) =>
    ended(
      ends.unsent(sent, nowMillis, NOT_SENT),
      remembered(sent, {
        status: "failed",
        httpStatus: WIRE.provider_unavailable.status,
        errorCode: "provider_unavailable",
        body: null
      })
    )

  const isUnknowable = (sent: SentReply, nowMillis: number) =>
    Effect.as(atomically(ends.unknowable(sent, nowMillis, UNKNOWABLE)), DONE)

  const lookedUp = (sent: SentReply) =>
    atomically(
      Effect.flatMap(
        sentReplies.lock(sent.workspaceId, sent.sentReplyId),
        Option.match({
          onNone: () => Effect.void,
          onSome: (locked) => sentReplies.update({ ...locked, lookUps: locked.lookUps + 1 })
        })
      )
    )

  const find = (sent: SentReply, askedAtMillis: number) =>
    Effect.gen(function* () {
      const mailbox = yield* sendings.mailbox(sent.workspaceId, sent.mailboxId)
      if (Option.isNone(mailbox)) return null
      const workspace = Option.getOrThrow(yield* workspaces.get(sent.workspaceId))
      const sender = yield* senderOf(workspace.kind, mailbox.value)
      if (sender === null) return null
      const asked = yield* Effect.result(sender.findSent(composeReply(sent, mailbox.value), askedAtMillis))
      return Result.getOrNull(asked)
    })

  return (operation: ReplyOperation) =>
    Effect.gen(function* () {
      const { operationId, workspaceId } = operation
      const found = yield* sentReplies.ofRequest(workspaceId, operationId)
      if (Option.isNone(found)) return DONE
      const sent = found.value
      const call = yield* journal.request(workspaceId, operationId)
      if (Option.exists(call, ({ status }) => status === "pending")) return waitFor(POLL_MILLIS)
      const nowMillis = yield* Clock.currentTimeMillis
      const { askedAtMillis } = sent
      if (askedAtMillis === null) return yield* wasNotSent(sent, nowMillis)
      const leftMillis = askedAtMillis + ASKING_MILLIS_MAX - nowMillis
      if (SentReplyMachine.is.pending(sent.state) && leftMillis > 0) return waitFor(leftMillis)
      if (sent.lookUps >= LOOK_UPS_MAX) return yield* isUnknowable(sent, nowMillis)
      switch (yield* find(sent, askedAtMillis)) {
        case "sent":
          return yield* wasSent(sent, askedAtMillis, nowMillis)
        case "not_sent":
          return yield* wasNotSent(sent, nowMillis)
        case "unknowable":
          return yield* isUnknowable(sent, nowMillis)
        case null:
          yield* lookedUp(sent)
          return waitFor(LOOK_UP_PAUSE_MILLIS)
      }
    })
})

import { Clock, Effect, Either, Option } from "effect"
import { CallJournal } from "../../calls/CallJournal.js"
import type { Reconciled } from "../../calls/Attempt.js"
import { WIRE } from "../../kernel/errors/Wire.js"
import type { ReplyOperation } from "../operations/OperationStore.js"
import { DONE, waitFor } from "../../kernel/ports/LongWork.js"
import { type InTx, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeSenderOf } from "../sending/senderOf.js"
import { SendingStore } from "../sending/SendingStore.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { makeReplyOutcome, sentResult } from "./ReplyOutcome.js"
import { composeReply } from "./outgoingReply.js"
import { SentReplyMachine } from "./SentReplyMachine.js"
import { type SentReply, SentReplyStore } from "./SentReplyStore.js"

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

  const wasSent = (sent: SentReply, nowMillis: number) => {
    const sentAtMillis = sent.askedAtMillis ?? nowMillis
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

  const find = (sent: SentReply) =>
    Effect.gen(function* () {
      const mailbox = yield* sendings.mailbox(sent.workspaceId, sent.mailboxId)
      const workspace = Option.getOrThrow(yield* workspaces.get(sent.workspaceId))
      const sender = Option.isNone(mailbox) ? null : yield* senderOf(workspace.kind, mailbox.value)
      if (sender === null || Option.isNone(mailbox)) return null
      const asked = yield* Effect.either(
        sender.findSent(composeReply(sent, mailbox.value), sent.askedAtMillis ?? sent.createdAtMillis)
      )
      return Either.getOrNull(asked)
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
      if (sent.askedAtMillis === null) return yield* wasNotSent(sent, nowMillis)
      const leftMillis = sent.askedAtMillis + ASKING_MILLIS_MAX - nowMillis
      if (SentReplyMachine.is.pending(sent.state) && leftMillis > 0) return waitFor(leftMillis)
      if (sent.lookUps >= LOOK_UPS_MAX) return yield* isUnknowable(sent, nowMillis)
      switch (yield* find(sent)) {
        case "sent":
          return yield* wasSent(sent, nowMillis)
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

import { Effect, Option, Result } from "effect"
import type { Approval } from "../../calls/approvals/ApprovalStore.js"
import { APPROVAL_MILLIS, Approvals, needsDecision, type TokenCheck } from "../../calls/approvals/Approvals.js"
import { REPLY_EXCERPT_CHARS_MAX } from "../../calls/approvals/Snapshot.js"
import { canonicalJson } from "../../kernel/canonical.js"
import { type CallScope, free, type Handler } from "../../calls/Handler.js"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { step } from "../../kernel/machine.js"
import { OperationMachine } from "../operations/OperationMachine.js"
import { operationJob, OperationStore } from "../operations/OperationStore.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { LongWork } from "../../kernel/ports/LongWork.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { dayStart } from "../sending/Dispatcher.js"
import type { Mailbox } from "../sending/SendingStore.js"
import { suspended } from "../sending/suspended.js"
import { approvalUrl, Settings } from "../../kernel/Settings.js"
import type { ReplyToThread } from "../../verbs/ReplyToThread.js"
import type { RequestOf } from "../../verbs/Verb.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { cut } from "../../kernel/text/cut.js"
import {
  capReached,
  makeReplyContext,
  makeSendReply,
  obstacle,
  type ReplyCall,
  type ReplyContext,
  wouldExceed
} from "./sendReply.js"
import { ReplyStore } from "./ReplyStore.js"
import { SentReplyMachine } from "./SentReplyMachine.js"
import { type SentReply, SentReplyStore } from "./SentReplyStore.js"
import type { ReplyDraft } from "./outgoingReply.js"

type Request = RequestOf<typeof ReplyToThread>

const VERB = "reply_to_thread"

/** The call itself sends first. The job looks for the outcome after this. */
const OWN_TRY_MILLIS = 1_000

const notFound = refuse("not_found", {})

const firstOf = (token: TokenCheck, context: ReplyContext): AnyWireError | null =>
  suspended(context.sending) ?? token.before ?? obstacle(context) ?? token.after

/** A context without obstacles: it has everything a reply needs. */
interface Ready extends ReplyContext {
  readonly answer: ReplyDraft
  readonly mailbox: Mailbox
}

const isReady = (context: ReplyContext): context is Ready => context.answer !== null && context.mailbox !== null

/** What a confirmed call has recorded and must send now. */
interface Recorded {
  readonly sent: SentReply
  readonly mailbox: Mailbox
}

export const replyToThread = Effect.gen(function* () {
  const approvals = yield* Approvals
  const workspaces = yield* WorkspaceStore
  const sentReplies = yield* SentReplyStore
  const replies = yield* ReplyStore
  const operations = yield* OperationStore
  const work = yield* LongWork
  const crypto = yield* Crypto
  const ids = yield* Ids
  const settings = yield* Settings
  const contexts = yield* makeReplyContext
  const sendAnswer = yield* makeSendReply
  const { atomically } = yield* UnitOfWork

  /** The approved recipient, sender and subject; the request binds the body. */
  const bindingOf = ({ fromEmail, subject, toEmail }: ReplyDraft): string =>
    crypto.mac("request", canonicalJson({ from_email: fromEmail, subject, to_email: toEmail }))

  const ask = (request: Request, call: ReplyCall, { answer, reply }: Ready) =>
    Effect.gen(function* () {
      const preview = {
        to_email: answer.toEmail,
        from_email: answer.fromEmail,
        subject: answer.subject,
        body_text: request.body_text
      }
      const asked = yield* approvals.ask(call, {
        verb: VERB,
        target: `reply:${reply.replyId}`,
        binding: bindingOf(answer),
        snapshot: {
          kind: "reply",
          ...preview,
          reply_id: reply.replyId,
          answers: {
            from_email: reply.fromEmail,
            subject: reply.subject,
            received_at: new Date(reply.receivedAtMillis).toISOString(),
            text: cut(reply.bodyText, REPLY_EXCERPT_CHARS_MAX),
            truncated: reply.bodyTruncated || reply.bodyText.length > REPLY_EXCERPT_CHARS_MAX
          }
        },
        lifetimeMillis: APPROVAL_MILLIS,
        requested: { kind: "reply_requested", campaignId: reply.campaignId, replyId: reply.replyId }
      })
      return yield* call.settleIn(needsDecision(asked, preview))
    })

  /** Uses the approval and takes the message's single reply slot. Nothing is sent before this is committed. */
  const record = (request: Request, call: ReplyCall, context: Ready, approval: Approval) =>
    Effect.gen(function* () {
      const { nowMillis, requestId, workspaceId } = call
      const { answer, mailbox, reply } = context
      if (approval.binding !== bindingOf(answer)) {
        const approval_url = approvalUrl(settings, approval.approvalId)
        return yield* Effect.fail(refuse("approval_changed", { approval_url }))
      }
      const today = yield* sentReplies.lockDay(workspaceId, mailbox.mailboxId, dayStart(nowMillis))
      const capped = capReached(today, context.caps, nowMillis)
      if (capped !== null) return yield* Effect.fail(capped)
      yield* approvals.use(call, approval)
      const sent: SentReply = {
        workspaceId,
        sentReplyId: ids.next(nowMillis),
        replyId: reply.replyId,
        campaignId: reply.campaignId,
        campaignLeadId: reply.campaignLeadId,
        threadId: reply.threadId,
        requestId,
        approvalId: approval.approvalId,
        mailboxId: mailbox.mailboxId,
        addressHash: contexts.hashOf(workspaceId, answer),
        fromEmail: answer.fromEmail,
        toEmail: answer.toEmail,
        subject: answer.subject,
        bodyText: request.body_text,
        references: answer.references,
        state: SentReplyMachine.initial,
        createdAtMillis: nowMillis,
        askedAtMillis: null,
        sentAtMillis: null,
        lookUps: 0
      }
      yield* sentReplies.insert(sent)
      yield* replies.handle(workspaceId, reply.replyId, { handledAtMillis: nowMillis })
      yield* operations.insert({
        workspaceId,
        operationId: requestId,
        kind: "reply",
        status: Result.getOrElse(
          step(OperationMachine, OperationMachine.initial, "begin"),
          () => OperationMachine.initial
        ),
        requestId,
        items: [{ id: sent.sentReplyId, kind: "reply", status: "pending", detail: null }],
        error: null,
        createdAtMillis: nowMillis,
        updatedAtMillis: nowMillis,
        finishedAtMillis: null
      })
      yield* work.announce([{ ...operationJob({ workspaceId, operationId: requestId }), afterMillis: OWN_TRY_MILLIS }])
      return { sent, mailbox } satisfies Recorded
    })

  /** The current context, without locks. */
  const context = (request: Request, scope: CallScope) =>
    Effect.gen(function* () {
      const { workspaceId } = scope
      const replyId = request.reply_id.toLowerCase()
      const sending = yield* workspaces.sending(workspaceId)
      return yield* contexts.context(
        { workspaceId, replyId },
        { sending, standing: yield* sentReplies.answering(workspaceId, replyId), isByPerson: scope.byUserId !== null }
      )
    })

  const handler: Handler<typeof ReplyToThread> = {
    plan: free,
    subject: (request, scope) =>
      Effect.gen(function* () {
        const found = yield* context(request, scope)
        if (Option.isNone(found)) return { missing: notFound, refusal: null, wouldExceed: [] }
        const { workspaceId, nowMillis } = scope
        const mailboxId = found.value.mailbox?.mailboxId ?? null
        const today = yield* sentReplies.ofDay(workspaceId, mailboxId, dayStart(nowMillis))
        const token = yield* approvals.look(scope, VERB)
        return {
          missing: null,
          refusal: firstOf(token, found.value),
          wouldExceed: wouldExceed(found.value, today, nowMillis)
        }
      }).pipe(Effect.catchTag("contact_history_unavailable", unconfirmed)),
    would: (request, _plan, scope) =>
      Effect.gen(function* () {
        const { answer, reply } = yield* context(request, scope).pipe(orFail(notFound))
        return {
          to_email: answer?.toEmail ?? reply.fromEmail,
          from_email: answer?.fromEmail ?? reply.toEmail,
          subject: answer?.subject ?? reply.subject,
          needs_confirmation: true
        }
      }),
    perform: (request, call) =>
      Effect.gen(function* () {
        const { workspaceId } = call
        const replyId = request.reply_id.toLowerCase()
        const done = yield* Effect.gen(function* () {
          const sending = yield* workspaces.shareSending(workspaceId)
          const standing = yield* sentReplies.lockAnswering(workspaceId, replyId)
          const found = yield* contexts
            .context({ workspaceId, replyId }, { sending, standing, isByPerson: call.byUserId !== null })
            .pipe(orFail(notFound))
          const token = yield* approvals.check(call, VERB)
          const refusal = firstOf(token, found)
          if (refusal !== null) return yield* Effect.fail(refusal)
          if (!isReady(found)) return yield* Effect.fail(refuse("mailbox_unavailable", {}))
          return token.approval === null
            ? Result.fail(yield* ask(request, call, found))
            : Result.succeed(yield* record(request, call, found, token.approval))
        }).pipe(atomically)
        return Result.isFailure(done) ? done.failure : yield* sendAnswer(call, done.success.sent, done.success.mailbox)
      })
  }
  return handler
})

/** An unverifiable suppression refuses the call, but the subject exists. */
const unconfirmed = (error: AnyWireError) =>
  Effect.succeed({ missing: null, refusal: error, wouldExceed: [error.code] })

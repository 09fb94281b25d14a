import { Effect } from "effect"
import { cursors as makeCursors } from "../../calls/cursor.js"
import { answering } from "../../calls/Handler.js"
import { refuse } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { type GetReplies, type GetReply, REPLIES_PAGE_DEFAULT } from "../../verbs/Replies.js"
import { type Reply, ReplyStore } from "./ReplyStore.js"
import { SentReplyMachine } from "./SentReplyMachine.js"
import { type SentReply, SentReplyStore } from "./SentReplyStore.js"
import { understand } from "../meaning/understood.js"
import { iso, isoOrNull } from "../../kernel/text.js"

const readingOf = (reply: Reply) => {
  const { contentFlags, intent, referredEmail, returnsOn } = understand(reply)
  return { intent, referred_email: referredEmail, returns_on: returnsOn, content_flags: contentFlags }
}

const summaryOf = (reply: Reply) => ({
  reply_id: reply.replyId,
  campaign_id: reply.campaignId,
  from_email: reply.fromEmail,
  subject: reply.subject,
  snippet: reply.snippet,
  classification: reply.classification,
  ...readingOf(reply),
  received_at: iso(reply.receivedAtMillis)
})

export const getReplies = Effect.gen(function* () {
  const replies = yield* ReplyStore
  const cursors = yield* makeCursors
  return answering<typeof GetReplies>((request, call) =>
    Effect.gen(function* () {
      const { workspaceId } = call
      const campaignId = request.campaign_id?.toLowerCase() ?? null
      const filters = {
        since: request.since ?? null,
        campaign_id: campaignId,
        classification: request.classification ?? null
      }
      const after = yield* Effect.fromResult(cursors.decode(workspaceId, filters, request.cursor))
      const limit = request.limit ?? REPLIES_PAGE_DEFAULT
      const page = yield* replies.page({
        workspaceId,
        sinceMillis: request.since ?? null,
        campaignId,
        classification: request.classification ?? null,
        limit: limit + 1,
        after: after === null ? null : { receivedAtMillis: after.atMillis, replyId: after.id }
      })
      const { nextCursor, shown } = cursors.cut(workspaceId, filters, { rows: page, limit }, (last) => ({
        atMillis: last.receivedAtMillis,
        id: last.replyId
      }))
      return { replies: shown.map(summaryOf), next_cursor: nextCursor }
    })
  )
})

/** Most of our replies listed for one inbound message: a thread has no more of them than messages of the person. */
const OUR_REPLIES_MAX = 100

const ourReplyOf = (sent: SentReply) => ({
  sent_reply_id: sent.sentReplyId,
  reply_id: sent.replyId,
  status: SentReplyMachine.is.left(sent.state) ? ("sent" as const) : ("unknown" as const),
  from_email: sent.fromEmail,
  to_email: sent.toEmail,
  subject: sent.subject,
  body_text: sent.bodyText,
  sent_at: isoOrNull(sent.sentAtMillis)
})

/** Whether an erasure has emptied the message. */
const isErased = ({ bodyHtml, bodyText, fromEmail, snippet, subject }: Reply): boolean =>
  bodyHtml === null && [bodyText, fromEmail, snippet, subject].every((text) => text === "")

const readers = Effect.all([ReplyStore, SentReplyStore])

export const getReply = Effect.map(readers, ([replies, sentReplies]) =>
  answering<typeof GetReply>((request, call) =>
    Effect.gen(function* () {
      const { reply, lead } = yield* replies
        .get(call.workspaceId, request.reply_id.toLowerCase())
        .pipe(orFail(refuse("not_found", {})))
      const ours = yield* sentReplies.ofLead(call.workspaceId, reply.campaignLeadId, OUR_REPLIES_MAX)
      return {
        ...summaryOf(reply),
        thread_id: reply.threadId,
        to_email: reply.toEmail,
        body_text: reply.bodyText,
        body_html: reply.bodyHtml,
        body_status: isErased(reply) ? "unavailable" : "available",
        body_truncated: reply.bodyTruncated,
        content_trust: "external_untrusted",
        lead: {
          campaign_lead_id: lead.campaignLeadId,
          state: lead.state,
          interest_status: lead.interestStatus,
          provider_sync_status: lead.providerSyncStatus
        },
        our_replies: ours.filter((sent) => !SentReplyMachine.is.pending(sent.state)).map(ourReplyOf)
      }
    })
  )
)

import { type ConsoleReads, REPLIES_COUNTED_MAX } from "@outbound/domain/control/console/ConsoleReads.js"
import { CONVERSATION_ANSWERS_MAX, CONVERSATION_TEXT_CHARS } from "@outbound/domain/control/console/Conversation.js"
import { CLASSIFICATIONS } from "@outbound/domain/outreach/meaning/Classification.js"
import { SentReplyMachine } from "@outbound/domain/outreach/replies/SentReplyMachine.js"
import { Effect, Option, Schema } from "effect"
import { CAMPAIGN_COLUMNS, CampaignRow, LEAD_COLUMNS, LeadRow } from "../CampaignRows.js"
import { Millis, rows } from "../Columns.js"
import type { SqlClient } from "../Sql.js"
import { readerOf, texts } from "../Table.js"

const SentRow = Schema.Struct({ stepIndex: Schema.Int, sentAtMillis: Millis, fromAddress: Schema.String })

const AnswerRow = Schema.Struct({
  ...texts("replyId", "fromEmail", "subject", "text"),
  isCut: Schema.Boolean,
  classification: Schema.NullOr(Schema.Literals(CLASSIFICATIONS)),
  receivedAtMillis: Millis
})

const ClassCountRow = Schema.Struct({
  classification: Schema.NullOr(Schema.Literals(CLASSIFICATIONS)),
  count: Schema.Int
})

const OurAnswerRow = Schema.Struct({
  ...texts("sentReplyId", "replyId", "fromEmail", "subject", "text"),
  isCut: Schema.Boolean,
  state: Schema.Literals(SentReplyMachine.states),
  atMillis: Millis
})

/** A campaign's conversation with one person: five reads, however long it is. */
const conversation = (sql: SqlClient): Pick<ConsoleReads["Service"], "conversation"> => ({
  conversation: (workspaceId, campaignLeadId) =>
    Effect.gen(function* () {
      const leads = readerOf(sql, "campaign_leads l", LeadRow, LEAD_COLUMNS)
      const lead = yield* leads.one("console.conversation")({ workspaceId, campaignLeadId })
      if (Option.isNone(lead)) return Option.none()
      const campaigns = readerOf(sql, "campaigns c", CampaignRow, CAMPAIGN_COLUMNS)
      const campaign = yield* campaigns.one("console.conversation")({ workspaceId, campaignId: lead.value.campaignId })
      if (Option.isNone(campaign)) return Option.none()
      const sent = yield* sql`
        SELECT m.step_index AS "stepIndex", m.sent_at AS "sentAtMillis", b.address AS "fromAddress"
        FROM messages m JOIN mailboxes b ON b.workspace_id = m.workspace_id AND b.mailbox_id = m.mailbox_id
        WHERE m.workspace_id = ${workspaceId} AND m.campaign_lead_id = ${campaignLeadId} AND m.state = 'sent'
        ORDER BY m.step_index
      `.pipe(rows("console.conversation", SentRow))
      const answers = yield* sql`
        SELECT r.reply_id AS "replyId", r.from_email AS "fromEmail", r.subject,
          left(r.body_text, ${CONVERSATION_TEXT_CHARS}::integer) AS text,
          r.body_truncated OR char_length(r.body_text) > ${CONVERSATION_TEXT_CHARS}::integer AS "isCut",
          r.classification, r.received_at AS "receivedAtMillis"
        FROM replies r
        WHERE r.workspace_id = ${workspaceId} AND r.campaign_id = ${lead.value.campaignId}
          AND r.campaign_lead_id = ${campaignLeadId}
        ORDER BY r.received_at DESC, r.reply_id DESC
        LIMIT ${CONVERSATION_ANSWERS_MAX}
      `.pipe(rows("console.conversation", AnswerRow))
      const ours = yield* sql`
        SELECT a.sent_reply_id AS "sentReplyId", a.reply_id AS "replyId", a.from_email AS "fromEmail", a.subject,
          left(a.body_text, ${CONVERSATION_TEXT_CHARS}::integer) AS text,
          char_length(a.body_text) > ${CONVERSATION_TEXT_CHARS}::integer AS "isCut", a.state,
          coalesce(a.sent_at, a.created_at) AS "atMillis"
        FROM sent_replies a
        WHERE a.workspace_id = ${workspaceId} AND a.campaign_lead_id = ${campaignLeadId}
        ORDER BY a.created_at, a.sent_reply_id
        LIMIT ${2 * CONVERSATION_ANSWERS_MAX}
      `.pipe(rows("console.conversation", OurAnswerRow))
      return Option.some({ campaign: campaign.value, lead: lead.value, sent, answers: answers.toReversed(), ours })
    })
})

export const conversationReads = (
  sql: SqlClient
): Pick<ConsoleReads["Service"], "conversation" | "repliesByClass"> => ({
  ...conversation(sql),
  repliesByClass: (workspaceId, campaignId) =>
    sql`
      SELECT newest.classification, count(*)::integer AS count FROM (
        SELECT r.classification FROM replies r
        WHERE r.workspace_id = ${workspaceId}
          AND ${campaignId === null ? sql`true` : sql`r.campaign_id = ${campaignId}`}
        ORDER BY r.received_at DESC
        LIMIT ${REPLIES_COUNTED_MAX}
      ) newest GROUP BY newest.classification
    `.pipe(rows("console.repliesByClass", ClassCountRow))
})

import { ReadingStore } from "@outbound/domain/outreach/replies/ReadingStore.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { AUTOMATIC } from "@outbound/domain/outreach/meaning/Classification.js"
import { LEARNED_MAX } from "@outbound/domain/outreach/replies/learnedIds.js"
import { Schema } from "effect"
import { column, date, firstRow, hasRows, literals, mapOf, NIL, rows, run } from "./Columns.js"
import { columnsOf, readerOf, storeLayer, texts, update } from "./Table.js"

const MessageIdRow = Schema.Struct({ messageId: Schema.String })
const LearnedRow = Schema.Struct(texts("idHash", "messageId"))
const SidesRow = Schema.Struct({
  isMailbox: Schema.Boolean,
  leadEmail: Schema.String,
  leadNames: Schema.Array(Schema.String),
  hasAnswered: Schema.Boolean
})
const OpenRefRow = Schema.Struct({ workspaceId: Schema.String, replyId: Schema.String })
const OpenReplyRow = Schema.Struct({
  ...texts("workspaceId", "replyId", "campaignId", "campaignLeadId", "fromEmail", "bodyText")
})

export const layer = storeLayer(ReadingStore, (sql) => ({
  ours: (workspaceId, messageIds) => {
    const ids = messageIds.filter(isUuid)
    return sql`
      SELECT m.message_id AS "messageId" FROM messages m
      WHERE m.workspace_id = ${workspaceId} AND m.message_id = ANY(${ids}::text[]) AND m.state <> 'failed'
      UNION ALL
      SELECT s.sent_reply_id::text AS "messageId" FROM sent_replies s
      WHERE s.workspace_id = ${workspaceId} AND s.sent_reply_id = ANY(${ids}::uuid[]) AND s.state <> 'failed'
    `.pipe(column("reading.ours", Schema.String))
  },

  newestTo: ({ addressHash, mailboxId, sinceMillis, untilMillis, workspaceId }) =>
    sql`
      SELECT m.message_id AS "messageId"
      FROM campaign_leads l
      JOIN messages m ON m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id
      WHERE l.workspace_id = ${workspaceId} AND l.address_hash = ${addressHash} AND m.state <> 'failed'
        AND m.claimed_at >= ${date(sinceMillis)} AND m.claimed_at <= ${date(untilMillis)}
      ORDER BY (m.mailbox_id = ${mailboxId}) IS TRUE DESC, m.claimed_at DESC, m.message_id DESC
      LIMIT 1
    `.pipe(firstRow("reading.newestTo", MessageIdRow, ({ messageId }) => messageId)),

  newestOfLead: (workspaceId, campaignLeadId, untilMillis) =>
    sql`
      SELECT m.message_id AS "messageId" FROM messages m
      WHERE m.workspace_id = ${workspaceId} AND m.campaign_lead_id = ${campaignLeadId} AND m.state <> 'failed'
        AND m.claimed_at <= ${date(untilMillis)}
      ORDER BY m.step_index DESC
      LIMIT 1
    `.pipe(firstRow("reading.newestOfLead", MessageIdRow, ({ messageId }) => messageId)),

  sides: (workspaceId, messageId, address) =>
    sql`
      SELECT EXISTS (
          SELECT 1 FROM mailboxes b WHERE b.workspace_id = ${workspaceId} AND b.address = ${address}
        ) AS "isMailbox",
        l.email AS "leadEmail",
        array_remove(ARRAY[l.first_name, l.last_name], NULL) AS "leadNames",
        EXISTS (
          SELECT 1 FROM replies r
          WHERE r.workspace_id = l.workspace_id AND r.campaign_lead_id = l.campaign_lead_id
            AND (r.classification IN (${sql.literal(literals(AUTOMATIC))})) IS NOT TRUE
        ) AS "hasAnswered"
      FROM campaign_leads l
      WHERE l.workspace_id = ${workspaceId} AND l.campaign_lead_id = (
        SELECT m.campaign_lead_id FROM messages m
        WHERE m.workspace_id = ${workspaceId} AND m.message_id = ${messageId}
        UNION ALL
        SELECT s.campaign_lead_id FROM sent_replies s
        WHERE s.workspace_id = ${workspaceId} AND s.sent_reply_id = ${isUuid(messageId) ? messageId : NIL}::uuid
        LIMIT 1
      )
    `.pipe(firstRow("reading.sides", SidesRow)),

  leftUnder: (workspaceId, idHashes) =>
    sql`
      SELECT l.id_hash AS "idHash", l.message_id AS "messageId" FROM learned_ids l
      WHERE l.workspace_id = ${workspaceId} AND l.id_hash = ANY(${idHashes}::text[])
    `.pipe(mapOf("reading.leftUnder", LearnedRow, ({ idHash, messageId }) => [idHash, messageId])),

  learn: (workspaceId, idHash, messageId) =>
    sql`
      INSERT INTO learned_ids (workspace_id, id_hash, message_id)
      SELECT ${workspaceId}::uuid, ${idHash}::text, ${messageId}::text
      WHERE ${LEARNED_MAX} > (
        SELECT count(*) FROM learned_ids l WHERE l.workspace_id = ${workspaceId} AND l.message_id = ${messageId}
      )
      ON CONFLICT (workspace_id, id_hash) DO NOTHING
    `.pipe(run("reading.learn")),

  // The classification's index starts with the workspace, so look once per workspace.
  unclassified: (sinceMillis, limit) =>
    sql`
      SELECT ${sql.literal(columnsOf(OpenRefRow, "r"))}
      FROM workspaces w CROSS JOIN LATERAL (
        SELECT r.workspace_id, r.reply_id, r.received_at
        FROM replies r
        WHERE r.workspace_id = w.workspace_id AND r.classification IS NULL AND r.received_at >= ${date(sinceMillis)}
        ORDER BY r.received_at, r.reply_id
        LIMIT ${limit}
      ) r
      WHERE w.kind = 'live'
      ORDER BY r.received_at, r.reply_id
      LIMIT ${limit}
    `.pipe(rows("reading.unclassified", OpenRefRow)),

  openReply: ({ replyId, workspaceId }) =>
    readerOf(sql, "replies r", OpenReplyRow, columnsOf(OpenReplyRow, "r")).one("reading.openReply")(sql`
      r.workspace_id = ${workspaceId} AND r.reply_id = ${replyId} AND r.classification IS NULL
    `),

  classify: (workspaceId, replyId, classification) =>
    update(sql, "replies", { workspaceId, replyId, classification: null }, { classification }).pipe(
      hasRows("reading.classify")
    )
}))

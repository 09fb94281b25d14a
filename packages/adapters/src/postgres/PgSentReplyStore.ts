import { SentReplyMachine } from "@outbound/domain/outreach/replies/SentReplyMachine.js"
import { SentReplyStore } from "@outbound/domain/outreach/replies/SentReplyStore.js"
import { Effect, Schema } from "effect"
import {
  changes,
  date,
  dateOrNull,
  firstRow,
  json,
  literals,
  Millis,
  rows,
  run,
  statesInto,
  storable
} from "./Columns.js"
import { columnsOf, texts } from "./RowFields.js"
import { storeLayer } from "./storeLayer.js"

const SentReplyRow = Schema.Struct({
  ...texts("workspaceId", "sentReplyId", "replyId", "campaignId", "campaignLeadId"),
  threadId: Schema.NullOr(Schema.String),
  ...texts("requestId", "approvalId", "mailboxId", "addressHash", "fromEmail", "toEmail", "subject", "bodyText"),
  references: Schema.Array(Schema.String),
  state: Schema.Literal(...SentReplyMachine.states),
  createdAtMillis: Millis,
  askedAtMillis: Schema.NullOr(Millis),
  sentAtMillis: Schema.NullOr(Millis),
  lookUps: Schema.Int
})

const DayRow = Schema.Struct({ workspace: Schema.Int, mailbox: Schema.Int })

export const layer = storeLayer(SentReplyStore, (sql) => {
  const columns = sql.literal(columnsOf(SentReplyRow, "s", { references: "s.refs" }))

  const answering = (workspaceId: string, replyId: string) =>
    sql`
      SELECT ${columns} FROM sent_replies s
      WHERE s.workspace_id = ${workspaceId} AND s.reply_id = ${replyId} AND s.state <> 'failed'
    `.pipe(firstRow("sentReplies.answering", SentReplyRow))

  const ofDay = (workspaceId: string, mailboxId: string | null, dayStartMillis: number) =>
    sql`
      SELECT count(*)::int AS workspace, (count(*) FILTER (WHERE s.mailbox_id = ${mailboxId}::uuid))::int AS mailbox
      FROM sent_replies s
      WHERE s.workspace_id = ${workspaceId} AND s.created_at >= ${date(dayStartMillis)} AND s.state <> 'failed'
    `.pipe(
      rows("sentReplies.ofDay", DayRow),
      Effect.map(([row]) => row ?? { workspace: 0, mailbox: 0 })
    )

  return {
    answering,

    // The statement after the lock sees what the previous holder wrote.
    lockAnswering: (workspaceId, replyId) =>
      Effect.zipRight(
        sql`
          SELECT 1 FROM replies r WHERE r.workspace_id = ${workspaceId} AND r.reply_id = ${replyId}
          FOR NO KEY UPDATE
        `.pipe(run("sentReplies.lockAnswering")),
        answering(workspaceId, replyId)
      ),

    ofDay,

    lockDay: (workspaceId, mailboxId, dayStartMillis) =>
      Effect.zipRight(
        sql`SELECT pg_advisory_xact_lock(hashtextextended(${`sent replies ${workspaceId}`}, 0))`.pipe(
          run("sentReplies.lockDay")
        ),
        ofDay(workspaceId, mailboxId, dayStartMillis)
      ),

    insert: (sent) =>
      sql`
        INSERT INTO sent_replies (
          workspace_id, sent_reply_id, reply_id, campaign_id, campaign_lead_id, thread_id, request_id, approval_id,
          mailbox_id, address_hash, from_email, to_email, subject, body_text, refs, state, created_at, asked_at,
          sent_at, look_ups
        ) VALUES (
          ${sent.workspaceId}, ${sent.sentReplyId}, ${sent.replyId}, ${sent.campaignId}, ${sent.campaignLeadId},
          ${sent.threadId}, ${sent.requestId}, ${sent.approvalId}, ${sent.mailboxId}, ${sent.addressHash},
          ${sent.fromEmail}, ${sent.toEmail}, ${storable(sent.subject)}, ${storable(sent.bodyText)},
          ${json(sent.references)}, ${sent.state}, ${date(sent.createdAtMillis)}, ${dateOrNull(sent.askedAtMillis)},
          ${dateOrNull(sent.sentAtMillis)}, ${sent.lookUps}
        )
      `.pipe(run("sentReplies.insert")),

    get: (workspaceId, sentReplyId) =>
      sql`
        SELECT ${columns} FROM sent_replies s
        WHERE s.workspace_id = ${workspaceId} AND s.sent_reply_id = ${sentReplyId}
      `.pipe(firstRow("sentReplies.get", SentReplyRow)),

    ofRequest: (workspaceId, requestId) =>
      sql`
        SELECT ${columns} FROM sent_replies s
        WHERE s.workspace_id = ${workspaceId} AND s.request_id = ${requestId}
      `.pipe(firstRow("sentReplies.ofRequest", SentReplyRow)),

    lock: (workspaceId, sentReplyId) =>
      sql`
        SELECT ${columns} FROM sent_replies s
        WHERE s.workspace_id = ${workspaceId} AND s.sent_reply_id = ${sentReplyId}
        FOR NO KEY UPDATE
      `.pipe(firstRow("sentReplies.lock", SentReplyRow)),

    // The recipient, the sender and the approved content are never rewritten.
    update: (sent) =>
      sql`
        UPDATE sent_replies s
        SET state = ${sent.state}, asked_at = ${dateOrNull(sent.askedAtMillis)},
          sent_at = ${dateOrNull(sent.sentAtMillis)}, look_ups = ${sent.lookUps}
        WHERE s.workspace_id = ${sent.workspaceId} AND s.sent_reply_id = ${sent.sentReplyId}
          AND s.state IN (${sql.literal(literals(statesInto(SentReplyMachine, sent.state)))})
        RETURNING s.sent_reply_id
      `.pipe(changes("sentReplies.update")),

    ofLead: (workspaceId, campaignLeadId, limit) =>
      sql`
        SELECT ${columns} FROM sent_replies s
        WHERE s.workspace_id = ${workspaceId} AND s.campaign_lead_id = ${campaignLeadId} AND s.state <> 'failed'
        ORDER BY s.created_at, s.sent_reply_id
        LIMIT ${limit}
      `.pipe(rows("sentReplies.ofLead", SentReplyRow))
  }
})

import { SentReplyMachine } from "@outbound/domain/outreach/replies/SentReplyMachine.js"
import { SentReplyStore } from "@outbound/domain/outreach/replies/SentReplyStore.js"
import { Effect, Option, Schema, Struct } from "effect"
import { date, firstRow, json, Millis, run, storable } from "./Columns.js"
import { columnsOf, lockNamed, moverOf, readerOf, storeLayer, texts, timesOrNull, valuesOf } from "./Table.js"

const SentReplyRow = Schema.Struct({
  ...texts("workspaceId", "sentReplyId", "replyId", "campaignId", "campaignLeadId"),
  threadId: Schema.NullOr(Schema.String),
  ...texts("requestId", "approvalId", "mailboxId", "addressHash", "fromEmail", "toEmail", "subject", "bodyText"),
  references: Schema.Array(Schema.String),
  state: Schema.Literals(SentReplyMachine.states),
  createdAtMillis: Millis,
  ...timesOrNull("askedAtMillis", "sentAtMillis"),
  lookUps: Schema.Int
})

const Changing = SentReplyRow.mapFields(Struct.pick(["state", "askedAtMillis", "sentAtMillis", "lookUps"]))

const DayRow = Schema.Struct({ workspace: Schema.Int, mailbox: Schema.Int })

export const layer = storeLayer(SentReplyStore, (sql) => {
  const columns = columnsOf(SentReplyRow, "s", { references: "s.refs" })
  const { all, one } = readerOf(sql, "sent_replies s", SentReplyRow, columns)
  const move = moverOf(sql, "sent_replies", Changing, SentReplyMachine)

  const answering = (workspaceId: string, replyId: string) =>
    one("sentReplies.answering")(sql`
      s.workspace_id = ${workspaceId} AND s.reply_id = ${replyId} AND s.state <> 'failed'
    `)

  const ofDay = (workspaceId: string, mailboxId: string | null, dayStartMillis: number) =>
    sql`
      SELECT count(*)::int AS workspace, (count(*) FILTER (WHERE s.mailbox_id = ${mailboxId}::uuid))::int AS mailbox
      FROM sent_replies s
      WHERE s.workspace_id = ${workspaceId} AND s.created_at >= ${date(dayStartMillis)} AND s.state <> 'failed'
    `.pipe(firstRow("sentReplies.ofDay", DayRow), Effect.map(Option.getOrElse(() => ({ workspace: 0, mailbox: 0 }))))

  return {
    answering,

    // The statement after the lock sees what the previous holder wrote.
    lockAnswering: (workspaceId, replyId) =>
      Effect.andThen(
        sql`
          SELECT 1 FROM replies r WHERE r.workspace_id = ${workspaceId} AND r.reply_id = ${replyId}
          FOR NO KEY UPDATE
        `.pipe(run("sentReplies.lockAnswering")),
        answering(workspaceId, replyId)
      ),

    ofDay,

    lockDay: (workspaceId, mailboxId, dayStartMillis) =>
      Effect.andThen(
        lockNamed(sql, "sentReplies.lockDay", `sent replies ${workspaceId}`),
        ofDay(workspaceId, mailboxId, dayStartMillis)
      ),

    insert: (sent) => {
      const { references, ...fields } = sent
      const texts = { subject: storable(sent.subject), bodyText: storable(sent.bodyText) }
      const values = valuesOf(SentReplyRow.mapFields(Struct.omit(["references"])), fields, texts)
      return sql`INSERT INTO sent_replies ${sql.insert({ ...values, refs: json(references) })}`.pipe(
        run("sentReplies.insert")
      )
    },

    get: (workspaceId, sentReplyId) => one("sentReplies.get")({ workspaceId, sentReplyId }),

    ofRequest: (workspaceId, requestId) => one("sentReplies.ofRequest")({ workspaceId, requestId }),

    lock: (workspaceId, sentReplyId) => one("sentReplies.lock")({ workspaceId, sentReplyId }, "FOR NO KEY UPDATE"),

    // The recipient, the sender and the approved content are never rewritten.
    update: ({ sentReplyId, workspaceId, ...next }) => move("sentReplies.update", { workspaceId, sentReplyId }, next),

    ofLead: (workspaceId, campaignLeadId, limit) =>
      all("sentReplies.ofLead")(sql`
        s.workspace_id = ${workspaceId} AND s.campaign_lead_id = ${campaignLeadId} AND s.state <> 'failed'
        ORDER BY s.created_at, s.sent_reply_id
        LIMIT ${limit}
      `)
  }
})

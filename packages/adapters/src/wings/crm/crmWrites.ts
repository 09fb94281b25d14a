import { CRM_WRITE_KINDS, type CrmStore } from "@outbound/domain/wings/crm/CrmStore.js"
import { CrmWriteMachine } from "@outbound/domain/wings/crm/CrmWriteMachine.js"
import { isFinal } from "@outbound/domain/kernel/machine.js"
import { CLASSIFICATIONS } from "@outbound/domain/outreach/meaning/Classification.js"
import { Effect, Option, Schema } from "effect"
import { date, firstRow, hasRows, literals, Millis, run, statesInto } from "../../postgres/Columns.js"
import type { SqlClient } from "../../postgres/Sql.js"
import { chooserOf, columnsOf, texts, textsOrNull } from "../../postgres/Table.js"

const WriteRow = Schema.Struct({
  ...texts("workspaceId", "writeId", "campaignLeadId", "claimId"),
  kind: Schema.Literals(CRM_WRITE_KINDS),
  replyId: Schema.NullOr(Schema.String),
  atMillis: Millis,
  state: Schema.Literals(CrmWriteMachine.states),
  attempts: Schema.Int
})

const PersonRow = Schema.Struct({ email: Schema.String, ...textsOrNull("firstName", "lastName", "companyName") })

const ReplyRow = Schema.Struct({
  ...textsOrNull("subject", "bodyText"),
  classification: Schema.NullOr(Schema.Literals(CLASSIFICATIONS)),
  receivedAtMillis: Schema.NullOr(Millis)
})

const ClaimedRow = Schema.Struct({
  ...WriteRow.fields,
  ...PersonRow.fields,
  ...ReplyRow.fields,
  campaignName: Schema.String,
  ownerRef: Schema.NullOr(Schema.String)
})

const CountsRow = Schema.Struct({ open: Schema.Int, written: Schema.Int, failed: Schema.Int })

const OPEN = literals(CrmWriteMachine.in.open)

/** The outbox of notes for CRMs. */
export const crmWrites = (
  sql: SqlClient
): Pick<CrmStore["Service"], "queue" | "claimWrite" | "recordWrite" | "countWrites" | "purgeWrites"> => ({
  queue: ({ atMillis, campaignLeadId, kind, replyId, workspaceId, writeId }) =>
    sql`
      INSERT INTO crm_writes (
        workspace_id, write_id, kind, campaign_lead_id, reply_id, made_at, state, attempts, due_at
      )
      SELECT x.workspace_id, ${writeId}::uuid, ${kind}::text, ${campaignLeadId}::uuid, ${replyId}::uuid,
        ${date(atMillis)}::timestamptz, ${CrmWriteMachine.initial}::text, 0, ${date(atMillis)}::timestamptz
      FROM crm_connections x
      WHERE x.workspace_id = ${workspaceId}
        AND CASE ${kind}::text WHEN 'reply' THEN x.writes_replies ELSE x.writes_meetings END
      ON CONFLICT DO NOTHING
    `.pipe(run("crm.queue")),

  claimWrite: ({ claimId, lapsedMillis, nowMillis, workspaceId }) =>
    Effect.gen(function* () {
      // The host that made these claims may still have asked: nobody knows what came of it.
      yield* sql`
        UPDATE crm_writes w SET state = 'unknown', claim_id = NULL
        WHERE w.workspace_id = ${workspaceId} AND w.state = 'writing' AND w.claimed_at <= ${date(lapsedMillis)}
      `.pipe(run("crm.claimWrite"))
      return yield* sql`
        WITH due AS (
          SELECT w.workspace_id, w.write_id FROM crm_writes w
          WHERE w.workspace_id = ${workspaceId} AND w.state IN (${sql.literal(literals(CrmWriteMachine.in.due))}) AND w.due_at <= ${date(nowMillis)}
          ORDER BY w.due_at, w.write_id
          LIMIT 1
          FOR UPDATE SKIP LOCKED
        ), w AS (
          UPDATE crm_writes w SET state = CASE w.state WHEN 'waiting' THEN 'writing' ELSE w.state END,
            attempts = w.attempts + 1, claim_id = ${claimId}, claimed_at = ${date(nowMillis)}
          FROM due WHERE w.workspace_id = due.workspace_id AND w.write_id = due.write_id
          RETURNING w.*
        )
        SELECT ${sql.literal(columnsOf(WriteRow, "w", { atMillis: "w.made_at" }))}, c.name AS "campaignName",
          ${sql.literal(columnsOf(PersonRow, "l"))}, ${sql.literal(columnsOf(ReplyRow, "r"))}, (
            SELECT o.owner_ref FROM approvals a
            JOIN crm_owners o ON o.workspace_id = a.workspace_id AND o.user_id = a.decided_by_user_id
            WHERE a.workspace_id = l.workspace_id AND a.approval_id = l.approval_id
            ORDER BY o.owner_ref COLLATE "C" LIMIT 1
          ) AS "ownerRef"
        FROM w
        JOIN campaign_leads l ON l.workspace_id = w.workspace_id AND l.campaign_lead_id = w.campaign_lead_id
        JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.campaign_id = l.campaign_id
        LEFT JOIN replies r ON r.workspace_id = w.workspace_id AND r.reply_id = w.reply_id
      `.pipe(
        firstRow("crm.claimWrite", ClaimedRow),
        Effect.map(
          Option.map(({ bodyText, classification, companyName, email, firstName, lastName, ...claimed }) => {
            const { receivedAtMillis, subject, ...write } = claimed
            const reply =
              receivedAtMillis === null
                ? null
                : { subject: subject ?? "", bodyText: bodyText ?? "", classification, receivedAtMillis }
            return { ...write, person: { email, firstName, lastName, companyName }, reply }
          })
        )
      )
    }),

  recordWrite: ({ claimId, workspaceId, writeId }, { atMillis, dueAtMillis, state, trouble }) =>
    sql`
      UPDATE crm_writes w SET state = ${state}, claim_id = NULL, trouble = ${trouble}, due_at = ${date(dueAtMillis)},
        ended_at = ${isFinal(CrmWriteMachine, state) ? date(atMillis) : null}
      WHERE w.workspace_id = ${workspaceId} AND w.write_id = ${writeId} AND w.claim_id = ${claimId}
        AND w.state = ANY(${statesInto(CrmWriteMachine, state)})
      RETURNING 1 AS one
    `.pipe(hasRows("crm.recordWrite")),

  countWrites: (workspaceId) =>
    sql`
      SELECT count(*) FILTER (WHERE w.state IN (${sql.literal(OPEN)}))::integer AS open,
        count(*) FILTER (WHERE w.state = 'written')::integer AS written,
        count(*) FILTER (WHERE w.state = 'failed')::integer AS failed
      FROM crm_writes w WHERE w.workspace_id = ${workspaceId}
    `.pipe(
      firstRow("crm.countWrites", CountsRow),
      Effect.map(Option.getOrElse(() => ({ open: 0, written: 0, failed: 0 })))
    ),

  purgeWrites: (beforeMillis, limit) =>
    chooserOf(sql, "crm_writes w", ["workspace_id", "write_id"]).remove("crm.purgeWrites")(sql`
      w.ended_at < ${date(beforeMillis)} ORDER BY w.ended_at LIMIT ${limit}
    `)
})

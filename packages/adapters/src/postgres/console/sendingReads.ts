import type { ConsoleReads, Part } from "@outbound/domain/control/console/ConsoleReads.js"
import { OperationMachine } from "@outbound/domain/outreach/operations/OperationMachine.js"
import {
  MAILBOX_KINDS,
  MAILBOX_PAUSE_REASONS,
  MailboxMachine
} from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { hasRoom } from "@outbound/domain/outreach/sending/planner.js"
import { Effect, Schema } from "effect"
import { membersOf } from "../../platform/membersOf.js"
import { date, firstRow, Millis, rows } from "../Columns.js"
import type { SqlClient, Statement } from "../Sql.js"
import { columnsOf, integers, texts, timesOrNull } from "../Table.js"
import { Items } from "../PgOperationStore.js"
import { crmUnread } from "../keptOut.js"
import { useBook } from "../ownUse.js"

const SendingRow = Schema.Struct({
  kind: Schema.Literals(["sandbox", "live"]),
  postalAddress: Schema.NullOr(Schema.String),
  suspendedAtMillis: Schema.NullOr(Millis),
  suspendedReason: Schema.NullOr(Schema.String),
  ...integers("dailySends", "mailboxDailySends", "sendsToday"),
  mailboxes: Schema.Struct(membersOf(Schema.optionalKey(Schema.Int), MailboxMachine.states)),
  senders: Schema.Array(Schema.Struct({ mailboxId: Schema.String, sends: Schema.Int })),
  isCrmUnread: Schema.Boolean
})

const MailboxLineRow = Schema.Struct({
  mailboxId: Schema.String,
  kind: Schema.Literals(MAILBOX_KINDS),
  ...texts("domain", "address", "displayName"),
  state: Schema.Literals(MailboxMachine.states),
  pauseReason: Schema.NullOr(Schema.Literals(MAILBOX_PAUSE_REASONS)),
  createdAtMillis: Millis,
  ...timesOrNull("activeAtMillis", "upkeepPaidUntilMillis", "restsUntilMillis"),
  declaredSends: Schema.NullOr(Schema.Int),
  ...timesOrNull("declaredSinceMillis", "declaredAtMillis"),
  sendsToday: Schema.Int
})

const MailboxRecordRow = Schema.Struct({
  mailboxId: Schema.String,
  ...integers("sent", "replied", "bounced", "complained")
})

const OperationLineRow = Schema.Struct({
  ...texts("operationId", "kind"),
  status: Schema.Literals(OperationMachine.states),
  brand: Schema.NullOr(Schema.String),
  items: Items,
  rows: Schema.NullOr(Schema.Struct({ ended: Schema.Int, failed: Schema.Int, total: Schema.Int })),
  error: Schema.NullOr(Schema.String),
  createdAtMillis: Millis,
  finishedAtMillis: Schema.NullOr(Millis)
})

const NO_MAILBOXES = Object.fromEntries(MailboxMachine.states.map((state) => [state, 0])) as Record<
  (typeof MailboxMachine.states)[number],
  number
>

const OPERATION_LINES = `
  SELECT o.operation_id AS "operationId", o.kind, o.status, o.capacity_order ->> 'brand' AS brand, o.items, o.error,
    o.created_at AS "createdAtMillis", o.finished_at AS "finishedAtMillis", (
      SELECT json_build_object(
        'ended', count(*) FILTER (WHERE r.ended_at IS NOT NULL),
        'failed', count(*) FILTER (WHERE r.state = 'failed'),
        'total', count(*)
      )
      FROM list_rows r WHERE r.workspace_id = o.workspace_id AND r.operation_id = o.operation_id
      HAVING count(*) > 0
    ) AS rows
  FROM operations o
`

/** Reads for the pages about sending. */
export const sendingReads = (
  sql: SqlClient,
  after: (part: Part, at: string, id: string) => Statement.Fragment
): Pick<ConsoleReads["Service"], "sending" | "mailboxes" | "mailboxRecords" | "operation" | "operations"> => ({
  sending: (workspaceId, dayStartMillis, nowMillis) =>
    sql`
      WITH now AS (
        SELECT ${date(nowMillis)}::timestamptz AS at
      ), today AS (
        SELECT m.mailbox_id, count(*) AS sends FROM messages m
        WHERE m.workspace_id = ${workspaceId} AND m.claimed_at >= ${date(dayStartMillis)} AND m.state <> 'failed'
        GROUP BY m.mailbox_id
      )
      SELECT w.kind, w.postal_address AS "postalAddress", s.suspended_at AS "suspendedAtMillis",
        s.suspended_reason AS "suspendedReason", w.daily_sends AS "dailySends",
        w.mailbox_daily_sends AS "mailboxDailySends",
        (SELECT coalesce(sum(today.sends), 0)::integer FROM today) AS "sendsToday",
        (
          SELECT coalesce(json_object_agg(counted.state, counted.n), '{}') FROM (
            SELECT b.state, count(*) AS n FROM mailboxes b WHERE b.workspace_id = w.workspace_id GROUP BY b.state
          ) counted
        ) AS mailboxes,
        (
          SELECT coalesce(json_agg(json_build_object(
            'mailboxId', b.mailbox_id, 'sends', coalesce(today.sends, 0)
          )), '[]')
          FROM mailboxes b LEFT JOIN today ON today.mailbox_id = b.mailbox_id
          WHERE b.workspace_id = w.workspace_id AND b.state = 'active'
        ) AS "senders",
        ${sql.literal(crmUnread("w.workspace_id"))} AS "isCrmUnread"
      FROM now CROSS JOIN workspaces w JOIN workspace_sending s ON s.workspace_id = w.workspace_id
      WHERE w.workspace_id = ${workspaceId}
    `.pipe(
      rows("console.sending", SendingRow),
      Effect.flatMap(([row]) => {
        if (row === undefined) return Effect.die(new Error("there is no such workspace"))
        const { senders, ...view } = row
        return Effect.map(useBook(sql, workspaceId, nowMillis, "day"), (book) => ({
          ...view,
          mailboxes: { ...NO_MAILBOXES, ...view.mailboxes },
          mailboxesWithRoom: senders.filter(({ mailboxId, sends }) =>
            hasRoom(view.mailboxDailySends, book.of(mailboxId), sends, nowMillis)
          ).length
        }))
      })
    ),

  mailboxes: (workspaceId, dayStartMillis, last, limit, state = null) =>
    sql`
      SELECT ${sql.literal(columnsOf(MailboxLineRow, "b", { sendsToday: "coalesce(today.sends, 0)::integer" }))}
      FROM mailboxes b LEFT JOIN (
        SELECT m.mailbox_id, count(*) AS sends FROM messages m
        WHERE m.workspace_id = ${workspaceId} AND m.claimed_at >= ${date(dayStartMillis)} AND m.state <> 'failed'
        GROUP BY m.mailbox_id
      ) today ON today.mailbox_id = b.mailbox_id
      WHERE b.workspace_id = ${workspaceId} AND ${last === null ? sql`true` : sql`b.mailbox_id > ${last}::uuid`}
        AND ${state === null ? sql`true` : sql`b.state = ${state}`}
      ORDER BY b.mailbox_id
      LIMIT ${limit}
    `.pipe(rows("console.mailboxes", MailboxLineRow)),

  mailboxRecords: (workspaceId, sinceMillis) =>
    // Each part reads an index alone, but for the last messages of those who answered.
    sql`
      WITH sent AS (
        SELECT m.mailbox_id, count(*)::integer AS n FROM messages m
        WHERE m.workspace_id = ${workspaceId} AND m.sent_at >= ${date(sinceMillis)} AND m.state = 'sent'
        GROUP BY m.mailbox_id
      ), ended AS (
        SELECT m.mailbox_id, (count(*) FILTER (WHERE m.outcome = 'hard_bounce'))::integer AS bounced,
          (count(*) FILTER (WHERE m.outcome = 'complaint'))::integer AS complained
        FROM messages m
        WHERE m.workspace_id = ${workspaceId} AND m.sent_at >= ${date(sinceMillis)} AND m.state = 'sent'
          AND m.outcome IN ('hard_bounce', 'complaint')
        GROUP BY m.mailbox_id
      ), answered AS (
        SELECT m.mailbox_id, count(*)::integer AS n
        FROM campaign_leads l CROSS JOIN LATERAL (
          SELECT m.mailbox_id FROM messages m
          WHERE m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id
            AND m.step_index = l.steps_sent - 1 AND m.state = 'sent' AND m.sent_at >= ${date(sinceMillis)}
          LIMIT 1
        ) m
        WHERE l.workspace_id = ${workspaceId} AND l.state = 'replied'
        GROUP BY m.mailbox_id
      )
      SELECT s.mailbox_id AS "mailboxId", s.n AS sent, coalesce(a.n, 0) AS replied,
        coalesce(e.bounced, 0) AS bounced, coalesce(e.complained, 0) AS complained
      FROM sent s LEFT JOIN ended e ON e.mailbox_id = s.mailbox_id LEFT JOIN answered a ON a.mailbox_id = s.mailbox_id
    `.pipe(rows("console.mailboxRecords", MailboxRecordRow)),

  operation: (workspaceId, operationId) =>
    sql`
      ${sql.literal(OPERATION_LINES)} WHERE o.workspace_id = ${workspaceId} AND o.operation_id = ${operationId}
    `.pipe(firstRow("console.operation", OperationLineRow)),

  operations: (workspaceId, part) =>
    sql`
      ${sql.literal(OPERATION_LINES)}
      WHERE o.workspace_id = ${workspaceId} AND ${after(part, "o.created_at", "o.operation_id")}
      ORDER BY o.created_at DESC, o.operation_id DESC
      LIMIT ${part.limit}
    `.pipe(rows("console.operations", OperationLineRow))
})

import { leftOutReads } from "./leftOut.js"
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { ChangeRequestMachine } from "@outbound/domain/control/ChangeRequestMachine.js"
import {
  ConsoleReads,
  OPEN_REPLIES_MAX,
  type Part,
  type Standing
} from "@outbound/domain/control/console/ConsoleReads.js"
import { ASKS_NOTHING } from "@outbound/domain/outreach/meaning/Classification.js"
import { OPEN_ALERTS_MAX } from "@outbound/domain/control/alerts/AlertStore.js"
import { Effect, Option, Schema } from "effect"
import { column, date, firstRow, literals, Millis, rows } from "./Columns.js"
import { accountReads } from "./console/accountReads.js"
import { campaignReads } from "./console/campaignReads.js"
import { conversationReads } from "./console/conversationReads.js"
import { periodReads } from "./console/periodReads.js"
import { sendingReads } from "./console/sendingReads.js"
import { isOpenAlert } from "./openAlerts.js"
import { SUMMARY_COLUMNS, SUMMARY_JOINS, SummaryRow, toSummary } from "./PgApprovalStore.js"
import type { Statement } from "./Sql.js"
import { integers, storeLayer } from "./Table.js"

const StandingRow = Schema.Struct({
  ...integers("approvalsPending", "repliesOpen", "alertsOpen", "changeRequestsOpen"),
  suspendedAtMillis: Schema.NullOr(Millis)
})

const NameRow = Schema.Struct({ campaignId: Schema.String, name: Schema.String })

const NOTHING_STANDS: Standing = {
  approvalsPending: 0,
  repliesOpen: 0,
  changeRequestsOpen: 0,
  alertsOpen: 0,
  suspendedAtMillis: null
}

export const layer = storeLayer(ConsoleReads, (sql) => {
  /** The rows after the previous page's last one, newest first. */
  const after = (part: Part, at: string, id: string): Statement.Fragment =>
    part.after === null
      ? sql`true`
      : sql`(${sql.literal(at)}, ${sql.literal(id)}) < (${date(part.after.atMillis)}, ${part.after.id}::uuid)`
  return {
    ...campaignReads(sql, after),
    ...leftOutReads(sql),
    ...sendingReads(sql, after),
    ...conversationReads(sql),
    ...accountReads(sql),
    ...periodReads(sql),

    standing: (workspaceId, nowMillis) =>
      sql`
        SELECT s.suspended_at AS "suspendedAtMillis", (
          SELECT count(*)::integer FROM approvals a
          WHERE a.workspace_id = s.workspace_id AND a.state = ${sql.literal(`'${ApprovalMachine.initial}'`)}
            AND a.expires_at > ${date(nowMillis)}
        ) AS "approvalsPending", (
          SELECT count(*)::integer FROM (
            SELECT 1 FROM replies r
            WHERE r.workspace_id = s.workspace_id AND r.handled_at IS NULL
              AND (r.classification IN (${sql.literal(literals(ASKS_NOTHING))})) IS NOT TRUE
            LIMIT ${OPEN_REPLIES_MAX}
          ) AS open
        ) AS "repliesOpen", (
          SELECT count(*)::integer FROM change_requests r
          WHERE r.workspace_id = s.workspace_id AND r.state = ${sql.literal(`'${ChangeRequestMachine.initial}'`)}
        ) AS "changeRequestsOpen", (
          SELECT count(*)::integer FROM (
            SELECT n.workspace_id, n.alert_id, n.kind, n.subject, n.period FROM alerts n
            WHERE n.workspace_id = s.workspace_id ORDER BY n.alert_id DESC LIMIT ${OPEN_ALERTS_MAX}
          ) AS a
          WHERE ${isOpenAlert(sql, nowMillis)}
        ) AS "alertsOpen"
        FROM workspace_sending s WHERE s.workspace_id = ${workspaceId}
      `.pipe(firstRow("console.standing", StandingRow), Effect.map(Option.getOrElse(() => NOTHING_STANDS))),

    approvals: (workspaceId, which, part) =>
      sql`
        SELECT ${sql.literal(SUMMARY_COLUMNS)} FROM approvals a ${sql.literal(SUMMARY_JOINS)}
        WHERE a.workspace_id = ${workspaceId} AND a.state ${sql.literal(which === "pending" ? "=" : "<>")} 'pending'
          AND ${after(part, "a.created_at", "a.approval_id")}
        ORDER BY a.created_at DESC, a.approval_id DESC
        LIMIT ${part.limit}
      `.pipe(rows("console.approvals", SummaryRow, toSummary)),

    approvedBy: (workspaceId, userId, approvalIds) =>
      sql`
        SELECT v.approval_id AS "approvalId" FROM approval_votes v
        WHERE v.workspace_id = ${workspaceId} AND v.user_id = ${userId}
          AND v.approval_id = ANY(${approvalIds}::uuid[])
      `.pipe(column("console.approvedBy", Schema.String)),

    earlierApproval: (workspaceId, approvalId) =>
      sql`
        SELECT ${sql.literal(SUMMARY_COLUMNS)}
        FROM approvals this
        JOIN approvals a ON a.workspace_id = this.workspace_id AND a.target = this.target AND a.verb = this.verb
          AND (a.created_at, a.approval_id) < (this.created_at, this.approval_id)
        ${sql.literal(SUMMARY_JOINS)}
        WHERE this.workspace_id = ${workspaceId} AND this.approval_id = ${approvalId}
        ORDER BY a.created_at DESC, a.approval_id DESC
        LIMIT 1
      `.pipe(firstRow("console.earlierApproval", SummaryRow, toSummary)),

    campaignNames: (workspaceId, campaignIds, newest) =>
      sql`
        SELECT c.campaign_id AS "campaignId", c.name FROM campaigns c
        WHERE c.workspace_id = ${workspaceId} AND (
          c.campaign_id = ANY(${campaignIds}::uuid[]) OR c.campaign_id IN (
            SELECT n.campaign_id FROM campaigns n WHERE n.workspace_id = ${workspaceId}
            ORDER BY n.created_at DESC, n.campaign_id DESC LIMIT ${newest}
          )
        )
        ORDER BY c.created_at DESC, c.campaign_id DESC
      `.pipe(rows("console.campaignNames", NameRow))
  }
})

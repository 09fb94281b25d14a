import { ValueEvidenceJson } from "@outbound/domain/kernel/sequences/evidence.js"
import { EvidenceStore } from "@outbound/domain/outreach/evidence/EvidenceStore.js"
import { Schema } from "effect"
import { jsonRows, mapOf, Millis, rows, run } from "./Columns.js"
import { storeLayer } from "./Table.js"

const AnswerRow = Schema.Struct({
  requestId: Schema.String,
  verb: Schema.String,
  isOk: Schema.Boolean,
  bodies: Schema.Array(Schema.String),
  atMillis: Millis
})

const ShownRow = Schema.Struct({ addressHash: Schema.String, evidence: Schema.Array(ValueEvidenceJson) })

export const layer = storeLayer(EvidenceStore, (sql) => ({
  // The answer of a list's row is kept with the row, and that of a list is all of its rows'.
  answers: (workspaceId, requestIds) =>
    sql`
      SELECT q.request_id AS "requestId", q.verb, q.status = 'succeeded' AS "isOk", q.created_at AS "atMillis",
        array_remove(ARRAY[CASE WHEN r.http_status BETWEEN 200 AND 299 THEN r.body END] || ARRAY(
          SELECT l.body::text FROM list_rows l
          WHERE l.workspace_id = q.workspace_id AND (l.list_request_id = q.request_id OR l.row_id = q.request_id)
            AND l.state = 'done' AND l.body IS NOT NULL
          ORDER BY l.position
        ), NULL) AS bodies
      FROM unnest(${requestIds}::uuid[]) AS g (id)
      JOIN requests q ON q.workspace_id = ${workspaceId} AND q.request_id = g.id
      LEFT JOIN idempotency_records r ON r.workspace_id = q.workspace_id AND r.request_id = q.request_id
    `.pipe(rows("evidence.answers", AnswerRow)),

  keep: (workspaceId, leads) =>
    sql`
      UPDATE campaign_leads l SET evidence = g.evidence
      FROM json_to_recordset(${jsonRows(leads)}::json) AS g ("campaignLeadId" uuid, evidence json)
      WHERE l.workspace_id = ${workspaceId} AND l.campaign_lead_id = g."campaignLeadId" AND l.evidence IS NOT NULL
    `.pipe(run("evidence.keep")),

  shown: (workspaceId, approvalId) =>
    sql`
      SELECT p.address_hash AS "addressHash", p.evidence FROM approval_people p
      WHERE p.workspace_id = ${workspaceId} AND p.approval_id = ${approvalId} AND p.evidence IS NOT NULL
    `.pipe(mapOf("evidence.shown", ShownRow, ({ addressHash, evidence }) => [addressHash, evidence]))
}))

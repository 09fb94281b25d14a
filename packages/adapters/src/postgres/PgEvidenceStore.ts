import { FINDING_REASONS, FINDINGS, ValueEvidenceJson } from "@outbound/domain/kernel/sequences/evidence.js"
import { EvidenceStore } from "@outbound/domain/outreach/evidence/EvidenceStore.js"
import { Effect, Schema } from "effect"
import { column, jsonRows, mapOf, Millis, rows, run } from "./Columns.js"
import { columnsOf, storeLayer, texts, textsOrNull } from "./Table.js"

const AnswerRow = Schema.Struct({
  requestId: Schema.String,
  verb: Schema.String,
  isOk: Schema.Boolean,
  bodies: Schema.Array(Schema.String),
  atMillis: Millis
})

const ShownRow = Schema.Struct({ addressHash: Schema.String, evidence: Schema.Array(ValueEvidenceJson) })

const PeopleRow = Schema.Struct({
  variable: Schema.String,
  kind: Schema.NullOr(Schema.Literals(FINDINGS)),
  reason: Schema.NullOr(Schema.Literals(FINDING_REASONS)),
  datedAt: Schema.NullOr(Schema.String),
  seenAt: Schema.NullOr(Schema.String),
  people: Schema.Int
})

const ValuesRow = Schema.Struct({
  ...texts("campaignLeadId", "email"),
  ...textsOrNull("firstName", "lastName", "companyName"),
  custom: Schema.Record(Schema.String, Schema.String),
  evidence: Schema.NullOr(Schema.Array(ValueEvidenceJson))
})

/** What `String.trim` takes away, so that both call the same values empty. */
const WHITE = String.raw`\u0009\u000A\u000B\u000C\u000D\u0020\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF`

const VALUE = `CASE v.variable WHEN 'first_name' THEN l.first_name WHEN 'last_name' THEN l.last_name
  WHEN 'company_name' THEN l.company_name WHEN 'email' THEN l.email
  ELSE l.custom ->> substr(v.variable, length('custom.') + 1) END`

export const layer = storeLayer(EvidenceStore, (sql) => ({
  // The answer of a list's row is kept with the row, and that of a list is all of its rows'.
  answers: (workspaceId, requestIds) =>
    sql`
      SELECT q.request_id AS "requestId", q.verb, q.status = 'succeeded' AS "isOk", q.created_at AS "atMillis",
        array_remove(ARRAY[CASE WHEN r.http_status BETWEEN 200 AND 299 THEN r.body END] || ARRAY(
          SELECT l.body::text FROM list_rows l
          WHERE l.workspace_id = q.workspace_id AND (l.list_request_id = q.request_id OR l.row_id = q.request_id)
            AND l.state = 'done'
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

  isGiven: (workspaceId, campaignId) =>
    sql`
      SELECT EXISTS (
        SELECT 1 FROM campaign_leads l
        WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId} AND l.evidence IS NOT NULL
      ) AS "isGiven"
    `.pipe(
      column("evidence.isGiven", Schema.Boolean),
      Effect.map(([isGiven]) => isGiven === true)
    ),

  ofCampaign: (workspaceId, campaignId, variables) =>
    sql`
      SELECT v.variable, e.kind, e.reason, e."datedAt", e."seenAt", count(*)::integer AS people
      FROM campaign_leads l CROSS JOIN unnest(${variables}::text[]) AS v (variable)
      LEFT JOIN LATERAL (
        SELECT g.finding ->> 'kind' AS kind, g.finding ->> 'reason' AS reason, g.finding ->> 'datedAt' AS "datedAt",
          g."seenAt"
        FROM json_to_recordset(l.evidence) AS g (variable text, "seenAt" text, finding json)
        WHERE g.variable = v.variable LIMIT 1
      ) e ON true
      WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId}
        AND btrim(coalesce(${sql.literal(VALUE)}, ''), ${sql.literal(`E'${WHITE}'`)}) <> ''
      GROUP BY 1, 2, 3, 4, 5
    `.pipe(
      rows("evidence.ofCampaign", PeopleRow, ({ datedAt, kind, people, reason, seenAt, variable }) => ({
        variable,
        people,
        evidence: seenAt === null ? null : { seenAt, finding: kind === null ? null : { kind, reason, datedAt } }
      }))
    ),

  valuesOf: (workspaceId, campaignLeadIds) =>
    sql`
      SELECT ${sql.literal(columnsOf(ValuesRow, "l"))} FROM campaign_leads l
      WHERE l.workspace_id = ${workspaceId} AND l.campaign_lead_id = ANY(${campaignLeadIds}::uuid[])
    `.pipe(rows("evidence.valuesOf", ValuesRow)),

  shown: (workspaceId, approvalId) =>
    sql`
      SELECT p.address_hash AS "addressHash", p.evidence FROM approval_people p
      WHERE p.workspace_id = ${workspaceId} AND p.approval_id = ${approvalId} AND p.evidence IS NOT NULL
    `.pipe(mapOf("evidence.shown", ShownRow, ({ addressHash, evidence }) => [addressHash, evidence]))
}))

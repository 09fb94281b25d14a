import { CallStories, type CallStory, STORY_ROWS_MAX } from "@outbound/domain/control/CallStories.js"
import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import type { NotedEvidence } from "@outbound/domain/sources/CallNotes.js"
import { Schema } from "effect"
import { firstRow, Millis } from "./Columns.js"
import type { Statement } from "./Sql.js"
import { booleans, storeLayer, texts, textsOrNull } from "./Table.js"

const { Boolean, NullOr, Number, String } = Schema
const Count = Schema.Number
/** A `bigint` within JSON. */
const CreditsText = Schema.BigIntFromString.pipe(Schema.decodeTo(Credits))

/** Rows that the one statement gathers come as JSON: times as epoch milliseconds, amounts as text. */
const gathered = <Fields extends Schema.Struct.Fields>(fields: Fields) => Schema.Array(Schema.Struct(fields))

const StoryRow = Schema.Struct({
  ...texts("requestId", "verb"),
  mode: Schema.Literals(["read", "act", "dry_run"]),
  status: Schema.Literals(["pending", "succeeded", "failed", "unknown"]),
  httpStatus: NullOr(Number),
  errorCode: NullOr(String),
  reserved: Credits,
  charged: Credits,
  replayedCount: Count,
  interrupted: Boolean,
  createdAtMillis: Millis,
  finishedAtMillis: NullOr(Millis),
  admitted: Boolean,
  runId: NullOr(String),
  workspace: Schema.Struct(texts("workspaceId", "name", "kind")),
  key: Schema.Struct(texts("keyId", "name", "prefix", "state")),
  allowedBy: NullOr(String),
  lease: NullOr(Schema.Struct({ host: String, ...booleans("isHeld", "effectStarted") })),
  idempotency: NullOr(Schema.Struct({ ...texts("key", "phase"), isRemembered: Boolean })),
  ledger: gathered({ kind: String, amount: CreditsText, atMillis: Number }),
  costs: NullOr(gathered({ ...texts("vendor", "unit"), amount: Number, micros: Number, answers: Count })),
  evidence: NullOr(gathered({ source: String, facts: Schema.Record(String, Schema.Unknown) })),
  jobs: gathered({ ...texts("source", "marker"), tries: Count, isUnknown: Boolean, answeredAtMillis: NullOr(Number) }),
  approvals: gathered({
    ...texts("approvalId", "target", "state"),
    role: Schema.Literals(["asked", "used"]),
    createdAtMillis: Number,
    decidedAtMillis: NullOr(Number),
    decidedBy: NullOr(String)
  }),
  offers: gathered({
    offerId: String,
    role: Schema.Literals(["made", "taken"]),
    maxCredits: CreditsText,
    usedAtMillis: NullOr(Number)
  }),
  operations: gathered({
    ...texts("operationId", "kind", "status"),
    createdAtMillis: Number,
    finishedAtMillis: NullOr(Number)
  }),
  events: gathered({
    ...texts("eventId", "kind", "source"),
    observedAtMillis: Number,
    ...textsOrNull("campaignId", "campaignLeadId", "operationId")
  }),
  messages: gathered({ ...texts("campaignId", "state"), count: Count }),
  answers: gathered({
    ...texts("sentReplyId", "replyId", "campaignId", "state"),
    createdAtMillis: Number,
    sentAtMillis: NullOr(Number)
  }),
  webhooks: gathered({
    ...texts("endpointId", "eventId", "state"),
    attempts: Count,
    status: NullOr(Number),
    attemptedAtMillis: NullOr(Number),
    failure: NullOr(String)
  })
})

const storyOf = ({ costs, evidence, ...row }: typeof StoryRow.Type): CallStory => {
  const { charged, createdAtMillis, errorCode, finishedAtMillis, httpStatus, interrupted, mode, ...rest } = row
  const { replayedCount, requestId, reserved, status, verb, ...story } = rest
  const ended = { charged, createdAtMillis, errorCode, finishedAtMillis, httpStatus, interrupted, mode }
  return {
    ...story,
    record: { ...ended, replayedCount, requestId, reserved, status, verb },
    costs: costs ?? [],
    evidence: (evidence ?? []) as ReadonlyArray<NotedEvidence>
  }
}

export const layer = storeLayer(CallStories, (sql) => {
  const millis = (column: string) => sql.literal(`floor(extract(epoch FROM ${column}) * 1000)::float8`)
  const max = sql.literal(`${STORY_ROWS_MAX}`)

  /** The rows of a query as one JSON value. */
  const all = (query: Statement.Fragment) =>
    sql`(SELECT coalesce(json_agg(row_to_json(one)), '[]') FROM (${query} LIMIT ${max}) one)`

  return {
    of: (requestId) =>
      sql`
        WITH call AS (
          SELECT r.workspace_id, r.request_id, r.key_id, r.run_id, r.verb, r.mode, r.status, r.admitted, r.http_status,
            r.error_code, 0::bigint AS reserved, r.charged, r.replayed_count, r.interrupted, r.created_at,
            r.finished_at, r.costs, r.evidence, NULL::uuid AS incarnation, false AS effect_started
          FROM workspaces w JOIN requests r ON r.workspace_id = w.workspace_id AND r.request_id = ${requestId}::uuid
          UNION ALL
          SELECT o.workspace_id, o.request_id, o.key_id, o.run_id, o.verb, o.mode, 'pending', true, NULL, NULL,
            o.reserved, 0::bigint, 0, false, o.created_at, NULL, NULL, NULL, o.incarnation, o.effect_started
          FROM workspaces w JOIN open_calls o ON o.workspace_id = w.workspace_id AND o.request_id = ${requestId}::uuid
        ), claim AS (
          SELECT i.workspace_id, i.idempotency_key, i.phase, i.token_hash, i.http_status IS NOT NULL AS is_remembered
          FROM call c
          JOIN idempotency_records i ON i.workspace_id = c.workspace_id AND i.request_id = c.request_id
        ), approved AS (
          SELECT a.*, CASE WHEN a.request_id = c.request_id THEN 'asked' ELSE 'used' END AS role
          FROM call c JOIN approvals a ON a.workspace_id = c.workspace_id
          WHERE a.request_id = c.request_id OR a.token_hash = (SELECT token_hash FROM claim)
        ), operated AS (
          SELECT o.* FROM call c JOIN operations o ON o.workspace_id = c.workspace_id AND o.request_id = c.request_id
        ), told AS (
          SELECT t.* FROM call c JOIN trail_events t ON t.workspace_id = c.workspace_id
          WHERE t.observed_at >= c.created_at - interval '1 hour'
            AND (t.request_id = c.request_id OR t.operation_id IN (SELECT operation_id FROM operated))
          ORDER BY t.observed_at, t.event_id LIMIT ${max}
        )
        SELECT c.request_id AS "requestId", c.verb, c.mode, c.status, c.http_status AS "httpStatus",
          c.error_code AS "errorCode", c.reserved, c.charged, c.replayed_count AS "replayedCount", c.interrupted,
          c.created_at AS "createdAtMillis", c.finished_at AS "finishedAtMillis", c.admitted, c.run_id AS "runId",
          json_build_object('workspaceId', w.workspace_id, 'name', w.name, 'kind', w.kind) AS workspace,
          json_build_object('keyId', k.key_id, 'name', k.name, 'prefix', k.prefix, 'state', k.state) AS key,
          (
            SELECT u.email FROM oauth_grants g JOIN users u ON u.user_id = g.user_id
            WHERE g.workspace_id = c.workspace_id AND g.key_id = c.key_id
          ) AS "allowedBy",
          CASE WHEN c.incarnation IS NOT NULL THEN json_build_object(
            'host', c.incarnation, 'effectStarted', c.effect_started,
            'isHeld', EXISTS (SELECT FROM hosts h WHERE h.incarnation = c.incarnation)
          ) END AS lease,
          (
            SELECT json_build_object('key', i.idempotency_key, 'phase', i.phase, 'isRemembered', i.is_remembered)
            FROM claim i
          ) AS idempotency,
          c.costs, c.evidence,
          ${all(sql`
            SELECT l.kind, abs(l.amount)::text AS amount, ${millis("l.at")} AS "atMillis" FROM ledger_entries l
            WHERE l.workspace_id = c.workspace_id AND (l.entry_id = c.request_id OR l.request_id = c.request_id)
            ORDER BY l.at, l.kind
          `)} AS ledger,
          ${all(sql`
            SELECT f.source, f.follow_up_id AS marker, f.tries, f.is_unknown AS "isUnknown",
              ${millis("f.answered_at")} AS "answeredAtMillis"
            FROM follow_ups f WHERE f.workspace_id = c.workspace_id AND f.request_id = c.request_id
            ORDER BY f.source COLLATE "C", f.follow_up_id
          `)} AS jobs,
          ${all(sql`
            SELECT a.approval_id AS "approvalId", a.role, a.target, a.state,
              ${millis("a.created_at")} AS "createdAtMillis", ${millis("a.decided_at")} AS "decidedAtMillis",
              (SELECT u.email FROM users u WHERE u.user_id = a.decided_by_user_id) AS "decidedBy"
            FROM approved a ORDER BY a.created_at, a.approval_id
          `)} AS approvals,
          ${all(sql`
            SELECT o.offer_id AS "offerId", CASE WHEN o.request_id = c.request_id THEN 'made' ELSE 'taken' END AS role,
              o.max_credits::text AS "maxCredits", ${millis("o.used_at")} AS "usedAtMillis"
            FROM offers o WHERE o.workspace_id = c.workspace_id AND c.request_id IN (o.request_id, o.taken_by)
            ORDER BY o.created_at, o.offer_id
          `)} AS offers,
          ${all(sql`
            SELECT o.operation_id AS "operationId", o.kind, o.status, ${millis("o.created_at")} AS "createdAtMillis",
              ${millis("o.finished_at")} AS "finishedAtMillis"
            FROM operated o ORDER BY o.created_at, o.operation_id
          `)} AS operations,
          ${all(sql`
            SELECT t.event_id AS "eventId", t.kind, t.source, ${millis("t.observed_at")} AS "observedAtMillis",
              t.campaign_id AS "campaignId", t.campaign_lead_id AS "campaignLeadId", t.operation_id AS "operationId"
            FROM told t ORDER BY t.observed_at, t.event_id
          `)} AS events,
          ${all(sql`
            SELECT m.campaign_id AS "campaignId", m.state, count(*)::integer AS count
            FROM approved a
            JOIN campaign_leads l ON l.workspace_id = a.workspace_id AND l.approval_id = a.approval_id
            JOIN messages m ON m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id
            WHERE a.role = 'used' GROUP BY m.campaign_id, m.state ORDER BY m.campaign_id, m.state COLLATE "C"
          `)} AS messages,
          ${all(sql`
            SELECT s.sent_reply_id AS "sentReplyId", s.reply_id AS "replyId", s.campaign_id AS "campaignId", s.state,
              ${millis("s.created_at")} AS "createdAtMillis", ${millis("s.sent_at")} AS "sentAtMillis"
            FROM sent_replies s WHERE s.workspace_id = c.workspace_id AND s.request_id = c.request_id
          `)} AS answers,
          ${all(sql`
            SELECT d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.state, d.attempts, d.status, d.failure,
              ${millis("d.attempted_at")} AS "attemptedAtMillis"
            FROM told t
            JOIN webhook_endpoints e ON e.workspace_id = t.workspace_id
            JOIN webhook_deliveries d
              ON d.workspace_id = e.workspace_id AND d.endpoint_id = e.endpoint_id AND d.event_id = t.event_id
            ORDER BY d.created_at, d.event_id, d.endpoint_id
          `)} AS webhooks
        FROM call c
        JOIN workspaces w ON w.workspace_id = c.workspace_id
        JOIN api_keys k ON k.workspace_id = c.workspace_id AND k.key_id = c.key_id
        LIMIT 1
      `.pipe(firstRow("stories.of", StoryRow, storyOf))
  }
})

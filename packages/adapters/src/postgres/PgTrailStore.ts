import { type TrailFilter, TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { Clock, Effect, Struct } from "effect"
import { date, firstValue, literals, Millis, rows, run } from "./Columns.js"
import type { Statement } from "./Sql.js"
import { retainedSince } from "@outbound/domain/kernel/trail/retention.js"
import { EventRow } from "./TrailRows.js"
import { columnsOf, givenOf, storeLayer } from "./Table.js"

const COLUMNS = `
  e.workspace_id, e.event_id, e.kind, e.source, e.observed_at, e.campaign_id, e.campaign_lead_id, e.reply_id,
  e.request_id, e.operation_id, e.subject_id, e.detail
`

const EVENT = `workspaceId uuid, eventId uuid, kind text, source text, observedAtMillis bigint, campaignId uuid,
    campaignLeadId uuid, replyId uuid, requestId uuid, operationId uuid, detail json`

/**
 * Events are kept; the people they concern are in `subjects`, found by address. There is no keyed hash: while the
 * address is retained it is not needed, and afterwards nothing may find them. The statement that writes an event also
 * writes the deliveries of the webhooks that want it; without webhooks that costs one index look-up.
 */
export const layer = storeLayer(TrailStore, (sql) => {
  const columns = sql.literal(COLUMNS)
  const event = givenOf(sql, EVENT)
  const known = sql.literal(columnsOf(EventRow.mapFields(Struct.omit(["email"])), "e"))

  /** The filtered events, newest first, in one scan of the index that fits the filter. */
  const walk = (filter: TrailFilter, retained: Date, kind: string) => {
    const conditions: Array<Statement.Fragment> = [sql`e.workspace_id = ${filter.workspaceId}`]
    if (kind !== "") conditions.push(sql.literal(kind))
    if (filter.campaignId !== null) conditions.push(sql`e.campaign_id = ${filter.campaignId}`)
    if (filter.email !== null) {
      conditions.push(sql`e.subject_id = (
        SELECT s.subject_id FROM subjects s
        WHERE s.workspace_id = ${filter.workspaceId} AND s.email = ${filter.email} AND s.last_seen_at > ${retained}
      )`)
    }
    if (filter.sinceMillis !== null) conditions.push(sql`e.observed_at >= ${date(filter.sinceMillis)}`)
    if (filter.untilMillis !== null) conditions.push(sql`e.observed_at < ${date(filter.untilMillis)}`)
    if (filter.after !== null) {
      const { observedAtMillis, eventId } = filter.after
      conditions.push(sql`(e.observed_at, e.event_id) < (${date(observedAtMillis)}, ${eventId}::uuid)`)
    }
    return sql`
      SELECT ${columns} FROM trail_events e
      WHERE ${sql.and(conditions)}
      ORDER BY e.observed_at DESC, e.event_id DESC
      LIMIT ${filter.limit}
    `
  }

  /** A campaign or a person has few events, so filter their kinds. For a workspace, scan each kind separately. */
  const found = (filter: TrailFilter, retained: Date) => {
    if (filter.kinds.length === 0) return walk(filter, retained, "")
    if (filter.campaignId !== null || filter.email !== null) {
      return walk(filter, retained, `e.kind IN (${literals(filter.kinds)})`)
    }
    return sql`
      SELECT ${columns} FROM unnest(${filter.kinds}::text[]) AS wanted (kind)
      CROSS JOIN LATERAL (${walk(filter, retained, "e.kind = wanted.kind")}) AS e
    `
  }

  return {
    append: (events) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        events.length === 0
          ? Effect.void
          : sql`
              WITH given AS MATERIALIZED (SELECT * FROM ${givenOf(sql, `${EVENT}, email text`).from(events)}), people AS (
                INSERT INTO subjects AS s (workspace_id, email, last_seen_at)
                SELECT DISTINCT g."workspaceId", g.email, ${date(nowMillis)}::timestamptz FROM given g
                WHERE g.email IS NOT NULL
                ORDER BY g."workspaceId", g.email
                ON CONFLICT (workspace_id, email) WHERE email IS NOT NULL
                  DO UPDATE SET last_seen_at = GREATEST(s.last_seen_at, EXCLUDED.last_seen_at)
                RETURNING s.workspace_id, s.subject_id, s.email
              ), told AS (
                INSERT INTO webhook_deliveries (
                  workspace_id, endpoint_id, event_id, observed_at, state, created_at, due_at
                )
                SELECT w.workspace_id, w.endpoint_id, g."eventId", to_timestamp(g."observedAtMillis" / 1000.0),
                  'pending', clock_timestamp(), clock_timestamp()
                FROM given g JOIN webhook_endpoints w ON w.workspace_id = g."workspaceId" AND w.state = 'enabled'
                  AND (w.kinds = '{}' OR g.kind = ANY(w.kinds))
              )
              INSERT INTO trail_events (${event.columns}, subject_id) SELECT ${event.values}, p.subject_id
              FROM given g LEFT JOIN people p ON p.workspace_id = g."workspaceId" AND p.email = g.email
            `.pipe(run("trail.append"))
      ),

    archivedUntil: (workspaceId) =>
      sql`
        SELECT a.until AS "untilMillis" FROM archived_trails a WHERE a.workspace_id = ${workspaceId}
      `.pipe(firstValue("trail.archivedUntil", Millis, null)),

    page: (filter) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => {
        const retained = new Date(retainedSince(nowMillis))
        return sql`
          SELECT ${known}, CASE WHEN s.last_seen_at > ${retained} THEN s.email END AS email
          FROM (${found(filter, retained)}) AS e
          LEFT JOIN subjects s ON s.workspace_id = e.workspace_id AND s.subject_id = e.subject_id
          ORDER BY e.observed_at DESC, e.event_id DESC
          LIMIT ${filter.limit}
        `.pipe(rows("trail.page", EventRow))
      })
  }
})

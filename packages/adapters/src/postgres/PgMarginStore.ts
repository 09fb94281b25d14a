import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { MarginStore } from "@outbound/domain/calls/MarginStore.js"
import { Effect, Schema } from "effect"
import { date, rows } from "./Columns.js"
import { storeLayer, texts } from "./Table.js"

const VerbRow = Schema.Struct({ verb: Schema.String, calls: Schema.Number, charged: Credits })

const VendorRow = Schema.Struct({
  ...VerbRow.fields,
  ...texts("vendor", "unit"),
  amount: Schema.Number,
  micros: Schema.Number
})

const UnknownJobsRow = Schema.Struct({ source: Schema.String, jobs: Schema.Number })

export const layer = storeLayer(MarginStore, (sql) => {
  /** Calls of live workspaces that acted and may have caused costs. */
  const ended = (sinceMillis: number, workspaceId: string | null) => sql`
    FROM workspaces w JOIN requests r ON r.workspace_id = w.workspace_id
    WHERE w.kind = 'live' AND r.admitted AND r.mode = 'act' AND r.finished_at >= ${date(sinceMillis)}
      ${workspaceId === null ? sql.literal("") : sql`AND w.workspace_id = ${workspaceId}::uuid`}
  `
  return {
    margins: ({ sinceMillis, workspaceId }) =>
      Effect.all({
        verbs: sql`
          SELECT r.verb, count(*)::integer AS calls, sum(r.charged)::bigint AS charged
          ${ended(sinceMillis, workspaceId)}
          GROUP BY r.verb ORDER BY r.verb COLLATE "C"
        `.pipe(rows("margins.verbs", VerbRow)),
        vendors: sql`
          WITH costs AS (
            SELECT r.verb, r.workspace_id, r.request_id, r.charged, c.vendor, c.unit, c.amount, c.micros
            FROM (
              SELECT r.workspace_id, r.request_id, r.verb, r.charged, r.costs
              ${ended(sinceMillis, workspaceId)} AND r.costs IS NOT NULL
            ) r
            CROSS JOIN LATERAL jsonb_to_recordset(r.costs)
              AS c (vendor text, unit text, amount float8, micros float8)
          )
          SELECT c.verb, c.vendor, c.unit, count(*)::integer AS calls, sum(c.charged)::bigint AS charged,
            sum(c.amount)::float8 AS amount, sum(c.micros)::float8 AS micros
          FROM costs c
          GROUP BY c.verb, c.vendor, c.unit
          ORDER BY c.verb COLLATE "C", c.vendor COLLATE "C", c.unit COLLATE "C"
        `.pipe(rows("margins.vendors", VendorRow)),
        unknownJobs: sql`
          SELECT f.source, count(*)::integer AS jobs
          FROM follow_ups f JOIN workspaces w ON w.workspace_id = f.workspace_id
          WHERE f.is_unknown AND f.answered_at >= ${date(sinceMillis)} AND w.kind = 'live'
            ${workspaceId === null ? sql.literal("") : sql`AND w.workspace_id = ${workspaceId}::uuid`}
          GROUP BY f.source ORDER BY f.source COLLATE "C"
        `.pipe(rows("margins.unknownJobs", UnknownJobsRow))
      })
  }
})

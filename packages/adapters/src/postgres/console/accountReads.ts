import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import type { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { LEDGER_KINDS } from "@outbound/domain/calls/credits/CreditStore.js"
import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { Clock, Effect, Schema } from "effect"
import { Count, date, firstIdOf, Millis, millisOf, rows } from "../Columns.js"
import type { SqlClient, Statement } from "../Sql.js"
import { texts } from "../Table.js"

const DayRow = Schema.Struct({ dayMillis: Millis, calls: Count, charged: Credits })

const KeyRow = Schema.Struct({
  ...texts("keyId", "name", "prefix"),
  calls: Count,
  charged: Credits
})

const EntryRow = Schema.Struct({
  entryId: Schema.String,
  kind: Schema.Literals(LEDGER_KINDS),
  micros: Schema.BigInt,
  atMillis: Millis,
  requestId: Schema.NullOr(Schema.String)
})

const CallRow = Schema.Struct({ requestId: Schema.String, verb: Schema.String })

/** Busy workspaces fill a page of the ledger within it. */
const RECENT_MILLIS = 40 * DAY_MILLIS

/** Reads for the pages about credits and usage. */
export const accountReads = (
  sql: SqlClient
): Pick<ConsoleReads["Service"], "usageByDay" | "usageByKey" | "ledger"> => ({
  usageByDay: (workspaceId, fromDayMillis) =>
    sql`
      SELECT used.day::timestamp AT TIME ZONE 'UTC' AS "dayMillis", sum(used.calls)::bigint AS calls,
        sum(used.charged)::bigint AS charged
      FROM (
        SELECT d.day, d.calls, d.charged FROM usage_counted d
        WHERE d.workspace_id = ${workspaceId} AND d.day >= (${date(fromDayMillis)}::timestamptz AT TIME ZONE 'UTC')::date
        UNION ALL
        SELECT (e.at AT TIME ZONE 'UTC')::date, 1, -e.amount FROM ledger_entries e
        WHERE e.workspace_id = ${workspaceId} AND e.at >= ${date(fromDayMillis)} AND e.kind = 'upkeep'
      ) used
      GROUP BY used.day ORDER BY used.day
    `.pipe(rows("console.usageByDay", DayRow)),

  usageByKey: (workspaceId, fromDayMillis, limit) =>
    sql`
      SELECT k.key_id AS "keyId", k.name, k.prefix, used.calls, used.charged
      FROM (
        SELECT u.key_id, sum(u.calls)::bigint AS calls, sum(u.charged)::bigint AS charged FROM usage_of_keys u
        WHERE u.workspace_id = ${workspaceId} AND u.day >= (${date(fromDayMillis)}::timestamptz AT TIME ZONE 'UTC')::date
        GROUP BY u.key_id
      ) used
      JOIN api_keys k ON k.workspace_id = ${workspaceId} AND k.key_id = used.key_id
      ORDER BY used.charged DESC, used.calls DESC, k.key_id
      LIMIT ${limit}
    `.pipe(rows("console.usageByKey", KeyRow)),

  // Entries and calls are kept by the month. Each statement names the ids it needs, so that it opens few of the months.
  ledger: (workspaceId, last, limit) =>
    Effect.gen(function* () {
      const fromMillis = last === null ? yield* Clock.currentTimeMillis : millisOf(last.entryId)
      const recent = firstIdOf(fromMillis - RECENT_MILLIS)
      const after = last === null ? sql`true` : sql`(entry_id, kind) < (${last.entryId}::uuid, ${last.kind}::text)`
      const entries = (which: Statement.Fragment, count: number) =>
        sql`
          SELECT entry_id AS "entryId", kind, amount AS micros, at AS "atMillis", request_id AS "requestId"
          FROM ledger_entries WHERE workspace_id = ${workspaceId} AND ${which}
          ORDER BY entry_id DESC, kind DESC
          LIMIT ${count}
        `.pipe(rows("console.ledger", EntryRow))
      const newest = yield* entries(sql`entry_id >= ${recent}::uuid AND ${after}`, limit)
      const older =
        newest.length === limit
          ? []
          : yield* entries(sql`entry_id < ${recent}::uuid AND ${after}`, limit - newest.length)
      const lines = [...newest, ...older]
      const ids = lines.flatMap(({ requestId }) => requestId ?? []).sort()
      const calls =
        ids.length === 0
          ? []
          : yield* sql`
              SELECT request_id AS "requestId", verb FROM requests
              WHERE workspace_id = ${workspaceId} AND request_id = ANY(${ids}::uuid[])
                AND request_id BETWEEN ${ids[0]}::uuid AND ${ids.at(-1)}::uuid
            `.pipe(rows("console.ledger", CallRow))
      const verbs = new Map(calls.map(({ requestId, verb }) => [requestId, verb]))
      return lines.map((line) => ({ ...line, verb: verbs.get(line.requestId ?? "") ?? null }))
    })
})

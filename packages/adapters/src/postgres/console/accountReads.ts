import type { SqlClient } from "@effect/sql"
import type { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { LEDGER_KINDS } from "@outbound/domain/calls/credits/CreditStore.js"
import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { Schema } from "effect"
import { date, Millis, rows } from "../Columns.js"

/** A count; the driver returns it as `bigint`. */
const Count = Schema.transform(Schema.BigIntFromSelf, Schema.Number, {
  strict: true,
  decode: Number,
  encode: BigInt
})

const DayRow = Schema.Struct({ dayMillis: Millis, calls: Count, charged: Credits })

const KeyRow = Schema.Struct({
  keyId: Schema.String,
  name: Schema.String,
  prefix: Schema.String,
  calls: Count,
  charged: Credits
})

const LedgerRow = Schema.Struct({
  entryId: Schema.String,
  kind: Schema.Literal(...LEDGER_KINDS),
  micros: Schema.BigIntFromSelf,
  atMillis: Millis,
  requestId: Schema.NullOr(Schema.String),
  verb: Schema.NullOr(Schema.String)
})

/** Reads for the pages about credits and usage. */
export const accountReads = (
  sql: SqlClient.SqlClient
): Pick<ConsoleReads["Type"], "usageByDay" | "usageByKey" | "ledger"> => ({
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

  ledger: (workspaceId, last, limit) =>
    sql`
      SELECT e.entry_id AS "entryId", e.kind, e.amount AS micros, e.at AS "atMillis", e.request_id AS "requestId",
        r.verb
      FROM ledger_entries e
      LEFT JOIN requests r ON r.workspace_id = e.workspace_id AND r.request_id = e.request_id
      WHERE e.workspace_id = ${workspaceId} AND ${
        last === null ? sql`true` : sql`(e.entry_id, e.kind) < (${last.entryId}::uuid, ${last.kind}::text)`
      }
      ORDER BY e.entry_id DESC, e.kind DESC
      LIMIT ${limit}
    `.pipe(rows("console.ledger", LedgerRow))
})

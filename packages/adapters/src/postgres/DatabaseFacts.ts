import { Effect } from "effect"
import { SCHEMA_IDENTIFIER, SCHEMA_OID } from "./Schema.js"
import { SqlClient, type SqlError } from "./Sql.js"

/** What an operator should know of a database before they rely on it. */
export interface DatabaseFacts {
  /** As PostgreSQL writes it: `18.1`. */
  readonly version: string
  readonly major: number
  readonly nowMillis: number
  /** It accepts only reads: a standby, or set so. */
  readonly isReadOnly: boolean
  /** The user may create tables in the schema of ours, or that schema where it does not exist. */
  readonly mayCreate: boolean
  /** The schema of ours, as an identifier; it may not exist yet. */
  readonly schema: string
  readonly isSchemaThere: boolean
  readonly connectionsUsed: number
  readonly connectionsMax: number
  /** A commit is on the disk when it is acknowledged. */
  readonly isDurable: boolean
}

interface Row extends Omit<DatabaseFacts, "nowMillis"> {
  readonly now: Date
}

export const databaseFacts: Effect.Effect<DatabaseFacts, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<Row>`
    SELECT current_setting('server_version') AS version,
      current_setting('server_version_num')::integer / 10000 AS major,
      clock_timestamp() AS now,
      current_setting('transaction_read_only') = 'on' AS "isReadOnly",
      coalesce(has_schema_privilege(${sql.literal(SCHEMA_OID)}, 'CREATE'),
        has_database_privilege(current_database(), 'CREATE')) AS "mayCreate",
      ${sql.literal(SCHEMA_IDENTIFIER)} AS schema, ${sql.literal(SCHEMA_OID)} IS NOT NULL AS "isSchemaThere",
      (SELECT count(*)::integer FROM pg_stat_activity WHERE backend_type = 'client backend') AS "connectionsUsed",
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        AS "connectionsMax",
      current_setting('synchronous_commit') <> 'off' AND current_setting('fsync') = 'on' AS "isDurable"
  `
  if (row === undefined) return yield* Effect.die(new Error("a SELECT without FROM returned no row"))
  const { now, ...facts } = row
  return { ...facts, nowMillis: now.getTime() }
})

import { Effect } from "effect"
import { connectionFailed } from "./PgErrors.js"
import { SqlClient, type SqlError } from "./Sql.js"

/** Longest wait of one statement of the probe. */
const STATEMENT_MILLIS_MAX = 1_500
/** The least `work_mem` that PostgreSQL allows, so that the rows of `ROOM` go to a file. */
const WORK_MEM = "64kB"
/** A row of `ROOM`, and how many of them. */
const ROW_BYTES = 1_000
const ROWS = 8_000

/** Writes 8 MB to a temporary file in the database's own tablespace. A full disk fails it. */
const ROOM = `WITH room AS MATERIALIZED (
    SELECT repeat('x', ${ROW_BYTES}) AS bytes FROM generate_series(1, ${ROWS})
  ) SELECT count(*) FROM room`

/** One record in the write-ahead log, which COMMIT flushes to the disk and, if there is one, to a synchronous standby. */
const MESSAGE = `SELECT pg_logical_emit_message(true, 'outbound', 'ready')`

/**
 * Succeeds if the database commits a write now and has room on its disk. It changes no row and no table, so it costs
 * about as much as a commit.
 */
export const proveWrite: Effect.Effect<void, SqlError, SqlClient> = Effect.flatMap(SqlClient, (sql) =>
  sql.withTransaction(
    Effect.gen(function* () {
      const [session] = yield* sql<{ readonly readOnly: string }>`
          SELECT set_config('work_mem', ${WORK_MEM}, true),
            set_config('statement_timeout', ${String(STATEMENT_MILLIS_MAX)}, true),
            current_setting('transaction_read_only') AS "readOnly"`
      if (session?.readOnly !== "off") {
        return yield* connectionFailed("The database accepts only reads", new Error("read only"))
      }
      yield* sql.unsafe(ROOM)
      yield* sql.unsafe(MESSAGE)
    })
  )
)

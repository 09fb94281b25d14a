import { Effect } from "effect"
import type { SqlClient, Connection, SqlError } from "../postgres/Sql.js"
import { EngineError, storeUnavailable } from "./EngineError.js"

const backendOf = (connection: Connection): Effect.Effect<unknown, SqlError> =>
  Effect.map(connection.executeValues("SELECT pg_backend_pid()", []), (rows) => rows[0]?.[0])

const pooled = (cause?: unknown): EngineError =>
  new EngineError({
    reason: "pooled_transactions",
    message:
      "The database is behind a pooler in transaction or statement mode. Session settings, locks and prepared " +
      "statements need a session per connection: set the pooler to session mode, or name the database itself.",
    cause
  })

/**
 * Fails with `pooled_transactions` unless a connection keeps its server process. A pooler in transaction mode gives the
 * process of an idle connection to the next transaction, so one connection's process is looked at while another holds
 * a transaction open. Needs two connections.
 */
export const checkSessionMode = (sql: SqlClient): Effect.Effect<void, EngineError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const idle = yield* Effect.mapError(sql.reserve, storeUnavailable)
      const busy = yield* Effect.mapError(sql.reserve, storeUnavailable)
      const before = yield* Effect.mapError(backendOf(idle), storeUnavailable)
      // A pooler in statement mode refuses transactions.
      yield* Effect.acquireRelease(Effect.mapError(busy.executeRaw("BEGIN", []), pooled), () =>
        Effect.ignore(busy.executeRaw("ROLLBACK", []))
      )
      const other = yield* Effect.mapError(backendOf(busy), storeUnavailable)
      const after = before === other ? other : yield* Effect.mapError(backendOf(idle), storeUnavailable)
      if (before === other || before !== after) return yield* pooled()
    })
  )

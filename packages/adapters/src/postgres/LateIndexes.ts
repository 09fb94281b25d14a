import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import type { LateIndex } from "./migrations/Migration.js"

/** One process builds at a time. The number is arbitrary. */
const ADVISORY_LOCK = 7_204_119_002
/** How long until a process looks again whether another has finished. */
const LOOK_SECONDS = 0.5

/**
 * Builds indexes while hosts read and write, which no transaction can. One that was left unfinished is built anew, and a
 * finished one is left alone, so a process that dies at any point is followed by the next. Who waits for the lock holds no
 * snapshot for long, since the build waits for every older one.
 */
export const buildIndexes = (indexes: ReadonlyArray<LateIndex>): Effect.Effect<void, SqlError, SqlClient.SqlClient> =>
  indexes.length === 0
    ? Effect.void
    : Effect.scoped(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const connection = yield* sql.reserve
          const run = (text: string) => connection.executeUnprepared(text, [], undefined)
          const isTrue = (text: string) =>
            Effect.map(run(text), (rows) => rows.some((row: Readonly<Record<string, unknown>>) => row["is"] === true))
          yield* run("SET statement_timeout = 0")
          yield* run("SET lock_timeout = 0")
          const after = ["SELECT pg_advisory_unlock_all()", "RESET statement_timeout", "RESET lock_timeout"]
          yield* Effect.addFinalizer(() => Effect.ignore(Effect.forEach(after, run)))
          while (!(yield* isTrue(`SELECT pg_try_advisory_lock(${ADVISORY_LOCK}) AS is`))) {
            yield* run(`SELECT pg_sleep(${LOOK_SECONDS})`)
          }
          for (const { definition, name } of indexes) {
            const found = (state: string) =>
              isTrue(`SELECT ${state} AS is FROM pg_index WHERE indexrelid = to_regclass('public.${name}')`)
            if (yield* found("indisvalid")) continue
            yield* run(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
            yield* run(`CREATE INDEX CONCURRENTLY ${name} ${definition}`)
          }
        })
      )

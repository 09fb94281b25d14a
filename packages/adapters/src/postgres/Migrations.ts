import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Data, Effect } from "effect"
import type { Migration } from "./migrations/Migration.js"
import { migrations } from "./migrations/migrations.js"

/** Every migrating process takes this advisory lock. The number is arbitrary. */
const ADVISORY_LOCK = 7_204_119_001

/** This code can't serve the database. */
export class MigrationError extends Data.TaggedError("MigrationError")<{
  readonly reason: "newer_database" | "not_migrated" | "different_history"
  readonly message: string
}> {}

const applied = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: number; readonly name: string }>`SELECT id, name FROM migrations ORDER BY id`
  return rows.map(({ id, name }) => ({ id: Number(id), name }))
})

const compare = (
  rows: ReadonlyArray<{ readonly id: number; readonly name: string }>,
  known: ReadonlyArray<Migration>
): Effect.Effect<ReadonlyArray<Migration>, MigrationError> => {
  const newer = rows.find(({ id }) => id > known.length)
  if (newer !== undefined) {
    return new MigrationError({
      reason: "newer_database",
      message: `The database is at migration ${newer.id} (${newer.name}); this program knows ${known.length}. Run a newer one.`
    })
  }
  const other = rows.find(({ id, name }) => known[id - 1]?.name !== name)
  if (other !== undefined) {
    return new MigrationError({
      reason: "different_history",
      message: `Migration ${other.id} of the database is ${other.name}, here it is ${known[other.id - 1]?.name}.`
    })
  }
  const done = new Set(rows.map(({ id }) => id))
  return Effect.succeed(known.filter(({ id }) => !done.has(id)))
}

/**
 * Applies missing migrations, each in its own transaction, one process at a time. Refuses a database that newer code
 * has migrated. Returns what it applied.
 */
export const migrate = (
  known: ReadonlyArray<Migration> = migrations
): Effect.Effect<ReadonlyArray<Migration>, MigrationError | SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const locked = sql.withTransaction(
      Effect.gen(function* () {
        // Another process may be migrating a large table: wait as long as a statement may take.
        const [session] = yield* sql<{ readonly lock: string }>`SELECT current_setting('lock_timeout') AS lock`
        yield* sql`SET LOCAL lock_timeout = 0`
        yield* sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`
        yield* sql`SELECT set_config('lock_timeout', ${session?.lock ?? "0"}, true)`
        yield* sql`
          CREATE TABLE IF NOT EXISTS migrations (
            id integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
          )
        `
        const [next] = yield* compare(yield* applied, known)
        if (next === undefined) return undefined
        // DDL may wait for a running host's locks and rewrite a large table.
        yield* sql`SET LOCAL statement_timeout = 0`
        yield* sql.unsafe(next.sql)
        yield* sql`INSERT INTO migrations (id, name) VALUES (${next.id}, ${next.name})`
        return next
      })
    )
    const done: Array<Migration> = []
    for (let step = 0; step <= known.length; step++) {
      const next = yield* locked
      if (next === undefined) break
      done.push(next)
    }
    return done
  })

/** Fails unless the database has exactly this code's version. Writes nothing. */
export const assertMigrated = (
  known: ReadonlyArray<Migration> = migrations
): Effect.Effect<void, MigrationError | SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly found: boolean }>`SELECT to_regclass('migrations') IS NOT NULL AS found`
    const missing = row?.found === true ? yield* compare(yield* applied, known) : known
    if (missing.length > 0) {
      return yield* new MigrationError({
        reason: "not_migrated",
        message: `The database lacks ${missing.length} migrations. Run: npx outbound migrate`
      })
    }
  })

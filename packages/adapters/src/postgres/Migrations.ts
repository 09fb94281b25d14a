import { Data, Effect } from "effect"
import { buildIndexes } from "./LateIndexes.js"
import type { Migration } from "./migrations/Migration.js"
import { migrations } from "./migrations/migrations.js"
import { isLockNotAvailable, isRefused, wordsOf } from "./PgErrors.js"
import { OTHER_SCHEMA, ours, SCHEMA_IDENTIFIER, SCHEMA_OID } from "./Schema.js"
import { SqlClient, type SqlError } from "./Sql.js"

/** Every migrating process takes this advisory lock. The number is arbitrary. */
const ADVISORY_LOCK = 7_204_119_001

/**
 * How long a statement waits for a table. Calls queue up behind it, so where a backup or a long check reads the table it
 * lets them pass and tries again.
 */
const TABLE_MILLIS_MAX = 1_000
const TRY_AGAIN_SECONDS = 2
const TRIES_MAX = 300

/** This code can't serve the database. */
export class MigrationError extends Data.TaggedError("MigrationError")<{
  readonly reason:
    | "newer_database"
    | "not_migrated"
    | "different_history"
    | "other_schema"
    | "schema_refused"
    | "pooled_transactions"
  readonly message: string
}> {}

interface Applied {
  readonly id: number
  readonly name: string
  readonly needs: number
}

const applied = Effect.gen(function* () {
  const sql = yield* SqlClient
  // The column comes with a migration of its own.
  const rows = yield* sql<Applied>`
    SELECT id, name, coalesce((to_jsonb(m) ->> 'needs')::integer, 0) AS needs FROM migrations m ORDER BY id
  `
  return rows.map(({ id, name, needs }) => ({ id: Number(id), name, needs: Number(needs) }))
})

/** The last migration that a program knows. Ids may have gaps: one that was withdrawn takes its number along. */
const newestOf = (known: ReadonlyArray<Migration>): number => known.at(-1)?.id ?? 0

/** What is missing. A database that is newer is fine as long as it needs no program that is. */
const compare = (
  rows: ReadonlyArray<Applied>,
  known: ReadonlyArray<Migration>
): Effect.Effect<ReadonlyArray<Migration>, MigrationError> => {
  const newest = newestOf(known)
  const beyond = rows.find(({ id, needs }) => id > newest && needs > newest)
  if (beyond !== undefined) {
    return new MigrationError({
      reason: "newer_database",
      message: `The database is at migration ${rows.length}, and since ${beyond.id} (${beyond.name}) it needs a program that knows ${beyond.needs}; this one knows ${newest}. Run a newer one.`
    })
  }
  const names = new Map(known.map(({ id, name }) => [id, name]))
  const other = rows.find(({ id, name }) => id <= newest && names.get(id) !== name)
  if (other !== undefined) {
    return new MigrationError({
      reason: "different_history",
      message: `Migration ${other.id} of the database is ${other.name}, here it is ${names.get(other.id)}.`
    })
  }
  const done = new Set(rows.map(({ id }) => id))
  return Effect.succeed(known.filter(({ id }) => !done.has(id)))
}

const missing = (known: ReadonlyArray<Migration>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [row] = yield* sql.unsafe<{
      readonly found: boolean
      readonly schema: string | null
      readonly other: string | null
    }>(`SELECT ${ours("migrations")} IS NOT NULL AS found, ${SCHEMA_IDENTIFIER} AS schema, ${OTHER_SCHEMA} AS other`)
    if (row === undefined || row.schema === null) {
      return yield* new MigrationError({
        reason: "pooled_transactions",
        message:
          "The connection has forgotten its settings: the database is behind a pooler in transaction mode. Set the pooler to session mode, or name the database itself."
      })
    }
    if (row.other !== null) {
      return yield* new MigrationError({
        reason: "other_schema",
        message: `The database holds a service in the schema ${row.other}, and DATABASE_URL names ${row.schema}. One database holds one service: name ${row.other} (?schema=${row.other}), or another database.`
      })
    }
    return row.found ? yield* compare(yield* applied, known) : known
  })

/** One process migrates at a time. Another may be at a large table: waits as long as a statement may take. */
const takeTurn = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`SET LOCAL lock_timeout = 0`
  yield* sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`
  yield* sql`SELECT set_config('lock_timeout', ${String(TABLE_MILLIS_MAX)}, true)`
})

/** Where its tables go. An administrator may have made it, and given this user the right to fill it. */
const makeSchema = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql.unsafe<{ readonly name: string; readonly isThere: boolean; readonly user: string }>(
    `SELECT ${SCHEMA_IDENTIFIER} AS name, ${SCHEMA_OID} IS NOT NULL AS "isThere", quote_ident(current_user) AS user`
  )
  if (row === undefined || row.isThere) return
  yield* Effect.catchIf(sql.unsafe(`CREATE SCHEMA ${row.name}`), isRefused, (cause) =>
    Effect.fail(
      new MigrationError({
        reason: "schema_refused",
        message: `PostgreSQL refuses the schema ${row.name}: ${wordsOf(cause)}. Let an administrator run: CREATE SCHEMA ${row.name} AUTHORIZATION ${row.user}`
      })
    )
  )
})

/** Applies the migration in one transaction, unless another process has been faster. Returns what it applied. */
const apply = (expected: Migration, known: ReadonlyArray<Migration>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* takeTurn
        yield* makeSchema
        yield* sql`
          CREATE TABLE IF NOT EXISTS migrations (
            id integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
          )
        `
        const [next] = yield* compare(yield* applied, known)
        if (next?.id !== expected.id) return []
        // It may rewrite a large table.
        yield* sql`SET LOCAL statement_timeout = 0`
        yield* sql.unsafe(next.sql)
        yield* sql`INSERT INTO migrations (id, name) VALUES (${next.id}, ${next.name})`
        if (next.needs !== undefined) yield* sql`UPDATE migrations SET needs = ${next.needs} WHERE id = ${next.id}`
        return [next]
      })
    )
  })

/** What can be done of it while hosts go on, unless another process has been faster. */
const prepare = (next: Migration, known: ReadonlyArray<Migration>, statement: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* takeTurn
        const lacking = yield* missing(known)
        if (lacking[0]?.id !== next.id) return
        yield* sql`SET LOCAL statement_timeout = 0`
        yield* sql.unsafe(statement)
      })
    )
  })

/** Gives way to those who wait behind it. */
const patiently = <A, E>({ id }: Migration, work: Effect.Effect<A, E, SqlClient>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    return yield* Effect.retry(
      Effect.tapError(work, (error) =>
        isLockNotAvailable(error)
          ? Effect.andThen(
              Effect.logInfo(`Migration ${id} waits for a table that is in use.`),
              sql`SELECT pg_sleep(${TRY_AGAIN_SECONDS})`
            )
          : Effect.void
      ),
      { while: isLockNotAvailable, times: TRIES_MAX }
    )
  })

/**
 * Applies missing migrations, each in its own transaction, one process at a time. Refuses a database that needs newer
 * code. Returns what it applied.
 */
export const migrate = (
  known: ReadonlyArray<Migration> = migrations
): Effect.Effect<ReadonlyArray<Migration>, MigrationError | SqlError, SqlClient> =>
  Effect.gen(function* () {
    const done: Array<Migration> = []
    // Others may apply the next one meanwhile, each of them once.
    for (let step = 0; step <= 2 * known.length; step++) {
      const [next] = yield* missing(known)
      if (next === undefined) break
      yield* buildIndexes(next.indexes ?? [])
      for (const statement of next.before ?? []) yield* patiently(next, prepare(next, known, statement))
      done.push(...(yield* patiently(next, apply(next, known))))
    }
    return done
  })

/** Fails unless this code can serve the database. Writes nothing. */
export const assertMigrated = (
  known: ReadonlyArray<Migration> = migrations
): Effect.Effect<void, MigrationError | SqlError, SqlClient> =>
  Effect.gen(function* () {
    const lacking = yield* missing(known)
    if (lacking.length > 0) {
      return yield* new MigrationError({
        reason: "not_migrated",
        message: `The database lacks ${lacking.length} migrations. Run: outbound migrate`
      })
    }
  })

/** Whether the database has migrations that these are not. */
export const isNewerThan = (known: ReadonlyArray<Migration>): Effect.Effect<boolean, SqlError, SqlClient> =>
  Effect.map(applied, (rows) => rows.some(({ id }) => id > newestOf(known)))

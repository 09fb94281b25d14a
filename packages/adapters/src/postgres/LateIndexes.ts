import { Effect } from "effect"
import type { LateIndex } from "./migrations/Migration.js"
import { ours } from "./Schema.js"
import { SqlClient, type SqlError } from "./Sql.js"

/** One process builds at a time. The number is arbitrary. */
const ADVISORY_LOCK = 7_204_119_002
/** How long until a process looks again whether another has finished. */
const LOOK_SECONDS = 0.5
/** PostgreSQL cuts longer names. */
const NAME_CHARS_MAX = 63

/**
 * Builds indexes while hosts read and write, which no transaction can. One that was left unfinished is built anew, and a
 * finished one is left alone, so a process that dies at any point is followed by the next. Who waits for the lock holds no
 * snapshot for long, since the build waits for every older one.
 */
export const buildIndexes = (indexes: ReadonlyArray<LateIndex>): Effect.Effect<void, SqlError, SqlClient> =>
  indexes.length === 0
    ? Effect.void
    : Effect.scoped(
        Effect.gen(function* () {
          const sql = yield* SqlClient
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
          const build = (name: string, definition: string) =>
            Effect.gen(function* () {
              const found = (state: string) =>
                isTrue(`SELECT ${state} AS is FROM pg_index WHERE indexrelid = ${ours(name)}`)
              if (yield* found("indisvalid")) return
              if (yield* found("true")) yield* run(`DROP INDEX CONCURRENTLY ${name}`)
              yield* run(`CREATE INDEX CONCURRENTLY ${name} ${definition}`)
            })
          /** PostgreSQL builds none on a table of partitions so: each partition's is built, and then they are joined. */
          const buildEach = (name: string, definition: string, partitions: ReadonlyArray<string>) =>
            Effect.gen(function* () {
              yield* run(`CREATE INDEX IF NOT EXISTS ${name} ${definition.replace(/^ON /, "ON ONLY ")}`)
              for (const partition of partitions) {
                const own = `${partition}_${name}`.slice(0, NAME_CHARS_MAX)
                yield* build(own, definition.replace(/^ON \w+/, `ON ${partition}`))
                yield* run(`ALTER INDEX ${name} ATTACH PARTITION ${own}`)
              }
            })
          for (const { definition, name } of indexes) {
            const table = /^ON (\w+)/.exec(definition)?.[1] ?? ""
            const partitions = yield* run(
              `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = ${ours(table)}`
            )
            const names = partitions.map((row: Readonly<Record<string, unknown>>) => String(row["name"]))
            yield* names.length === 0 ? build(name, definition) : buildEach(name, definition, names)
          }
        })
      )

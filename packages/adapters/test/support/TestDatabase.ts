import { Clock, Context, Effect, Layer, Schedule, type Scope } from "effect"
import { randomBytes } from "node:crypto"
import { databaseAt, runOn } from "./runOn.js"
import { server, serverUrl } from "./serverUrl.js"

/** A suite's own clock may stand still. */
const withLiveClock = Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())

const TRIES_MAX = 100

/**
 * Runs one statement on the server of the run, outside any transaction. A database is not dropped while the server's
 * own housekeeping is in it, which only a superuser may end: then it is tried again.
 */
const onServer = (statement: string): Effect.Effect<void> =>
  Effect.tryPromise(async () => runOn(await serverUrl(), statement)).pipe(
    Effect.retry({ times: TRIES_MAX, schedule: Schedule.spaced("200 millis") }),
    Effect.orDie,
    withLiveClock
  )

interface Database {
  readonly name: string
  /** `postgres://`, with user and password. */
  readonly url: string
}

const databaseLike = (template: Effect.Effect<string>): Effect.Effect<Database, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const name = `outbound_test_${randomBytes(8).toString("hex")}`
      // Its files are copied as they are. The usual way reads and logs each page, which takes many times as long.
      yield* onServer(`CREATE DATABASE ${name} TEMPLATE ${yield* template} STRATEGY FILE_COPY`)
      return { name, url: databaseAt(yield* Effect.promise(serverUrl), name) }
    }),
    ({ name }) => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  )

/** An empty database with a random name. Closing the scope drops it, even with open connections. */
export const freshDatabase = databaseLike(Effect.succeed("template1"))

/** The same with every migration: a copy of the run's own template. */
export const migratedDatabase = databaseLike(Effect.map(Effect.promise(server), ({ template }) => template))

/** The database of a test file: provide `layer` or `migrated` once per file. */
export class TestDatabase extends Context.Service<TestDatabase, Database>()(
  "@outbound/adapters/test/support/TestDatabase"
) {
  static readonly layer: Layer.Layer<TestDatabase> = Layer.effect(TestDatabase, freshDatabase)
  static readonly migrated: Layer.Layer<TestDatabase> = Layer.effect(TestDatabase, migratedDatabase)
}

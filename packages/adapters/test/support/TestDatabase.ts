import { Clock, Context, Effect, Layer, Schedule, type Scope } from "effect"
import { randomBytes } from "node:crypto"
import pg from "pg"
import { serverUrl } from "./serverUrl.js"

/** A suite's own clock may stand still. */
const withLiveClock = Effect.withClock(Clock.make())

const TRIES_MAX = 100

/**
 * Runs one statement on the server of the run, outside any transaction. A database is not dropped while the server's
 * own housekeeping is in it, which only a superuser may end: then it is tried again.
 */
const onServer = (statement: string): Effect.Effect<void> =>
  Effect.tryPromise(async () => {
    const client = new pg.Client({ connectionString: await serverUrl() })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }).pipe(Effect.retry({ times: TRIES_MAX, schedule: Schedule.spaced("200 millis") }), Effect.orDie, withLiveClock)

interface Database {
  readonly name: string
  /** `postgres://`, with user and password. */
  readonly url: string
}

/** An empty database with a random name. Closing the scope drops it, even with open connections. */
export const freshDatabase: Effect.Effect<Database, never, Scope.Scope> = Effect.acquireRelease(
  Effect.gen(function* () {
    const name = `outbound_test_${randomBytes(8).toString("hex")}`
    const url = new URL(yield* Effect.promise(serverUrl))
    url.pathname = `/${name}`
    yield* onServer(`CREATE DATABASE ${name}`)
    return { name, url: url.href }
  }),
  ({ name }) => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
)

/** The database of a test file: provide `layer` once per file. */
export class TestDatabase extends Context.Tag("@outbound/adapters/test/support/TestDatabase")<
  TestDatabase,
  Database
>() {
  static readonly layer: Layer.Layer<TestDatabase> = Layer.scoped(TestDatabase, freshDatabase)
}

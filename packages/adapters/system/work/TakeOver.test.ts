import { assert, layer } from "@effect/vitest"
import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import { LongWork } from "@outbound/domain/kernel/ports/LongWork.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Layer, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { TestDatabase } from "../../test/support/TestDatabase.js"
import { database } from "../../test/postgres/stores.js"
import { eventually } from "../../test/work/pool.js"
import { layer as unitOfWork } from "../../src/postgres/PgUnitOfWork.js"
import * as GraphileWork from "../../src/work/GraphileWork.js"

const JOBS = 24
/** A dead host's jobs are held for 9 seconds. */
const TAKE_OVER_MILLIS_MAX = 14_000
const STOP_MILLIS_MAX = 8_000

const here = dirname(fileURLToPath(import.meta.url))
const fromSources = join(here, "fromSources.mjs")
const config = join(here, "../../../testkit/vitest.config.ts")

const startHost = (url: string): Effect.Effect<ChildProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const host = spawn(process.execPath, [fromSources, config, join(here, "host.ts"), url], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      for await (const chunk of host.stdout) if (String(chunk).includes("ready")) return host
      throw new Error("The host ended before it was ready.")
    }),
    (host) =>
      Effect.sync(() => {
        host.kill("SIGKILL")
      })
  )

const exited = (host: ChildProcess) =>
  Effect.promise(async () => {
    if (host.exitCode === null && host.signalCode === null) await once(host, "exit")
  })

const prepare = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`DROP TABLE IF EXISTS asked, ran`
  yield* sql`CREATE TABLE asked (key text PRIMARY KEY, rounds int, takes_millis int, wait_millis int)`
  yield* sql`CREATE TABLE ran (key text, pid int, at timestamptz DEFAULT clock_timestamp())`
})

const ask = (name: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { atomically } = yield* UnitOfWork
    const keys = Array.from({ length: JOBS }, (_, n) => `${name}/${n}`)
    yield* sql`
      INSERT INTO asked (key, rounds, takes_millis, wait_millis)
      SELECT key, 4, 500, CASE WHEN n % 2 = 0 THEN 700 ELSE 1500 END
      FROM unnest(${keys}::text[]) WITH ORDINALITY AS k (key, n)
    `
    yield* atomically((yield* LongWork).announce(keys.map((key) => ({ kind: "operation", key }))))
  })

const pidsThatRan = Effect.flatMap(SqlClient, (sql) => sql<{ readonly pid: number }>`SELECT DISTINCT pid FROM ran`)

const unfinished = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ readonly key: string }>`
    SELECT a.key FROM asked a WHERE a.rounds > (SELECT count(*) FROM ran r WHERE r.key = a.key)
  `
)

const waiting = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ readonly key: string }>`SELECT key FROM graphile_worker.jobs WHERE key IS NOT NULL`
)

/** Ends one of two hosts while both are at work, and gives how long the work of the ended one stood still. */
const endOneOfTwo = (signal: "SIGKILL" | "SIGTERM" | "SIGSTOP") =>
  Effect.gen(function* () {
    yield* prepare
    const sql = yield* SqlClient
    const { url } = yield* TestDatabase
    const [first] = yield* Effect.all([startHost(url), startHost(url)], { concurrency: 2 })
    yield* ask(signal)
    yield* eventually(pidsThatRan, (pids) => pids.length === 2)
    const begun = Date.now()
    first.kill(signal)
    if (signal !== "SIGSTOP") yield* exited(first)
    const stoppedMillis = Date.now() - begun
    yield* eventually(unfinished, (rows) => rows.length === 0)
    // What it had taken it still believes to be its own.
    if (signal === "SIGSTOP") first.kill("SIGCONT")
    yield* eventually(waiting, (rows) => rows.length === 0)
    const [stood] = yield* sql<{ readonly millis: number }>`
      SELECT extract(epoch FROM max(gap))::float8 * 1000 AS millis
      FROM (SELECT at - lag(at) OVER (PARTITION BY key ORDER BY at) AS gap FROM ran) gaps
    `
    if (stood === undefined) return yield* Effect.die(new Error("Nothing ran."))
    if (process.env["WORK_TIMINGS"] !== undefined) yield* Effect.logInfo({ signal, stoppedMillis, ...stood })
    return { stoppedMillis, stoodMillis: stood.millis }
  })

const announcer = Layer.merge(GraphileWork.layer, unitOfWork).pipe(
  Layer.provideMerge(Layer.effectDiscard(GraphileWork.install)),
  Layer.provideMerge(database)
)

layer(announcer, { excludeTestServices: true })("two hosts on one database", (it) => {
  it.effect(
    "after kill -9 of one, its jobs end on the other",
    () => Effect.map(endOneOfTwo("SIGKILL"), ({ stoodMillis }) => assert.isBelow(stoodMillis, TAKE_OVER_MILLIS_MAX)),
    180_000
  )

  it.effect(
    "while one is frozen, its jobs end on the other, and it harms none of them when it comes back",
    () => Effect.map(endOneOfTwo("SIGSTOP"), ({ stoodMillis }) => assert.isBelow(stoodMillis, TAKE_OVER_MILLIS_MAX)),
    180_000
  )

  it.effect(
    "a host that is asked to stop hands its jobs over at once",
    () =>
      Effect.map(endOneOfTwo("SIGTERM"), ({ stoodMillis, stoppedMillis }) => {
        assert.isBelow(stoppedMillis, STOP_MILLIS_MAX)
        assert.isBelow(stoodMillis, STOP_MILLIS_MAX)
      }),
    180_000
  )
})

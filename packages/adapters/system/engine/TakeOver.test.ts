import { assert, layer } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { TestDatabase } from "../../test/support/TestDatabase.js"
import { eventually } from "../../test/engine/pool.js"
import { testPool } from "../../test/engine/support.js"

const OPERATIONS = 24
/** A dead host's locks lapse after 5 seconds, and are looked at every second. */
const TAKE_OVER_MILLIS_MAX = 12_000
const STOP_MILLIS_MAX = 8_000

const here = dirname(fileURLToPath(import.meta.url))
const viteNode = join(dirname(createRequire(import.meta.url).resolve("vite-node/package.json")), "vite-node.mjs")
const config = join(here, "../../../testkit/vitest.config.ts")

const startHost = (url: string): Effect.Effect<ChildProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const host = spawn(process.execPath, [viteNode, "--config", config, join(here, "host.ts"), url], {
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
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP TABLE IF EXISTS asked, ran, beats`
  yield* sql`
    CREATE TABLE asked (operation_id text PRIMARY KEY, rounds int, wait_millis int, started boolean DEFAULT false)
  `
  yield* sql`CREATE TABLE ran (operation_id text, pid int, at timestamptz DEFAULT clock_timestamp())`
  yield* sql`CREATE TABLE beats (pid int, at timestamptz DEFAULT clock_timestamp())`
})

const ask = (name: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      INSERT INTO asked (operation_id, rounds, wait_millis)
      SELECT ${name} || n, 4, CASE WHEN n % 2 = 0 THEN 700 ELSE 1500 END FROM generate_series(1, ${OPERATIONS}::int) n
    `
  )

const pidsThatRan = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly pid: number }>`SELECT DISTINCT pid FROM ran`
)

const unfinished = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly operation_id: string }>`
    SELECT a.operation_id FROM asked a WHERE a.rounds > (SELECT count(*) FROM ran r WHERE r.operation_id = a.operation_id)
  `
)

const beatsOf = (pid: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT pid FROM beats WHERE pid = ${pid} LIMIT 1`)

/** Ends one of two hosts while both are at work, and gives how long the work of the ended one stood still. */
const endOneOfTwo = (signal: "SIGKILL" | "SIGTERM") =>
  Effect.gen(function* () {
    yield* prepare
    const sql = yield* SqlClient.SqlClient
    const { url } = yield* TestDatabase
    const [first, second] = yield* Effect.all([startHost(url), startHost(url)], { concurrency: 2 })
    yield* ask(signal)
    yield* eventually(pidsThatRan, (pids) => pids.length === 2)
    const begun = Date.now()
    first.kill(signal)
    yield* exited(first)
    const stoppedMillis = Date.now() - begun
    yield* eventually(unfinished, (rows) => rows.length === 0)
    yield* eventually(beatsOf(second.pid ?? 0), (rows) => rows.length > 0)
    const [stood] = yield* sql<{ readonly millis: number }>`
      SELECT extract(epoch FROM max(gap))::float8 * 1000 AS millis
      FROM (SELECT at - lag(at) OVER (PARTITION BY operation_id ORDER BY at) AS gap FROM ran) gaps
    `
    if (stood === undefined) return yield* Effect.dieMessage("Nothing ran.")
    const [outbox] = yield* sql<{ readonly millis: number; readonly pids: ReadonlyArray<number> }>`
      SELECT extract(epoch FROM max(gap))::float8 * 1000 AS millis, array_agg(DISTINCT pid) AS pids
      FROM (SELECT pid, at - lag(at) OVER (ORDER BY at) AS gap FROM beats) gaps
    `
    return { second, stoppedMillis, stoodMillis: stood.millis, outbox }
  })

layer(testPool, { excludeTestServices: true })("two hosts on one database", (it) => {
  it.scoped(
    "after kill -9 of one, its operations end on the other",
    () =>
      Effect.gen(function* () {
        const { outbox, second, stoodMillis } = yield* endOneOfTwo("SIGKILL")
        if (process.env["ENGINE_TIMINGS"] !== undefined) yield* Effect.logInfo({ stoodMillis, outbox })
        assert.isBelow(stoodMillis, TAKE_OVER_MILLIS_MAX)
        assert.include(outbox?.pids ?? [], second.pid ?? 0)
      }),
    180_000
  )

  it.scoped(
    "a host that is asked to stop hands its operations over at once",
    () =>
      Effect.gen(function* () {
        const { outbox, second, stoodMillis, stoppedMillis } = yield* endOneOfTwo("SIGTERM")
        if (process.env["ENGINE_TIMINGS"] !== undefined) yield* Effect.logInfo({ stoodMillis, stoppedMillis, outbox })
        assert.isBelow(stoppedMillis, STOP_MILLIS_MAX)
        assert.isBelow(stoodMillis, STOP_MILLIS_MAX)
        assert.include(outbox?.pids ?? [], second.pid ?? 0)
      }),
    180_000
  )
})

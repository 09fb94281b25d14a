/** What it saves that BEGIN travels with a transaction's first statement, beside a BEGIN that is sent and waited for. */
import { layer as poolOf } from "@outbound/adapters/postgres/PgPool.js"
import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import { Effect, Layer, Redacted } from "effect"
import { readFileSync } from "node:fs"
import pg from "pg"
import { onBed } from "./Bed.js"
import { machine, n, row, tell } from "./Report.js"

const STATEMENTS = [1, 3, 10]
const ROUNDS = 1_500
/** Statements are prepared and code is compiled before. */
const WARM_UP = 200

const READ = "SELECT n FROM benched WHERE id = $1"
const WRITE = "UPDATE benched SET n = n + 1 WHERE id = $1"

/** The service's own transactions spare what they say here; raw statements are sent as they are. */
const WAYS = ["with the first statement", "by itself"] as const
type Way = (typeof WAYS)[number]

/** A transaction that writes with its last statement. */
const transaction = (way: Way, statements: number) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* sql.reserve
        const control = (text: string) =>
          way === "by itself" ? connection.executeRaw(text, []) : connection.executeUnprepared(text, [], undefined)
        yield* control("BEGIN")
        for (let at = 1; at < statements; at += 1) yield* connection.execute(READ, [at], undefined)
        yield* connection.execute(WRITE, [1], undefined)
        yield* control("COMMIT")
      })
    )
  )

/** Processor time of the connection's process, in microseconds. */
const serverCpu = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`,
    ([found]) => Number(readFileSync(`/proc/${found?.pid}/schedstat`, "utf8").split(" ")[0]) / 1_000
  )
)

const ownCpu = (): number => {
  const { system, user } = process.cpuUsage()
  return system + user
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

await onBed(async (bed) => {
  const admin = new pg.Client({ connectionString: bed.url })
  await admin.connect()
  await admin.query("CREATE TABLE benched (id int PRIMARY KEY, n bigint NOT NULL)")
  await admin.query("INSERT INTO benched SELECT i, 0 FROM generate_series(1, 100) i")
  // A commit that waits for the disk would hide what is looked at.
  await admin.query(
    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$"
  )
  await admin.end()
  const lines: Array<string> = []
  await Effect.runPromise(
    Effect.gen(function* () {
      const places = yield* Effect.forEach(WAYS, (way) =>
        Effect.map(
          Layer.build(
            Layer.fresh(poolOf({ url: Redacted.make(bed.url), applicationName: "bench", connectionsMax: 1 }))
          ),
          (pool) => ({ way, pool })
        )
      )
      for (const statements of STATEMENTS) {
        const runs = yield* Effect.forEach(places, ({ pool, way }) =>
          Effect.gen(function* () {
            const one = Effect.provide(transaction(way, statements), pool)
            for (let round = 0; round < WARM_UP; round += 1) yield* one
            const server = Effect.provide(serverCpu, pool)
            return { way, one, server, from: yield* server, own: 0, micros: new Array<number>() }
          })
        )
        for (let round = 0; round < ROUNDS; round += 1) {
          for (let turn = 0; turn < runs.length; turn += 1) {
            const run = runs[(turn + round) % runs.length]!
            const cpu = ownCpu()
            const since = performance.now()
            yield* run.one
            run.micros.push((performance.now() - since) * 1_000)
            run.own += ownCpu() - cpu
          }
        }
        const found = yield* Effect.forEach(runs, (run) =>
          Effect.map(run.server, (until) => ({
            way: run.way,
            micros: median(run.micros),
            own: run.own / ROUNDS,
            server: (until - run.from) / ROUNDS
          }))
        )
        const before = found.find(({ way }) => way === "by itself")!
        for (const { micros, own, server, way } of found) {
          const ratios = [micros / before.micros, own / before.own, server / before.server]
          const [time, host, database] = ratios.map((ratio) => n(ratio, 2))
          lines.push(row([`${statements}`, way, n(micros), time!, n(own), host!, n(server), database!]))
        }
      }
    }).pipe(Effect.scoped)
  )
  const heads = [
    "statements",
    "BEGIN is sent",
    "p50 µs",
    "of the other",
    "host's CPU µs",
    "of the other",
    "database's CPU µs",
    "of the other"
  ]
  const table = [row(heads), row(["---:", "---", ...heads.slice(2).map(() => "---:")]), ...lines].join("\n")
  tell(
    "transactions",
    table,
    `## BEGIN with the first statement

${machine}, one PostgreSQL, commits that don't wait for the disk; ${ROUNDS.toLocaleString("en")} transactions of each kind, in turns, on a connection of its own.
All statements but the last read a row, the last one writes one. "Of the other": of the one whose BEGIN is sent and waited for by itself.

${table}`
  )
})

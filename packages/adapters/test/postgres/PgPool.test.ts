import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import pg from "pg"
import * as PgPool from "../../src/postgres/PgPool.js"
import { SqlClient, SqlError } from "../../src/postgres/Sql.js"
import { STATEMENT_NAMES_MAX, StatementNames } from "../../src/postgres/StatementNames.js"
import { TestDatabase } from "../support/TestDatabase.js"

const pool = (options: Partial<PgPool.PgPoolOptions> = {}) =>
  Layer.unwrap(
    Effect.map(TestDatabase, ({ url }) =>
      PgPool.layer({ url: Redacted.make(url), applicationName: "pool-test", connectionsMax: 1, ...options })
    )
  )

const preparedTexts = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ readonly statement: string }>`SELECT statement FROM pg_prepared_statements`
).pipe(Effect.map((rows) => rows.map((row) => row.statement)))

layer(TestDatabase.layer, { excludeTestServices: true })("the pool", (it) => {
  it.effect("has the server prepare what is used again, and nothing that is used once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (let n = 0; n < 5; n++) yield* sql`SELECT ${n}::int AS again`
      yield* sql`SELECT ${1}::int AS once`
      const texts = yield* preparedTexts
      assert.include(texts, "SELECT $1::int AS again")
      assert.notInclude(texts, "SELECT $1::int AS once")
    }).pipe(Effect.provide(pool()))
  )

  it.effect("reads a table in the same order during concurrent scans", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      assert.deepStrictEqual(yield* sql`SHOW synchronize_seqscans`, [{ synchronize_seqscans: "off" }])
    }).pipe(Effect.provide(pool()))
  )

  it.effect("goes on with a statement whose result changed its type under it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`CREATE TABLE changing (n int)`
      const read = sql`SELECT n FROM changing WHERE n IS DISTINCT FROM ${5}`
      for (let n = 0; n < 4; n++) yield* read
      yield* sql`ALTER TABLE changing ALTER COLUMN n TYPE bigint`
      assert.instanceOf(yield* Effect.flip(read), SqlError)
      yield* read
    }).pipe(Effect.provide(pool()))
  )

  it.effect("gives whole numbers of 8 bytes as bigint and dates as text, and leaves other pools alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [row] = yield* sql`
        SELECT 9007199254740993::int8 AS large, ARRAY[1, NULL]::int8[] AS many, DATE '2026-02-28' AS day,
          ARRAY[DATE '2026-02-28'] AS days, 0.10::numeric AS exact, TIMESTAMPTZ '2026-02-28T00:00:00Z' AS instant
      `
      assert.deepStrictEqual(row, {
        large: 9007199254740993n,
        many: [1n, null],
        day: "2026-02-28",
        days: ["2026-02-28"],
        exact: "0.10",
        instant: new Date("2026-02-28T00:00:00Z")
      })
      assert.strictEqual(pg.types.getTypeParser(20, "text")("1"), "1")
    }).pipe(Effect.provide(pool()))
  )

  it.effect("bounds statements, waits for locks and idle transactions, and reads times in one zone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [row] = yield* sql`
        SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
          current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('TimeZone') AS zone,
          current_setting('application_name') AS name
      `
      assert.deepStrictEqual(row, { statement: "1500ms", lock: "500ms", idle: "20s", zone: "UTC", name: "pool-test" })
      assert.instanceOf(yield* Effect.flip(sql`SELECT pg_sleep(5)`), SqlError)
    }).pipe(Effect.provide(pool({ statementMillisMax: 1_500, lockMillisMax: 500, idleInTransactionMillisMax: 20_000 })))
  )

  it.effect("an interrupted statement runs to its end, and its connection serves nobody before that", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const raw = yield* PgPool.RawPool
      yield* sql`CREATE TABLE slow (n int)`
      const slow = yield* Effect.forkChild(sql`INSERT INTO slow SELECT 1 FROM pg_sleep(0.3)`)
      yield* Effect.yieldNow
      while (raw.idleCount > 0) yield* Effect.sleep("1 millis")
      yield* Fiber.interrupt(slow)
      assert.strictEqual(raw.idleCount, 0)
      // The only connection: this waits until it is free.
      assert.deepStrictEqual(yield* sql`SELECT n FROM slow`, [{ n: 1 }])
    }).pipe(Effect.provide(pool()))
  )

  it.effect("a caller waits for a connection only so long", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* Effect.scoped(
        Effect.andThen(
          sql.reserve,
          Effect.map(Effect.flip(sql`SELECT 1`), (error) => assert.instanceOf(error, SqlError))
        )
      )
      yield* sql`SELECT 1`
    }).pipe(Effect.provide(pool({ acquireMillisMax: 1_000 })))
  )

  it.effect("a connection that the server ends harms nobody, idle or taken", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const raw = yield* PgPool.RawPool
      const taken = yield* Effect.promise(() => raw.connect())
      yield* sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'pool-test' AND datname = current_database() AND pid <> pg_backend_pid()
      `
      yield* Effect.promise(() =>
        taken.query("SELECT 1").then(
          () => assert.fail("answered"),
          () => taken.release()
        )
      )
      yield* sql`SELECT 1`
    }).pipe(Effect.provide(pool({ connectionsMax: 2 })))
  )

  it.effect("names only so many statements", () =>
    Effect.sync(() => {
      const names = new StatementNames()
      const texts = Array.from({ length: STATEMENT_NAMES_MAX + 100 }, (_, n) => `SELECT ${n} + $1`)
      for (let use = 0; use < 5; use++) for (const text of texts) names.nameOf(text)
      assert.strictEqual(texts.filter((text) => names.nameOf(text) !== undefined).length, STATEMENT_NAMES_MAX)
    })
  )
})

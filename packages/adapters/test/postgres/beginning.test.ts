import { assert, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { sqlStateOf } from "../../src/postgres/PgErrors.js"
import * as PgPool from "../../src/postgres/PgPool.js"
import { SqlClient, SqlError } from "../../src/postgres/Sql.js"
import { TestDatabase } from "../support/TestDatabase.js"
import { slowProxy } from "./SlowProxy.js"

const ON_THE_WAY = "30 seconds"

/** One connection, so that each transaction finds it as the one before left it. */
const poolTo = (url: string) =>
  PgPool.layer({ url: Redacted.make(url), applicationName: "beginning", connectionsMax: 1 })

const pool = Layer.unwrap(Effect.map(TestDatabase, ({ url }) => poolTo(url)))

/** Another pool, to look at the first one's connection. */
const beside = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.provide(work, Layer.fresh(pool))

/** A table of this test's own, on a connection that has begun transactions before: only then BEGIN travels. */
const given = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`DROP TABLE IF EXISTS begun`
  yield* sql`CREATE TABLE begun (n int PRIMARY KEY, other int REFERENCES begun DEFERRABLE INITIALLY DEFERRED)`
  yield* sql.withTransaction(sql`SELECT ${1}::int`)
  return sql
})

const pid = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`, ([row]) => row?.pid)
)

const stored = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(sql<{ readonly n: number }>`SELECT n FROM begun ORDER BY n`, (rows) => rows.map(({ n }) => n))
)

/** Nothing of the failed transaction stands, and the same connection goes on outside of it. */
const isClean = (before: number | undefined) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    assert.strictEqual(yield* pid, before)
    const [row] = yield* sql<{ readonly outside: boolean }>`SELECT now() = statement_timestamp() AS outside`
    assert.strictEqual(row?.outside, true)
    assert.deepStrictEqual(yield* stored, [])
    yield* sql.withTransaction(sql`INSERT INTO begun VALUES (${7})`)
    assert.deepStrictEqual(yield* stored, [7])
  })

/** The failure of a transaction, which is no defect: its end went well. */
const failureOf = <E, R>(work: Effect.Effect<unknown, E, R>) =>
  Effect.flatMap(Effect.exit(Effect.flatMap(SqlClient, (sql) => sql.withTransaction(work))), (exit) => {
    assert.isTrue(Exit.isFailure(exit) && !Cause.hasDies(exit.cause))
    return exit.pipe(Effect.flip)
  })

const untilRuns = (what: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const look = sql<{ readonly pid: number }>`
      SELECT pid FROM pg_stat_activity WHERE query LIKE ${`%${what}%`} AND wait_event = 'PgSleep' AND pid <> pg_backend_pid()`
    let [found] = yield* look
    while (found === undefined) [found] = yield* look
    return found.pid
  })

layer(TestDatabase.layer, { excludeTestServices: true })("a transaction", (it) => {
  it.effect("waits for the database once less than it has statements and ends, and not at all without any", () =>
    Effect.gen(function* () {
      const proxy = yield* slowProxy((yield* TestDatabase).url)
      const trips = yield* Effect.gen(function* () {
        const sql = yield* given
        const counted = <A, E, R>(work: Effect.Effect<A, E, R>) =>
          Effect.gen(function* () {
            const before = proxy.roundTrips()
            yield* Effect.exit(sql.withTransaction(work))
            return proxy.roundTrips() - before
          })
        return {
          none: yield* counted(Effect.void),
          refused: yield* counted(Effect.fail("refused")),
          one: yield* counted(sql`INSERT INTO begun VALUES (${1})`),
          two: yield* counted(Effect.andThen(sql`SELECT ${1}::int`, sql`INSERT INTO begun VALUES (${2})`)),
          rolledBack: yield* counted(Effect.andThen(sql`SELECT ${1}::int`, Effect.fail("refused"))),
          withoutValues: yield* counted(sql`SELECT 1`)
        }
      }).pipe(Effect.provide(poolTo(proxy.url)))
      assert.deepStrictEqual(trips, { none: 0, refused: 0, one: 2, two: 3, rolledBack: 2, withoutValues: 3 })
    })
  )

  it.effect("is one from its first statement on, and hands over what that answers", () =>
    Effect.gen(function* () {
      const sql = yield* given
      const rows = yield* sql.withTransaction(
        Effect.gen(function* () {
          const first = yield* sql`INSERT INTO begun VALUES (${1}), (${2}) RETURNING n`
          const second =
            yield* sql`INSERT INTO begun VALUES (${3}) RETURNING n, xmin = (SELECT xmin FROM begun WHERE n = 1) AS same`
          return [first, second]
        })
      )
      assert.deepStrictEqual(rows, [[{ n: 1 }, { n: 2 }], [{ n: 3, same: true }]])
      const values = sql`SELECT ${1}::int, ${2}::int`.values
      for (let n = 0; n < 4; n++) assert.deepStrictEqual(yield* sql.withTransaction(values), [[1, 2]])
      // Several statements in one text.
      assert.deepStrictEqual(yield* sql.withTransaction(sql.unsafe("SELECT 1 AS a; SELECT 2 AS b")), [
        [{ a: 1 }],
        [{ b: 2 }]
      ] as never)
      assert.deepStrictEqual(yield* stored, [1, 2, 3])
    }).pipe(Effect.provide(pool))
  )

  it.effect("has its level and its settings to itself, whichever statement comes first", () =>
    Effect.gen(function* () {
      const sql = yield* given
      const level = sql<{ readonly level: string; readonly lock: string }>`
        SELECT current_setting('transaction_isolation') AS level, current_setting('lock_timeout') AS lock`
      const outside = yield* level
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`
          yield* sql`SELECT set_config('lock_timeout', ${"123ms"}, true)`
          assert.deepStrictEqual(yield* level, [{ level: "repeatable read", lock: "123ms" }])
        })
      )
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT set_config('lock_timeout', ${"77ms"}, true)`
          yield* sql`SET TRANSACTION ISOLATION LEVEL READ COMMITTED`.pipe(Effect.ignore)
          assert.strictEqual((yield* level)[0]?.lock, "77ms")
        }).pipe(Effect.exit)
      )
      assert.deepStrictEqual(yield* level, outside)
    }).pipe(Effect.provide(pool))
  )

  for (const [where, before] of [
    ["first", false],
    ["second", true]
  ] as const) {
    it.effect(`fails as its ${where} statement does, and leaves the connection clean`, () =>
      Effect.gen(function* () {
        const sql = yield* given
        const connection = yield* pid
        const start: Effect.Effect<unknown, SqlError> = before ? sql`INSERT INTO begun VALUES (${1})` : Effect.void
        const failing = {
          "22012": sql`SELECT ${1}::int / 0`,
          "42601": sql`SELEKT ${1}`,
          "42P01": sql`SELECT FROM nowhere WHERE n = ${1}`,
          "23502": sql`INSERT INTO begun VALUES (${null})`,
          "22P02": sql`SELECT ${"x"}::int`,
          "42703": sql`SELECT nothing`
        }
        // Often enough that the texts are prepared.
        for (let n = 0; n < 4; n++) {
          for (const [state, statement] of Object.entries(failing)) {
            const error = yield* failureOf(Effect.flatMap(start, () => statement))
            assert.strictEqual(sqlStateOf(error), state)
          }
        }
        yield* isClean(connection)
      }).pipe(Effect.provide(pool))
    )
  }

  it.effect("fails with the mistake in a value that has no text, and leaves the connection clean", () =>
    Effect.gen(function* () {
      const sql = yield* given
      const unwritable = {
        toPostgres: () => {
          throw new TypeError("no text")
        }
      }
      for (let n = 0; n < 5; n++) {
        const error = yield* failureOf(sql`SELECT ${unwritable as never}::json`)
        assert.instanceOf(error, SqlError)
        assert.include(String(error.reason.cause), "no text")
      }
      yield* isClean(yield* pid)
    }).pipe(Effect.provide(pool))
  )

  it.effect("that recovers from its first statement's failure is not committed", () =>
    Effect.gen(function* () {
      const sql = yield* given
      const connection = yield* pid
      yield* sql.withTransaction(Effect.exit(sql`SELECT ${1}::int / 0`))
      yield* Effect.exit(
        sql.withTransaction(
          Effect.andThen(Effect.exit(sql`SELECT ${1}::int / 0`), sql`INSERT INTO begun VALUES (${1})`)
        )
      )
      yield* isClean(connection)
    }).pipe(Effect.provide(pool))
  )

  it.effect("fails at its end where only that shows the mistake", () =>
    Effect.gen(function* () {
      const sql = yield* given
      const connection = yield* pid
      const error = yield* failureOf(sql`INSERT INTO begun VALUES (${1}, ${99})`)
      assert.strictEqual(sqlStateOf(error), "23503")
      yield* isClean(connection)
    }).pipe(Effect.provide(pool))
  )

  it.effect("that can't be begun runs no statement, neither the first nor what waits behind it", () =>
    Effect.gen(function* () {
      const sql = yield* given
      const connection = yield* pid
      // The server no longer knows what begins a transaction.
      yield* sql`DEALLOCATE ALL`
      const both = Effect.all(
        [sql`INSERT INTO begun VALUES (${1})`, sql`INSERT INTO begun VALUES (${2})`].map(Effect.exit),
        {
          concurrency: "unbounded"
        }
      )
      let inside: ReadonlyArray<Exit.Exit<unknown, SqlError>> = []
      const outcome = yield* Effect.exit(
        sql.withTransaction(
          Effect.map(both, (exits) => {
            inside = exits
          })
        )
      )
      assert.deepStrictEqual([...inside.map(Exit.isFailure), Exit.isFailure(outcome)], [true, true, true])
      const [first] = inside
      assert.strictEqual(
        first !== undefined && Exit.isFailure(first) ? sqlStateOf(Cause.squash(first.cause)) : "",
        "26000"
      )
      assert.deepStrictEqual(yield* stored, [])
      assert.notStrictEqual(yield* pid, connection)
      yield* sql.withTransaction(sql`INSERT INTO begun VALUES (${3})`)
      assert.deepStrictEqual(yield* stored, [3])
    }).pipe(Effect.provide(pool))
  )

  it.effect("of two fibers holds what both of them write", () =>
    Effect.gen(function* () {
      const sql = yield* given
      const connection = yield* pid
      const both = Effect.all([sql`INSERT INTO begun VALUES (${1})`, sql`INSERT INTO begun VALUES (${2})`], {
        concurrency: "unbounded"
      })
      yield* Effect.exit(sql.withTransaction(Effect.andThen(both, Effect.fail("refused"))))
      yield* isClean(connection)
    }).pipe(Effect.provide(pool))
  )

  it.effect("within another is taken back alone, also where it has the first statement", () =>
    Effect.gen(function* () {
      const sql = yield* given
      const add = (n: number) => sql`INSERT INTO begun VALUES (${n})`
      const refused = (n: number) =>
        Effect.ignore(sql.withTransaction(Effect.andThen(add(n), Effect.fail("refused" as const))))
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* refused(1)
          yield* sql.withTransaction(Effect.andThen(add(2), refused(3)))
          yield* Effect.ignore(sql.withTransaction(add(2)))
          yield* add(4)
        })
      )
      assert.deepStrictEqual(yield* stored, [2, 4])
      yield* Effect.exit(
        sql.withTransaction(Effect.andThen(sql.withTransaction(add(5)), Effect.fail("refused" as const)))
      )
      assert.deepStrictEqual(yield* stored, [2, 4])
    }).pipe(Effect.provide(pool))
  )

  it.effect("whose connection dies before, in or after its first statement fails, and the next has another", () =>
    Effect.gen(function* () {
      const sql = yield* given
      const kill = (connection: number | undefined) =>
        beside(Effect.flatMap(SqlClient, (other) => other`SELECT pg_terminate_backend(${connection}, 10000)`))
      const dies = <R>(work: (connection: number | undefined) => Effect.Effect<unknown, unknown, R>) =>
        Effect.gen(function* () {
          const exit = yield* Effect.exit(sql.withTransaction(work(yield* pid)))
          assert.isTrue(Exit.isFailure(exit))
          assert.deepStrictEqual(yield* stored, [])
          yield* sql.withTransaction(sql`SELECT ${1}::int`)
        })
      const add = sql`INSERT INTO begun VALUES (${1})`
      yield* dies((connection) => Effect.andThen(kill(connection), add))
      const dying = yield* Effect.forkChild(beside(Effect.flatMap(untilRuns("a long one"), kill)))
      yield* dies(() => sql`INSERT INTO begun SELECT ${1}::int FROM pg_sleep(${60}) -- a long one`)
      yield* Fiber.join(dying)
      yield* dies((connection) => Effect.andThen(add, kill(connection)))
    }).pipe(Effect.provide(pool), Effect.timeout(ON_THE_WAY))
  )

  it.effect("that is interrupted, in its first statement or before it, is taken back, and its connection goes on", () =>
    Effect.gen(function* () {
      const sql = yield* given
      const connection = yield* pid
      const started = yield* Deferred.make<void>()
      const before = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(Deferred.succeed(started, void 0), Effect.never))
      )
      yield* Deferred.await(started)
      yield* Fiber.interrupt(before)
      const within = yield* Effect.forkChild(
        sql.withTransaction(sql`INSERT INTO begun SELECT ${1}::int FROM pg_sleep(${0.3}) -- within`)
      )
      yield* beside(untilRuns("within"))
      yield* Fiber.interrupt(within)
      yield* isClean(connection)
    }).pipe(Effect.provide(pool), Effect.timeout(ON_THE_WAY))
  )
})

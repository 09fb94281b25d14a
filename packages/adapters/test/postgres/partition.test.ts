import { assert, it } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { zero } from "@outbound/domain/kernel/money/Credits.js"
import { isOutage, UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { admitted, anAttempt, costing, givenCaller, moneyOf } from "@outbound/testkit/contracts/calls.js"
import { Context, Deferred, Duration, Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { makeHost } from "../../src/postgres/PgCallJournal.js"
import { check } from "../../src/postgres/PgInvariants.js"
import { TestDatabase } from "../support/TestDatabase.js"
import { cuttingProxy } from "./CuttingProxy.js"
import { poolTo, stores } from "./stores.js"
import * as PgPool from "../../src/postgres/PgPool.js"
import * as PgUnitOfWork from "../../src/postgres/PgUnitOfWork.js"
import { SqlClient } from "../../src/postgres/Sql.js"

/** The promise to everybody else (docs/reliability.md). */
const HELD_MILLIS_MAX = 3_000
/** A refusal without asking the database. */
const AT_ONCE_MILLIS = 100

it.live(
  "a host that is cut off in the middle of a batch holds nobody up for more than 3 seconds, and says what it can't do",
  () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      const proxy = yield* cuttingProxy(url)
      const { journal: lost } = yield* Effect.provide(makeHost, yield* Layer.build(poolTo(proxy.url)))
      const here = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("10")
      for (const journal of [lost, here]) yield* admitted(anAttempt(keyHash, { plan: costing(zero) }), journal)

      proxy.blackholeNext()
      const inDoubt = yield* Effect.forkChild(Effect.flip(lost.admit(anAttempt(keyHash))))
      yield* Effect.sleep("1 millis").pipe(Effect.repeat({ until: () => proxy.cuts() === 1 }))
      // Its transaction holds the account now, and nobody tells the server that it is gone.
      const since = performance.now()
      yield* Effect.retry(admitted(anAttempt(keyHash), here), { times: 1 })
      assert.isBelow(performance.now() - since, HELD_MILLIS_MAX)

      // Calls that come to the host meanwhile hear of the outage: first in time, and then at once.
      const first = yield* Effect.flip(lost.admit(anAttempt(keyHash)))
      assert.isTrue(isOutage(first))
      yield* Effect.flip(lost.admit(anAttempt(keyHash))).pipe(
        Effect.timed,
        Effect.repeat({ until: ([took]) => Duration.toMillis(took) < AT_ONCE_MILLIS }),
        Effect.timeout("6 seconds")
      )

      proxy.heal()
      yield* admitted(anAttempt(keyHash), lost).pipe(
        Effect.retry(Schedule.spaced("50 millis")),
        Effect.timeout("30 seconds")
      )
      // The server ended the cut transaction, so nothing of the call in doubt remains.
      yield* Fiber.join(inDoubt)
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "10", reserved: "2" })
      const reports = yield* check()
      assert.deepStrictEqual(
        reports.filter(({ count }) => count > 0),
        []
      )
    }).pipe(Effect.provide(stores)),
  120_000
)

/** A host behind a proxy, as `serve` connects it, and a workspace whose account its own transactions lock. */
const cutOffHost = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  const proxy = yield* cuttingProxy(url)
  const pool = PgPool.layer({ url: Redacted.make(proxy.url), applicationName: "cut off", ...PgPool.HOST_BOUNDS })
  const host = yield* Layer.build(Layer.provideMerge(Layer.fresh(PgUnitOfWork.layer), pool))
  const { workspaceId } = yield* givenCaller("10")
  const lock = (sql: SqlClient) => sql`SELECT available FROM accounts WHERE workspace_id = ${workspaceId} FOR UPDATE`
  const { atomically } = Context.get(host, UnitOfWork)
  return { proxy, lock, atomically, there: Context.get(host, SqlClient), here: yield* SqlClient }
})

it.live(
  "a host that is cut off in a verb's own transaction holds nobody up for more than 3 seconds, and says so in time",
  () =>
    Effect.gen(function* () {
      const { atomically, here, lock, proxy, there } = yield* cutOffHost
      const isLocked = yield* Deferred.make<void>()
      const isCut = yield* Deferred.make<void>()
      const lost = yield* lock(there).pipe(
        Effect.andThen(Deferred.succeed(isLocked, undefined)),
        Effect.andThen(Deferred.await(isCut)),
        Effect.andThen(lock(there)),
        atomically,
        Effect.flip,
        Effect.timed,
        Effect.forkChild
      )
      yield* Deferred.await(isLocked)
      proxy.blackhole()
      yield* Deferred.succeed(isCut, undefined)
      const [others] = yield* Effect.timed(lock(here))
      assert.isBelow(Duration.toMillis(others), HELD_MILLIS_MAX)
      const [own, error] = yield* Fiber.join(lost)
      assert.isTrue(isOutage(error))
      // 2 s without an answer, and 2.5 s in which nobody else got one either.
      assert.isBelow(Duration.toMillis(own), HELD_MILLIS_MAX + 3_000)
      proxy.heal()
      yield* lock(there).pipe(Effect.retry(Schedule.spaced("50 millis")), Effect.timeout("30 seconds"))
    }).pipe(Effect.provide(stores)),
  120_000
)

it.live(
  "a host that dies while its statement runs holds nobody up for as long as the statement would have",
  () =>
    Effect.gen(function* () {
      const { atomically, here, lock, proxy, there } = yield* cutOffHost
      const isLocked = yield* Deferred.make<void>()
      const lost = yield* lock(there).pipe(
        Effect.andThen(Deferred.succeed(isLocked, undefined)),
        Effect.andThen(there`SELECT pg_sleep(20)`),
        atomically,
        Effect.flip,
        Effect.forkChild
      )
      yield* Deferred.await(isLocked)
      yield* here`SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(20)' AND state = 'active'`.pipe(
        Effect.repeat({ until: (rows) => rows.length > 0 })
      )
      proxy.sever()
      const [others] = yield* Effect.timed(lock(here))
      assert.isBelow(Duration.toMillis(others), HELD_MILLIS_MAX)
      assert.isTrue(isOutage(yield* Fiber.join(lost)))
    }).pipe(Effect.provide(stores)),
  120_000
)

it.live("an honest statement may take longer, since its database answers others", () =>
  Effect.gen(function* () {
    const { there } = yield* cutOffHost
    yield* there`SELECT pg_sleep(${PgPool.HOST_BOUNDS.answerMillisMax / 1_000 + 1}::float8)`
  }).pipe(Effect.provide(stores))
)

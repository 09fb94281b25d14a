import { assert, it } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { zero } from "@outbound/domain/kernel/money/Credits.js"
import { isOutage } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { admitted, anAttempt, costing, givenCaller, moneyOf } from "@outbound/testkit/contracts/calls.js"
import { Duration, Effect, Fiber, Layer, Schedule } from "effect"
import { makeHost } from "../../src/postgres/PgCallJournal.js"
import { check } from "../../src/postgres/PgInvariants.js"
import { TestDatabase } from "../support/TestDatabase.js"
import { cuttingProxy } from "./CuttingProxy.js"
import { poolTo, stores } from "./stores.js"

/** The promise to everybody else (docs/reliability.md). */
const HELD_MILLIS_MAX = 3_000
/** A refusal without asking the database. */
const AT_ONCE_MILLIS = 100

it.scopedLive(
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
      const inDoubt = yield* Effect.fork(Effect.flip(lost.admit(anAttempt(keyHash))))
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

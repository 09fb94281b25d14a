import { assert, it } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import { isOutage, UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import {
  admitted,
  anAttempt,
  claimOf,
  costing,
  givenCaller,
  moneyOf,
  outcomeOf,
  settlementOf
} from "@outbound/testkit/contracts/calls.js"
import { freshId, NOON, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { TestHosts } from "@outbound/testkit/memory/Hooks.js"
import { Deferred, Effect, Fiber, Layer, Result } from "effect"
import { makeHost } from "../../src/postgres/PgCallJournal.js"
import { RawPool } from "../../src/postgres/PgPool.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { TestDatabase } from "../support/TestDatabase.js"
import { cuttingProxy, type Cut } from "./CuttingProxy.js"
import { breaches, poolTo, stores, UNWRITABLE } from "./stores.js"

/** Holds the account's row until the effect has run. */
const whileHeld = <A, E, R>(workspaceId: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const sql = yield* SqlClient
    const held = yield* Deferred.make<void>()
    const free = yield* Deferred.make<void>()
    const holder = yield* Effect.forkChild(
      atomically(
        sql`SELECT 1 FROM accounts WHERE workspace_id = ${workspaceId} FOR UPDATE`.pipe(
          Effect.andThen(Deferred.succeed(held, undefined)),
          Effect.andThen(Deferred.await(free))
        )
      )
    )
    yield* Deferred.await(held)
    const result = yield* effect
    yield* Deferred.succeed(free, undefined)
    yield* Fiber.join(holder)
    return result
  })

it.layer(stores, SUITE)("the journal's batches", (it) => {
  it.effect("one call that cannot be written fails none of its neighbours, and stays reserved no longer", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const calls = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, index) => claimOf(`call ${index}`, "body")),
        (idempotency) => admitted(anAttempt(keyHash, { idempotency })),
        { concurrency: "unbounded" }
      )
      const ends = yield* Effect.forEach(
        calls,
        (call, index) => {
          const outcome = outcomeOf(call, index === 7 ? UNWRITABLE : "fine", credits("1"))
          return Effect.result(journal.settle(settlementOf(call, { outcome })))
        },
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        ends.map((end) => (Result.isSuccess(end) ? end.success._tag : end.failure._tag)),
        calls.map((_, index) => (index === 7 ? "StoreUnavailable" : "Settled"))
      )
      // The caller of the bad one was answered when it was released.
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "89", reserved: "0" })
      assert.deepStrictEqual(yield* breaches, [])
    })
  )

  it.effect("an admission that cannot be written, or whose plan throws, fails alone", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const attempts = [
        anAttempt(keyHash),
        anAttempt(keyHash, { verb: UNWRITABLE }),
        anAttempt(keyHash),
        anAttempt(keyHash, {
          plan: () => {
            throw new Error("a defect of the plan")
          }
        }),
        anAttempt(keyHash)
      ]
      const answers = yield* Effect.forEach(attempts, (attempt) => Effect.result(journal.admit(attempt)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        answers.map((answer) => (Result.isSuccess(answer) ? answer.success._tag : answer.failure._tag)),
        ["Admitted", "StoreUnavailable", "Admitted", "StoreUnavailable", "Admitted"]
      )
      // The database answered: callers must not be told of an outage.
      assert.isFalse(answers.some((answer) => Result.isFailure(answer) && isOutage(answer.failure)))
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "100", reserved: "3" })
    })
  )

  it.effect("a workspace whose account is held stalls nobody else, and goes on when it is free", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const held = yield* givenCaller("10")
      const others = yield* Effect.forEach(Array.from({ length: 5 }), () => givenCaller("10"))
      const waiting = yield* whileHeld(
        held.workspaceId,
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(admitted(anAttempt(held.keyHash)))
          // Were they stuck behind the held row, this would never end.
          yield* Effect.forEach(others, ({ keyHash }) => admitted(anAttempt(keyHash)), { concurrency: "unbounded" })
          assert.isUndefined(fiber.pollUnsafe())
          return fiber
        })
      )
      const call = yield* Fiber.join(waiting)
      assert.strictEqual((yield* journal.settle(settlementOf(call)))._tag, "Settled")
      assert.deepStrictEqual(yield* moneyOf(held.workspaceId), { balance: "9", reserved: "0" })
    })
  )

  it.effect("an admission waits for a held account for two seconds and is then refused with nothing done", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("10")
      const refusal = yield* whileHeld(workspaceId, Effect.flip(journal.admit(anAttempt(keyHash))))
      assert.isTrue(isOutage(refusal))
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "10", reserved: "0" })
    })
  )

  it.effect("a settlement that costs all that was reserved waits for no account", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("10")
      const call = yield* admitted(anAttempt(keyHash))
      const settled = yield* whileHeld(workspaceId, journal.settle(settlementOf(call)))
      assert.deepStrictEqual(settled, { _tag: "Settled", available: credits("9") })
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "9", reserved: "0" })
    })
  )

  it.effect(
    "a settlement that gives back waits for a held account for as long as it takes, and stalls nobody else",
    () =>
      Effect.gen(function* () {
        const journal = yield* CallJournal
        const { keyHash, workspaceId } = yield* givenCaller("10")
        const other = yield* givenCaller("10")
        const call = yield* admitted(anAttempt(keyHash))
        const others = yield* admitted(anAttempt(other.keyHash))
        const settling = yield* whileHeld(
          workspaceId,
          Effect.gen(function* () {
            const fiber = yield* Effect.forkChild(journal.settle(settlementOf(call, { charge: zero })))
            assert.strictEqual((yield* journal.settle(settlementOf(others, { charge: zero })))._tag, "Settled")
            // The admission gives up after two seconds: the settlement, which came first, is waiting still.
            yield* Effect.flip(journal.admit(anAttempt(keyHash)))
            assert.isUndefined(fiber.pollUnsafe())
            return fiber
          })
        )
        assert.strictEqual((yield* Fiber.join(settling))._tag, "Settled")
        assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "10", reserved: "0" })
        assert.deepStrictEqual(yield* breaches, [])
      })
  )

  it.effect("settlements that give back and admissions of one host never wait for each other's account", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const pool = yield* RawPool
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const call = Effect.suspend(() => admitted(anAttempt(keyHash))).pipe(
        Effect.flatMap((one) => journal.settle(settlementOf(one, { charge: zero })))
      )
      yield* call
      // A workspace that waits for its own account does so on a new connection.
      let opened = 0
      const onConnect = () => void (opened += 1)
      pool.on("connect", onConnect)
      yield* Effect.forEach(Array.from({ length: 16 }), () => Effect.repeat(call, { times: 9 }), {
        concurrency: "unbounded"
      })
      pool.off("connect", onConnect)
      assert.strictEqual(opened, 0)
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "100", reserved: "0" })
      assert.deepStrictEqual(yield* breaches, [])
    })
  )

  it.effect("a settlement that meets a row of an unfinished transaction waits alone", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { atomically } = yield* UnitOfWork
      const { keyHash, workspaceId } = yield* givenCaller("10")
      const other = yield* givenCaller("10")
      const [within, without] = yield* Effect.all([admitted(anAttempt(keyHash)), admitted(anAttempt(keyHash))])
      const others = yield* admitted(anAttempt(other.keyHash))
      const written = yield* Deferred.make<void>()
      const free = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(
        atomically(
          journal
            .settleIn(settlementOf(within))
            .pipe(Effect.tap(Deferred.succeed(written, undefined)), Effect.tap(Deferred.await(free)))
        )
      )
      yield* Deferred.await(written)
      const waiting = yield* Effect.forkChild(journal.settle(settlementOf(without)))
      assert.strictEqual((yield* journal.settle(settlementOf(others)))._tag, "Settled")
      assert.isUndefined(waiting.pollUnsafe())
      yield* Deferred.succeed(free, undefined)
      assert.deepStrictEqual(
        [(yield* Fiber.join(holder))._tag, (yield* Fiber.join(waiting))._tag],
        ["Settled", "Settled"]
      )
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "8", reserved: "0" })
      assert.deepStrictEqual(yield* breaches, [])
    })
  )

  it.effect("two hosts that sell the same credits at once sell each of them once", () =>
    Effect.gen(function* () {
      const here = yield* CallJournal
      const there = yield* Effect.flatMap(TestHosts, ({ start }) => start)
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const codes = yield* Effect.forEach(
        Array.from({ length: 240 }, (_, index) => (index % 2 === 0 ? here : there.journal)),
        (journal) =>
          Effect.gen(function* () {
            const admission = yield* journal.admit(anAttempt(keyHash))
            if (admission._tag !== "Admitted") return "refused"
            return (yield* journal.settle(settlementOf(admission.call)))._tag
          }),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(codes.filter((code) => code === "Settled").length, 100)
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "0", reserved: "0" })
      assert.deepStrictEqual(yield* breaches, [])
    })
  )

  it.effect("a client that hangs up loses nothing: its settlement stands", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("10")
      const call = yield* admitted(anAttempt(keyHash))
      const settling = yield* Effect.forkChild(journal.settle(settlementOf(call)))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(settling)
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "9", reserved: "0" })
    })
  )

  for (const cut of ["before it reaches the server", "before its answer comes back"] as ReadonlyArray<Cut>) {
    it.effect(`a COMMIT whose connection is lost ${cut} has its calls admitted and settled once`, () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const proxy = yield* cuttingProxy(url)
        const { journal } = yield* Effect.provide(makeHost, yield* Layer.build(poolTo(proxy.url)))
        const { keyHash, workspaceId } = yield* givenCaller("10")
        yield* admitted(anAttempt(keyHash, { plan: costing(zero) }), journal)
        proxy.cutNext(cut)
        const calls = yield* Effect.forEach(
          ["one", "two", "three"],
          (name) => admitted(anAttempt(keyHash, { idempotency: claimOf(name, "body") }), journal),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(proxy.cuts(), 1)
        assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "10", reserved: "3" })
        proxy.cutNext(cut)
        const ends = yield* Effect.forEach(
          calls,
          (call) => journal.settle(settlementOf(call, { outcome: outcomeOf(call, "done", credits("1")) })),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(proxy.cuts(), 2)
        assert.deepStrictEqual(new Set(ends.map(({ _tag }) => _tag)), new Set(["Settled"]))
        assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "7", reserved: "0" })
        assert.deepStrictEqual(yield* breaches, [])
      })
    )
  }

  it.effect("a host that was taken for dead goes on as another", () =>
    Effect.gen(function* () {
      const host = yield* Effect.flatMap(TestHosts, ({ start }) => start)
      const here = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("10")
      yield* host.kill
      yield* here.sweep
      const call = yield* admitted(anAttempt(keyHash), host.journal)
      assert.isTrue(yield* host.journal.effectStarts(call))
      yield* here.sweep
      assert.strictEqual((yield* host.journal.settle(settlementOf(call)))._tag, "Settled")
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "9", reserved: "0" })
    })
  )

  it.effect("a host that ends leaves its calls to be swept at once", () =>
    Effect.gen(function* () {
      const here = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("10")
      yield* Effect.scoped(
        Effect.flatMap(TestHosts, ({ start }) =>
          Effect.flatMap(start, ({ journal }) => admitted(anAttempt(keyHash), journal))
        )
      )
      assert.isAtLeast(yield* here.sweep, 1)
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "10", reserved: "0" })
    })
  )

  it.effect("usage of days gone by and of the day's rest adds up, whenever it is asked from", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const store = yield* CreditStore
      const { atomically } = yield* UnitOfWork
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const hours = [0, 5, 13, 20, 26, 40]
      for (const hour of hours) {
        const nowMillis = NOON + hour * 3_600_000
        const call = yield* admitted(anAttempt(keyHash, { nowMillis }))
        yield* journal.settle(settlementOf(call, { settledAtMillis: nowMillis }))
      }
      yield* atomically(
        store.take({ entryId: freshId(), workspaceId, kind: "upkeep", amount: credits("2"), atMillis: NOON })
      )
      for (const from of [0, 1, 5, 12, 13, 14, 30, 41]) {
        const usage = yield* store.usageSince(workspaceId, NOON + from * 3_600_000)
        const calls = usage.find(({ verb }) => verb === "verify_email")?.calls ?? 0
        assert.strictEqual(calls, hours.filter((hour) => hour >= from).length, `since hour ${from}`)
      }
      assert.deepStrictEqual(yield* breaches, [])
    })
  )
})

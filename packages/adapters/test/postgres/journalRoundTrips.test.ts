import { assert, it } from "@effect/vitest"
import type { AdmittedCall, Attempt } from "@outbound/domain/calls/Attempt.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
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
import { SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { Effect, Fiber, Layer, Result } from "effect"
import { makeHost } from "../../src/postgres/PgCallJournal.js"
import { RawPool } from "../../src/postgres/PgPool.js"
import { TestDatabase } from "../support/TestDatabase.js"
import { cuttingProxy, type Cut } from "./CuttingProxy.js"
import { breaches, poolTo, stores, UNWRITABLE } from "./stores.js"

const atOnce = <T extends ReadonlyArray<Effect.Effect<unknown, unknown, unknown>>>(...effects: T) =>
  Effect.all(effects, { concurrency: "unbounded" })

/** An attempt whose plan, when it is first asked, starts something else: it waits while the attempt's batch is written. */
const startingMeanwhile = <A, E, R>(attempt: Attempt, meanwhile: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.context<R>(), (context) => {
    let fiber: Fiber.Fiber<A, E> | undefined
    const plan: Attempt["plan"] = (key) => {
      fiber ??= Effect.runForkWith(context)(meanwhile)
      return attempt.plan(key)
    }
    const join = Effect.suspend(() =>
      fiber === undefined ? Effect.die(new Error("no plan was asked")) : Fiber.join(fiber)
    )
    return { attempt: { ...attempt, plan }, join }
  })

it.layer(stores, SUITE)("settlements that give back and admissions, which travel together", (it) => {
  it.effect("a settlement that cannot be written fails alone, and the session stays open", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const pool = yield* RawPool
      const { keyHash, workspaceId } = yield* givenCaller("10")
      const admit = (name: string) => admitted(anAttempt(keyHash, { idempotency: claimOf(name, "body") }))
      const [bad, good] = yield* Effect.all([admit("bad"), admit("good")])
      let opened = 0
      const onConnect = () => void (opened += 1)
      pool.on("connect", onConnect)
      const settle = (call: typeof bad, body: string) =>
        Effect.result(journal.settle(settlementOf(call, { charge: zero, outcome: outcomeOf(call, body, zero) })))
      const [unwritten, written, call] = yield* Effect.all(
        [settle(bad, UNWRITABLE), settle(good, "done"), admit("new")],
        {
          concurrency: "unbounded"
        }
      )
      pool.off("connect", onConnect)
      assert.deepStrictEqual([Result.isFailure(unwritten), Result.isSuccess(written)], [true, true])
      assert.strictEqual(call.reserved, 1_000_000n)
      assert.strictEqual(opened, 0)
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "10", reserved: "1" })
      assert.deepStrictEqual(yield* breaches, [])
    })
  )

  it.effect("a settlement is answered before the admissions behind it are written", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash } = yield* givenCaller("10")
      const call = yield* admitted(anAttempt(keyHash))
      const answers: Array<string> = []
      yield* atOnce(
        Effect.map(journal.settle(settlementOf(call, { charge: zero })), ({ _tag }) => answers.push(_tag)),
        Effect.map(admitted(anAttempt(keyHash)), () => answers.push("Admitted"))
      )
      assert.deepStrictEqual(answers, ["Settled", "Admitted"])
    })
  )

  it.effect("what travels behind admissions that cannot be written is done once, as if they had not been there", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("10")
      const running = yield* admitted(anAttempt(keyHash, { plan: costing(credits("2")) }))
      const { attempt: bad, join } = yield* startingMeanwhile(
        anAttempt(keyHash, { verb: UNWRITABLE }),
        atOnce(
          journal.settle(settlementOf(running, { charge: credits("1") })),
          Effect.forEach([1, 2], () => admitted(anAttempt(keyHash), journal), { concurrency: "unbounded" })
        )
      )
      const [refused] = yield* atOnce(Effect.result(journal.admit(bad)), admitted(anAttempt(keyHash), journal))
      const [settled] = yield* join
      assert.isTrue(Result.isFailure(refused))
      assert.deepStrictEqual(settled, { _tag: "Settled", available: credits("8") })
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "9", reserved: "3" })
      assert.deepStrictEqual(yield* breaches, [])
    })
  )

  it.effect("a settlement that fails between two batches of admissions is tried again outside of both", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("10")
      const admit = (name: string) => admitted(anAttempt(keyHash, { idempotency: claimOf(name, "body") }))
      const [good, bad, last] = yield* atOnce(admit("good"), admit("bad"), admit("last"))
      const settle = (call: AdmittedCall, body: string) =>
        Effect.result(journal.settle(settlementOf(call, { charge: zero, outcome: outcomeOf(call, body, zero) })))
      const third = yield* startingMeanwhile(
        anAttempt(keyHash),
        atOnce(settle(last, "done"), admitted(anAttempt(keyHash), journal))
      )
      const second = yield* startingMeanwhile(
        anAttempt(keyHash),
        atOnce(settle(good, "done"), settle(bad, UNWRITABLE), admitted(third.attempt, journal))
      )
      yield* admitted(second.attempt, journal)
      const [written, unwritten] = yield* second.join
      const [lastWritten] = yield* third.join
      assert.deepStrictEqual([written, unwritten, lastWritten].map(Result.isSuccess), [true, false, true])
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "10", reserved: "3" })
      assert.deepStrictEqual(yield* breaches, [])
    })
  )

  for (const cut of ["before it reaches the server", "before its answer comes back"] as ReadonlyArray<Cut>) {
    it.effect(`when their connection is lost ${cut}, each is done once`, () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const proxy = yield* cuttingProxy(url)
        const { journal } = yield* Effect.provide(makeHost, yield* Layer.build(poolTo(proxy.url)))
        const { keyHash, workspaceId } = yield* givenCaller("10")
        const calls = yield* Effect.forEach([1, 2], () =>
          admitted(anAttempt(keyHash, { plan: costing(credits("2")) }), journal)
        )
        proxy.cutNext(cut)
        const [ends, begun] = yield* Effect.all(
          [
            Effect.forEach(calls, (call) => journal.settle(settlementOf(call, { charge: credits("1") })), {
              concurrency: "unbounded"
            }),
            Effect.forEach([1, 2, 3], () => admitted(anAttempt(keyHash), journal), { concurrency: "unbounded" })
          ],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(proxy.cuts(), 1)
        assert.deepStrictEqual(new Set(ends.map(({ _tag }) => _tag)), new Set(["Settled"]))
        assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "8", reserved: "3" })
        yield* Effect.forEach(begun, (call) => journal.settle(settlementOf(call)))
        assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "5", reserved: "0" })
        assert.deepStrictEqual(yield* breaches, [])
      })
    )
  }
})

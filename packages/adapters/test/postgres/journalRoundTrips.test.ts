import { assert, it } from "@effect/vitest"
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
import { Effect, Either, Layer } from "effect"
import { makeHost } from "../../src/postgres/PgCallJournal.js"
import { RawPool } from "../../src/postgres/PgPool.js"
import { TestDatabase } from "../support/TestDatabase.js"
import { cuttingProxy, type Cut } from "./CuttingProxy.js"
import { breaches, poolTo, stores, UNWRITABLE } from "./stores.js"

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
        Effect.either(journal.settle(settlementOf(call, { charge: zero, outcome: outcomeOf(call, body, zero) })))
      const [unwritten, written, call] = yield* Effect.all(
        [settle(bad, UNWRITABLE), settle(good, "done"), admit("new")],
        {
          concurrency: "unbounded"
        }
      )
      pool.off("connect", onConnect)
      assert.deepStrictEqual([Either.isLeft(unwritten), Either.isRight(written)], [true, true])
      assert.strictEqual(call.reserved, 1_000_000n)
      assert.strictEqual(opened, 0)
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "10", reserved: "1" })
      assert.deepStrictEqual(yield* breaches, [])
    })
  )

  for (const cut of ["before it reaches the server", "before its answer comes back"] as ReadonlyArray<Cut>) {
    it.scoped(`when their connection is lost ${cut}, each is done once`, () =>
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

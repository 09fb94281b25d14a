import { assert } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Option } from "effect"
import { admitted, anAttempt, claimOf, costing, givenCaller, moneyOf, outcomeOf, settlementOf } from "./calls.js"
import { freshId, NOON } from "./fixtures.js"
import type { JournalIt } from "./journalSupport.js"

const givenCall = (amount: string, maximum: string) =>
  Effect.gen(function* () {
    const caller = yield* givenCaller(amount)
    const call = yield* admitted(anAttempt(caller.keyHash, { plan: costing(credits(maximum)) }))
    return { ...caller, call }
  })

/** Every admitted call is charged once, exactly, and never more than was reserved for it. */
export const settlementTests = (it: JournalIt): void => {
  it.effect("a settlement charges exactly what it says, and releases the rest", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { call, workspaceId } = yield* givenCall("100", "22")
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "100", reserved: "22" })
      const settled = yield* journal.settle(settlementOf(call, { charge: credits("5.000001") }))
      assert.deepStrictEqual(settled, { _tag: "Settled", available: credits("94.999999") })
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "94.999999", reserved: "0" })
      assert.deepStrictEqual(Option.getOrThrow(yield* journal.request(workspaceId, call.requestId)), {
        requestId: call.requestId,
        verb: "verify_email",
        mode: "act",
        status: "succeeded",
        httpStatus: 200,
        errorCode: null,
        reserved: zero,
        charged: credits("5.000001"),
        replayedCount: 0,
        interrupted: false,
        createdAtMillis: NOON,
        finishedAtMillis: NOON + 250
      })
    })
  )

  it.effect("a call that was interrupted says so, and is charged what it used", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { call, workspaceId } = yield* givenCall("100", "22")
      yield* journal.settle(settlementOf(call, { charge: credits("3"), interrupted: true }))
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "97", reserved: "0" })
      const record = Option.getOrThrow(yield* journal.request(workspaceId, call.requestId))
      assert.deepInclude(record, { status: "succeeded", charged: credits("3"), interrupted: true })
    })
  )

  it.effect("a call that only reads is settled as one, and is no part of what its key has used", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { key, keyHash, workspaceId } = yield* givenCaller("100", { dailySpendCap: credits("10") })
      const call = yield* admitted(anAttempt(keyHash, { mode: "read", plan: costing(zero) }))
      yield* journal.settle(settlementOf(call))
      const record = Option.getOrThrow(yield* journal.request(workspaceId, call.requestId))
      assert.deepInclude(record, { mode: "read", status: "succeeded", charged: zero })
      assert.strictEqual((yield* journal.standing(workspaceId, key.keyId, NOON)).spentToday, zero)
    })
  )

  it.effect("a failure releases everything", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { call, workspaceId } = yield* givenCall("100", "22")
      const failure = { status: "failed", httpStatus: 404, errorCode: "not_found", charge: zero } as const
      yield* journal.settle(settlementOf(call, failure))
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "100", reserved: "0" })
      const record = Option.getOrThrow(yield* journal.request(workspaceId, call.requestId))
      assert.deepInclude(record, { status: "failed", httpStatus: 404, errorCode: "not_found", charged: zero })
    })
  )

  it.effect("a charge above the reservation is cut to it", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { call, workspaceId } = yield* givenCall("10", "10")
      yield* journal.settle(settlementOf(call, { charge: credits("10.000001") }))
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "0", reserved: "0" })
      const record = Option.getOrThrow(yield* journal.request(workspaceId, call.requestId))
      assert.deepStrictEqual(record.charged, credits("10"))
    })
  )

  it.effect("settling again changes nothing, whatever it says", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { call, workspaceId } = yield* givenCall("100", "22")
      yield* journal.settle(settlementOf(call, { charge: credits("5") }))
      const first = yield* journal.request(workspaceId, call.requestId)
      const again = yield* journal.settle(
        settlementOf(call, { charge: credits("22"), status: "failed", httpStatus: 500 })
      )
      assert.deepStrictEqual(again, { _tag: "Fenced" })
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "95", reserved: "0" })
      assert.deepStrictEqual(yield* journal.request(workspaceId, call.requestId), first)
    })
  )

  it.effect("of many settlements of one call at once, one counts", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { call, workspaceId } = yield* givenCall("100", "22")
      const ends = yield* Effect.replicateEffect(journal.settle(settlementOf(call, { charge: credits("3") })), 20, {
        concurrency: "unbounded"
      })
      assert.lengthOf(
        ends.filter((end) => end._tag === "Settled"),
        1
      )
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "97", reserved: "0" })
    })
  )

  it.effect("a call that was never admitted cannot be settled", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { call, workspaceId } = yield* givenCall("100", "22")
      const settled = yield* journal.settle(settlementOf({ ...call, requestId: freshId() }))
      assert.deepStrictEqual(settled, { _tag: "Fenced" })
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "100", reserved: "22" })
    })
  )

  it.effect("a settlement in a transaction stands and falls with it", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { atomically } = yield* UnitOfWork
      const { call, workspaceId } = yield* givenCall("100", "22")
      const settle = journal.settleIn(settlementOf(call, { charge: credits("5") }))
      yield* Effect.result(atomically(Effect.andThen(settle, Effect.fail("refused"))))
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "100", reserved: "22" })
      const settled = yield* atomically(settle)
      assert.deepStrictEqual(settled, { _tag: "Settled", available: credits("95") })
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "95", reserved: "0" })
      assert.deepStrictEqual(yield* atomically(settle), { _tag: "Fenced" })
    })
  )

  it.effect("what a settlement in a transaction keeps is there for repeats", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { atomically } = yield* UnitOfWork
      const { keyHash } = yield* givenCaller("10")
      const attempt = () => anAttempt(keyHash, { idempotency: claimOf("one", "body") })
      const call = yield* admitted(attempt())
      const outcome = outcomeOf(call, "the answer", credits("1"))
      yield* atomically(journal.settleIn(settlementOf(call, { outcome })))
      assert.deepInclude(yield* journal.admit(attempt()), { _tag: "Replay", outcome })
    })
  )

  it.effect("many calls of one workspace at once are all admitted and settled to the last micro-credit", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const call = (i: number) =>
        Effect.gen(function* () {
          const one = yield* admitted(anAttempt(keyHash, { plan: costing(credits("2")) }))
          yield* journal.settle(settlementOf(one, { charge: credits(`0.00000${i % 10}`) }))
        })
      yield* Effect.forEach(
        Array.from({ length: 50 }, (_, i) => i),
        call,
        { concurrency: 25 }
      )
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "99.999775", reserved: "0" })
    })
  )
}

import { assert } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { credits, format, zero } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Fiber, Option } from "effect"
import {
  admitted,
  anAttempt,
  answer,
  claimOf,
  costing,
  givenCaller,
  moneyOf,
  outcomeOf,
  settlementOf
} from "./calls.js"
import { NOON } from "./fixtures.js"
import { TestHosts } from "../memory/Hooks.js"
import type { JournalIt } from "./journalSupport.js"

const startHost = Effect.flatMap(TestHosts, (hosts) => hosts.start)

/** A call of another host, admitted under an Idempotency-Key. */
const givenCallElsewhere = Effect.gen(function* () {
  const caller = yield* givenCaller("10", { monthlySpendCap: credits("4") })
  const host = yield* startHost
  const attempt = () => anAttempt(caller.keyHash, { idempotency: claimOf("one", "body"), plan: costing(credits("4")) })
  const call = yield* admitted(attempt(), host.journal)
  return { ...caller, host, attempt, call }
})

/** What becomes of calls when hosts die, and what hosts that were believed dead may still do. */
export const hostTests = (it: JournalIt): void => {
  it.effect("two hosts are one service: what one admits the other counts, and knows the outcome of", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { attempt, call, host, keyHash } = yield* givenCallElsewhere
      assert.strictEqual(yield* answer(anAttempt(keyHash)), "payment_required")
      assert.deepInclude(yield* journal.admit(attempt()), { _tag: "InProgress", requestId: call.requestId })
      const outcome = outcomeOf(call, "the answer", credits("4"))
      yield* host.journal.settle(settlementOf(call, { outcome }))
      assert.deepInclude(yield* journal.admit(attempt()), { _tag: "Replay", outcome })
    })
  )

  it.effect("one host waits for the outcome of a call that another host runs", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { call, host, workspaceId } = yield* givenCallElsewhere
      const waiter = yield* Effect.forkChild(journal.awaitOutcome(workspaceId, call.requestId, 20_000))
      yield* Effect.yieldNow
      const outcome = outcomeOf(call, "the answer", credits("4"))
      yield* host.journal.settle(settlementOf(call, { outcome }))
      assert.deepStrictEqual(Option.getOrNull(yield* Fiber.join(waiter)), outcome)
    })
  )

  it.effect("a sweep leaves the calls of living hosts alone", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { call, host, keyHash, workspaceId } = yield* givenCallElsewhere
      const own = yield* admitted(anAttempt(keyHash, { plan: costing(zero) }))
      yield* journal.sweep
      yield* host.journal.sweep
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "10", reserved: "4" })
      assert.strictEqual((yield* journal.settle(settlementOf(own)))._tag, "Settled")
      assert.strictEqual((yield* host.journal.settle(settlementOf(call)))._tag, "Settled")
    })
  )

  it.effect("the call of a dead host whose effect had not begun failed: its credits, cap and key are free again", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { attempt, call, host, key, workspaceId } = yield* givenCallElsewhere
      yield* host.kill
      assert.isAtLeast(yield* journal.sweep, 1)
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "10", reserved: "0" })
      assert.strictEqual(format((yield* journal.standing(workspaceId, key.keyId, NOON)).spentThisMonth), "0")
      const record = Option.getOrThrow(yield* journal.request(workspaceId, call.requestId))
      assert.deepInclude(record, { status: "failed", httpStatus: 500, errorCode: "internal" })
      assert.deepInclude(record, { reserved: zero, charged: zero })
      assert.isNotNull(record.finishedAtMillis)
      assert.strictEqual(yield* answer(attempt()), "Admitted")
    })
  )

  it.effect("the call of a dead host whose effect had begun is unknown: released, and never run again", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { attempt, call, host, workspaceId } = yield* givenCallElsewhere
      assert.isTrue(yield* host.journal.effectStarts(call))
      yield* host.kill
      assert.isAtLeast(yield* journal.sweep, 1)
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "10", reserved: "0" })
      const record = Option.getOrThrow(yield* journal.request(workspaceId, call.requestId))
      assert.deepInclude(record, { status: "unknown", httpStatus: 502, errorCode: "operation_unknown_state" })
      const repeat = yield* journal.admit(attempt())
      assert.strictEqual(repeat._tag, "Replay")
      if (repeat._tag === "Replay") {
        assert.deepInclude(repeat.outcome, { requestId: call.requestId, httpStatus: 502, charged: zero })
        assert.deepInclude(JSON.parse(repeat.outcome.body), { code: "operation_unknown_state" })
      }
    })
  )

  it.effect("a swept call that comes back late changes nothing", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { attempt, call, host, workspaceId } = yield* givenCallElsewhere
      yield* host.kill
      yield* journal.sweep
      const again = yield* admitted(attempt())
      const before = yield* journal.request(workspaceId, call.requestId)
      const late = settlementOf(call, { outcome: outcomeOf(call, "too late", credits("4")) })
      assert.deepStrictEqual(yield* host.journal.settle(late), { _tag: "Fenced" })
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "10", reserved: "4" })
      assert.deepStrictEqual(yield* journal.request(workspaceId, call.requestId), before)
      assert.deepInclude(yield* journal.admit(attempt()), { _tag: "InProgress", requestId: again.requestId })
    })
  )

  it.effect("a host whose lease is over begins no effect, nor does anyone for a call that has ended", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { call, host, keyHash } = yield* givenCallElsewhere
      yield* host.kill
      assert.isFalse(yield* host.journal.effectStarts(call))
      yield* journal.sweep
      assert.isFalse(yield* host.journal.effectStarts(call))
      const own = yield* admitted(anAttempt(keyHash, { plan: costing(zero) }))
      assert.isTrue(yield* journal.effectStarts(own))
      yield* journal.settle(settlementOf(own))
      assert.isFalse(yield* journal.effectStarts(own))
    })
  )

  it.effect("a dead host's call is resolved once, however many sweep and settle at the same time", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { call, host, keyHash, workspaceId } = yield* givenCallElsewhere
      const free = { plan: costing(zero) }
      const calls = yield* Effect.replicateEffect(
        Effect.suspend(() => admitted(anAttempt(keyHash, free), host.journal)),
        5
      )
      yield* host.kill
      const ends = [call, ...calls].map((one) => host.journal.settle(settlementOf(one, { charge: credits("1") })))
      yield* Effect.all([journal.sweep, ...ends, journal.sweep], { concurrency: "unbounded", discard: true })
      const { balance, reserved } = yield* moneyOf(workspaceId)
      assert.strictEqual(reserved, "0")
      const record = Option.getOrThrow(yield* journal.request(workspaceId, call.requestId))
      assert.strictEqual(balance, record.status === "succeeded" ? "9" : "10")
    })
  )

  it.effect("who waits for the call of a dead host is told when it is swept", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { call, host, workspaceId } = yield* givenCallElsewhere
      const waiter = yield* Effect.forkChild(journal.awaitOutcome(workspaceId, call.requestId, 20_000))
      yield* host.kill
      yield* journal.sweep
      assert.isTrue(Option.isNone(yield* Fiber.join(waiter)))
    })
  )
}

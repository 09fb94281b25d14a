import { assert } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { RunStore } from "@outbound/domain/calls/runs/RunStore.js"
import { credits, format, zero } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Option } from "effect"
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
import { DAY, freshId, givenKey, NOON } from "./fixtures.js"
import { givenRun } from "./journalSpending.js"
import type { JournalIt } from "./journalSupport.js"

const CAPS = { monthlySpendCap: credits("50"), dailySpendCap: credits("30") }

/**
 * A key of the workspace with a run, an open call and finished ones, under the Idempotency-Keys that the other key uses
 * too; and all that may be known of them.
 */
const givenBystander = (workspaceId: string) =>
  Effect.gen(function* () {
    const journal = yield* CallJournal
    const runs = yield* RunStore
    const { key, keyHash } = yield* givenKey(workspaceId, CAPS)
    const runId = yield* givenRun(workspaceId, "40")
    const call = (idempotency: string, amount: string) =>
      admitted(anAttempt(keyHash, { runId, plan: costing(credits(amount)), idempotency: claimOf(idempotency, "its") }))
    const open = yield* call("open", "4")
    const ended = yield* Effect.forEach(["whole", "part", "kept"], (name) => call(name, "5"))
    for (const one of ended) {
      const outcome = outcomeOf(one, `{"its":"${one.requestId}"}`, credits("5"))
      yield* journal.settle(settlementOf(one, { outcome }))
    }
    const known = Effect.gen(function* () {
      const { rate: _, ...standing } = yield* journal.standing(workspaceId, key.keyId, NOON)
      const run = (yield* runs.list(workspaceId, 10)).find((one) => one.run.runId === runId)
      const records = yield* Effect.forEach([open, ...ended], ({ requestId }) =>
        journal.request(workspaceId, requestId)
      )
      return { ...standing, available: null, spentInRun: run?.spent, records: records.map(Option.getOrNull) }
    })
    /** What repeats get, which counts them. */
    const repeats = Effect.forEach(["open", "whole", "part", "kept"], (name) =>
      Effect.map(journal.admit(anAttempt(keyHash, { idempotency: claimOf(name, "its") })), (found) => ({
        tag: found._tag,
        body: found._tag === "Replay" ? found.outcome.body : null
      }))
    )
    const expected = [
      { tag: "InProgress", body: null },
      ...ended.map(({ requestId }) => ({ tag: "Replay", body: `{"its":"${requestId}"}` }))
    ]
    return { keyHash, known, repeats, expected, open }
  })

/** What a call does to its own key, run, account and record, it does to nobody else's. */
export const bystanderTests = (it: JournalIt): void => {
  it.effect("another key, run and record of the workspace stay as they are, whatever becomes of a call", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const runs = yield* RunStore
      const { key, keyHash, workspaceId } = yield* givenCaller("200", CAPS)
      const runId = yield* givenRun(workspaceId, "25")
      const other = yield* givenBystander(workspaceId)
      const elsewhere = yield* givenCaller("10")
      const before = yield* other.known
      const same = (what: string) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* other.known, before, what)
          assert.deepStrictEqual(yield* moneyOf(elsewhere.workspaceId), { balance: "10", reserved: "0" }, what)
        })
      const call = (idempotency: string | null, amount = "5") =>
        admitted(
          anAttempt(keyHash, {
            runId,
            plan: costing(credits(amount)),
            idempotency: idempotency === null ? null : claimOf(idempotency, "ours")
          })
        )
      const settle = (one: Effect.Success<ReturnType<typeof call>>, charge: string, body: string | null) =>
        journal.settle(
          settlementOf(one, {
            charge: credits(charge),
            outcome: body === null ? null : outcomeOf(one, body, credits(charge))
          })
        )
      const spent = Effect.gen(function* () {
        const { spentThisMonth, spentToday } = yield* journal.standing(workspaceId, key.keyId, NOON)
        const run = (yield* runs.list(workspaceId, 10)).find((each) => each.run.runId === runId)
        return [spentThisMonth, spentToday, run?.spent ?? zero].map(format)
      })
      const bare = [yield* call(null), yield* call(null), yield* call(null)] as const
      yield* same("calls begin")
      assert.deepStrictEqual(yield* spent, ["15", "15", "15"])
      yield* settle(bare[0], "5", null)
      yield* same("one costs all that it held")
      yield* settle(bare[1], "2", null)
      yield* same("one costs less")
      const notes = { costs: null, evidence: '{"sources":["u"]}' }
      yield* journal.settle(settlementOf(bare[2], { charge: credits("1"), notes }))
      yield* same("one costs less, and says why")
      assert.deepStrictEqual(yield* spent, ["8", "8", "8"])
      yield* settle(yield* call("whole"), "5", '{"ours":"whole"}')
      yield* settle(yield* call("part"), "0.5", '{"ours":"part"}')
      yield* same("their outcomes are kept for repeats")
      assert.deepStrictEqual(yield* spent, ["13.5", "13.5", "13.5"])
      yield* settle(yield* call("kept"), "0", null)
      yield* same("one leaves nothing for repeats, and its Idempotency-Key is free")
      yield* settle(yield* call("kept"), "0", '{"ours":"kept"}')
      const repeated = yield* journal.admit(anAttempt(keyHash, { idempotency: claimOf("part", "ours"), runId }))
      assert.strictEqual(repeated._tag === "Replay" ? repeated.outcome.body : repeated._tag, '{"ours":"part"}')
      yield* same("one is repeated")
      assert.strictEqual(
        yield* answer(anAttempt(keyHash, { runId, plan: costing(credits("20")) })),
        "run_budget_exceeded"
      )
      yield* same("one is refused for its run's budget")
      assert.strictEqual(yield* answer(anAttempt(keyHash, { plan: costing(credits("17")) })), "payment_required")
      yield* same("one is refused for its key's cap of a day, of which the other's charges are no part")
      yield* admitted(anAttempt(keyHash, { plan: costing(credits("16.5")) }))
      assert.deepStrictEqual(yield* spent, ["30", "30", "13.5"])
      yield* same("one takes all that its cap has left")
      assert.deepStrictEqual(yield* other.repeats, other.expected)
    })
  )

  it.effect("to the day of a key no charge counts that ended before it", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { key, keyHash, workspaceId } = yield* givenCaller("100", { dailySpendCap: credits("10") })
      const today = NOON - (NOON % DAY)
      const end = (nowMillis: number, charge: string) =>
        Effect.flatMap(admitted(anAttempt(keyHash, { nowMillis, plan: costing(credits("4")) })), (call) =>
          journal.settle(settlementOf(call, { charge: credits(charge), settledAtMillis: nowMillis }))
        )
      yield* end(today - 1, "3")
      yield* end(today, "2.5")
      yield* end(NOON, "1")
      const { spentToday } = yield* journal.standing(workspaceId, key.keyId, NOON)
      assert.strictEqual(format(spentToday), "3.5")
      assert.strictEqual(yield* answer(anAttempt(keyHash, { plan: costing(credits("6.500001")) })), "payment_required")
      assert.strictEqual(yield* answer(anAttempt(keyHash, { plan: costing(credits("6.5")) })), "Admitted")
    })
  )

  it.effect("what a call of last month did not cost is not given back to this month", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { key, keyHash, workspaceId } = yield* givenCaller("100", { monthlySpendCap: credits("10") })
      const begin = (nowMillis: number, amount: string) =>
        admitted(anAttempt(keyHash, { nowMillis, plan: costing(credits(amount)) }))
      const nextMonth = NOON + 40 * DAY
      const [bare, noted] = [yield* begin(NOON, "2"), yield* begin(NOON, "3")]
      yield* begin(nextMonth, "1")
      const notes = { costs: null, evidence: "{}" }
      yield* journal.settle(settlementOf(bare, { charge: credits("0.5"), settledAtMillis: nextMonth }))
      yield* journal.settle(settlementOf(noted, { charge: zero, settledAtMillis: nextMonth, notes }))
      const { spentThisMonth } = yield* journal.standing(workspaceId, key.keyId, nextMonth)
      assert.strictEqual(format(spentThisMonth), "1")
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "99.5", reserved: "1" })
    })
  )

  it.effect("a call is settled by its own settlement alone, of two that are there", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const at = (amount: string, idempotency: string | null = null) =>
        admitted(
          anAttempt(keyHash, {
            requestId: freshId(),
            plan: costing(credits(amount)),
            idempotency: idempotency === null ? null : claimOf(idempotency, "body")
          })
        )
      const calls = [yield* at("1"), yield* at("2"), yield* at("3", "key"), yield* at("4")]
      const pending = Effect.map(
        Effect.forEach(calls, ({ requestId }) => journal.request(workspaceId, requestId)),
        (records) => records.map((record) => Option.getOrThrow(record).status === "pending")
      )
      yield* journal.settle(settlementOf(calls[0]!))
      assert.deepStrictEqual(yield* pending, [false, true, true, true])
      yield* journal.settle(settlementOf(calls[3]!, { charge: credits("0.5") }))
      assert.deepStrictEqual(yield* pending, [false, true, true, false])
      yield* journal.settle(settlementOf(calls[2]!, { outcome: outcomeOf(calls[2]!, "{}", credits("3")) }))
      assert.deepStrictEqual(yield* pending, [false, true, false, false])
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "95.5", reserved: "2" })
    })
  )
}

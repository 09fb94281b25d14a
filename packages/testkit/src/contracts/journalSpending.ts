import { assert } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { credits, format, zero } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { type Run, RunStore } from "@outbound/domain/calls/runs/RunStore.js"
import { Effect } from "effect"
import { admitted, anAttempt, answer, costing, givenCaller, moneyOf, settlementOf } from "./calls.js"
import { DAY, freshId, givenKey, givenWorkspace, grant, HOUR, NOON, SECOND } from "./fixtures.js"
import type { JournalIt } from "./journalSupport.js"

const counted = (answers: ReadonlyArray<string>) =>
  answers.reduce<Record<string, number>>((counts, one) => ({ ...counts, [one]: (counts[one] ?? 0) + 1 }), {})

export const givenRun = (workspaceId: string, budget: string, given: Partial<Run> = {}) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const runs = yield* RunStore
    const run: Run = {
      runId: freshId(),
      workspaceId,
      name: "A run",
      budget: credits(budget),
      expiresAtMillis: NOON + HOUR,
      createdAtMillis: NOON,
      ...given
    }
    yield* atomically(runs.insert(run))
    return run.runId
  })

/**
 * Calls of a key while the clock jumps two months ahead, back by three and ahead by one. In each month one call ends in
 * the next one's, one costs less than it held, and one is open over the jump. Says what the key's month has then.
 */
export const clockJumpsOverMonths = Effect.gen(function* () {
  const journal = yield* CallJournal
  const { key, keyHash, workspaceId } = yield* givenCaller("100")
  const months = [Date.UTC(2026, 3, 30), Date.UTC(2026, 5, 2), Date.UTC(2026, 2, 3), Date.UTC(2026, 3, 4)]
  let open = yield* admitted(anAttempt(keyHash, { nowMillis: NOON }))
  for (const nowMillis of months) {
    const call = () => admitted(anAttempt(keyHash, { nowMillis, plan: costing(credits("2")) }))
    yield* journal.settle(settlementOf(open, { settledAtMillis: nowMillis }))
    const [whole, part] = [yield* call(), yield* call()]
    open = yield* admitted(anAttempt(keyHash, { nowMillis }))
    yield* journal.settle(settlementOf(whole, { settledAtMillis: nowMillis, charge: credits("1.5") }))
    yield* journal.settle(settlementOf(part, { settledAtMillis: nowMillis, charge: credits("0.375") }))
  }
  // June's, and all that came after it while the clock was behind.
  return { workspaceId, keyId: key.keyId, month: open.month, spent: "8.625" }
})

/** No call spends more than its balance, cap or run has, however many come at once. */
export const spendingTests = (it: JournalIt): void => {
  it.effect("300 calls of a credit at once on a balance of 100: exactly 100 are admitted", () =>
    Effect.gen(function* () {
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const call = Effect.suspend(() => answer(anAttempt(keyHash)))
      const answers = yield* Effect.replicateEffect(call, 300, { concurrency: "unbounded" })
      assert.deepStrictEqual(counted(answers), { Admitted: 100, insufficient_credits: 200 })
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "100", reserved: "100" })
    })
  )

  it.effect("calls of two workspaces at once are each decided on their own balance", () =>
    Effect.gen(function* () {
      const { keyHash, workspaceId } = yield* givenCaller("20")
      const other = yield* givenCaller("3")
      const calls = Array.from({ length: 60 }, (_, i) => answer(anAttempt(i % 6 === 0 ? other.keyHash : keyHash)))
      const answers = yield* Effect.all(calls, { concurrency: "unbounded" })
      assert.deepStrictEqual(counted(answers), { Admitted: 23, insufficient_credits: 37 })
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "20", reserved: "20" })
      assert.deepStrictEqual(yield* moneyOf(other.workspaceId), { balance: "3", reserved: "3" })
    })
  )

  it.effect("what is refused for credits says what is there, and is admitted after a top-up", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("4.999999")
      const call = () => anAttempt(keyHash, { plan: costing(credits("5")) })
      const admission = yield* journal.admit(call())
      assert.deepStrictEqual(admission._tag === "Refused" ? admission.error.details : admission._tag, {
        required: credits("5"),
        credits_available: credits("4.999999")
      })
      yield* grant(workspaceId, "0.000001")
      assert.strictEqual(yield* answer(call()), "Admitted")
    })
  )

  it.effect("a call that costs nothing needs nothing", () =>
    Effect.gen(function* () {
      const { keyHash } = yield* givenCaller("0", { monthlySpendCap: zero })
      assert.strictEqual(yield* answer(anAttempt(keyHash, { plan: costing(zero) })), "Admitted")
      assert.strictEqual(yield* answer(anAttempt(keyHash, { plan: costing(credits("0.000001")) })), "payment_required")
    })
  )

  it.effect("a purchase needs a payment method, and the first credits are none", () =>
    Effect.gen(function* () {
      const { keyHash, workspaceId } = yield* givenCaller("300")
      const purchase = () => anAttempt(keyHash, { isPurchase: true })
      assert.strictEqual(yield* answer(purchase()), "card_required")
      yield* grant(workspaceId, "1", true)
      assert.strictEqual(yield* answer(purchase()), "Admitted")
      yield* grant(workspaceId, "1", false)
      assert.strictEqual(yield* answer(purchase()), "Admitted")
    })
  )

  it.effect("a monthly cap counts charges and open reservations", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { key, keyHash, workspaceId } = yield* givenCaller("100", { monthlySpendCap: credits("10") })
      const call = () => anAttempt(keyHash, { plan: costing(credits("4")) })
      const first = yield* admitted(call())
      yield* admitted(call())
      const admission = yield* journal.admit(call())
      assert.deepStrictEqual(admission._tag === "Refused" ? admission.error.details : admission._tag, {
        monthly_spend_cap: credits("10"),
        spent_this_month: credits("8"),
        required: credits("4")
      })
      yield* journal.settle(settlementOf(first, { charge: credits("2") }))
      assert.strictEqual(format((yield* journal.standing(workspaceId, key.keyId, NOON)).spentThisMonth), "6")
      assert.strictEqual(yield* answer(call()), "Admitted")
      assert.strictEqual(yield* answer(call()), "payment_required")
    })
  )

  it.effect("a daily cap counts what ended today and what is open, and says when the day ends", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { key, keyHash, workspaceId } = yield* givenCaller("100", { dailySpendCap: credits("10") })
      const lastSecond = Date.UTC(2026, 2, 5) - SECOND
      const call = (nowMillis: number) => anAttempt(keyHash, { nowMillis, plan: costing(credits("4")) })
      const spent = (nowMillis: number) =>
        Effect.map(journal.standing(workspaceId, key.keyId, nowMillis), ({ spentToday }) => format(spentToday))
      const first = yield* admitted(call(lastSecond))
      const second = yield* admitted(call(lastSecond))
      const admission = yield* journal.admit(call(lastSecond))
      assert.deepStrictEqual(admission._tag === "Refused" ? admission.error.details : admission._tag, {
        daily_spend_cap: credits("10"),
        spent_today: credits("8"),
        required: credits("4"),
        resets_at: "2026-03-05T00:00:00.000Z"
      })
      const preview = yield* journal.admit(anAttempt(keyHash, { ...call(lastSecond), mode: "dry_run" }))
      assert.deepStrictEqual(preview._tag === "Previewed" ? preview.wouldExceed : preview._tag, ["payment_required"])
      yield* journal.settle(settlementOf(first, { settledAtMillis: lastSecond, charge: credits("2") }))
      assert.strictEqual(yield* spent(lastSecond), "6")
      assert.strictEqual(yield* answer(call(lastSecond)), "Admitted")
      // What is open at midnight counts for the new day, and what ends in it too.
      const [nextDay, dayAfter] = [lastSecond + 2 * SECOND, lastSecond + DAY + 2 * SECOND]
      assert.strictEqual(yield* spent(nextDay), "8")
      assert.strictEqual(yield* answer(call(nextDay)), "payment_required")
      yield* journal.settle(settlementOf(second, { settledAtMillis: nextDay, charge: credits("1") }))
      assert.strictEqual(yield* spent(nextDay), "5")
      assert.strictEqual(yield* answer(call(nextDay)), "Admitted")
      assert.strictEqual(yield* spent(dayAfter), "8")
      // A clock that goes back finds what was spent meanwhile.
      assert.strictEqual(yield* spent(lastSecond), "11")
    })
  )

  it.effect("a daily cap holds at once, and only the calls of its key count", () =>
    Effect.gen(function* () {
      const { keyHash, workspaceId } = yield* givenCaller("100", { dailySpendCap: credits("7") })
      const free = yield* givenKey(workspaceId)
      const calls = Array.from({ length: 40 }, (_, i) => answer(anAttempt(i % 4 === 0 ? free.keyHash : keyHash)))
      const answers = yield* Effect.all(calls, { concurrency: "unbounded" })
      assert.deepStrictEqual(counted(answers), { Admitted: 17, payment_required: 23 })
    })
  )

  it.effect("a cap bounds its own key: the other keys of the workspace spend on", () =>
    Effect.gen(function* () {
      const capped = yield* givenCaller("100", { monthlySpendCap: credits("1") })
      assert.strictEqual(yield* answer(anAttempt(capped.keyHash)), "Admitted")
      assert.strictEqual(yield* answer(anAttempt(capped.keyHash)), "payment_required")
      const free = yield* givenKey(capped.workspaceId)
      assert.strictEqual(yield* answer(anAttempt(free.keyHash)), "Admitted")
    })
  )

  it.effect("a new month begins at nothing, and a charge counts in the month of its reservation", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const lastSecond = Date.UTC(2026, 3, 1) - SECOND
      const { key, keyHash, workspaceId } = yield* givenCaller("100", { monthlySpendCap: credits("5") })
      const call = (nowMillis: number) => anAttempt(keyHash, { nowMillis, plan: costing(credits("5")) })
      const march = yield* admitted(call(lastSecond))
      assert.strictEqual(march.month, "2026-03")
      assert.strictEqual(yield* answer(call(lastSecond)), "payment_required")
      const april = yield* admitted(call(lastSecond + 2 * SECOND))
      assert.strictEqual(april.month, "2026-04")
      yield* journal.settle(settlementOf(march, { settledAtMillis: lastSecond + 3 * SECOND }))
      const standing = yield* journal.standing(workspaceId, key.keyId, lastSecond + 3 * SECOND)
      assert.strictEqual(format(standing.spentThisMonth), "5")
      yield* journal.settle(settlementOf(april, { charge: zero }))
      assert.strictEqual(yield* answer(call(lastSecond + 4 * SECOND)), "Admitted")
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "95", reserved: "5" })
    })
  )

  it.effect("a clock that goes back over the end of a month forgets nothing that was spent", () =>
    Effect.gen(function* () {
      const firstSecond = Date.UTC(2026, 3, 1)
      const { keyHash } = yield* givenCaller("100", { monthlySpendCap: credits("5") })
      const call = (nowMillis: number) => anAttempt(keyHash, { nowMillis, plan: costing(credits("5")) })
      assert.strictEqual(yield* answer(call(firstSecond)), "Admitted")
      assert.strictEqual(yield* answer(call(firstSecond - SECOND)), "payment_required")
      assert.strictEqual(yield* answer(call(firstSecond + SECOND)), "payment_required")
    })
  )

  it.effect("whichever way the clock jumps over months, a key has committed what its calls of the month cost", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyId, month, spent, workspaceId } = yield* clockJumpsOverMonths
      const firstOfMonth = Date.parse(`${month}-01T00:00:00Z`)
      const standing = yield* journal.standing(workspaceId, keyId, firstOfMonth)
      assert.strictEqual(format(standing.spentThisMonth), spent)
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "88.5", reserved: "1" })
    })
  )

  it.effect("nobody's month shows before it was spent in", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { key, keyHash, workspaceId } = yield* givenCaller("100")
      assert.strictEqual(format((yield* journal.standing(workspaceId, key.keyId, NOON)).spentThisMonth), "0")
      yield* admitted(anAttempt(keyHash))
      assert.strictEqual(format((yield* journal.standing(workspaceId, key.keyId, NOON)).spentThisMonth), "1")
      assert.strictEqual(format((yield* journal.standing(workspaceId, key.keyId, NOON + 31 * DAY)).spentThisMonth), "0")
    })
  )

  it.effect("calls of a run spend at most its budget, however many come at once", () =>
    Effect.gen(function* () {
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const runId = yield* givenRun(workspaceId, "7")
      const call = Effect.suspend(() => answer(anAttempt(keyHash, { runId })))
      const answers = yield* Effect.replicateEffect(call, 20, { concurrency: "unbounded" })
      assert.deepStrictEqual(counted(answers), { Admitted: 7, run_budget_exceeded: 13 })
    })
  )

  it.effect("a run gets back what a settled call did not need", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const runId = yield* givenRun(workspaceId, "10")
      const call = () => anAttempt(keyHash, { runId, plan: costing(credits("6")) })
      const first = yield* admitted(call())
      const admission = yield* journal.admit(call())
      assert.deepStrictEqual(admission._tag === "Refused" ? admission.error.details : admission._tag, {
        run_id: runId,
        remaining: credits("4"),
        required: credits("6")
      })
      yield* journal.settle(settlementOf(first, { charge: credits("4") }))
      assert.strictEqual(yield* answer(call()), "Admitted")
      assert.strictEqual(yield* answer(call()), "run_budget_exceeded")
    })
  )

  it.effect("a run that is over, unknown or another workspace's is unavailable", () =>
    Effect.gen(function* () {
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const other = yield* givenWorkspace()
      const over = yield* givenRun(workspaceId, "10", { expiresAtMillis: NOON })
      const theirs = yield* givenRun(other.workspaceId, "10")
      const answers = yield* Effect.forEach([over, theirs, freshId()], (runId) => answer(anAttempt(keyHash, { runId })))
      assert.deepStrictEqual(answers, ["run_unavailable", "run_unavailable", "run_unavailable"])
    })
  )

  it.effect("a key that must name a run is refused without one", () =>
    Effect.gen(function* () {
      const { keyHash, workspaceId } = yield* givenCaller("100", { runRequired: true })
      const runId = yield* givenRun(workspaceId, "10")
      assert.strictEqual(yield* answer(anAttempt(keyHash)), "run_required")
      assert.strictEqual(yield* answer(anAttempt(keyHash, { runId })), "Admitted")
    })
  )
}

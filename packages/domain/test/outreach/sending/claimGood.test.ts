import { assert, it } from "@effect/vitest"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { CLAIM_GOOD_MILLIS, dayStart, isClaimGood } from "@outbound/domain/outreach/sending/Dispatcher.js"

it("the checks of a claim hold for so long, and not at all once the clock was set back behind them", () => {
  assert.deepStrictEqual(
    [0, 1, CLAIM_GOOD_MILLIS, CLAIM_GOOD_MILLIS + 1, -1].map((after) => isClaimGood(1_000, 1_000 + after)),
    [true, true, true, false, false]
  )
})

it("a day begins at midnight, UTC", () => {
  assert.deepStrictEqual([0, 1, DAY_MILLIS - 1, DAY_MILLIS, DAY_MILLIS + 1].map(dayStart), [
    0,
    0,
    0,
    DAY_MILLIS,
    DAY_MILLIS
  ])
})

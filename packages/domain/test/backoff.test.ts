import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FC from "fast-check"
import { backoff, jittered } from "../src/kernel/backoff.js"

const waits = FC.record({
  first: FC.integer({ min: 1, max: 10_000 }),
  max: FC.integer({ min: 10_000, max: 10_000_000 })
})

it("waits longer after each failure, by its factor, up to the longest", () => {
  const times = [1, 2, 3, 4, 5, 1_000].map((failures) => backoff(failures, { first: 5, max: 60 }))
  assert.deepStrictEqual(times, [5, 10, 20, 40, 60, 60])
  assert.strictEqual(backoff(3, { first: 1, max: 100, factor: 3 }), 9)
})

it("is never shorter than before, and never out of bounds", () =>
  FC.assert(
    FC.property(FC.nat(200), waits, (failures, given) => {
      const wait = backoff(failures, given)
      assert.isAtLeast(wait, given.first)
      assert.isAtMost(wait, given.max)
      assert.isAtLeast(backoff(failures + 1, given), wait)
    })
  ))

it("by chance waits at least half of it, and no more than it", () =>
  FC.assert(
    FC.property(FC.nat(200), waits, (failures, given) => {
      const wait = Effect.runSync(jittered(failures, given))
      assert.isAtLeast(wait, backoff(failures, given) / 2)
      assert.isAtMost(wait, backoff(failures, given))
    })
  ))

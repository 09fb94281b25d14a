import { assert, describe, it } from "@effect/vitest"
import { count, emptyWindow, rateStatus, type RateWindow } from "../../../src/calls/keys/RateWindow.js"

const SECOND = 1_800_000_000
const at = (seconds: number): number => (SECOND + seconds) * 1_000

/** A window after a request at each of these seconds. */
const after = (...seconds: ReadonlyArray<number>): RateWindow =>
  seconds.reduce((window, second) => count(window, at(second)), emptyWindow)

const told = (window: RateWindow, seconds: number, limit = 5) => {
  const { remaining, resetSeconds } = rateStatus(window, limit, at(seconds))
  return [remaining, resetSeconds]
}

describe("a key's window", () => {
  it("is whole before the first request, and counts by the second", () => {
    assert.deepStrictEqual(rateStatus(emptyWindow, 5, at(0)), { limit: 5, remaining: 5, resetSeconds: 60 })
    assert.deepStrictEqual(after(0), { second: SECOND, counts: [1] })
    assert.deepStrictEqual(after(0, 0), { second: SECOND, counts: [2] })
    assert.deepStrictEqual(after(0, 2), { second: SECOND + 2, counts: [1, 0, 1] })
    assert.deepStrictEqual(after(0, 0, 1), { second: SECOND + 1, counts: [2, 1] })
  })

  it("gives back what was used when its second is over, the oldest first", () => {
    const window = after(0, 2)
    assert.deepStrictEqual(told(after(0), 0), [4, 60])
    assert.deepStrictEqual(told(after(0), 1), [4, 59])
    assert.deepStrictEqual(told(window, 2), [3, 58])
    assert.deepStrictEqual(told(window, 59), [3, 1])
    assert.deepStrictEqual(told(window, 60), [4, 2])
    assert.deepStrictEqual(told(window, 61), [4, 1])
    assert.deepStrictEqual(told(window, 62), [5, 60])
    assert.deepStrictEqual(told(after(0, 0, 0), 0, 2), [0, 60])
  })

  it("keeps sixty seconds at most, and nothing of a longer silence", () => {
    const full = Array.from({ length: 60 }, (_, second) => second)
    assert.lengthOf(after(...full).counts, 60)
    assert.deepStrictEqual(after(...full, 60), { second: SECOND + 60, counts: new Array<number>(60).fill(1) })
    for (const gap of [60, 61, 31_000_000]) {
      assert.deepStrictEqual(after(0, gap), { second: SECOND + gap, counts: [1] }, String(gap))
    }
    assert.lengthOf(after(0, 59).counts, 60)
    // One that was stored with more than that.
    const long = { second: SECOND, counts: [9, ...new Array<number>(60).fill(0)] }
    assert.deepStrictEqual(told(long, 0), [5, 60])
    assert.deepStrictEqual(told({ second: SECOND, counts: [3, ...new Array<number>(59).fill(0)] }, 0), [2, 1])
  })

  it("begins with the next request where it was stored empty", () => {
    assert.deepStrictEqual(count({ second: SECOND, counts: [] }, at(0)), { second: SECOND, counts: [1] })
    assert.deepStrictEqual(count({ second: SECOND, counts: [] }, at(2)), { second: SECOND + 2, counts: [1] })
  })

  it("is not changed by what is counted after it", () => {
    const window = after(0)
    count(window, at(0))
    assert.deepStrictEqual(window, { second: SECOND, counts: [1] })
    assert.deepStrictEqual(emptyWindow, { second: 0, counts: [] })
  })

  it("stands still while the clock is up to a minute behind, and begins anew when it was set back further", () => {
    const window = after(100)
    assert.deepStrictEqual(count(window, at(40)), { second: SECOND + 100, counts: [2] })
    assert.deepStrictEqual(count(window, at(39)), { second: SECOND + 39, counts: [1] })
  })
})

import { assert, it } from "@effect/vitest"
import * as FC from "fast-check"
import {
  count,
  emptyWindow,
  RATE_WINDOW_SECONDS,
  rateStatus,
  type RateWindow
} from "../../../src/calls/keys/RateWindow.js"

const START = Date.UTC(2026, 2, 10)
const WINDOW_MILLIS = RATE_WINDOW_SECONDS * 1_000

const limits = FC.integer({ min: 1, max: 8 })
/** Mostly bursts, now and then a pause that is about as long as the window. */
const pauses = FC.array(
  FC.oneof(
    { weight: 6, arbitrary: FC.integer({ min: 0, max: 3_000 }) },
    { weight: 2, arbitrary: FC.integer({ min: WINDOW_MILLIS - 2_500, max: WINDOW_MILLIS + 2_500 }) },
    { weight: 1, arbitrary: FC.integer({ min: 0, max: 10 * WINDOW_MILLIS }) }
  ),
  { maxLength: 80 }
)

const timesOf = (gaps: ReadonlyArray<number>): ReadonlyArray<number> => {
  let at = START
  return gaps.map((gap) => (at += gap))
}

/** What a key may do that calls at these times: each call that finds something left is made and counted. */
const play = (times: ReadonlyArray<number>, limit: number) => {
  let window: RateWindow = emptyWindow
  return times.filter((at) => {
    if (rateStatus(window, limit, at).remaining === 0) return false
    window = count(window, at)
    return true
  })
}

it("no 60 seconds of the clock ever hold more calls than the limit", () =>
  FC.assert(
    FC.property(pauses, limits, (gaps, limit) => {
      const made = play(timesOf(gaps), limit)
      for (const [i, at] of made.entries()) {
        const from = Math.floor(at / 1_000)
        const within = made.slice(i).filter((later) => Math.floor(later / 1_000) - from < RATE_WINDOW_SECONDS)
        assert.isAtMost(within.length, limit)
      }
    })
  ))

it("a key that kept silent for the window has its whole limit again", () =>
  FC.assert(
    FC.property(pauses, limits, (gaps, limit) => {
      const times = timesOf(gaps)
      let window: RateWindow = emptyWindow
      for (const at of times) window = count(window, at)
      const later = (times.at(-1) ?? START) + WINDOW_MILLIS
      assert.strictEqual(rateStatus(window, limit, later).remaining, limit)
    })
  ))

it("a call takes one of what is left, and time alone takes nothing", () =>
  FC.assert(
    FC.property(pauses, limits, (gaps, limit) => {
      let window: RateWindow = emptyWindow
      let at = START
      for (const gap of gaps) {
        const before = rateStatus(window, limit, at).remaining
        at += gap
        const waited = rateStatus(window, limit, at).remaining
        assert.isAtLeast(waited, before)
        window = count(window, at)
        assert.strictEqual(rateStatus(window, limit, at).remaining, Math.max(0, waited - 1))
      }
    })
  ))

it("after the seconds that are named some of it is back", () =>
  FC.assert(
    FC.property(pauses, limits, (gaps, limit) => {
      let window: RateWindow = emptyWindow
      for (const at of timesOf(gaps)) {
        window = count(window, at)
        const { remaining, resetSeconds } = rateStatus(window, limit, at)
        assert.isAtLeast(resetSeconds, 1)
        assert.isAtMost(resetSeconds, RATE_WINDOW_SECONDS)
        const used = window.counts.reduce((sum, n) => sum + n, 0)
        const after = rateStatus(window, Math.max(limit, used), at + resetSeconds * 1_000)
        assert.isAbove(after.remaining, Math.max(limit, used) - used)
        if (remaining === 0) assert.isAbove(resetSeconds, 0)
      }
    })
  ))

it("a clock that goes back a little frees nothing", () =>
  FC.assert(
    FC.property(pauses, limits, FC.integer({ min: 0, max: WINDOW_MILLIS }), (gaps, limit, back) => {
      const times = timesOf(gaps)
      const last = times.at(-1) ?? START
      let window: RateWindow = emptyWindow
      for (const at of times) window = count(window, at)
      assert.isAtMost(rateStatus(window, limit, last - back).remaining, rateStatus(window, limit, last).remaining)
      const counted = count(window, last - back)
      assert.strictEqual(counted.second, Math.max(window.second, Math.floor((last - back) / 1_000)))
    })
  ))

it("a window keeps a bounded number of seconds", () =>
  FC.assert(
    FC.property(pauses, (gaps) => {
      let window: RateWindow = emptyWindow
      for (const at of timesOf(gaps)) window = count(window, at)
      assert.isAtMost(window.counts.length, RATE_WINDOW_SECONDS)
    })
  ))

it("a clock that is set back keeps no key waiting until it catches up, however far it is set", () =>
  FC.assert(
    FC.property(
      pauses,
      limits,
      FC.integer({ min: 2 * WINDOW_MILLIS, max: 400 * 24 * 3_600_000 }),
      (gaps, limit, back) => {
        const times = timesOf(gaps)
        let window: RateWindow = emptyWindow
        for (const at of times) window = count(window, at)
        const now = (times.at(-1) ?? START) - back
        if (window.counts.length > 0) assert.isAbove(rateStatus(window, limit, now).remaining, 0)
        assert.strictEqual(play([now, now + 1], limit).length, Math.min(limit, 2))
      }
    )
  ))

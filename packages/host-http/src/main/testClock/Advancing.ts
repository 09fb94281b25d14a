import { RawPool } from "@outbound/adapters/postgres/PgPool.js"
import { LOOKS_AGAIN_MILLIS_MAX } from "@outbound/adapters/work/PgWorkSignals.js"
import { makeIsBusy } from "@outbound/adapters/postgres/PoolBusy.js"
import type { MovableClock } from "@outbound/sandbox/clock/MovableClock.js"
import { Clock, Effect, Semaphore } from "effect"
import { type Due, makeDue } from "./Due.js"

/** The most steps of one request. What is due closer together than its part of the time is done together. */
const STEPS_MAX = 400
const STEP_MILLIS_MIN = 1_000

/** So many looks in a row, each after a turn of timers and events, must find nothing under way. */
const QUIET_LOOKS = 6
const LOOK_MILLIS = 5

/** How long rounds rest between two turns at most, but for those that look for rare things. */
const REST_MILLIS = 1_100
/** A round that still has something to do after so many rests waits for something else than time. */
const RESTS_MAX = 12

/** The longest that one request goes on. It then answers how far it came. */
const REQUEST_MILLIS_MAX = 60_000

export interface Advanced {
  readonly fromMillis: number
  readonly nowMillis: number
  readonly steps: number
  /** Whether it reached the time that was asked for, with all work of that moment done. */
  readonly isFinished: boolean
  /** What has work to do and does not get on, such as mail above a day's cap. */
  readonly waiting: ReadonlyArray<string>
}

const turn = Effect.promise(() => new Promise<void>((resolve) => setTimeout(() => setImmediate(resolve), LOOK_MILLIS)))

/**
 * Moves the clock to where something is due, lets everything of that moment be done, and so on until the time that was
 * asked for. One request at a time.
 */
export const makeAdvancing = ({ aheadMillis, move }: MovableClock, keep: (aheadMillis: number) => void) =>
  Effect.gen(function* () {
    const { bringForward, due } = yield* makeDue
    const isBusy = makeIsBusy(yield* RawPool)
    const alone = yield* Semaphore.make(1)

    const step = (millis: number) =>
      Effect.gen(function* () {
        const whole = Math.ceil(millis)
        // Kept before anybody may see the time: whoever begins again begins after it.
        yield* Effect.sync(() => keep(aheadMillis() + whole))
        yield* bringForward(whole)
        yield* Effect.sync(() => move(whole))
      })

    /** Waits until this process has nothing under way, and no job runs. */
    const quiet = (until: number) =>
      Effect.gen(function* () {
        for (let looks = 0; looks < QUIET_LOOKS && performance.now() < until;) {
          yield* turn
          looks = isBusy() ? 0 : looks + 1
        }
        const found = yield* due
        return found
      })

    const settled = (until: number, leftMillis: () => number) =>
      Effect.gen(function* () {
        let found: Due = yield* quiet(until)
        let rests = 0
        let hasLookedAgain = false
        while ((found.jobs > 0 || found.rounds.length > 0) && performance.now() < until) {
          if (found.jobs === 0) {
            if (rests++ === RESTS_MAX) {
              // Due times that were asked for just before the clock moved are those of before.
              if (hasLookedAgain || leftMillis() < LOOKS_AGAIN_MILLIS_MAX) break
              hasLookedAgain = true
              rests = 0
              yield* step(LOOKS_AGAIN_MILLIS_MAX)
            }
            // A round rests after each turn. The clock itself takes them past that, where there is time left.
            if (leftMillis() > REST_MILLIS) yield* step(REST_MILLIS)
            else yield* Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, REST_MILLIS / 4)))
          }
          found = yield* quiet(until)
        }
        return found
      })

    const advance = (millis: number): Effect.Effect<Advanced, unknown> =>
      Effect.gen(function* () {
        const until = performance.now() + REQUEST_MILLIS_MAX
        const fromMillis = yield* Clock.currentTimeMillis
        const targetMillis = fromMillis + millis
        const clock = yield* Clock.Clock
        const left = () => targetMillis - clock.currentTimeMillisUnsafe()
        const least = Math.max(STEP_MILLIS_MIN, millis / STEPS_MAX)
        let steps = 0
        let found = yield* settled(until, left)
        while (left() > 0 && performance.now() < until) {
          yield* step(Math.min(left(), Math.max(least, found.nextMillis ?? Infinity)))
          steps += 1
          found = yield* settled(until, left)
        }
        return {
          fromMillis,
          nowMillis: clock.currentTimeMillisUnsafe(),
          steps,
          isFinished: left() <= 0 && found.jobs === 0,
          waiting: found.rounds
        }
      })

    return { advance: (millis: number) => alone.withPermits(1)(advance(millis)) }
  })

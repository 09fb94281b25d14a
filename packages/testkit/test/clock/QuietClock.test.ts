import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as QuietClock from "../../src/clock/QuietClock.js"

/** A store whose answer takes so many turns of the machine's events, which are more than time is given otherwise. */
const TURNS = 200

const makeStore = () => {
  let underWay = 0
  const ask = Effect.callback<void>((resume) => {
    underWay += 1
    let turns = 0
    const turn = (): void => {
      turns += 1
      if (turns < TURNS) return void setImmediate(turn)
      underWay -= 1
      resume(Effect.void)
    }
    turn()
  })
  return { ask, clock: QuietClock.layer(() => underWay > 0) }
}

describe("a test's clock over a real store", () => {
  it.effect("stands still while an answer is awaited", () => {
    const { ask, clock } = makeStore()
    return Effect.gen(function* () {
      const answered = yield* Effect.forkChild(Effect.andThen(ask, Clock.currentTimeMillis))
      yield* Effect.yieldNow
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Fiber.join(answered), 0)
      assert.strictEqual(yield* Clock.currentTimeMillis, 60_000)
    }).pipe(Effect.provide(clock))
  })

  it.effect("wakes each sleeper at its time, once all that was begun before is done", () => {
    const { ask, clock } = makeStore()
    return Effect.gen(function* () {
      const seen: Array<readonly [string, number]> = []
      const sleeper = (name: string, seconds: number) =>
        Effect.gen(function* () {
          yield* Effect.sleep(seconds * 1_000)
          yield* ask
          seen.push([name, yield* Clock.currentTimeMillis])
        })
      yield* Effect.forEach(
        [
          ["late", 9],
          ["second", 5],
          ["first", 2],
          ["as late as second", 5]
        ] as const,
        ([name, seconds]) => Effect.forkChild(sleeper(name, seconds))
      )
      yield* TestClock.adjust("8 seconds")
      assert.deepStrictEqual(seen, [
        ["first", 2_000],
        ["second", 5_000],
        ["as late as second", 5_000]
      ])
    }).pipe(Effect.provide(clock))
  })

  it.effect("wakes nobody who gave up sleeping, and adds up what several let pass", () => {
    const { clock } = makeStore()
    return Effect.gen(function* () {
      const asleep = yield* Effect.forkChild(Effect.sleep("1 second"))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(asleep)
      assert.lengthOf(yield* TestClock.testClockWith((testClock) => (testClock as QuietClock.QuietClock).sleeps), 0)
      yield* Effect.all([TestClock.adjust("3 seconds"), TestClock.adjust("4 seconds")], { concurrency: 2 })
      assert.strictEqual(yield* Clock.currentTimeMillis, 7_000)
    }).pipe(Effect.provide(clock))
  })
})

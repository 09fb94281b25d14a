import { Chunk, Clock, Duration, Effect, Layer, type TestClock } from "effect"

/** This many looks in a row, each after a turn of timers and events, must find the store idle. */
const QUIET_LOOKS = 3

/** What is busy for longer waits for time itself, or for a sleeper. */
const BUSY_MILLIS_MAX = 5_000

interface Sleeper {
  atMillis: number
  readonly wake: () => void
}

/** A turn of the machine's own event loop: what a store in another process needs to answer. */
const MACHINE_TURN = (next: () => void): void => void setTimeout(() => setImmediate(next), 0)

/** The same for stores in memory: promises and fibers go on, and no timer is waited for. */
export const MEMORY_TURN = (next: () => void): void => void setImmediate(next)

/** Waits until the store is idle. */
const quiet = (isBusy: () => boolean, turn: typeof MACHINE_TURN): Effect.Effect<void> =>
  Effect.async((resume) => {
    const end = performance.now() + BUSY_MILLIS_MAX
    let looks = 0
    const look = (): void => {
      looks = isBusy() ? 0 : looks + 1
      if (looks === QUIET_LOOKS || performance.now() > end) return resume(Effect.void)
      turn(look)
    }
    look()
  })

const make = (isBusy: () => boolean, turn: typeof MACHINE_TURN): TestClock.TestClock => {
  const sleepers = new Set<Sleeper>()
  let nowMillis = 0

  /** The next sleeper to wake by that time; of several at one time, the longest asleep. */
  const nextUntil = (untilMillis: number): Sleeper | undefined => {
    let next: Sleeper | undefined
    for (const sleeper of sleepers) {
      if (sleeper.atMillis <= untilMillis && sleeper.atMillis < (next?.atMillis ?? Infinity)) next = sleeper
    }
    return next
  }

  const moveTo = (target: () => number): Effect.Effect<void> =>
    Effect.gen(function* () {
      yield* quiet(isBusy, turn)
      const untilMillis = target()
      // A clock that is set back lengthens nobody's sleep: that is measured by another.
      const backMillis = Math.max(0, nowMillis - untilMillis)
      for (const sleeper of sleepers) sleeper.atMillis -= backMillis
      for (let next = nextUntil(untilMillis); next !== undefined; next = nextUntil(untilMillis)) {
        sleepers.delete(next)
        nowMillis = next.atMillis
        next.wake()
        yield* quiet(isBusy, turn)
      }
      nowMillis = untilMillis
    })

  const adjust = (duration: Duration.DurationInput): Effect.Effect<void> =>
    moveTo(() => nowMillis + Duration.toMillis(duration))

  const nanos = (): bigint => BigInt(Math.floor(nowMillis * 1_000_000))

  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => nowMillis,
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(() => nowMillis),
    currentTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.async((resume) => {
        const millis = Duration.toMillis(duration)
        if (millis <= 0) return resume(Effect.void)
        const sleeper: Sleeper = { atMillis: nowMillis + millis, wake: () => resume(Effect.void) }
        sleepers.add(sleeper)
        return Effect.sync(() => sleepers.delete(sleeper))
      }),
    sleeps: Effect.sync(() => Chunk.fromIterable([...sleepers].map(({ atMillis }) => atMillis))),
    save: Effect.sync(() => {
      const savedMillis = nowMillis
      return Effect.sync(() => {
        nowMillis = savedMillis
      })
    }),
    setTime: (atMillis) => moveTo(() => atMillis),
    adjust,
    adjustWith: (duration) => (effect) => Effect.zipLeft(effect, adjust(duration), { concurrent: true })
  }
}

/**
 * A test clock over a real store. The usual one gives the store a few milliseconds and goes on; here time moves only
 * while `isBusy` says that nothing is under way, before and after each sleeper wakes.
 */
export const layer = (isBusy: () => boolean, turn = MACHINE_TURN): Layer.Layer<never> =>
  Layer.suspend(() => Layer.setClock(make(isBusy, turn)))

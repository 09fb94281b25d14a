import { Clock, Context, Duration, Effect, Layer, Scheduler } from "effect"
import type { TestClock } from "effect/testing"

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
  Effect.callback((resume) => {
    const end = performance.now() + BUSY_MILLIS_MAX
    let looks = 0
    const look = (): void => {
      looks = isBusy() ? 0 : looks + 1
      if (looks === QUIET_LOOKS || performance.now() > end) return resume(Effect.void)
      turn(look)
    }
    look()
  })

/** What fibers have yet to go on with: that takes turns too, and as many as it has steps. */
const makeSteps = () => {
  const real = new Scheduler.MixedScheduler()
  let left = 0
  const scheduler: Scheduler.Scheduler = {
    executionMode: real.executionMode,
    shouldYield: (fiber) => real.shouldYield(fiber),
    makeDispatcher: () => {
      const dispatcher = real.makeDispatcher()
      return {
        scheduleTask: (task, priority) => {
          left += 1
          dispatcher.scheduleTask(() => {
            left -= 1
            task()
          }, priority)
        },
        flush: () => dispatcher.flush()
      }
    }
  }
  return { scheduler, areLeft: () => left > 0 }
}

/** As a test's clock, which also tells when those asleep are to wake. */
export interface QuietClock extends TestClock.TestClock {
  readonly sleeps: Effect.Effect<ReadonlyArray<number>>
}

const make = (isBusy: () => boolean, turn: typeof MACHINE_TURN): QuietClock => {
  const sleepers = new Set<Sleeper>()
  let nowMillis = 0
  let passedMillis = 0

  const set = (millis: number): void => {
    passedMillis += Math.max(0, millis - nowMillis)
    nowMillis = millis
  }

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
        set(next.atMillis)
        next.wake()
        yield* quiet(isBusy, turn)
      }
      set(untilMillis)
    })

  const adjust = (duration: Duration.Input): Effect.Effect<void> =>
    moveTo(() => nowMillis + Duration.toMillis(Duration.fromInputUnsafe(duration)))

  const nanosOf = (millis: number): bigint => BigInt(Math.floor(millis * 1_000_000))
  const nanos = (): bigint => nanosOf(nowMillis)
  const passedNanos = (): bigint => nanosOf(passedMillis)

  return {
    currentTimeMillisUnsafe: () => nowMillis,
    currentTimeNanosUnsafe: nanos,
    currentTimeMillis: Effect.sync(() => nowMillis),
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: passedNanos,
    monotonicTimeNanos: Effect.sync(passedNanos),
    sleep: (duration) =>
      Effect.callback((resume) => {
        const millis = Duration.toMillis(duration)
        if (millis <= 0) return resume(Effect.void)
        const sleeper: Sleeper = { atMillis: nowMillis + millis, wake: () => resume(Effect.void) }
        sleepers.add(sleeper)
        return Effect.sync(() => sleepers.delete(sleeper))
      }),
    sleeps: Effect.sync(() => [...sleepers].map(({ atMillis }) => atMillis)),
    setTime: (atMillis) => moveTo(() => atMillis),
    adjust,
    withLive: Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
  }
}

/**
 * A test clock over a real store. The usual one waits for fibers alone, and for some of them; here time moves only
 * while neither `isBusy` nor a fiber has anything under way, before and after each sleeper wakes.
 */
export const layer = (isBusy: () => boolean, turn = MACHINE_TURN): Layer.Layer<never> =>
  Layer.suspend(() => {
    const { areLeft, scheduler } = makeSteps()
    const clock = make(() => isBusy() || areLeft(), turn)
    return Layer.succeedContext(Context.make(Clock.Clock, clock).pipe(Context.add(Scheduler.Scheduler, scheduler)))
  })

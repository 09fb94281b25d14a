import { Clock, Duration, Effect } from "effect"

/** The longest that a timer of the machine waits; a longer sleep takes several. */
const TIMER_MILLIS_MAX = 2 ** 31 - 1

interface Sleeper {
  readonly atMillis: number
  readonly wake: () => void
  timer: ReturnType<typeof setTimeout> | undefined
}

/** A clock that goes as the machine's does, ahead of it, and further ahead whenever it is moved. */
export interface MovableClock {
  readonly clock: Clock.Clock
  /** How far it is ahead of the machine's. */
  readonly aheadMillis: () => number
  /** Moves it forward, and wakes in order whoever slept until a time that has passed now. */
  readonly move: (millis: number) => void
}

export const makeMovableClock = (startsAheadMillis = 0): MovableClock => {
  const sleepers = new Set<Sleeper>()
  let aheadMillis = startsAheadMillis
  let movedMillis = 0

  const now = (): number => Date.now() + aheadMillis
  const nanos = (): bigint => BigInt(now()) * 1_000_000n
  const monotonic = (): bigint => process.hrtime.bigint() + BigInt(movedMillis) * 1_000_000n

  const wake = (sleeper: Sleeper): void => {
    clearTimeout(sleeper.timer)
    if (sleepers.delete(sleeper)) sleeper.wake()
  }

  const arm = (sleeper: Sleeper): void => {
    clearTimeout(sleeper.timer)
    const left = sleeper.atMillis - now()
    sleeper.timer = setTimeout(
      () => (sleeper.atMillis <= now() ? wake(sleeper) : arm(sleeper)),
      Math.min(Math.max(0, left), TIMER_MILLIS_MAX)
    )
  }

  const sleep = (duration: Duration.Duration): Effect.Effect<void> =>
    Effect.callback((resume) => {
      const millis = Duration.toMillis(duration)
      if (millis <= 0) return resume(Effect.void)
      const sleeper: Sleeper = { atMillis: now() + millis, wake: () => resume(Effect.void), timer: undefined }
      sleepers.add(sleeper)
      if (Number.isFinite(sleeper.atMillis)) arm(sleeper)
      return Effect.sync(() => {
        clearTimeout(sleeper.timer)
        sleepers.delete(sleeper)
      })
    })

  return {
    clock: {
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: monotonic,
      monotonicTimeNanos: Effect.sync(monotonic),
      sleep
    },
    aheadMillis: () => aheadMillis,
    move: (millis) => {
      aheadMillis += millis
      movedMillis += millis
      const awake = [...sleepers].filter(({ atMillis }) => atMillis <= now()).sort((a, b) => a.atMillis - b.atMillis)
      for (const sleeper of awake) wake(sleeper)
      for (const sleeper of sleepers) if (Number.isFinite(sleeper.atMillis)) arm(sleeper)
    }
  }
}

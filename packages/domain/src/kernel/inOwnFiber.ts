import { type Duration, Effect, Fiber, Runtime } from "effect"

/**
 * Runs on a fiber of its own, in which time limits work. A call, once begun, can't be interrupted, and in what can't
 * be interrupted a time limit ends nothing.
 */
export const inOwnFiber = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDaemon(Effect.interruptible(effect)), Fiber.join)

/**
 * Waits for an effect for so long, and then ends it behind the caller's back. What answers at once costs no timer.
 */
export const endedWithin = <A, E, E2>(
  effect: Effect.Effect<A, E>,
  duration: Duration.DurationInput,
  onTimeout: () => E2
): Effect.Effect<A, E | E2> =>
  Effect.flatMap(Effect.runtime<never>(), (runtime) =>
    Effect.suspend((): Effect.Effect<A, E | E2> => {
      const fiber = Runtime.runFork(runtime, Effect.interruptible(effect))
      const done = fiber.unsafePoll()
      if (done !== null) return done
      return Fiber.join(fiber).pipe(
        Effect.timeoutFail({ duration, onTimeout }),
        inOwnFiber,
        Effect.ensuring(Fiber.interruptFork(fiber))
      )
    })
  )

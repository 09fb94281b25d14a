import { type Duration, Effect, Exit, Fiber, Runtime } from "effect"

/**
 * Runs the effect on its own fiber, where time limits work. A call is uninterruptible once begun, and a time limit
 * can't end uninterruptible work.
 */
export const inOwnFiber = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDaemon(Effect.interruptible(effect)), Fiber.join)

/** Waits this long for the effect, then interrupts it in the background. An immediate answer costs no timer, an outcome no fibre. */
export const endedWithin = <A, E, E2>(
  effect: Effect.Effect<A, E>,
  duration: Duration.DurationInput,
  onTimeout: () => E2
): Effect.Effect<A, E | E2> =>
  Exit.isExit(effect)
    ? effect
    : Effect.flatMap(Effect.runtime<never>(), (runtime) =>
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

import { type Duration, Effect, Exit, Fiber } from "effect"

/**
 * Runs the effect on its own fiber, where time limits work. A call is uninterruptible once begun, and a time limit
 * can't end uninterruptible work.
 */
export const inOwnFiber = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDetach(Effect.interruptible(effect)), Fiber.join)

/** Waits this long for the effect, then interrupts it in the background. An immediate answer costs no timer, an outcome no fibre. */
export const endedWithin = <A, E, E2>(
  effect: Effect.Effect<A, E>,
  duration: Duration.Input,
  onTimeout: () => E2
): Effect.Effect<A, E | E2> =>
  Exit.isExit(effect)
    ? effect
    : Effect.flatMap(Effect.context<never>(), (runtime) =>
        Effect.suspend((): Effect.Effect<A, E | E2> => {
          const fiber = Effect.runForkWith(runtime)(Effect.interruptible(effect))
          const done = fiber.pollUnsafe()
          if (done !== undefined) return done
          return Fiber.join(fiber).pipe(
            Effect.timeoutOrElse({ duration, orElse: () => Effect.fail(onTimeout()) }),
            inOwnFiber,
            Effect.ensuring(Effect.sync(() => fiber.interruptUnsafe()))
          )
        })
      )

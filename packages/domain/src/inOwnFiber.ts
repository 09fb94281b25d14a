import { Effect, Fiber } from "effect"

/**
 * Runs on a fiber of its own, in which time limits work. A call, once begun, can't be interrupted, and in what can't
 * be interrupted a time limit ends nothing.
 */
export const inOwnFiber = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDaemon(Effect.interruptible(effect)), Fiber.join)

import { Effect, type Fiber } from "effect"

/** A busy machine may take this long over what takes milliseconds otherwise. */
const PATIENCE_MILLIS = 60_000

/** Whether what is waited for may still come; counted in the machine's time, whatever the test's own clock says. */
export const patience = (): (() => boolean) => {
  const end = performance.now() + PATIENCE_MILLIS
  return () => performance.now() < end
}

/** One turn of the machine's own event loop, in which a store may answer. */
export const eventLoopTurn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/**
 * Waits for a millisecond, or until the fiber ends if that is sooner; whether it has ended. Whoever asks again and again
 * takes no processor from the store this way.
 */
export const endsSoon = <A, E>(fiber: Fiber.Fiber<A, E>): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const timer = setTimeout(() => {
      forget()
      resume(Effect.succeed(false))
    }, 1)
    const forget = fiber.addObserver(() => {
      clearTimeout(timer)
      resume(Effect.succeed(true))
    })
  })

import { Context, Effect, Fiber, Layer } from "effect"

/** A lookup under way and its number of callers. */
interface UnderWay {
  readonly fiber: Fiber.Fiber<unknown, unknown>
  callers: number
}

/**
 * Makes identical concurrent lookups of this host once. The callers that wait get the outcome, failures included; it
 * isn't cached. An interrupted caller leaves the others waiting. The lookup is interrupted when its last caller is.
 *
 * The key decides who shares: it names everything the outcome depends on, the workspace first.
 */
export class Coalesce extends Context.Service<
  Coalesce,
  {
    readonly together: <A, E, R>(key: string, lookup: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** The number of lookups under way and of callers waiting for them. */
    readonly underWay: Effect.Effect<{ readonly lookups: number; readonly callers: number }>
  }
>()("@outbound/domain/sources/Coalesce") {}

export const make = Effect.sync((): Coalesce["Service"] => {
  const all = new Map<string, UnderWay>()

  const forget = (key: string, one: UnderWay): void => {
    if (all.get(key) === one) all.delete(key)
  }

  const wait = (key: string, one: UnderWay): Effect.Effect<unknown, unknown> =>
    Effect.suspend(() => {
      one.callers += 1
      return Effect.onInterrupt(Effect.flatten(Fiber.await(one.fiber)), () =>
        Effect.suspend(() => {
          one.callers -= 1
          if (one.callers > 0) return Effect.void
          // A new caller must not join a lookup that is about to be interrupted.
          forget(key, one)
          return Effect.sync(() => one.fiber.interruptUnsafe())
        })
      )
    })

  const together = <A, E, R>(key: string, lookup: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Effect.context<R>(), (runtime) =>
      Effect.suspend((): Effect.Effect<A, E> => {
        // Safe: the key names the port, so lookups of one key have one type.
        const running = all.get(key)
        if (running !== undefined) return wait(key, running) as Effect.Effect<A, E>
        const fiber = Effect.runForkWith(runtime)(Effect.interruptible(lookup))
        // A lookup that answers at once ends before anybody can join it.
        const done = fiber.pollUnsafe()
        if (done !== undefined) return done
        const started: UnderWay = { fiber, callers: 0 }
        all.set(key, started)
        fiber.addObserver(() => forget(key, started))
        return wait(key, started) as Effect.Effect<A, E>
      })
    )

  const underWay = Effect.sync(() => ({
    lookups: all.size,
    callers: [...all.values()].reduce((sum, { callers }) => sum + callers, 0)
  }))
  return { together, underWay }
})

export const layer = Layer.effect(Coalesce, make)

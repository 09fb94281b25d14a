import { Context, Effect, Fiber, Layer, Runtime } from "effect"

/** One lookup under way, and for how many callers. */
interface UnderWay {
  readonly fiber: Fiber.RuntimeFiber<unknown, unknown>
  callers: number
}

/**
 * Identical lookups that are under way at the same time on this host are made once. What a lookup comes to is told to
 * those who wait for it then, and kept for nobody else; a failure too is that of those who waited. A caller who is
 * interrupted leaves the others waiting; the lookup is interrupted with the last of them.
 *
 * Who may share is the key's to say: it names everything that the outcome depends on, the workspace before all.
 */
export class Coalesce extends Context.Tag("@outbound/domain/sources/Coalesce")<
  Coalesce,
  {
    readonly together: <A, E, R>(key: string, lookup: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** How many lookups are under way, and how many callers wait for them. */
    readonly underWay: Effect.Effect<{ readonly lookups: number; readonly callers: number }>
  }
>() {}

export const make = Effect.sync((): Context.Tag.Service<typeof Coalesce> => {
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
          // Whoever comes now must not be given what is about to end.
          forget(key, one)
          return Fiber.interruptFork(one.fiber)
        })
      )
    })

  const together = <A, E, R>(key: string, lookup: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Effect.runtime<R>(), (runtime) =>
      Effect.suspend((): Effect.Effect<A, E> => {
        // A key's lookups are all of one type: it names the port.
        const running = all.get(key)
        if (running !== undefined) return wait(key, running) as Effect.Effect<A, E>
        const fiber = Runtime.runFork(runtime, Effect.interruptible(lookup))
        // What answers at once is over before anybody could join it.
        const done = fiber.unsafePoll()
        if (done !== null) return done
        const one: UnderWay = { fiber, callers: 0 }
        all.set(key, one)
        fiber.addObserver(() => forget(key, one))
        return wait(key, one) as Effect.Effect<A, E>
      })
    )

  const underWay = Effect.sync(() => ({
    lookups: all.size,
    callers: [...all.values()].reduce((sum, { callers }) => sum + callers, 0)
  }))
  return { together, underWay }
})

export const layer = Layer.effect(Coalesce, make)

import { type Cause, Duration, Effect, FiberSet, type Scope } from "effect"
import { type RoundName, WorkSignals } from "./ports/WorkSignals.js"

/** After a store that could not be reached. */
const TROUBLE_PAUSE = Duration.seconds(2)

/** Runs a round forever. After one that found work it runs again at once; `rest` waits after an idle one. */
export const turns = <E, R>(
  name: string,
  round: Effect.Effect<number, E, R>,
  rest: Effect.Effect<void>
): Effect.Effect<never, never, R> =>
  round.pipe(
    Effect.flatMap((found) => (found > 0 ? Effect.yieldNow : rest)),
    Effect.catchCause((cause) =>
      Effect.andThen(Effect.logWarning(`${name}: a round failed`, cause), Effect.sleep(TROUBLE_PAUSE))
    ),
    Effect.forever,
    Effect.withLogSpan(name)
  )

/**
 * What every host does beside answering: each round locks what it works on and skips what another host holds, so any
 * number of hosts may run it. An idle round rests until it may find something, and at least `restMillis`.
 */
export const signalled = <E, R>(
  name: RoundName,
  restMillis: number,
  round: Effect.Effect<number, E, R>
): Effect.Effect<never, never, R | WorkSignals> =>
  Effect.flatMap(WorkSignals, ({ rest }) => turns(name, round, rest(name, restMillis)))

/** What a look found: claims to serve, and how many it ended at once. */
export interface Look<C> {
  readonly claimed: ReadonlyArray<C>
  readonly ended: number
}

/**
 * A round that claims as many as it has hands free, `most` at once, and serves each beside it: one that takes long keeps
 * no other waiting. What fails is told to `trouble`.
 */
export const servingAside = <C, E, R>(options: {
  readonly most: number
  readonly look: (limit: number) => Effect.Effect<Look<C>, E, R>
  readonly serve: (claimed: C) => Effect.Effect<unknown, E>
  readonly trouble: (claimed: C, cause: Cause.Cause<E>) => Effect.Effect<void>
}): Effect.Effect<Effect.Effect<number, E, R>, never, Scope.Scope> =>
  Effect.map(FiberSet.make<void>(), (fibers) =>
    Effect.gen(function* () {
      const free = options.most - (yield* FiberSet.size(fibers))
      const { claimed, ended } = free > 0 ? yield* options.look(free) : { claimed: [], ended: 0 }
      for (const one of claimed) {
        const served = Effect.asVoid(options.serve(one))
        yield* FiberSet.run(
          fibers,
          Effect.catchCause(served, (cause) => options.trouble(one, cause))
        )
      }
      return claimed.length + ended
    })
  )

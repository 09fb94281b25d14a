import type { RoundName } from "@outbound/domain/kernel/ports/WorkSignals.js"
import { Clock, Context, Effect } from "effect"
import { isThorough } from "../thorough.js"

/** Until when a round would find nothing, in milliseconds since the epoch. Stores that can't tell have it look each time. */
export const Rests = Context.Reference("@outbound/testkit/service/Rests", {
  defaultValue: (): { readonly restsUntil: (round: RoundName) => Effect.Effect<number> } => ({
    restsUntil: () => Effect.succeed(-Infinity)
  })
})

/**
 * A round of a host. Where the stores say that it would find nothing, a quick run believes them, and a thorough run looks
 * all the same and finds nothing, unless a story has moved the clock on to when something is due.
 */
export const resting = <E, R>(name: RoundName, round: Effect.Effect<number, E, R>): Effect.Effect<number, E, R> =>
  Effect.gen(function* () {
    const { restsUntil } = yield* Rests
    const until = yield* restsUntil(name)
    if (until <= (yield* Clock.currentTimeMillis)) return yield* round
    if (!isThorough) return 0
    const found = yield* round
    if (found > 0 && (yield* Clock.currentTimeMillis) < until) {
      return yield* Effect.die(new Error(`${name} was at rest, and found ${found}`))
    }
    return found
  })

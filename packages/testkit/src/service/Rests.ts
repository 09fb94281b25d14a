import type { RoundName } from "@outbound/domain/kernel/ports/WorkSignals.js"
import { Context, Effect } from "effect"
import { isThorough } from "../thorough.js"

/** Whether a round would find nothing now. Stores that can't tell have it look each time. */
export const Rests = Context.Reference("@outbound/testkit/service/Rests", {
  defaultValue: (): { readonly isAtRest: (round: RoundName) => Effect.Effect<boolean> } => ({
    isAtRest: () => Effect.succeed(false)
  })
})

/**
 * A round of a host. Where the stores say that it would find nothing, a quick run believes them, and a thorough run looks
 * all the same and finds nothing.
 */
export const resting = <E, R>(name: RoundName, round: Effect.Effect<number, E, R>): Effect.Effect<number, E, R> =>
  Effect.gen(function* () {
    const { isAtRest } = yield* Rests
    if (!(yield* isAtRest(name))) return yield* round
    if (!isThorough) return 0
    const found = yield* round
    if (found > 0) return yield* Effect.die(new Error(`${name} was at rest, and found ${found}`))
    return 0
  })

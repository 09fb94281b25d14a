import { Effect } from "effect"

/** A value that is usually there at once, for plain code on hot paths. */
export type NowOrLater<A> = A | Promise<A>

export const inEffect = <A>(value: NowOrLater<A>): Effect.Effect<A> =>
  value instanceof Promise ? Effect.promise(() => value) : Effect.succeed(value)

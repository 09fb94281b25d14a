import { Effect } from "effect"

/** A value that is usually there at once, for plain code on hot paths. */
export type NowOrLater<A> = A | Promise<A>

/** The value of a function of it, at once if the value is there. */
export const mapNow = <A, B>(value: NowOrLater<A>, f: (value: A) => B): NowOrLater<B> =>
  value instanceof Promise ? value.then(f) : f(value)

export const inEffect = <A>(value: NowOrLater<A>): Effect.Effect<A> =>
  value instanceof Promise ? Effect.promise(() => value) : Effect.succeed(value)

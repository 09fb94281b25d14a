import { Effect, Option } from "effect"

/** What a store found, or else this error. */
export const orFail =
  <E>(error: E) =>
  <A, E1, R>(found: Effect.Effect<Option.Option<A>, E1, R>): Effect.Effect<A, E | E1, R> =>
    Effect.flatMap(found, Option.match({ onNone: () => Effect.fail(error), onSome: Effect.succeed }))

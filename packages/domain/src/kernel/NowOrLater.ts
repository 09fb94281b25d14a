import { Cause, Effect, Exit, Result } from "effect"

/** A value that is usually there at once, for plain code on hot paths. */
export type NowOrLater<A> = A | Promise<A>

/** The value of a function of it, at once if the value is there. */
export const mapNow = <A, B>(value: NowOrLater<A>, f: (value: A) => B): NowOrLater<B> =>
  value instanceof Promise ? value.then(f) : f(value)

export const inEffect = <A>(value: NowOrLater<A>): Effect.Effect<A> =>
  value instanceof Promise ? Effect.promise(() => value) : Effect.succeed(value)

/**
 * `Effect.flatMap` for hot paths: what is its outcome already goes on at once, as plain code. Call it where the effect is
 * run, not where it is described: `next` runs now.
 */
export const nowThen = <A, E, R, B, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  next: (value: A) => Effect.Effect<B, E2, R2>
): Effect.Effect<B, E | E2, R | R2> => {
  if (!Exit.isExit(effect)) return Effect.flatMap(effect, next)
  const exit = effect as Exit.Exit<A, E>
  return Exit.isSuccess(exit) ? next(exit.value) : Effect.failCause(exit.cause)
}

/** `nowThen` with the success or the failure. A defect goes past it. */
export const nowEither = <A, E, R, B, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  next: (outcome: Result.Result<A, E>) => Effect.Effect<B, E2, R2>
): Effect.Effect<B, E2, R | R2> => {
  if (!Exit.isExit(effect)) return Effect.flatMap(Effect.result(effect), next)
  const exit = effect as Exit.Exit<A, E>
  if (Exit.isSuccess(exit)) return next(Result.succeed(exit.value))
  const failure = Cause.findError(exit.cause)
  return Result.isSuccess(failure) ? next(Result.fail(failure.success)) : Effect.failCause(failure.failure)
}

import { Cause, Deferred, Duration, Effect, Option } from "effect"
import { ProviderFailure, type ProviderFailureReason } from "../../sources/ports/Source.js"

/** The cause of a failure when `givenUp` completed before the provider answered. */
export const GIVEN_UP = "given up"

/**
 * Waits for a sending provider at most `seconds` and at most until `givenUp` completes, even in an uninterruptible
 * region. The provider is asked on its own fiber: a pending interruption of the caller must not reach the request, as
 * it would reach a child's. Timeouts and defects become failures with the reason `otherwise`.
 */
export const askProvider = <A>(
  provider: string,
  options: {
    readonly seconds: number
    readonly otherwise: ProviderFailureReason
    readonly givenUp?: Effect.Effect<void>
  },
  ask: () => Effect.Effect<A, ProviderFailure>
): Effect.Effect<A, ProviderFailure> => {
  const failure = (cause: unknown) => new ProviderFailure({ provider, reason: options.otherwise, cause })
  return Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<A, ProviderFailure>()
      const asking = yield* Effect.suspend(ask).pipe(
        Effect.interruptible,
        Effect.matchCauseEffect({
          onSuccess: (answered) => Deferred.succeed(answer, answered),
          onFailure: (cause) =>
            Option.match(Cause.findErrorOption(cause), {
              onSome: (failed) => Deferred.fail(answer, failed),
              onNone: () =>
                Effect.andThen(
                  Effect.logError("a sending provider failed unexpectedly", cause),
                  Deferred.fail(answer, failure(cause))
                )
            })
        }),
        Effect.forkDetach
      )
      const timer = yield* Effect.raceFirst(
        Effect.as(Effect.sleep(Duration.seconds(options.seconds)), "timed out"),
        Effect.as(options.givenUp ?? Effect.never, GIVEN_UP)
      ).pipe(
        Effect.flatMap((cause) => Deferred.fail(answer, failure(cause))),
        Effect.interruptible,
        Effect.forkDetach
      )
      return yield* restore(Deferred.await(answer)).pipe(
        Effect.ensuring(
          Effect.andThen(
            Effect.sync(() => timer.interruptUnsafe()),
            Effect.sync(() => asking.interruptUnsafe())
          )
        )
      )
    })
  )
}

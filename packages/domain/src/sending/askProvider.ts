import { Cause, Duration, Effect, Option } from "effect"
import { ProviderFailure, type ProviderFailureReason } from "../ports/providers/ProviderFailure.js"

/**
 * Waits for a sending provider no longer than `seconds`, wherever this runs: also where the caller must not be
 * interrupted, the provider can be. Silence and defects are failures with the reason `otherwise`.
 */
export const askProvider = <A>(
  provider: string,
  options: { readonly seconds: number; readonly otherwise: ProviderFailureReason },
  ask: () => Effect.Effect<A, ProviderFailure>
): Effect.Effect<A, ProviderFailure> => {
  const failure = (cause: unknown) => new ProviderFailure({ provider, reason: options.otherwise, cause })
  return Effect.suspend(ask).pipe(
    Effect.disconnect,
    Effect.interruptible,
    Effect.timeoutFail({ duration: Duration.seconds(options.seconds), onTimeout: () => failure("timed out") }),
    Effect.catchAllCause((cause) =>
      Option.match(Cause.failureOption(cause), {
        onSome: (failed) => Effect.fail(failed),
        onNone: () => Effect.zipRight(Effect.logError("a sending provider broke", cause), Effect.fail(failure(cause)))
      })
    )
  )
}

import { Cause, Effect, Exit, Scope, Stream } from "effect"
import { inEffect } from "../kernel/NowOrLater.js"
import type { ChatStream } from "./ports/ChatUpstream.js"
import type { ProviderFailure } from "./ports/Source.js"

/** Runs an effect in a fiber that ends when the signal is aborted: then it fails with `left`. */
export const abortable = <A, E>(effect: Effect.Effect<A, E>, signal: AbortSignal, left: () => E): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.context(), (runtime) =>
    Effect.callback<A, E>((resume) => {
      const fiber = Effect.runForkWith(runtime)(Effect.interruptible(effect))
      const leave = (): void => fiber.interruptUnsafe()
      fiber.addObserver((exit) => {
        signal.removeEventListener("abort", leave)
        resume(signal.aborted && Exit.hasInterrupts(exit) ? Effect.failSync(left) : exit)
      })
      if (signal.aborted) leave()
      else signal.addEventListener("abort", leave)
    })
  )

/** A chat's stream from one of Effect, chunk by chunk. `failed`: the failure if it holds nothing, or is left. */
export const chatStreamOf = (
  texts: Stream.Stream<string, ProviderFailure>,
  signal: AbortSignal,
  failed: () => ProviderFailure
): Effect.Effect<ChatStream, ProviderFailure> =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const close = Scope.close(scope, Exit.void)
    const pull = yield* Scope.provide(Stream.toPull(Stream.rechunk(texts, 1)), scope)
    const failedOr = (failure: ProviderFailure | Cause.Done) => (Cause.isDone(failure) ? null : failure)
    const more = (take: Parameters<ChatStream["rest"]>[0]): Effect.Effect<boolean, ProviderFailure> =>
      Effect.matchEffect(pull, {
        onFailure: (failure) => {
          const broken = failedOr(failure)
          return broken === null ? Effect.succeed(true) : Effect.fail(broken)
        },
        onSuccess: (chunk) =>
          Effect.flatMap(inEffect(take(chunk)), (wanted) => (wanted ? more(take) : Effect.succeed(false)))
      })
    const begin = Effect.mapError(pull, (failure) => failedOr(failure) ?? failed())
    const first = yield* abortable(
      Effect.onError(begin, () => close),
      signal,
      failed
    )
    // It may be left before anybody asks for the rest.
    const left = (): void => void Effect.runFork(close)
    signal.addEventListener("abort", left)
    return {
      first: [first[0]],
      rest: (take) =>
        Effect.suspend(() => {
          signal.removeEventListener("abort", left)
          return abortable(Effect.ensuring(more(take), close), signal, failed)
        })
    }
  })

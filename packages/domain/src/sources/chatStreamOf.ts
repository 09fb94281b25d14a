import { Chunk, Effect, Option, type Scope, Stream } from "effect"
import { inEffect } from "../kernel/NowOrLater.js"
import type { ChatStream } from "./ports/ChatUpstream.js"
import type { ProviderFailure } from "./ports/Source.js"

/** A chat's stream from one of Effect, chunk by chunk. `empty`: the failure if it holds nothing. */
export const chatStreamOf = (
  texts: Stream.Stream<string, ProviderFailure>,
  empty: () => ProviderFailure
): Effect.Effect<ChatStream, ProviderFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const pull = yield* Stream.toPull(Stream.rechunk(texts, 1))
    const first = yield* Effect.mapError(pull, Option.getOrElse(empty))
    const rest: ChatStream["rest"] = (take) =>
      Effect.matchEffect(pull, {
        onFailure: Option.match({ onNone: () => Effect.succeed(true), onSome: Effect.fail }),
        onSuccess: (chunk) =>
          Effect.flatMap(inEffect(take(Chunk.toReadonlyArray(chunk))), (wanted) =>
            wanted ? rest(take) : Effect.succeed(false)
          )
      })
    return { first: [Chunk.unsafeHead(first)], rest }
  })

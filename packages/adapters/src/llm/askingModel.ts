import type { ChatUpstream } from "@outbound/domain/sources/ports/ChatUpstream.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect } from "effect"
import { completionText } from "./judgePrompt.js"

/** Longer texts are cut, and don't read as JSON then. */
const TOKENS_MAX = 2_000

/** Asks a model for a text that is checked afterwards. Interrupting it ends the request. */
export const askingModel =
  (upstream: ChatUpstream, model: string) =>
  (system: string, prompt: string): Effect.Effect<string, ProviderFailure> =>
    Effect.suspend(() => {
      const controller = new AbortController()
      const messages = [
        { role: "system", content: system },
        { role: "user", content: prompt }
      ]
      const fields = { temperature: 0, max_tokens: TOKENS_MAX, messages }
      return upstream.complete({ model, fields }, controller.signal).pipe(
        Effect.onInterrupt(() => Effect.sync(() => controller.abort())),
        Effect.flatMap((completion) =>
          Effect.mapError(
            Effect.fromOption(completionText(completion)),
            () => new ProviderFailure({ provider: "judge", reason: "transient", cause: "its answer makes no sense" })
          )
        )
      )
    })

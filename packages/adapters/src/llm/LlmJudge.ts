import type { Judge } from "@outbound/domain/ports/providers/Judge.js"
import { ProviderFailure } from "@outbound/domain/ports/providers/ProviderFailure.js"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { type ChatEndpointConfig, makeChatEndpoint } from "./ChatEndpoint.js"
import { ANSWER_FORMAT, judgeMessages, judgementFrom } from "./judgePrompt.js"

export interface LlmJudgeConfig extends ChatEndpointConfig {
  /** What one question usually costs, in micro-dollars. */
  readonly costMicros: number
  readonly latencyMillis: number
  /** Fields that this model wants or must not get, in place of `LLM_JUDGE_PARAMETERS`. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

export const LLM_JUDGE_PARAMETERS: Readonly<Record<string, unknown>> = {
  temperature: 0,
  max_tokens: 400,
  response_format: ANSWER_FORMAT
}

const MARKER_BYTES = 16

/** A judge behind any endpoint that speaks the common form of chat completions. */
export const makeLlmJudge = (config: LlmJudgeConfig): Judge => {
  const endpoint = makeChatEndpoint(config)
  return {
    name: config.name,
    costMicros: config.costMicros,
    missRate: 0,
    latencyMillis: config.latencyMillis,
    judge: (question) =>
      Effect.gen(function* () {
        const marker = yield* Effect.sync(() => randomBytes(MARKER_BYTES).toString("hex"))
        const text = yield* endpoint.complete(
          judgeMessages(question, marker),
          config.parameters ?? LLM_JUDGE_PARAMETERS
        )
        const judgement = judgementFrom(text, question.pages)
        return (
          judgement ??
          (yield* Effect.fail(
            new ProviderFailure({ provider: config.name, reason: "transient", cause: "its answer makes no sense" })
          ))
        )
      })
  }
}

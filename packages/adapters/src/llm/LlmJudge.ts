import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { ChatCall, ChatUpstream } from "@outbound/domain/sources/ports/ChatUpstream.js"
import type { Judge, Judgement, JudgeQuestion } from "@outbound/domain/sources/ports/Judge.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Duration, Effect, Option } from "effect"
import { randomBytes } from "node:crypto"
import { ANSWER_FORMAT, completionText, judgeMessages, judgementFrom } from "./judgePrompt.js"

export interface LlmJudgeConfig {
  /** The name in logs. */
  readonly name: string
  readonly upstream: ChatUpstream
  /** The upstream's name for it. */
  readonly model: string
  /** Per question, with a repeat and its wait. */
  readonly timeout: Duration.Input
  /** The usual cost of a question, in micro-dollars. */
  readonly costMicros: number
  readonly latencyMillis: number
  /** Replaces `LLM_JUDGE_PARAMETERS`, for models that need or refuse certain fields. */
  readonly parameters?: JsonObject
}

export const LLM_JUDGE_PARAMETERS: JsonObject = { temperature: 0, max_tokens: 400, response_format: ANSWER_FORMAT }

const MARKER_BYTES = 16

/** A rate-limited upstream has done nothing: ask once more if it names a short wait. */
const REPEATS_MAX = 1
const WAIT_SECONDS_MAX = 2

/** A judge behind any chat completions upstream. */
export const makeLlmJudge = (config: LlmJudgeConfig): Judge => {
  const { model, name, upstream } = config
  const failed = (cause: unknown) => new ProviderFailure({ provider: name, reason: "transient", cause })

  /** Interrupting it ends the request. */
  const once = (call: ChatCall): Effect.Effect<JsonObject, ProviderFailure> =>
    Effect.suspend(() => {
      const controller = new AbortController()
      return Effect.onInterrupt(upstream.complete(call, controller.signal), () => Effect.sync(() => controller.abort()))
    })

  /** After other failures we can't tell whether the request was billed. */
  const complete = (fields: JsonObject, repeatsLeft: number): Effect.Effect<JsonObject, ProviderFailure> =>
    Effect.catch(once({ model, fields }), (failure) => {
      const wait = failure.retryAfterSeconds ?? Number.POSITIVE_INFINITY
      return failure.reason === "rate_limited" && repeatsLeft > 0 && wait <= WAIT_SECONDS_MAX
        ? Effect.delay(complete(fields, repeatsLeft - 1), Duration.seconds(wait))
        : Effect.fail(failure)
    })

  const judge = (question: JudgeQuestion): Effect.Effect<Judgement, ProviderFailure> =>
    Effect.gen(function* () {
      const marker = yield* Effect.sync(() => randomBytes(MARKER_BYTES).toString("hex"))
      const messages = judgeMessages(question, marker)
      const completion = yield* complete({ ...(config.parameters ?? LLM_JUDGE_PARAMETERS), messages }, REPEATS_MAX)
      const judgement = Option.flatMap(completionText(completion), (text) => judgementFrom(text, question.pages))
      return yield* Effect.mapError(Effect.fromOption(judgement), () => failed("its answer makes no sense"))
    })

  return {
    name,
    costMicros: config.costMicros,
    missRate: 0,
    latencyMillis: config.latencyMillis,
    judge: (question) =>
      judge(question).pipe(
        Effect.timeoutOrElse({ duration: config.timeout, orElse: () => Effect.fail(failed("timed out")) })
      )
  }
}

import { Effect } from "effect"
import type { Call, Plan } from "../../calls/Handler.js"
import type { JsonObject } from "../../kernel/canonical.js"
import type { ChatCall, ChatModel, ChatTarget } from "../../sources/ports/ChatUpstream.js"
import { type ChatRequest, type ChatResult, MAX_TOKENS_DEFAULT } from "../../verbs/LlmChat.js"
import { chargeOfTokens, priceOfTokens } from "./price.js"
import type { PromptSize } from "./prompt.js"
import { passedFields } from "./passedFields.js"
import { type TokenUsage, totalOf } from "./wire.js"

export interface ChatPlan extends Plan {
  readonly model: ChatModel
  readonly prompt: PromptSize
}

export type ChatCallOf = Call<ChatPlan, ChatResult>

/** The most tokens of one choice. */
export const limitOf = (request: ChatRequest): number =>
  request.max_completion_tokens ?? request.max_tokens ?? MAX_TOKENS_DEFAULT

export const choicesOf = (request: ChatRequest): number => request.n ?? 1

/**
 * The caller's fields that may reach the upstream, plus the output limit that was reserved. If both limits are set, both
 * say what was reserved, because upstreams differ in which one they follow.
 */
export const upstreamCall = (request: ChatRequest, target: ChatTarget): ChatCall => {
  const { model: _, stream: __, ...fields } = request
  const { max_completion_tokens: newer = null, max_tokens: older = null } = request
  const isSame = newer === null ? older !== null : older === null
  return {
    model: target.upstreamModel,
    fields: {
      ...passedFields(fields as JsonObject, target.fields),
      ...(isSame ? {} : { max_tokens: limitOf(request) })
    }
  }
}

export const chargeOf = (call: ChatCallOf, { upstream }: ChatTarget, usage: TokenUsage) => {
  const { model } = call.plan
  const charge = chargeOfTokens(model.tier, totalOf(usage), call.admitted.reserved)
  return charge < priceOfTokens(model.tier, totalOf(usage))
    ? Effect.as(
        Effect.logWarning("an upstream counted more tokens than were reserved").pipe(
          Effect.annotateLogs({ provider: upstream.name, tokens: totalOf(usage) })
        ),
        charge
      )
    : Effect.succeed(charge)
}

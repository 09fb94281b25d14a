import { Effect, Result } from "effect"
import { type Handler, type PlanContext, served } from "../../calls/Handler.js"
import type { JsonObject } from "../../kernel/canonical.js"
import { invalid, refuse } from "../../kernel/errors/Wire.js"
import { inEffect, mapNow } from "../../kernel/NowOrLater.js"
import type { ChatModel } from "../../sources/ports/ChatUpstream.js"
import { Providers } from "../../sources/ports/Providers.js"
import type { ChatRequest, LlmChat } from "../../verbs/LlmChat.js"
import { type ChatPlan, choicesOf, largestPrompt, limitOf, measurePrompt, type PromptSize } from "./chatPlan.js"
import { completeChat } from "./completeChat.js"
import { toolIssues } from "./passedFields.js"
import { priceOfTokens } from "./price.js"
import { streamChat } from "./streamChat.js"

const modelOf = (request: ChatRequest, { providers }: Pick<PlanContext, "providers">): ChatModel | undefined =>
  providers.chatModels.find(({ model }) => model === request.model)

const NO_OBJECTION = { missing: null, refusal: null, wouldExceed: [] } as const

const STREAM_NOT_HERE = invalid([{ path: "stream", message: "is not supported on this surface" }])

/**
 * Forwards a chat to the upstream of its model (contract: chat, calls). It reserves the prompt's estimate and
 * everything that may be generated. It charges what the upstream counts, or what was delivered of a broken stream.
 */
export const llmChat = Effect.map(Providers, (providers): Handler<typeof LlmChat, ChatPlan> => {
  // Plans are made while accounts are locked, so we measure the prompt before.
  const sizes = new WeakMap<ChatRequest, PromptSize>()
  const measure = (request: ChatRequest, model: ChatModel) =>
    mapNow(measurePrompt(request as JsonObject, model.tokens), (size) => void sizes.set(request, size))
  return {
    subject: (request, { workspaceKind }) => {
      const model = modelOf(request, { providers: providers[workspaceKind] })
      const measured = model === undefined ? undefined : measure(request, model)
      return inEffect(mapNow(measured, () => NO_OBJECTION))
    },
    plan: (request, context) =>
      Result.gen(function* () {
        yield* served("llm_chat", context.providers.chatModels)
        const model = modelOf(request, context)
        if (model === undefined) {
          return yield* Result.fail(refuse("invalid_request", { reason: "model_not_allowed" }))
        }
        const issues = toolIssues(request as JsonObject)
        if (issues.length > 0) return yield* Result.fail(invalid(issues))
        const prompt = sizes.get(request) ?? largestPrompt(request as JsonObject)
        const tokens = prompt.reserved + limitOf(request) * choicesOf(request)
        return {
          maximum: priceOfTokens(model.tier, tokens),
          capabilities: [],
          warnings: [],
          route: null,
          model,
          prompt
        }
      }),
    perform: (request, call) => {
      if (request.stream !== true) return completeChat(request, call)
      return call.events === null ? Effect.fail(STREAM_NOT_HERE) : streamChat(request, call, call.events)
    }
  }
})

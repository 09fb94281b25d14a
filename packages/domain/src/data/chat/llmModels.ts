import { Effect, Either } from "effect"
import { freePlan, type Handler } from "../../calls/Handler.js"
import { format, zero } from "../../kernel/money/Credits.js"
import type { LlmModels } from "../../verbs/LlmChat.js"
import { CHAT_PRICES } from "./price.js"

/** Client libraries require a creation time. We don't know it. */
const CREATED = 0

export const llmModels: Handler<typeof LlmModels> = {
  plan: () => Either.right(freePlan(zero)),
  perform: (_request, call) =>
    Effect.suspend(() =>
      call.settle({
        result: {
          object: "list",
          data: call.providers.chatModels.map(({ model, tier, upstream }) => ({
            id: model,
            object: "model",
            created: CREATED,
            owned_by: upstream.name,
            tier,
            credits_per_1000_tokens: format(CHAT_PRICES[tier])
          }))
        },
        charge: zero
      })
    )
}

import { Effect } from "effect"
import { free, type Handler } from "../../calls/Handler.js"
import { refuse } from "../../kernel/errors/Wire.js"
import { format, zero } from "../../kernel/money/Credits.js"
import type { ChatModel } from "../../sources/ports/ChatUpstream.js"
import type { ChatModelEntry, LlmModel, LlmModels } from "../../verbs/LlmChat.js"
import { CHAT_PRICES } from "./price.js"

/** Client libraries require a creation time. We don't know it. */
const CREATED = 0

const entryOf = ({ contextLength, model, targets: [first], tier }: ChatModel): ChatModelEntry => ({
  id: model,
  object: "model",
  created: CREATED,
  owned_by: first.upstream.name,
  tier,
  credits_per_1000_tokens: format(CHAT_PRICES[tier]),
  ...(contextLength === null ? {} : { context_length: contextLength })
})

export const llmModels: Handler<typeof LlmModels> = {
  plan: free,
  perform: (_request, call) =>
    Effect.suspend(() =>
      call.settle({ result: { object: "list", data: call.providers.chatModels.map(entryOf) }, charge: zero })
    )
}

export const llmModel: Handler<typeof LlmModel> = {
  plan: free,
  perform: (request, call) =>
    Effect.suspend(() => {
      const model = call.providers.chatModels.find((one) => one.model === request.model)
      return model === undefined
        ? Effect.fail(refuse("not_found", {}, "No such model. GET /v1/llm/models lists the allowed ones."))
        : call.settle({ result: entryOf(model), charge: zero })
    })
}

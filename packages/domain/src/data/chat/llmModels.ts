import { Effect } from "effect"
import { answering } from "../../calls/Handler.js"
import { refuse } from "../../kernel/errors/Wire.js"
import { format } from "../../kernel/money/Credits.js"
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

export const llmModels = answering<typeof LlmModels>((_request, call) =>
  Effect.sync(() => ({ object: "list", data: call.providers.chatModels.map(entryOf) }))
)

export const llmModel = answering<typeof LlmModel>((request, call) =>
  Effect.suspend(() => {
    const model = call.providers.chatModels.find((one) => one.model === request.model)
    return model === undefined
      ? Effect.fail(refuse("not_found", {}, "No such model. GET /v1/llm/models lists the allowed ones."))
      : Effect.succeed(entryOf(model))
  })
)

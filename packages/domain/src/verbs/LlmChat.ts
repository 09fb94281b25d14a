import { Schema } from "effect"
import { CreditsFromWire } from "../kernel/money/Credits.js"
import { CHAT_TIERS } from "../sources/ports/ChatUpstream.js"
import { Count, integer, text } from "./fields.js"
import { defineVerb, type ResultOf } from "./Verb.js"

/** What a call may generate where it does not say (contract: chat, charging). */
export const MAX_TOKENS_DEFAULT = 4_096

/** No model writes more; what is reserved for it must be affordable anyway. */
export const MAX_TOKENS_MAX = 1_000_000

export const MESSAGES_MAX = 2_048
export const CHOICES_MAX = 128

/** Fields that nobody here knows: they reach the upstream as they are. */
const anything = { key: Schema.String, value: Schema.Unknown } as const

const Message = Schema.Struct({ role: text(1, 32), content: Schema.optional(Schema.Unknown) }, anything).annotations({
  identifier: "ChatMessage"
})

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

const ChatRequest = Schema.Struct(
  {
    model: text(1, 200).annotations({
      description: "A model of `GET /v1/llm/models`.",
      examples: ["sandbox-mini"]
    }),
    messages: Schema.Array(Message)
      .pipe(Schema.minItems(1), Schema.maxItems(MESSAGES_MAX))
      .annotations({
        description: "The conversation so far, oldest first.",
        examples: [[{ role: "user", content: "Say hello." }]]
      }),
    stream: optional(Schema.Boolean).annotations({
      description:
        "Answer by server-sent events: the upstream's chunks as they come, one with `usage` and `svc`, `[DONE]`."
    }),
    max_tokens: optional(integer(1, MAX_TOKENS_MAX)).annotations({
      description: `The most tokens to generate for each choice; ${MAX_TOKENS_DEFAULT} where the call does not say.`
    }),
    max_completion_tokens: optional(integer(1, MAX_TOKENS_MAX)).annotations({
      description: "The same under its newer name, for models that want it. It goes before `max_tokens`."
    }),
    n: optional(integer(1, CHOICES_MAX)).annotations({ description: "How many choices to generate; 1 unless said." })
  },
  anything
)
export type ChatRequest = typeof ChatRequest.Type

const Usage = Schema.Struct(
  { prompt_tokens: Count, completion_tokens: Count, total_tokens: Count },
  anything
).annotations({
  identifier: "ChatUsage"
})

export const LlmChat = defineVerb({
  name: "llm_chat",
  route: { method: "POST", path: "/v1/llm/chat" },
  aliases: [{ method: "POST", path: "/v1/llm/chat/completions", form: "top_level" }],
  summary: "Complete a chat with an allowlisted model.",
  description:
    "Costs tokens (prompt and completion, by the upstream's own count) at the price of the model's tier per 1,000: " +
    "large 0.5, small 0.25, mini 0.1. The prompt's estimate and `max_tokens` are reserved, the rest is released. " +
    "Fields that are not named here pass through to the upstream. With `stream: true` both addresses send the same " +
    "server-sent events: the upstream's chunks as they come, then one chunk with `usage` and `svc`, then `[DONE]`. " +
    "A stream that its client leaves stops at the upstream and is charged for what was delivered; one that breaks off " +
    "ends with an error event. A stream is never replayed: its Idempotency-Key answers `stream_consumed`.",
  mode: "act",
  scope: "data:read",
  idempotency: "optional",
  planVersion: 3,
  streams: true,
  request: ChatRequest,
  result: Schema.Struct({ choices: Schema.Array(Schema.Struct({}, anything)), usage: Usage }, anything),
  errors: ["provider_unavailable", "tool_unavailable", "stream_consumed"],
  tool: null
})

export type ChatResult = ResultOf<typeof LlmChat>

export const LlmModels = defineVerb({
  name: "llm_models",
  route: { method: "GET", path: "/v1/llm/models", form: "top_level" },
  summary: "The models that chat may use, and their prices.",
  description: "Free, any key of the workspace. In the form that client libraries of chat completions know.",
  mode: "read",
  scope: null,
  idempotency: "none",
  planVersion: 3,
  request: Schema.Struct({}),
  result: Schema.Struct({
    object: Schema.Literal("list"),
    data: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        object: Schema.Literal("model"),
        created: Count,
        owned_by: Schema.String,
        tier: Schema.Literal(...CHAT_TIERS),
        credits_per_1000_tokens: CreditsFromWire
      })
    )
  }),
  errors: [],
  tool: null
})

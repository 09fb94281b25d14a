import { Schema } from "effect"
import { CreditsFromWire } from "../kernel/money/Credits.js"
import { CHAT_TIERS } from "../sources/ports/ChatUpstream.js"
import { Count, integer, text } from "./fields.js"
import { DATA_CALL, defineVerb, type ResultOf } from "./Verb.js"

/** What a call may generate where it does not say (contract: chat, charging). */
export const MAX_TOKENS_DEFAULT = 4_096

/** No model generates more. The reservation for it must be affordable anyway. */
export const MAX_TOKENS_MAX = 1_000_000

export const MESSAGES_MAX = 2_048
export const CHOICES_MAX = 128

/** Takes unknown fields too, which are mostly passed on (see `passedFields`). */
const open = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.StructWithRest(Schema.Struct(fields), [Schema.Record(Schema.String, Schema.Unknown)])

const Message = open({ role: text(1, 32), content: Schema.optional(Schema.Unknown) }).annotate({
  identifier: "ChatMessage"
})

const optional = <A, I>(schema: Schema.Codec<A, I>) => Schema.optional(Schema.NullOr(schema))

const ChatRequest = open({
  model: text(1, 200).annotate({
    description: "A model of `GET /v1/llm/models`.",
    examples: ["sandbox-mini"]
  }),
  messages: Schema.Array(Message)
    .check(Schema.isMinLength(1), Schema.isMaxLength(MESSAGES_MAX))
    .annotate({
      description: "The conversation so far, oldest first.",
      examples: [[{ role: "user", content: "Say hello." }]]
    }),
  stream: optional(Schema.Boolean).annotate({
    description:
      "Answer with server-sent events: the upstream's chunks, one chunk with `usage` and `svc`, then `[DONE]`."
  }),
  max_tokens: optional(integer(1, MAX_TOKENS_MAX)).annotate({
    description: `The most tokens to generate per choice. Default: ${MAX_TOKENS_DEFAULT}.`
  }),
  max_completion_tokens: optional(integer(1, MAX_TOKENS_MAX)).annotate({
    description: "The newer name of `max_tokens`, which it overrides."
  }),
  n: optional(integer(1, CHOICES_MAX)).annotate({ description: "How many choices to generate. Default: 1." })
})
export type ChatRequest = typeof ChatRequest.Type

const Usage = open({ prompt_tokens: Count, completion_tokens: Count, total_tokens: Count }).annotate({
  identifier: "ChatUsage"
})

export const LlmChat = defineVerb({
  name: "llm_chat",
  route: { method: "POST", path: "/v1/llm/chat" },
  aliases: [{ method: "POST", path: "/v1/llm/chat/completions", form: "top_level" }],
  summary: "Complete a chat with an allowlisted model.",
  description:
    "Costs credits per 1,000 tokens (prompt and completion, as the upstream counts them), by the model's tier: large 0.5, " +
    "small 0.25, mini 0.1. The estimated prompt and `max_tokens` are reserved; the rest is released afterwards. " +
    "Other fields are passed to the upstream unchanged, except those that choose another model or provider, cost extra or " +
    "store the chat. With `stream: true` both paths send the same " +
    "server-sent events: the upstream's chunks, then one chunk with `usage` and `svc`, then `[DONE]`. " +
    "If the client disconnects, the upstream call ends and only what was delivered is charged. If the upstream breaks off, " +
    "the stream ends with an error event. A stream can't be replayed: repeating its Idempotency-Key fails with `stream_consumed`.",
  ...DATA_CALL,
  streams: true,
  request: ChatRequest,
  result: open({ choices: Schema.Array(open({})), usage: Usage }),
  errors: ["provider_unavailable", "tool_unavailable", "stream_consumed"],
  tool: null
})

export type ChatResult = ResultOf<typeof LlmChat>

const Model = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("model"),
  created: Count,
  owned_by: Schema.String,
  tier: Schema.Literals(CHAT_TIERS),
  credits_per_1000_tokens: CreditsFromWire,
  context_length: Schema.optional(Count).annotate({
    description: "The most tokens of prompt and completion together, if the operator configured it."
  })
}).annotate({ identifier: "ChatModel" })

export type ChatModelEntry = typeof Model.Encoded

export const LlmModels = defineVerb({
  name: "llm_models",
  route: { method: "GET", path: "/v1/llm/models", form: "top_level" },
  summary: "List the models allowed for chat, with their prices.",
  description: "Free, with any key. In the format that chat-completion client libraries expect.",
  mode: "read",
  scope: null,
  idempotency: "none",
  planVersion: 3,
  request: Schema.Struct({}),
  result: Schema.Struct({ object: Schema.Literal("list"), data: Schema.Array(Model) }),
  errors: [],
  tool: null
})

export const LlmModel = defineVerb({
  name: "llm_model",
  route: { method: "GET", path: "/v1/llm/models/:model", form: "top_level", names: "words" },
  summary: "Look up one model allowed for chat.",
  description:
    "Free, with any key. In the format that chat-completion client libraries expect. Percent-encode the name in the " +
    "path: `vendor/model` is `vendor%2Fmodel`.",
  mode: "read",
  scope: null,
  idempotency: "none",
  planVersion: 3,
  request: Schema.Struct({
    model: Schema.NonEmptyString.annotate({
      description: "A model of `GET /v1/llm/models`.",
      examples: ["sandbox-mini"]
    })
  }),
  result: Model,
  errors: ["not_found"],
  tool: null
})

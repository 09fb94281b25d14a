import type { Json, JsonObject } from "../../kernel/canonical.js"
import type { ChatResult } from "../../verbs/LlmChat.js"

/** Tokens by an upstream's count, or by ours. */
export interface TokenUsage {
  readonly promptTokens: number
  readonly completionTokens: number
  /** As the wire says it. */
  readonly wire: JsonObject
}

export const usageOfCounts = (promptTokens: number, completionTokens: number): TokenUsage => ({
  promptTokens,
  completionTokens,
  wire: {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens
  }
})

export const totalOf = (usage: TokenUsage): number => usage.promptTokens + usage.completionTokens

/** More is no count that anyone can mean. */
const TOKENS_MAX = 1_000_000_000

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const listOf = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= TOKENS_MAX

/** What a completion or a chunk reports; null where it reports nothing that can be counted with. */
export const usageOf = ({ usage }: JsonObject): TokenUsage | null => {
  if (!isObject(usage)) return null
  const { completion_tokens: completion, prompt_tokens: prompt } = usage
  if (!isCount(prompt) || !isCount(completion)) return null
  const counted = usageOfCounts(prompt, completion)
  return { ...counted, wire: { ...usage, total_tokens: counted.promptTokens + counted.completionTokens } }
}

/** The fields of a message, or of what a chunk adds to one, that a model wrote. */
const WRITTEN = ["content", "refusal", "reasoning", "reasoning_content"] as const

const writtenIn = (part: Json | undefined): string => {
  if (!isObject(part)) return ""
  const own = WRITTEN.map((name) => part[name])
  const calls = [part["function_call"], ...listOf(part["tool_calls"]).map((call) => isObject(call) && call["function"])]
  const called = calls.flatMap((call) => (isObject(call) ? [call["name"], call["arguments"]] : []))
  return [...own, ...called].filter((text) => typeof text === "string").join("")
}

/** What the model wrote in a completion or a chunk, all choices together. */
export const writtenOf = ({ choices }: JsonObject): string =>
  listOf(choices)
    .map((choice) => (isObject(choice) ? writtenIn(choice["message"] ?? choice["delta"]) : ""))
    .join("")

/** Whether it is a completion at all, or a chunk of one. An error that is sent in a stream is neither. */
export const isCompletion = (value: unknown): value is JsonObject =>
  isObject(value) && Array.isArray(value["choices"]) && value["choices"].every(isObject)

/** One chunk: its text as it came, and what it says. */
export interface ChatChunk {
  readonly data: string
  readonly json: JsonObject
  readonly usage: TokenUsage | null
  /** Says nothing but the usage. */
  readonly isReport: boolean
}

/** Null: it is no chunk. */
export const chunkOf = (data: string): ChatChunk | null => {
  let json: unknown
  try {
    json = JSON.parse(data)
  } catch {
    return null
  }
  if (!isCompletion(json)) return null
  const usage = usageOf(json)
  return { data, json, usage, isReport: usage !== null && listOf(json["choices"]).length === 0 }
}

/** The chunk that ends a stream, before `svc` is added. */
export const lastChunk = (latest: JsonObject, usage: TokenUsage): JsonObject & ChatResult => {
  const { created, id, model } = latest
  return {
    id: id ?? null,
    object: "chat.completion.chunk",
    created: created ?? null,
    model: model ?? null,
    choices: [],
    usage: usage.wire as JsonObject & ChatResult["usage"]
  }
}

/** A completion as it is answered: with its usage, and without a member that `svc` needs. */
export const answered = (completion: JsonObject, usage: TokenUsage): ChatResult => {
  const { svc: _, ...rest } = completion
  return { ...rest, usage: usage.wire } as ChatResult
}

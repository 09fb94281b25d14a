import type { Json, JsonObject } from "../../kernel/canonical.js"
import type { ChatResult } from "../../verbs/LlmChat.js"

/** Token counts, the upstream's or ours. */
export interface TokenUsage {
  readonly promptTokens: number
  readonly completionTokens: number
  /** In the wire form. */
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

/** A larger count is implausible. */
const TOKENS_MAX = 1_000_000_000

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const listOf = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= TOKENS_MAX

/** The reported usage of a completion or chunk; null without a usable count. */
export const usageOf = ({ usage }: JsonObject): TokenUsage | null => {
  if (!isObject(usage)) return null
  const { completion_tokens: completion, prompt_tokens: prompt } = usage
  if (!isCount(prompt) || !isCount(completion)) return null
  const counted = usageOfCounts(prompt, completion)
  return { ...counted, wire: { ...usage, total_tokens: counted.promptTokens + counted.completionTokens } }
}

/** Fields of a message or delta that the model wrote. */
const WRITTEN = ["content", "refusal", "reasoning", "reasoning_content"] as const

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "")

const calledIn = (call: Json | undefined): string =>
  isObject(call) ? textOf(call["name"]) + textOf(call["arguments"]) : ""

// Loops, because every chunk of every stream comes through here.
const writtenIn = (part: Json | undefined): string => {
  if (!isObject(part)) return ""
  let written = ""
  for (const name of WRITTEN) written += textOf(part[name])
  written += calledIn(part["function_call"])
  for (const call of listOf(part["tool_calls"])) if (isObject(call)) written += calledIn(call["function"])
  return written
}

/** The choices of a completion or chunk. */
export const choicesIn = ({ choices }: JsonObject): ReadonlyArray<JsonObject> => listOf(choices).filter(isObject)

/** The model's text in a completion or chunk, across all choices. */
export const writtenOf = (json: JsonObject): string => {
  let written = ""
  for (const choice of choicesIn(json)) written += writtenIn(choice["message"] ?? choice["delta"])
  return written
}

export const choiceIndex = ({ index }: JsonObject): number => Number(index ?? 0)

/** Whether a choice's `finish_reason` has come. */
export const isFinished = (choice: JsonObject): boolean => typeof choice["finish_reason"] === "string"

/** Whether the value is a completion or a chunk. An error sent in a stream is neither. */
export const isCompletion = (value: unknown): value is JsonObject =>
  isObject(value) && Array.isArray(value["choices"]) && value["choices"].every(isObject)

/** A chunk: its original text and its content. */
export interface ChatChunk {
  readonly data: string
  readonly json: JsonObject
  readonly usage: TokenUsage | null
  /** Holds only the usage. */
  readonly isReport: boolean
}

/** Null: not a chunk. */
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

/** The last chunk of a stream, before `svc` is added. */
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

/** The completion as returned: with its usage, and without a member that `svc` would overwrite. */
export const answered = (completion: JsonObject, usage: TokenUsage): ChatResult => {
  const { svc: _, ...rest } = completion
  return { ...rest, usage: usage.wire } as ChatResult
}

import type { Json, JsonObject } from "../../kernel/canonical.js"
import type { ChatResult } from "../../verbs/LlmChat.js"
import { isObject, listOf, textOf } from "./json.js"
import { type TokenUsage, usageOf } from "./TokenUsage.js"
import { errorIn, errorInside, type UpstreamError } from "./UpstreamError.js"
import { writtenInChoice } from "./written.js"

/** The choices of a completion or chunk. */
export const choicesIn = ({ choices }: JsonObject): ReadonlyArray<JsonObject> => listOf(choices).filter(isObject)

const writtenWithin = (json: JsonObject, isChunk: boolean): string => {
  let written = ""
  for (const choice of choicesIn(json)) written += writtenInChoice(choice, isChunk)
  return written
}

/** The model's text in a completion, across all choices. */
export const writtenOf = (json: JsonObject): string => writtenWithin(json, false)

/** The model's text that a chunk adds, across all choices. */
export const addedBy = (json: JsonObject): string => writtenWithin(json, true)

export const choiceIndex = ({ index }: JsonObject): number => Number(index ?? 0)

/** Whether a choice's `finish_reason` has come. Some upstreams write that there is none yet as a text. */
export const isFinished = ({ finish_reason: reason }: JsonObject): boolean =>
  typeof reason === "string" && reason !== "" && reason !== "null"

const hasChoices = (json: JsonObject): boolean => Array.isArray(json["choices"]) && json["choices"].every(isObject)

/** Ends that are failures: OpenRouter's, DeepSeek's, Zhipu's, vLLM's and SGLang's, and Cohere's, by their documentation. */
const FAILED: ReadonlySet<string> = new Set([
  "error",
  "insufficient_system_resource",
  "network_error",
  "abort",
  "timeout"
])

/** An upstream that fails may say so in a choice. */
const hasFailed = (choice: JsonObject): boolean =>
  FAILED.has(textOf(choice["finish_reason"]).toLowerCase()) ||
  (isObject(choice["error"]) && Object.keys(choice["error"]).length > 0)

const failureIn = ({ error = null }: JsonObject): UpstreamError => errorIn(error)

/** An error in place of what was asked for, though the answer's status was a success. */
export interface ErrorInside {
  readonly _tag: "Error"
  readonly error: UpstreamError
}

/** What makes no sense. */
export interface Nonsense {
  readonly _tag: "Nonsense"
}

const NONSENSE: Nonsense = { _tag: "Nonsense" }

const errorOf = (error: UpstreamError): ErrorInside => ({ _tag: "Error", error })

/** A whole completion. */
export interface Completion {
  readonly _tag: "Completion"
  readonly json: JsonObject
}

/** Reads an answer in one piece. It is an error if each of its choices has failed, and makes no sense without any. */
export const readAnswer = (answer: JsonObject): Completion | ErrorInside | Nonsense => {
  const choices = hasChoices(answer) ? choicesIn(answer) : []
  const [first] = choices
  const error = errorInside(answer, first !== undefined)
  if (error !== null) return errorOf(error)
  if (first === undefined) return NONSENSE
  return choices.every(hasFailed) ? errorOf(failureIn(first)) : { _tag: "Completion", json: answer }
}

/** A chunk: its original text and its content. */
export interface ChatChunk {
  readonly _tag: "Chunk"
  readonly data: string
  readonly json: JsonObject
  readonly usage: TokenUsage | null
  /** Holds only the usage. */
  readonly isReport: boolean
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0)

const isSilent = (choice: JsonObject): boolean => {
  const part = choice["delta"] ?? choice["message"] ?? {}
  return (
    !isFinished(choice) &&
    isEmpty(choice["text"]) &&
    isObject(part) &&
    Object.entries(part).every(([name, value]) => name === "role" || isEmpty(value))
  )
}

/**
 * Whether a chunk delivers nothing: whose turn it is, what a filter thinks of the prompt, or a count. Many upstreams begin so
 * before they know whether they can answer.
 */
export const isPreamble = ({ json }: ChatChunk): boolean => choicesIn(json).every(isSilent)

/** A sign of life: a word such as `ping` or `[KEEP-ALIVE]`, or nothing at all. */
const SIGN = /^\s{0,8}(?:\[?[A-Za-z][\w-]{0,31}\]?)?\s{0,8}$/

const chunkOf = (data: string, json: JsonObject): ChatChunk => {
  const usage = usageOf(json)
  return { _tag: "Chunk", data, json, usage, isReport: usage !== null && listOf(json["choices"]).length === 0 }
}

/**
 * Reads an event of a stream. Null: it tells nothing, as what upstreams send to keep a connection alive, and no client
 * needs it.
 */
export const readEvent = (data: string): ChatChunk | ErrorInside | Nonsense | null => {
  let json: Json
  try {
    json = JSON.parse(data) as Json
  } catch {
    return SIGN.test(data) ? null : NONSENSE
  }
  if (isObject(json) && hasChoices(json)) {
    const choices = choicesIn(json)
    const error = errorInside(json, choices.length > 0)
    if (error !== null) return errorOf(error)
    const failed = choices.find(hasFailed)
    return failed === undefined ? chunkOf(data, json) : errorOf(failureIn(failed))
  }
  const error = errorInside(json, false)
  if (error !== null) return errorOf(error)
  // Some reports leave the choices out.
  return isObject(json) && usageOf(json) !== null ? chunkOf(data, { ...json, choices: [] }) : null
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

import { Effect } from "effect"
import type { Json, JsonObject } from "../../kernel/canonical.js"
import type { TokenEstimator } from "../../sources/ports/TokenEstimator.js"
import { isObject } from "./wire.js"

/** What a model reads of a request. */
export interface Prompt {
  readonly texts: ReadonlyArray<string>
  /** What pictures, sound and files may come to: nobody can count them from here. */
  readonly attachmentTokens: number
  readonly messages: number
}

/** A large picture in full detail, or a page of a file, and then some. */
const ATTACHMENT_TOKENS = 2_000
const ATTACHMENT_CHARS_PER_TOKEN = 32

/** Fields of a message whose text is read as it is. */
const isText = (part: JsonObject): boolean => part["type"] === "text" || part["type"] === "input_text"

const readable = (value: Json | undefined): ReadonlyArray<string> =>
  value === undefined || value === null ? [] : [typeof value === "string" ? value : JSON.stringify(value)]

const readMessage = (message: Json): Omit<Prompt, "messages"> => {
  if (!isObject(message)) return { texts: readable(message), attachmentTokens: 0 }
  const { content, role: _, ...others } = message
  const texts = Object.values(others).flatMap(readable)
  if (!Array.isArray(content)) return { texts: [...texts, ...readable(content)], attachmentTokens: 0 }
  let attachmentTokens = 0
  for (const part of content as ReadonlyArray<Json>) {
    if (isObject(part) && isText(part)) texts.push(...readable(part["text"]))
    else {
      const chars = JSON.stringify(part).length
      attachmentTokens += ATTACHMENT_TOKENS + Math.ceil(chars / ATTACHMENT_CHARS_PER_TOKEN)
    }
  }
  return { texts, attachmentTokens }
}

/** Fields that no model is shown. */
const SETTINGS = new Set(["stream_options", "metadata", "logit_bias", "stop", "modalities", "audio"])

/** Everything in a request that a model may be shown: the messages, and whatever else is no plain setting (tools). */
export const promptOf = (fields: JsonObject): Prompt => {
  const { messages, ...others } = fields
  const read = (Array.isArray(messages) ? messages : []).map(readMessage)
  const structures = Object.entries(others)
    .filter(([name, value]) => !SETTINGS.has(name) && typeof value === "object" && value !== null)
    .map(([, value]) => JSON.stringify(value))
  return {
    texts: [...read.flatMap(({ texts }) => texts), ...structures],
    attachmentTokens: read.reduce((sum, { attachmentTokens }) => sum + attachmentTokens, 0),
    messages: read.length
  }
}

/** Models count differently: a fifth more than our tokenizer says covers those in use, for ordinary text. */
const MARGIN_PERCENT = 20n

/** What a model's own template adds: marks around each message, and around the whole. */
const MESSAGE_TOKENS = 16
const TEMPLATE_TOKENS = 64

/** How large a prompt is. */
export interface PromptSize {
  /** By the tokenizer: what is charged where the upstream reports no usage. */
  readonly counted: number
  /** What is reserved: not below the upstream's own count, in ordinary cases. */
  readonly reserved: number
}

const sizeOf = (prompt: Prompt, counted: number): PromptSize => ({
  counted: counted + prompt.attachmentTokens,
  reserved:
    counted +
    Number((BigInt(counted) * MARGIN_PERCENT) / 100n) +
    prompt.attachmentTokens +
    prompt.messages * MESSAGE_TOKENS +
    TEMPLATE_TOKENS
})

export const measurePrompt = (fields: JsonObject, tokens: TokenEstimator): Effect.Effect<PromptSize> => {
  const prompt = promptOf(fields)
  return Effect.map(tokens.count(prompt.texts), (counted) => sizeOf(prompt, counted))
}

/** A token holds at least one byte, and a character of a string comes to at most three: nothing is ever larger. */
export const largestPrompt = (fields: JsonObject): PromptSize => {
  const prompt = promptOf(fields)
  return sizeOf(
    prompt,
    prompt.texts.reduce((sum, text) => sum + 3 * text.length, 0)
  )
}

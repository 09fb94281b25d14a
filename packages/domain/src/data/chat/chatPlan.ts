import { Effect } from "effect"
import type { Call, Plan } from "../../calls/Handler.js"
import type { Json, JsonObject } from "../../kernel/canonical.js"
import type { ChatCall, ChatModel, ChatTarget } from "../../sources/ports/ChatUpstream.js"
import { type ChatRequest, type ChatResult, MAX_TOKENS_DEFAULT } from "../../verbs/LlmChat.js"
import { chargeOfTokens, priceOfTokens } from "./price.js"
import { passedFields } from "./passedFields.js"
import { isObject } from "./json.js"
import type { TokenUsage } from "./TokenUsage.js"
import type { TokenEstimator } from "../../sources/ports/TokenEstimator.js"
import { mapNow, type NowOrLater } from "../../kernel/NowOrLater.js"

/** The parts of a request that a model reads. */
export interface Prompt {
  readonly texts: ReadonlyArray<string>
  /** An allowance for pictures, sound and files, whose tokens we can't count. */
  readonly attachmentTokens: number
  readonly messages: number
}

/** More than a large picture in full detail or a page of a file. */
const ATTACHMENT_TOKENS = 2_000
const ATTACHMENT_CHARS_PER_TOKEN = 32

/** Message parts whose text is read as is. */
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

/** Fields that models never see. */
const SETTINGS = new Set(["stream_options", "metadata", "logit_bias", "stop", "modalities", "audio"])

/** Everything in a request that a model may see: messages, and fields that aren't plain settings (such as tools). */
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

/** Tokenizers differ. A fifth above ours covers ordinary text for the models in use. */
const MARGIN_PERCENT = 20n

/** What a model's chat template adds: marks around each message and the whole. */
const MESSAGE_TOKENS = 16
const TEMPLATE_TOKENS = 64

export interface PromptSize {
  /** By our tokenizer: charged if the upstream reports no usage. */
  readonly counted: number
  /** Reserved: in ordinary cases at least the upstream's count. */
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

export const measurePrompt = (fields: JsonObject, tokens: TokenEstimator): NowOrLater<PromptSize> => {
  const prompt = promptOf(fields)
  return mapNow(tokens.count(prompt.texts), (counted) => sizeOf(prompt, counted))
}

/** An upper bound: a token is at least one byte, and a UTF-16 unit at most three. */
export const largestPrompt = (fields: JsonObject): PromptSize => {
  const prompt = promptOf(fields)
  return sizeOf(
    prompt,
    prompt.texts.reduce((sum, text) => sum + 3 * text.length, 0)
  )
}

export interface ChatPlan extends Plan {
  readonly model: ChatModel
  readonly prompt: PromptSize
}

export type ChatCallOf = Call<ChatPlan, ChatResult>

/** The most tokens of one choice. */
export const limitOf = (request: ChatRequest): number =>
  request.max_completion_tokens ?? request.max_tokens ?? MAX_TOKENS_DEFAULT

export const choicesOf = (request: ChatRequest): number => request.n ?? 1

/** The caller's fields that may reach the upstream, with the output limit that was reserved as `max_tokens` alone. */
export const upstreamCall = (request: ChatRequest, target: ChatTarget): ChatCall => {
  const { max_completion_tokens: _, model: __, stream, stream_options: options, ...others } = request
  // Without a stream they mean nothing, and upstreams refuse them.
  const fields = stream === true && options !== undefined ? { ...others, stream_options: options } : others
  const limit = limitOf(request)
  return {
    model: target.upstreamModel,
    fields: { ...passedFields(fields as JsonObject, target.fields, limit), max_tokens: limit }
  }
}

export const chargeOf = (call: ChatCallOf, { upstream }: ChatTarget, usage: TokenUsage) => {
  const { model } = call.plan
  const charge = chargeOfTokens(model.tier, usage.totalTokens, call.admitted.reserved)
  return charge < priceOfTokens(model.tier, usage.totalTokens)
    ? Effect.as(
        Effect.logWarning("an upstream counted more tokens than were reserved").pipe(
          Effect.annotateLogs({ provider: upstream.name, tokens: usage.totalTokens })
        ),
        charge
      )
    : Effect.succeed(charge)
}

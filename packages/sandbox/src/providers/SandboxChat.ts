import { isObject } from "@outbound/domain/data/chat/json.js"
import { usageOfCounts } from "@outbound/domain/data/chat/TokenUsage.js"
import { lastChunk } from "@outbound/domain/data/chat/wire.js"
import { promptOf } from "@outbound/domain/data/chat/chatPlan.js"
import { MAX_TOKENS_DEFAULT } from "@outbound/domain/verbs/LlmChat.js"
import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import {
  CHAT_TIERS,
  type ChatCall,
  type ChatModel,
  type ChatUpstream
} from "@outbound/domain/sources/ports/ChatUpstream.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { TokenEstimator } from "@outbound/domain/sources/ports/TokenEstimator.js"
import { abortable, chatStreamOf } from "@outbound/domain/sources/abortable.js"
import { Effect, Stream } from "effect"
import { hashText } from "../world/Hash.js"

export const SANDBOX_CHAT = "sandbox_chat"

/** What a message may hold to bring about what otherwise happens rarely. */
export const CHAT_MAGIC = {
  /** The upstream can't be reached. */
  unavailable: "[[unavailable]]",
  /** The upstream refuses the request. */
  refused: "[[refused]]",
  /** The upstream refuses the service's account. */
  account: "[[account]]",
  /** A word every 100 ms. */
  slow: "[[slow]]",
  /** The upstream breaks off after three words; without streaming, it fails. */
  drop: "[[drop]]",
  /** A stream breaks off once everything has arrived. */
  noEnd: "[[no-end]]",
  /** No usage is reported. */
  noUsage: "[[no-usage]]"
} as const

const SLOW_MILLIS = 100
const DROPPED_AFTER_WORDS = 3

/** The answer to the same request is the same, to the second in which it was made. */
const CREATED = Date.UTC(2026, 0, 1) / 1000

/** Words are the tokens of these models. */
const wordsOf = (text: string): ReadonlyArray<string> => text.match(/\S+/g) ?? []

const countWords = (texts: ReadonlyArray<string>): number => texts.reduce((sum, text) => sum + wordsOf(text).length, 0)

const words: TokenEstimator = { count: countWords }

const textOf = (content: Json | undefined): string =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
      ? content.map((part) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : "")).join(" ")
      : ""

/** What the user said last, cut to what may be generated. */
const echoOf = (
  fields: JsonObject
): { readonly said: string; readonly echo: ReadonlyArray<string>; readonly cut: boolean } => {
  const messages = Array.isArray(fields["messages"]) ? fields["messages"].filter(isObject) : []
  const last = messages.findLast((message) => message["role"] === "user") ?? messages.at(-1)
  const said = textOf(last?.["content"])
  const all = wordsOf(said)
  const limit = Number(fields["max_completion_tokens"] ?? fields["max_tokens"] ?? MAX_TOKENS_DEFAULT)
  return { said, echo: all.slice(0, limit), cut: all.length > limit }
}

const failure = (reason: "invalid" | "transient" | "account") =>
  new ProviderFailure({
    provider: SANDBOX_CHAT,
    reason,
    ...(reason === "invalid" ? { said: "holds [[refused]], which this upstream does not take" } : {})
  })

const refusal = (said: string): ProviderFailure | null =>
  said.includes(CHAT_MAGIC.unavailable)
    ? failure("transient")
    : said.includes(CHAT_MAGIC.refused)
      ? failure("invalid")
      : said.includes(CHAT_MAGIC.account)
        ? failure("account")
        : null

const headOf = ({ fields, model }: ChatCall, object: string) => ({
  id: `chatcmpl-sandbox-${hashText(0, JSON.stringify([model, fields["messages"] ?? null]))
    .toString(16)
    .padStart(8, "0")}`,
  object,
  created: CREATED,
  model
})

const choicesOf = (fields: JsonObject): ReadonlyArray<number> =>
  Array.from({ length: typeof fields["n"] === "number" ? fields["n"] : 1 }, (_, index) => index)

const usageIn = (fields: JsonObject, echo: ReadonlyArray<string>) =>
  usageOfCounts(countWords(promptOf(fields).texts), echo.length * choicesOf(fields).length)

const complete = (call: ChatCall): Effect.Effect<JsonObject, ProviderFailure> =>
  Effect.suspend(() => {
    const { cut, echo, said } = echoOf(call.fields)
    const refused = refusal(said) ?? (said.includes(CHAT_MAGIC.drop) ? failure("transient") : null)
    if (refused !== null) return Effect.fail(refused)
    const usage = said.includes(CHAT_MAGIC.noUsage) ? {} : { usage: usageIn(call.fields, echo).wire }
    const message = { role: "assistant", content: echo.join(" ") }
    const finish_reason = cut ? "length" : "stop"
    const completion: JsonObject = {
      ...headOf(call, "chat.completion"),
      choices: choicesOf(call.fields).map((index) => ({ index, message, finish_reason })),
      ...usage
    }
    return said.includes(CHAT_MAGIC.slow)
      ? Effect.delay(Effect.succeed(completion), echo.length * SLOW_MILLIS)
      : Effect.succeed(completion)
  })

const chunksOf = (
  call: ChatCall,
  echo: ReadonlyArray<string>,
  cut: boolean,
  reports: boolean
): ReadonlyArray<JsonObject> => {
  const head = headOf(call, "chat.completion.chunk")
  const choices = choicesOf(call.fields)
  const chunk = (delta: JsonObject, finish_reason: string | null): JsonObject => ({
    ...head,
    choices: choices.map((index) => ({ index, delta, finish_reason }))
  })
  return [
    ...echo.map((word, at) => chunk(at === 0 ? { role: "assistant", content: word } : { content: ` ${word}` }, null)),
    chunk({}, cut ? "length" : "stop"),
    ...(reports ? [lastChunk(head, usageIn(call.fields, echo))] : [])
  ]
}

const texts = (call: ChatCall): Stream.Stream<string, ProviderFailure> =>
  Stream.suspend(() => {
    const { cut, echo, said } = echoOf(call.fields)
    const refused = refusal(said)
    if (refused !== null) return Stream.fail(refused)
    const chunks = chunksOf(call, echo, cut, !said.includes(CHAT_MAGIC.noUsage)).map((chunk) => JSON.stringify(chunk))
    const paced = said.includes(CHAT_MAGIC.slow)
      ? Stream.mapEffect(Stream.fromIterable(chunks), (chunk) => Effect.delay(Effect.succeed(chunk), SLOW_MILLIS))
      : Stream.fromIterable(chunks)
    if (said.includes(CHAT_MAGIC.noEnd)) return Stream.concat(paced, Stream.fail(failure("transient")))
    return said.includes(CHAT_MAGIC.drop)
      ? Stream.concat(Stream.take(paced, DROPPED_AFTER_WORDS), Stream.fail(failure("transient")))
      : paced
  })

const upstream: ChatUpstream = {
  name: SANDBOX_CHAT,
  complete: (call, signal) => abortable(complete(call), signal, () => failure("transient")),
  stream: (call, signal) => chatStreamOf(texts(call), signal, () => failure("transient"))
}

/** One model for each tier. Each says back what the user said last, a token for a word. */
export const sandboxChatModels: ReadonlyArray<ChatModel> = CHAT_TIERS.map((tier) => ({
  model: `sandbox-${tier}`,
  tier,
  targets: [{ upstream, upstreamModel: `sandbox-${tier}`, fields: null, order: 0, weight: 1, secondsMax: null }],
  tokens: words,
  contextLength: null
}))

import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { isObject } from "@outbound/domain/data/chat/wire.js"
import type { ChatCall, ChatUpstream } from "@outbound/domain/sources/ports/ChatUpstream.js"
import { Effect, type Scope } from "effect"
import { EventReader } from "./EventReader.js"
import { makeUpstreamHttp, type UpstreamAddress } from "./UpstreamHttp.js"

export interface OpenAiChatOptions extends UpstreamAddress {
  /** The upstream's name for the output limit; newer models refuse `max_tokens`. */
  readonly limitField?: "max_tokens" | "max_completion_tokens"
}

const PATH = "/chat/completions"

/** The body to send, with the output limit under the upstream's name. */
const bodyOf = ({ fields, model }: ChatCall, limitField: OpenAiChatOptions["limitField"]): JsonObject => {
  const { max_tokens: limit, ...others } = fields
  const isRenamed = limitField === "max_completion_tokens" && limit !== undefined && limit !== null
  return isRenamed ? { max_completion_tokens: limit, ...others, model } : { ...fields, model }
}

/** Always requests usage, because settlement needs it. */
const streamed = (body: JsonObject): JsonObject => {
  const { stream_options: options } = body
  return { ...body, stream: true, stream_options: { ...(isObject(options) ? options : {}), include_usage: true } }
}

/** An upstream with the third-party chat completions interface. Its connections close with the scope. */
export const makeOpenAiChat = (options: OpenAiChatOptions): Effect.Effect<ChatUpstream, never, Scope.Scope> =>
  Effect.map(makeUpstreamHttp(options), ({ failed, open, post }) => ({
    name: options.name,
    complete: (call, signal) =>
      Effect.flatMap(post(PATH, bodyOf(call, options.limitField), signal), (text) => {
        try {
          const completion: unknown = JSON.parse(text)
          return isObject(completion) ? Effect.succeed(completion) : Effect.fail(failed("its answer is no object"))
        } catch (cause) {
          return Effect.fail(failed(cause))
        }
      }),
    stream: (call, signal) => {
      const opened = open(PATH, streamed(bodyOf(call, options.limitField)), signal, (body) => new EventReader(body))
      return Effect.flatMap(opened, (reader) =>
        Effect.matchEffect(reader.next, {
          onFailure: (cause) => Effect.fail(failed(cause)),
          onSuccess: (first) =>
            first === null
              ? Effect.fail(failed("its stream holds nothing"))
              : Effect.succeed({ first, rest: (take) => Effect.mapError(reader.each(take), failed) })
        })
      )
    }
  }))

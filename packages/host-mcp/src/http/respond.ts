import type { CallResponse } from "@outbound/domain/calls/Calls.js"
import { answerHeaders } from "@outbound/domain/calls/headers.js"
import { Effect } from "effect"
import type { McpExchange, McpReply } from "./McpExchange.js"
import { rpcReply } from "./Replies.js"

/** The pipeline's answer within an exchange, or null. */
export interface Told {
  readonly answer: CallResponse | null
}

interface RespondOptions {
  readonly exchange: McpExchange
  readonly response: Response
  readonly told: Told
  readonly headers: Readonly<Record<string, string>>
  /** The reply to an unknown key. */
  readonly unauthorized: (answer: CallResponse) => McpReply
}

const headersOf = ({ headers, told }: RespondOptions): Record<string, string> => ({
  ...(told.answer === null ? {} : answerHeaders(told.answer)),
  ...headers
})

/** Streams the answer. The call finishes even if the client leaves. */
const streamed = (options: RespondOptions, body: ReadableStream<Uint8Array>): Effect.Effect<McpReply> =>
  Effect.gen(function* () {
    const reader = body.getReader()
    const decoder = new TextDecoder()
    const next = Effect.promise(() => reader.read())
    let isThere = true
    for (let piece = yield* next; !piece.done; piece = yield* next) {
      // Before the first piece nothing is sent, so an unknown key can still be refused.
      const { answer } = options.told
      if (answer?.status === 401) return options.unauthorized(answer)
      const headers = { "content-type": "text/event-stream", ...headersOf(options) }
      if (isThere) isThere = yield* options.exchange.write(headers, decoder.decode(piece.value, { stream: true }))
    }
    return rpcReply(200, "")
  })

/** Sends the library's answer with the service's headers. */
export const respond = (options: RespondOptions): Effect.Effect<McpReply> =>
  Effect.suspend(() => {
    const { response, told } = options
    if (told.answer?.status === 401) return Effect.succeed(options.unauthorized(told.answer))
    const type = response.headers.get("content-type") ?? ""
    if (type.startsWith("text/event-stream") && response.body !== null) return streamed(options, response.body)
    const allow = response.headers.get("allow")
    return Effect.map(
      Effect.promise(() => response.text()),
      (body) => rpcReply(response.status, body, { ...headersOf(options), ...(allow === null ? {} : { allow }) })
    )
  })

import type { CallResponse } from "@outbound/domain/calls/Calls.js"
import { answerHeaders } from "@outbound/domain/calls/headers.js"
import { Effect } from "effect"
import type { McpExchange, McpReply } from "./McpExchange.js"
import { rpcReply } from "./Replies.js"

/** What the pipeline has answered while the library served an exchange; null: nothing yet. */
export interface Told {
  readonly answer: CallResponse | null
}

interface RespondOptions {
  readonly exchange: McpExchange
  readonly response: Response
  readonly told: Told
  readonly headers: Readonly<Record<string, string>>
  /** How a key that the pipeline does not know is answered. */
  readonly unauthorized: (answer: CallResponse) => McpReply
}

const headersOf = ({ headers, told }: RespondOptions): Record<string, string> => ({
  ...(told.answer === null ? {} : answerHeaders(told.answer)),
  ...headers
})

/** Piece by piece. A call goes on to its end whether or not its client is still there. */
const streamed = (options: RespondOptions, body: ReadableStream<Uint8Array>): Effect.Effect<McpReply> =>
  Effect.gen(function* () {
    const reader = body.getReader()
    const decoder = new TextDecoder()
    const next = Effect.promise(() => reader.read())
    let isThere = true
    for (let piece = yield* next; !piece.done; piece = yield* next) {
      // Nothing was sent before the first piece: by then it may be known that nobody has this key.
      const { answer } = options.told
      if (answer?.status === 401) return options.unauthorized(answer)
      const headers = { "content-type": "text/event-stream", ...headersOf(options) }
      if (isThere) isThere = yield* options.exchange.write(headers, decoder.decode(piece.value, { stream: true }))
    }
    return rpcReply(200, "")
  })

/** Sends what the library answered, with the headers that every answer of the service has. */
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

import { isDeeper } from "@outbound/domain/calls/jsonText.js"
import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Effect, Result } from "effect"
import { answerHeaders, type CallResponse } from "@outbound/domain/calls/Calls.js"
import { isJsonContentType } from "@modelcontextprotocol/server"
import { errorResponse } from "@outbound/domain/calls/envelope.js"
import { refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { acceptedBy } from "./Accept.js"
import { type crossOriginOf, isPageAllowed } from "./Origins.js"

/** The deepest JSON. A call's arguments are three levels below the message. */
const DEPTH_MAX = 67

/** Revision 2025-03-26 lets a client send several messages at once. */
export const BATCH_MAX = 20

/** The most members of an object in a message; each costs several passes. */
const MEMBERS_MAX = 1_000

const utf8 = new TextDecoder("utf-8", { fatal: true })

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether a message, its parameters or its arguments have too many members. */
const isOversized = (message: JsonObject): boolean => {
  const { params } = message
  const given = isObject(params) ? params["arguments"] : undefined
  return [message, params, given].some((part) => isObject(part) && Object.keys(part).length > MEMBERS_MAX)
}

/** Parses a body: a message, or a batch of them. */
export const readMessages = (bytes: Buffer): Result.Result<Json, McpReply> => {
  const refused = (code: number, message: string) => Result.fail(rpcFailure(400, { code, message }))
  let parsed: Json
  try {
    const text = utf8.decode(bytes)
    if (isDeeper(text, DEPTH_MAX)) return refused(PARSE_ERROR, `The body is nested deeper than ${DEPTH_MAX} levels.`)
    parsed = JSON.parse(text) as Json
  } catch {
    return refused(PARSE_ERROR, "The body is not valid JSON.")
  }
  const messages = Array.isArray(parsed) ? parsed : [parsed]
  if (messages.length === 0 || messages.length > BATCH_MAX || !messages.every(isObject)) {
    const isBatch = Array.isArray(parsed)
    return refused(
      INVALID_REQUEST,
      isBatch ? `A batch must contain 1 to ${BATCH_MAX} JSON-RPC messages.` : "The body is not a JSON-RPC message."
    )
  }
  return messages.some(isOversized)
    ? refused(INVALID_REQUEST, `An object in a message can have at most ${MEMBERS_MAX} members.`)
    : Result.succeed(parsed)
}

export const paramsOf = (message: JsonObject): JsonObject => (isObject(message["params"]) ? message["params"] : {})

/** Whether a message asks for progress notifications. */
export const wantsProgress = (message: JsonObject): boolean => {
  const meta = paramsOf(message)["_meta"]
  return isObject(meta) && meta["progressToken"] !== undefined
}

/** Whether a client can open a URL for its human (MCP 2025-11-25, elicitation). */
export const takesUrls = (capabilities: unknown): boolean => {
  const elicitation = isObject(capabilities) ? capabilities["elicitation"] : undefined
  return isObject(elicitation) && isObject(elicitation["url"])
}

export const unauthorized = (exchange: McpExchange, resourceMetadataUrl: string | null): McpReply =>
  refusalReply(errorResponse(exchange.requestId, refuse("unauthorized", {}), null), resourceMetadataUrl)

/** Refuses requests by their head, before the body is read; null if it is fine. */
export const makeHeadCheck = (baseUrl: string, resourceMetadataUrl: string | null) => {
  const isAllowed = isPageAllowed(baseUrl)
  return (exchange: McpExchange, bearer: string | null): McpReply | null => {
    const origin = exchange.header("origin")
    if (origin !== undefined && !isAllowed(origin)) {
      return rpcFailure(403, { code: TRANSPORT_ERROR, message: "Requests from this origin are not allowed." })
    }
    if (bearer === null) return unauthorized(exchange, resourceMetadataUrl)
    if (exchange.method !== "POST") {
      const message = "Method not allowed. Send every message as a POST; this server has no sessions."
      return rpcFailure(405, { code: TRANSPORT_ERROR, message }, { allow: "POST, OPTIONS" })
    }
    const accepted = acceptedBy(exchange.header("accept"))
    if (!accepted.json && !accepted.stream) {
      const message = "Answers are application/json or text/event-stream: accept at least one of them."
      return rpcFailure(406, { code: TRANSPORT_ERROR, message })
    }
    const isPlain = /^(?:identity)?$/i.test((exchange.header("content-encoding") ?? "").trim())
    return isPlain && isJsonContentType(exchange.header("content-type") ?? null)
      ? null
      : rpcFailure(415, { code: TRANSPORT_ERROR, message: "Send the message as application/json without compression." })
  }
}

/** The reply to a body that was not read. */
export const unread = ({ _tag }: Exclude<McpBody, { _tag: "Complete" }>, bytesMax: number): McpReply =>
  _tag === "TooLarge"
    ? rpcFailure(413, { code: TRANSPORT_ERROR, message: `The body is larger than ${bytesMax} bytes.` })
    : rpcFailure(
        429,
        { code: TRANSPORT_ERROR, message: "The service is reading too many requests. Try again." },
        { "retry-after": "1" }
      )

export interface McpReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type McpBody =
  | { readonly _tag: "Complete"; readonly bytes: Buffer }
  | { readonly _tag: "TooLarge" }
  /** The host is reading too much already. */
  | { readonly _tag: "NoRoom" }

/**
 * A request and its answer: the part of the HTTP server's exchange that MCP uses. The server adds limits, timeouts,
 * request ids, metrics and draining.
 */
export interface McpExchange {
  readonly method: string
  readonly requestId: string
  /** Its name in metrics: a tool's name, never a caller's text. */
  label: string
  header(name: string): string | undefined
  /** Never calls back if the client leaves early. */
  readBody(bytesMax: number, use: (body: McpBody) => void): void
  /** Sends a piece of the answer, with the head before the first one. False: the client has left. */
  write(headers: Readonly<Record<string, string>>, piece: string): Effect.Effect<boolean>
  /** Runs the effect uninterrupted and sends its reply, or ends what `write` began. */
  run(effect: Effect.Effect<McpReply>): void
}

/** A part of the server's paths. */
export interface McpSurface {
  readonly name: string
  readonly owns: (path: string) => boolean
  readonly crossOrigin: ReturnType<typeof crossOriginOf>
  readonly handle: (exchange: McpExchange) => void
}

/** JSON-RPC 2.0 §5.1. */
export const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
/** For refusals of the transport: the first code reserved for servers. */
export const TRANSPORT_ERROR = -32_000

const JSON_HEADERS = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
} as const

/** An HTTP reply with a message. */
export const rpcReply = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): McpReply => ({
  status,
  headers: { ...JSON_HEADERS, ...headers },
  body
})

/** An error reply without a request id, which is not known yet. */
const rpcFailure = (
  status: number,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
  headers: Readonly<Record<string, string>> = {}
): McpReply => rpcReply(status, JSON.stringify({ jsonrpc: "2.0", id: null, error }), headers)

/** The `www-authenticate` header (RFC 6750 §3; RFC 9728 §5.1 with metadata). */
export const challenge = (resourceMetadataUrl: string | null, error?: "invalid_token"): string =>
  resourceMetadataUrl === null
    ? "Bearer"
    : `Bearer ${error === undefined ? "" : `error="${error}", `}resource_metadata="${resourceMetadataUrl}"`

/** A refusal of the pipeline outside a tool's result. The envelope's error is in `data`. */
export const refusalReply = (
  answer: CallResponse,
  resourceMetadataUrl: string | null,
  error401?: "invalid_token"
): McpReply => {
  const { error } = JSON.parse(answer.body) as { readonly error: { readonly message: string } }
  return rpcFailure(
    answer.status,
    { code: TRANSPORT_ERROR, message: error.message, data: { error } },
    {
      ...answerHeaders(answer),
      ...(answer.retryAfterSeconds === null ? {} : { "retry-after": String(answer.retryAfterSeconds) }),
      ...(answer.status === 401 ? { "www-authenticate": challenge(resourceMetadataUrl, error401) } : {})
    }
  )
}

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

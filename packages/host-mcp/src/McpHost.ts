import {
  classifyInboundRequest,
  createMcpHandler,
  isJsonContentType,
  type McpHandlerRequestOptions,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"
import { ApprovalWatch } from "@outbound/domain/approvals/ApprovalWatch.js"
import { type Answer, Calls } from "@outbound/domain/calls/Calls.js"
import type { Json, JsonObject } from "@outbound/domain/calls/canonical.js"
import { answerHeaders } from "@outbound/domain/calls/headers.js"
import { errorAnswer } from "@outbound/domain/calls/envelope.js"
import { refuse } from "@outbound/domain/errors/Wire.js"
import { bearerOf } from "@outbound/domain/keys/bearer.js"
import { Crypto } from "@outbound/domain/ports/Crypto.js"
import { Ids } from "@outbound/domain/ports/Ids.js"
import { Settings } from "@outbound/domain/Settings.js"
import { GetMe } from "@outbound/domain/verbs/Reads.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { INTERFACE_VERSION } from "@outbound/domain/verbs/version.js"
import { Effect, Either, Runtime } from "effect"
import type { McpBody, McpExchange, McpReply, McpSurface } from "./http/McpExchange.js"
import { isObject, paramsOf, readMessages, takesUrls, wantsProgress } from "./http/Messages.js"
import { makeOriginCheck } from "./http/Origin.js"
import { refusalReply, rpcFailure, rpcReply, TRANSPORT_ERROR } from "./http/Replies.js"
import { makeSessionIds } from "./http/SessionIds.js"
import { plainAnswer, type PlainCall, plainCall } from "./ExpressLane.js"
import { type Exchanged, makeProtocol } from "./Protocol.js"
import type { ToolVerb } from "./tools/Tools.js"
import { makeToolCalls, WAIT_MILLIS } from "./tools/ToolCalls.js"

/** Where the tools are served (completions.md §10). */
export const MCP_PATH = "/mcp"

/** As the REST surface: a campaign of 5,000 recipients fits, with the message around it. */
const BODY_BYTES_MAX = 4 * 1024 * 1024 + 64 * 1024

export interface McpHostOptions {
  readonly verbs?: ReadonlyArray<AnyVerb>
  /** Where the endpoint's protected-resource metadata is (RFC 9728); null: keys are given out in the console alone. */
  readonly resourceMetadataUrl?: string | null
  readonly bodyBytesMax?: number
  /** How long one leg of a call waits for a human to decide. */
  readonly waitMillis?: number
}

/** What the handlers of an exchange have told of it. */
class Told implements Pick<Exchanged, "answered"> {
  answer: Answer | null = null
  readonly answered = ({ answer }: { readonly answer: Answer }): void => {
    this.answer ??= answer
  }
}

const COPIED_HEADERS = ["accept", "mcp-protocol-version", "mcp-method", "mcp-name"] as const

/** The tools at `/mcp`, as a surface of the HTTP server. Nothing is kept between two requests: any host answers any. */
export const surface = (
  options: McpHostOptions = {}
): Effect.Effect<McpSurface, never, ApprovalWatch | Calls | Crypto | Ids | Settings> =>
  Effect.gen(function* () {
    const calls = yield* Calls
    const crypto = yield* Crypto
    const ids = yield* Ids
    const watch = yield* ApprovalWatch
    const { baseUrl } = yield* Settings
    const clock = yield* Effect.clock
    const runPromise = Runtime.runPromise(yield* Effect.runtime<never>())

    const resourceMetadataUrl = options.resourceMetadataUrl ?? null
    const bodyBytesMax = options.bodyBytesMax ?? BODY_BYTES_MAX
    const isOriginAllowed = makeOriginCheck(baseUrl)
    const sessionIds = makeSessionIds(crypto)
    const callTool = makeToolCalls({
      calls,
      crypto,
      ids,
      watch,
      baseUrl,
      waitMillis: options.waitMillis ?? WAIT_MILLIS
    })
    const protocol = makeProtocol({
      verbs: options.verbs ?? verbList,
      callTool,
      marker: crypto.randomToken,
      version: INTERFACE_VERSION
    })
    const endpoint = `${baseUrl}${MCP_PATH}`

    const newer = () =>
      createMcpHandler(({ authInfo }) => protocol.server(authInfo?.extra?.["exchanged"] as Exchanged), {
        legacy: "reject"
      })
    const modern = newer()

    /** Nothing here ever changes, so there is nothing to wait for: a subscription is acknowledged, and ends in order. */
    const listen = async (request: Request, sent: McpHandlerRequestOptions): Promise<Response> => {
      const handler = newer()
      const response = await handler.fetch(request, sent)
      await handler.close()
      return response
    }

    /** Up to 2025-11-25. Answers come as JSON, unless there is progress to tell before them. */
    const legacy = async (request: Request, parsedBody: Json, exchanged: Exchanged): Promise<Response> => {
      const messages = Array.isArray(parsedBody) ? parsedBody : [parsedBody]
      const transport = new WebStandardStreamableHTTPServerTransport({
        enableJsonResponse: !messages.some((message) => wantsProgress(message as JsonObject))
      })
      await protocol.server(exchanged).connect(transport)
      return transport.handleRequest(request, { parsedBody })
    }

    const serve = (request: Request, parsedBody: Json, exchanged: Exchanged): Promise<Response> => {
      const outcome = classifyInboundRequest({
        httpMethod: "POST",
        body: parsedBody,
        ...(request.headers.has("mcp-protocol-version")
          ? { protocolVersionHeader: request.headers.get("mcp-protocol-version") ?? "" }
          : {})
      })
      if (outcome.kind === "legacy") return legacy(request, parsedBody, exchanged)
      const sent = { parsedBody, authInfo: { token: "", clientId: "", scopes: [], extra: { exchanged } } }
      const listens = isObject(parsedBody) && parsedBody["method"] === "subscriptions/listen"
      return listens ? listen(request, sent) : modern.fetch(request, sent)
    }

    const requestOf = (exchange: McpExchange): Request => {
      const headers = new Headers({ "content-type": "application/json" })
      for (const name of COPIED_HEADERS) {
        const value = exchange.header(name)
        if (value !== undefined) headers.set(name, value)
      }
      return new Request(endpoint, { method: "POST", headers })
    }

    /** An `initialize` of a client that brings its human to URLs is given an id that says so. */
    const sessionHeaders = (exchange: McpExchange, bearer: string, body: Json): Record<string, string> =>
      isObject(body) && body["method"] === "initialize" && takesUrls(paramsOf(body)["capabilities"])
        ? { "mcp-session-id": sessionIds.write(bearer, exchange.requestId) }
        : {}

    const streamed = (exchange: McpExchange, response: Response, headers: Record<string, string>) =>
      Effect.gen(function* () {
        const reader = (response.body as ReadableStream<Uint8Array>).getReader()
        const decoder = new TextDecoder()
        let isThere = true
        for (;;) {
          const { done, value } = yield* Effect.promise(() => reader.read())
          if (done) break
          // A call goes on to its end whether or not its client is still there.
          if (isThere) isThere = yield* exchange.write(headers, decoder.decode(value, { stream: true }))
        }
        return rpcReply(200, "")
      })

    const replyOf = (exchange: McpExchange, response: Response, told: Told, extra: Record<string, string>) =>
      Effect.gen(function* () {
        if (told.answer?.status === 401) return refusalReply(told.answer, resourceMetadataUrl)
        const headers = { ...(told.answer === null ? {} : answerHeaders(told.answer)), ...extra }
        const type = response.headers.get("content-type") ?? ""
        if (type.startsWith("text/event-stream")) {
          return yield* streamed(exchange, response, { "content-type": "text/event-stream", ...headers })
        }
        const allow = response.headers.get("allow")
        const body = yield* Effect.promise(() => response.text())
        return rpcReply(response.status, body, { ...headers, ...(allow === null ? {} : { allow }) })
      })

    /** The tool that a message calls: then the pipeline itself asks who calls. It does so for nothing else. */
    const calledTool = (body: Json): ToolVerb | undefined =>
      isObject(body) && body["method"] === "tools/call" && paramsOf(body)["requestState"] === undefined
        ? protocol.tool(paramsOf(body)["name"])
        : undefined

    /** What calls no tool needs a key too, and counts as a request of it: as the read of what it may do. */
    const admit = (exchange: McpExchange, bearer: string) =>
      calls.answer({
        requestId: exchange.requestId,
        bearer,
        verb: GetMe,
        input: {},
        reject: null,
        idempotencyKey: null,
        runId: null
      })

    const exchangedOf = (exchange: McpExchange, bearer: string, told: Told, isFirst: boolean): Exchanged => {
      let isOwnFree = isFirst
      return {
        bearer,
        takesUrls: sessionIds.takesUrls(
          bearer,
          exchange.header("mcp-session-id"),
          exchange.header("mcp-protocol-version")
        ),
        answered: told.answered,
        nextRequestId: () => {
          if (!isOwnFree) return ids.next(clock.unsafeCurrentTimeMillis())
          isOwnFree = false
          return exchange.requestId
        },
        run: (effect) => runPromise(effect)
      }
    }

    const answerPlainly = (exchange: McpExchange, bearer: string, call: PlainCall): Effect.Effect<McpReply> => {
      const { requestId } = exchange
      const called = callTool({ verb: call.verb, given: call.given, bearer, requestId, human: { _tag: "Nothing" } })
      return Effect.map(called, (outcome) => {
        if (outcome._tag !== "Answered") throw new Error(`${call.verb.name} asked for a human`)
        const { answer } = outcome
        return answer.status === 401
          ? refusalReply(answer, resourceMetadataUrl)
          : rpcReply(
              200,
              plainAnswer(call, protocol.resultOf(call.verb, outcome), protocol.serverInfo),
              answerHeaders(answer)
            )
      })
    }

    const answer = (exchange: McpExchange, bearer: string, body: Json): Effect.Effect<McpReply> => {
      const tool = calledTool(body)
      if (tool === undefined) return answerByLibrary(exchange, bearer, body, false)
      exchange.label = tool.name
      const plain = plainCall(exchange, body as JsonObject, tool)
      return plain === null ? answerByLibrary(exchange, bearer, body, true) : answerPlainly(exchange, bearer, plain)
    }

    const answerByLibrary = (
      exchange: McpExchange,
      bearer: string,
      body: Json,
      callsTool: boolean
    ): Effect.Effect<McpReply> =>
      Effect.gen(function* () {
        const told = new Told()
        if (!callsTool) {
          const admitted = yield* admit(exchange, bearer)
          if (admitted.status !== 200) return refusalReply(admitted, resourceMetadataUrl)
          told.answered({ answer: admitted })
        }
        const exchanged = exchangedOf(exchange, bearer, told, callsTool)
        const response = yield* Effect.promise(() => serve(requestOf(exchange), body, exchanged))
        return yield* replyOf(exchange, response, told, sessionHeaders(exchange, bearer, body))
      })

    const unread = (body: Exclude<McpBody, { _tag: "Complete" }>): McpReply =>
      body._tag === "TooLarge"
        ? rpcFailure(413, { code: TRANSPORT_ERROR, message: `The body is larger than ${bodyBytesMax} bytes.` })
        : rpcFailure(
            429,
            { code: TRANSPORT_ERROR, message: "Too much is being read already. Try again." },
            { "retry-after": "1" }
          )

    const unauthorized = (exchange: McpExchange): McpReply =>
      refusalReply(errorAnswer(exchange.requestId, refuse("unauthorized", {}), null), resourceMetadataUrl)

    /** What is refused before a byte of the body is read. */
    const refusalOfHead = (exchange: McpExchange, bearer: string | null): McpReply | null => {
      if (!isOriginAllowed(exchange.header("origin"))) {
        return rpcFailure(403, { code: TRANSPORT_ERROR, message: "This page may not speak to the service." })
      }
      if (bearer === null) return unauthorized(exchange)
      if (exchange.method !== "POST") {
        const message = "There are no sessions here: every message is a POST."
        return rpcFailure(405, { code: TRANSPORT_ERROR, message }, { allow: "POST" })
      }
      const encoding = exchange.header("content-encoding") ?? "identity"
      return isJsonContentType(exchange.header("content-type") ?? null) && encoding === "identity"
        ? null
        : rpcFailure(415, { code: TRANSPORT_ERROR, message: "Send the message as application/json, not compressed." })
    }

    const handle = (exchange: McpExchange): void => {
      exchange.label = "mcp"
      const bearer = bearerOf(exchange.header("authorization"))
      const refusal = refusalOfHead(exchange, bearer)
      if (refusal !== null || bearer === null) return exchange.run(Effect.succeed(refusal ?? unauthorized(exchange)))
      exchange.readBody(bodyBytesMax, (body) => {
        if (body._tag !== "Complete") return exchange.run(Effect.succeed(unread(body)))
        exchange.run(
          Either.match(readMessages(body.bytes), {
            onLeft: (failure) =>
              Effect.map(admit(exchange, bearer), (admitted) =>
                admitted.status === 200 ? failure : refusalReply(admitted, resourceMetadataUrl)
              ),
            onRight: (message) => answer(exchange, bearer, message)
          })
        )
      })
    }

    return { name: "mcp", owns: (path) => path === MCP_PATH, handle }
  })

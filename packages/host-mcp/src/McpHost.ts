import { ApprovalWatch } from "@outbound/domain/calls/approvals/ApprovalWatch.js"
import { answerHeaders, type CallResponse, Calls } from "@outbound/domain/calls/Calls.js"
import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import { traced } from "@outbound/domain/calls/tracing.js"
import { bearerOf } from "@outbound/domain/calls/keys/bearer.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { GetMe } from "@outbound/domain/verbs/Reads.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { INTERFACE_VERSION } from "@outbound/domain/verbs/version.js"
import { Clock, Effect, Option, Result, type Tracer } from "effect"
import {
  classifyInboundRequest,
  createMcpHandler,
  type McpHandlerRequestOptions,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"
import {
  isObject,
  makeHeadCheck,
  type McpExchange,
  type McpReply,
  type McpSurface,
  paramsOf,
  readMessages,
  refusalReply,
  respond,
  rpcReply,
  takesUrls,
  type Told,
  unauthorized,
  unread,
  wantsProgress
} from "./http/Messages.js"
import { acceptedBy, BOTH_FORMS } from "./http/Accept.js"
import { revisionOf, withoutNullMembers } from "./http/Envelope.js"
import { crossOriginOf } from "./http/Origins.js"
import { paramsFlaw } from "./http/Params.js"
import { isMcpPath, MCP_PATH } from "./http/Path.js"
import { type Exchanged, makeProtocol, type McpProtocol, type PlainCall, plainCall } from "./Protocol.js"
import { makeToolCalls, type ToolCalls, WAIT_MILLIS } from "./tools/ToolCalls.js"
import type { ToolVerb } from "./tools/Tools.js"

/** The first revision with URL elicitation, and the last with `initialize`. */
const URL_REVISION = "2025-11-25"

/**
 * Up to 2025-11-25 a client states its capabilities only in `initialize`. The service keeps no sessions, so the session id
 * itself records that the client can open URLs. It is signed and bound to the key.
 */
export const makeSessionIds = (crypto: Crypto["Service"]) => {
  const idOf = (bearer: string, name: string): string =>
    `url.${name}.${crypto.mac("mcp", ["session", crypto.sha256Hex(bearer), name].join("\n"))}`
  return {
    /** `name`: a unique name, such as the request id. */
    write: idOf,
    takesUrls: (bearer: string, id: string | undefined, revision: string | undefined): boolean => {
      const name = id?.split(".")[1]
      return name !== undefined && revision === URL_REVISION && id === idOf(bearer, name)
    }
  }
}

export type SessionIds = ReturnType<typeof makeSessionIds>

const COPIED_HEADERS = ["mcp-method", "mcp-name"] as const

const requestOf = (exchange: McpExchange, endpoint: string): Request => {
  const headers = new Headers({ "content-type": "application/json", accept: BOTH_FORMS })
  for (const name of COPIED_HEADERS) {
    const value = exchange.header(name)
    if (value !== undefined) headers.set(name, value)
  }
  const revision = revisionOf(exchange)
  if (revision !== undefined) headers.set("mcp-protocol-version", revision)
  return new Request(endpoint, { method: "POST", headers })
}

const eraOf = (request: Request, body: Json): "legacy" | "modern" => {
  const revision = request.headers.get("mcp-protocol-version")
  const outcome = classifyInboundRequest({
    httpMethod: "POST",
    body,
    ...(revision === null ? {} : { protocolVersionHeader: revision })
  })
  return outcome.kind === "legacy" ? "legacy" : "modern"
}

/** Lets the library answer a message, with a server for this one exchange. The body is already read and bounded. */
export const makeServing = (protocol: McpProtocol, endpoint: string) => {
  const makeHandler = () =>
    createMcpHandler(({ authInfo }) => protocol.server(authInfo?.extra?.["exchanged"] as Exchanged), {
      legacy: "reject"
    })
  const handler = makeHandler()

  /** Nothing here ever changes, so a subscription is acknowledged and ends. */
  const listen = async (request: Request, sent: McpHandlerRequestOptions): Promise<Response> => {
    const ofOne = makeHandler()
    const response = await ofOne.fetch(request, sent)
    await ofOne.close()
    return response
  }

  /** Revisions up to 2025-11-25. Answers are JSON if the client takes it, unless it wants progress and can be sent it. */
  const legacy = async (exchange: McpExchange, request: Request, body: Json, exchanged: Exchanged) => {
    const flaw = isObject(body) ? paramsFlaw(body) : null
    if (isObject(body) && flaw !== null) {
      const error = { code: ProtocolErrorCode.InvalidParams, message: flaw }
      return Response.json({ jsonrpc: "2.0", id: body["id"] ?? null, error })
    }
    const messages = (Array.isArray(body) ? body : [body]) as ReadonlyArray<JsonObject>
    const { json, stream } = acceptedBy(exchange.header("accept"))
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: json && !(stream && messages.some(wantsProgress))
    })
    await protocol.server(exchanged).connect(transport)
    return transport.handleRequest(request, { parsedBody: body })
  }

  return (exchange: McpExchange, body: Json, exchanged: Exchanged): Promise<Response> => {
    const request = requestOf(exchange, endpoint)
    if (eraOf(request, body) === "legacy") return legacy(exchange, request, body, exchanged)
    // The library passes these to the handlers unread.
    const sent = { parsedBody: body, authInfo: { token: "", clientId: "", scopes: [], extra: { exchanged } } }
    const listens = isObject(body) && body["method"] === "subscriptions/listen"
    return listens ? listen(request, sent) : handler.fetch(request, sent)
  }
}

/** Like REST: a campaign of 5,000 recipients fits, with its message. */
const BODY_BYTES_MAX = 4 * 1024 * 1024 + 64 * 1024

export interface McpHostOptions {
  readonly verbs?: ReadonlyArray<AnyVerb>
  /** The URL of the endpoint's protected-resource metadata (RFC 9728); null without OAuth. */
  readonly resourceMetadataUrl?: string | null
  readonly bodyBytesMax?: number
  /** How long one leg of a call waits for a human. */
  readonly waitMillis?: number
}

interface Parts {
  readonly calls: Calls["Service"]
  readonly callTool: ToolCalls
  readonly protocol: McpProtocol
  readonly sessionIds: SessionIds
  readonly resourceMetadataUrl: string | null
  readonly serve: ReturnType<typeof makeServing>
  readonly run: Exchanged["run"]
  readonly nextId: () => string
}

/** Keeps the pipeline's first answer, whose headers the exchange uses. */
class FirstTold implements Told {
  answer: CallResponse | null = null
  readonly take = (answer: CallResponse): void => {
    this.answer ??= answer
  }
}

/** Answers a body. */
const makeAnswering = (parts: Parts) => {
  const { callTool, calls, nextId, protocol, resourceMetadataUrl, run, serve, sessionIds } = parts

  const refused = (answer: CallResponse): McpReply => refusalReply(answer, resourceMetadataUrl, "invalid_token")

  /** Messages that call no tool need a key too, and count as a `get_me`. */
  const admit = ({ requestId }: McpExchange, bearer: string) =>
    calls.answer({
      requestId,
      bearer,
      takesTokens: true,
      verb: GetMe,
      input: {},
      reject: null,
      idempotencyKey: null,
      runId: null
    })

  /** The tool that a message calls. Only then does the pipeline itself check the key. */
  const calledTool = (body: Json): ToolVerb | undefined =>
    isObject(body) && body["method"] === "tools/call" && paramsOf(body)["requestState"] === undefined
      ? protocol.tool(paramsOf(body)["name"])
      : undefined

  const exchangedOf = (
    exchange: McpExchange,
    bearer: string,
    told: FirstTold,
    callsTool: boolean,
    span: Option.Option<Tracer.Span>
  ): Exchanged => {
    let isOwnIdFree = callsTool
    const [session, revision] = [exchange.header("mcp-session-id"), revisionOf(exchange)]
    return {
      bearer,
      takesUrls: sessionIds.takesUrls(bearer, session, revision),
      answered: told.take,
      nextRequestId: () => {
        if (!isOwnIdFree) return nextId()
        isOwnIdFree = false
        return exchange.requestId
      },
      // The library calls back outside the fiber of the exchange.
      run: (effect) => run(Option.isSome(span) ? Effect.withParentSpan(effect, span.value) : effect)
    }
  }

  /** Gives a client that can open URLs a session id that records it. */
  const sessionHeaders = (exchange: McpExchange, bearer: string, body: Json): Record<string, string> =>
    isObject(body) && body["method"] === "initialize" && takesUrls(paramsOf(body)["capabilities"])
      ? { "mcp-session-id": sessionIds.write(bearer, exchange.requestId) }
      : {}

  const byLibrary = (exchange: McpExchange, bearer: string, body: Json, callsTool: boolean): Effect.Effect<McpReply> =>
    Effect.gen(function* () {
      const told = new FirstTold()
      if (!callsTool) {
        const admitted = yield* admit(exchange, bearer)
        if (admitted.status !== 200) return refused(admitted)
        told.take(admitted)
      }
      const span = yield* Effect.option(Effect.currentSpan)
      const exchanged = exchangedOf(exchange, bearer, told, callsTool, span)
      const response = yield* Effect.promise(() => serve(exchange, body, exchanged))
      const headers = sessionHeaders(exchange, bearer, body)
      return yield* respond({ exchange, response, told, headers, unauthorized: refused })
    })

  const plainly = (exchange: McpExchange, bearer: string, call: PlainCall): Effect.Effect<McpReply> => {
    const { given, verb } = call
    const called = callTool({ verb, given, bearer, requestId: exchange.requestId, human: { _tag: "Nothing" } })
    return Effect.flatMap(called, (outcome) => {
      if (outcome._tag !== "Answered") return Effect.die(new Error(`${verb.name} asked for a human`))
      const { answer } = outcome
      if (answer.status === 401) return Effect.succeed(refused(answer))
      return Effect.succeed(rpcReply(200, protocol.plainAnswer(call, outcome), answerHeaders(answer)))
    })
  }

  return {
    /** Refuses an invalid message, after checking the key. */
    failure: (exchange: McpExchange, bearer: string, reply: McpReply): Effect.Effect<McpReply> =>
      Effect.map(admit(exchange, bearer), (admitted) => (admitted.status === 200 ? reply : refused(admitted))),
    message: (exchange: McpExchange, bearer: string, body: Json): Effect.Effect<McpReply> => {
      const tool = calledTool(body)
      exchange.label = tool?.name ?? exchange.label
      const plain = tool === undefined ? null : plainCall(exchange, body as JsonObject, tool)
      const { label, method, requestId } = exchange
      return traced(
        { label, method, requestId, traceparent: exchange.header("traceparent") },
        plain === null ? byLibrary(exchange, bearer, body, tool !== undefined) : plainly(exchange, bearer, plain)
      )
    }
  }
}

/** The tools at `/mcp`, as a surface of the HTTP server. It is stateless: any host can answer any request. */
export const surface = (
  options: McpHostOptions = {}
): Effect.Effect<McpSurface, never, ApprovalWatch | Calls | Crypto | Ids | Settings> =>
  Effect.gen(function* () {
    const calls = yield* Calls
    const crypto = yield* Crypto
    const ids = yield* Ids
    const watch = yield* ApprovalWatch
    const settings = yield* Settings
    const { baseUrl } = settings
    const clock = yield* Clock.Clock
    const runPromise = Effect.runPromiseWith(yield* Effect.context<never>())

    const resourceMetadataUrl = options.resourceMetadataUrl ?? null
    const bodyBytesMax = options.bodyBytesMax ?? BODY_BYTES_MAX
    const waitMillis = options.waitMillis ?? WAIT_MILLIS
    const callTool = makeToolCalls({ calls, crypto, ids, watch, settings, waitMillis })
    const protocol = makeProtocol({
      verbs: options.verbs ?? verbList,
      callTool,
      marker: crypto.randomToken,
      version: INTERFACE_VERSION
    })
    const refusalOfHead = makeHeadCheck(baseUrl, resourceMetadataUrl)
    const answering = makeAnswering({
      calls,
      callTool,
      protocol,
      resourceMetadataUrl,
      sessionIds: makeSessionIds(crypto),
      serve: makeServing(protocol, `${baseUrl}${MCP_PATH}`),
      run: (effect) => runPromise(effect),
      nextId: () => ids.next(clock.currentTimeMillisUnsafe())
    })

    const handle = (exchange: McpExchange): void => {
      exchange.label = "mcp"
      const bearer = bearerOf(exchange.header("authorization"))
      const refusal = refusalOfHead(exchange, bearer)
      if (refusal !== null || bearer === null) {
        return exchange.run(Effect.succeed(refusal ?? unauthorized(exchange, resourceMetadataUrl)))
      }
      exchange.readBody(bodyBytesMax, (body) => {
        if (body._tag !== "Complete") return exchange.run(Effect.succeed(unread(body, bodyBytesMax)))
        exchange.run(
          Result.match(readMessages(body.bytes), {
            onFailure: (reply) => answering.failure(exchange, bearer, reply),
            onSuccess: (message) => answering.message(exchange, bearer, withoutNullMembers(message))
          })
        )
      })
    }

    return { name: "mcp", owns: isMcpPath, crossOrigin: crossOriginOf(baseUrl), handle }
  })

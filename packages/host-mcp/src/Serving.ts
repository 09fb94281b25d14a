import {
  classifyInboundRequest,
  createMcpHandler,
  type McpHandlerRequestOptions,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"
import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { McpExchange } from "./http/McpExchange.js"
import { isObject, wantsProgress } from "./http/Messages.js"
import type { Exchanged, McpProtocol } from "./Protocol.js"

const COPIED_HEADERS = ["accept", "mcp-protocol-version", "mcp-method", "mcp-name"] as const

const requestOf = (exchange: McpExchange, endpoint: string): Request => {
  const headers = new Headers({ "content-type": "application/json" })
  for (const name of COPIED_HEADERS) {
    const value = exchange.header(name)
    if (value !== undefined) headers.set(name, value)
  }
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

  /** Revisions up to 2025-11-25. Answers are JSON, unless the client wants progress. */
  const legacy = async (request: Request, body: Json, exchanged: Exchanged): Promise<Response> => {
    const messages = (Array.isArray(body) ? body : [body]) as ReadonlyArray<JsonObject>
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: !messages.some(wantsProgress)
    })
    await protocol.server(exchanged).connect(transport)
    return transport.handleRequest(request, { parsedBody: body })
  }

  return (exchange: McpExchange, body: Json, exchanged: Exchanged): Promise<Response> => {
    const request = requestOf(exchange, endpoint)
    if (eraOf(request, body) === "legacy") return legacy(request, body, exchanged)
    // The library passes these to the handlers unread.
    const sent = { parsedBody: body, authInfo: { token: "", clientId: "", scopes: [], extra: { exchanged } } }
    const listens = isObject(body) && body["method"] === "subscriptions/listen"
    return listens ? listen(request, sent) : handler.fetch(request, sent)
  }
}

import { isJsonContentType } from "@modelcontextprotocol/server"
import { errorResponse } from "@outbound/domain/calls/envelope.js"
import { refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { isAtHome, isLoopbackHost } from "@outbound/domain/kernel/Settings.js"
import type { McpBody, McpExchange, McpReply } from "./McpExchange.js"
import { refusalReply, rpcFailure, TRANSPORT_ERROR } from "./Replies.js"

/**
 * Allows only the service's own pages, against DNS rebinding. Programs send no `Origin`. If the service runs on this
 * machine only, local pages are allowed too.
 */
const makeOriginCheck = (baseUrl: string): ((origin: string | undefined) => boolean) => {
  const own = new URL(baseUrl)
  const isLocal = isAtHome(baseUrl)
  return (origin) => {
    if (origin === undefined || origin === own.origin) return true
    return isLocal && URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname)
  }
}

export const unauthorized = (exchange: McpExchange, resourceMetadataUrl: string | null): McpReply =>
  refusalReply(errorResponse(exchange.requestId, refuse("unauthorized", {}), null), resourceMetadataUrl)

/** Refuses requests by their head, before the body is read; null if it is fine. */
export const makeHeadCheck = (baseUrl: string, resourceMetadataUrl: string | null) => {
  const isOriginAllowed = makeOriginCheck(baseUrl)
  return (exchange: McpExchange, bearer: string | null): McpReply | null => {
    if (!isOriginAllowed(exchange.header("origin"))) {
      return rpcFailure(403, { code: TRANSPORT_ERROR, message: "Requests from this origin are not allowed." })
    }
    if (bearer === null) return unauthorized(exchange, resourceMetadataUrl)
    if (exchange.method !== "POST") {
      const message = "Method not allowed. Send every message as a POST; this server has no sessions."
      return rpcFailure(405, { code: TRANSPORT_ERROR, message }, { allow: "POST" })
    }
    const encoding = exchange.header("content-encoding") ?? "identity"
    return isJsonContentType(exchange.header("content-type") ?? null) && encoding === "identity"
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

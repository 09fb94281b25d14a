import { isJsonContentType } from "@modelcontextprotocol/server"
import { errorResponse } from "@outbound/domain/calls/envelope.js"
import { refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { isAtHome, isLoopbackHost } from "@outbound/domain/kernel/Settings.js"
import type { McpBody, McpExchange, McpReply } from "./McpExchange.js"
import { refusalReply, rpcFailure, TRANSPORT_ERROR } from "./Replies.js"

/**
 * Which browser pages may speak to the endpoint: none but the service's own, so that no foreign page reaches it through
 * a name that it points at us (DNS rebinding). Programs send no `Origin`. Where the service itself is at home on this
 * machine, so are pages on it.
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

/** What is refused before a byte of the body is read; null: nothing. */
export const makeHeadCheck = (baseUrl: string, resourceMetadataUrl: string | null) => {
  const isOriginAllowed = makeOriginCheck(baseUrl)
  return (exchange: McpExchange, bearer: string | null): McpReply | null => {
    if (!isOriginAllowed(exchange.header("origin"))) {
      return rpcFailure(403, { code: TRANSPORT_ERROR, message: "This page may not speak to the service." })
    }
    if (bearer === null) return unauthorized(exchange, resourceMetadataUrl)
    if (exchange.method !== "POST") {
      const message = "There are no sessions here: every message is a POST."
      return rpcFailure(405, { code: TRANSPORT_ERROR, message }, { allow: "POST" })
    }
    const encoding = exchange.header("content-encoding") ?? "identity"
    return isJsonContentType(exchange.header("content-type") ?? null) && encoding === "identity"
      ? null
      : rpcFailure(415, { code: TRANSPORT_ERROR, message: "Send the message as application/json, not compressed." })
  }
}

/** A body that was not read to its end. */
export const unread = ({ _tag }: Exclude<McpBody, { _tag: "Complete" }>, bytesMax: number): McpReply =>
  _tag === "TooLarge"
    ? rpcFailure(413, { code: TRANSPORT_ERROR, message: `The body is larger than ${bytesMax} bytes.` })
    : rpcFailure(
        429,
        { code: TRANSPORT_ERROR, message: "Too much is being read already. Try again." },
        { "retry-after": "1" }
      )

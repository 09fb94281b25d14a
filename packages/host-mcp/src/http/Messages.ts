import { isDeeper } from "@outbound/domain/calls/jsonText.js"
import type { Json, JsonObject } from "@outbound/domain/calls/canonical.js"
import { Either } from "effect"
import type { McpReply } from "./McpExchange.js"
import { INVALID_REQUEST, PARSE_ERROR, rpcFailure } from "./Replies.js"

/** Deeper JSON is refused before anything walks it. A call's arguments stand three levels below the message. */
const DEPTH_MAX = 67

/** Revision 2025-03-26 lets a client send several messages at once. */
export const BATCH_MAX = 20

const utf8 = new TextDecoder("utf-8", { fatal: true })

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A body as what the protocol sends: a message, or several. */
export const readMessages = (bytes: Buffer): Either.Either<Json, McpReply> => {
  const refused = (code: number, message: string) => Either.left(rpcFailure(400, { code, message }))
  let parsed: Json
  try {
    const text = utf8.decode(bytes)
    if (isDeeper(text, DEPTH_MAX)) return refused(PARSE_ERROR, `The body nests deeper than ${DEPTH_MAX} levels.`)
    parsed = JSON.parse(text) as Json
  } catch {
    return refused(PARSE_ERROR, "The body is not valid JSON.")
  }
  if (!Array.isArray(parsed)) {
    return isObject(parsed) ? Either.right(parsed) : refused(INVALID_REQUEST, "The body is no JSON-RPC message.")
  }
  return parsed.length > 0 && parsed.length <= BATCH_MAX && parsed.every(isObject)
    ? Either.right(parsed)
    : refused(INVALID_REQUEST, `A batch holds 1 to ${BATCH_MAX} JSON-RPC messages.`)
}

export const paramsOf = (message: JsonObject): JsonObject => (isObject(message["params"]) ? message["params"] : {})

/** Whether a message asks to be told of its progress. */
export const wantsProgress = (message: JsonObject): boolean => {
  const meta = paramsOf(message)["_meta"]
  return isObject(meta) && meta["progressToken"] !== undefined
}

/** Whether a client says that it can bring its human to a URL (MCP 2025-11-25, elicitation). */
export const takesUrls = (capabilities: unknown): boolean => {
  const elicitation = isObject(capabilities) ? capabilities["elicitation"] : undefined
  return isObject(elicitation) && isObject(elicitation["url"])
}

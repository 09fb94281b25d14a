import { isDeeper } from "@outbound/domain/calls/jsonText.js"
import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Either } from "effect"
import type { McpReply } from "./McpExchange.js"
import { INVALID_REQUEST, PARSE_ERROR, rpcFailure } from "./Replies.js"

/** Deeper JSON is refused before anything walks it. A call's arguments stand three levels below the message. */
const DEPTH_MAX = 67

/** Revision 2025-03-26 lets a client send several messages at once. */
export const BATCH_MAX = 20

/** More than any object of a message needs; each member of it is looked at several times over. */
const MEMBERS_MAX = 1_000

const utf8 = new TextDecoder("utf-8", { fatal: true })

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether a message, its parameters or a call's arguments have more members than anybody needs. */
const isOversized = (message: JsonObject): boolean => {
  const { params } = message
  const given = isObject(params) ? params["arguments"] : undefined
  return [message, params, given].some((part) => isObject(part) && Object.keys(part).length > MEMBERS_MAX)
}

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
  const messages = Array.isArray(parsed) ? parsed : [parsed]
  if (messages.length === 0 || messages.length > BATCH_MAX || !messages.every(isObject)) {
    const isBatch = Array.isArray(parsed)
    return refused(
      INVALID_REQUEST,
      isBatch ? `A batch holds 1 to ${BATCH_MAX} JSON-RPC messages.` : "The body is no JSON-RPC message."
    )
  }
  return messages.some(isOversized)
    ? refused(INVALID_REQUEST, `An object of a message holds at most ${MEMBERS_MAX} members.`)
    : Either.right(parsed)
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

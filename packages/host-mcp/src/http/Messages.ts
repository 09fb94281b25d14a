import { isDeeper } from "@outbound/domain/calls/jsonText.js"
import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Either } from "effect"
import { INVALID_REQUEST, type McpReply, PARSE_ERROR, rpcFailure } from "./respond.js"

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
export const readMessages = (bytes: Buffer): Either.Either<Json, McpReply> => {
  const refused = (code: number, message: string) => Either.left(rpcFailure(400, { code, message }))
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
    : Either.right(parsed)
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

import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import { isObject, type McpExchange } from "./Messages.js"

/** What a tool is given: there null may mean something (see `withoutNulls`). */
const GIVEN: ReadonlySet<string> = new Set(["arguments", "inputResponses"])

const settled = (value: Json): Json => {
  if (Array.isArray(value)) return value.map((item) => settled(item as Json))
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
  return Object.fromEntries(
    members.map(([name, member = null]) => [name, GIVEN.has(name) ? member : settled(member)] as const)
  )
}

const withoutNullParams = (message: JsonObject): JsonObject => {
  const { params, ...others } = message
  if (params === undefined) return message
  return params === null ? others : { ...others, params: settled(params) }
}

/**
 * A message, or a batch of them, without members of its parameters that are null: libraries of other languages write out what is not set, and the
 * protocol knows no null there.
 */
export const withoutNullMembers = (body: Json): Json =>
  Array.isArray(body)
    ? body.map((message) => withoutNullParams(message as JsonObject))
    : withoutNullParams(body as JsonObject)

/** The revision that a request names. A proxy may have sent it twice; an empty one is none. */
export const revisionOf = (exchange: Pick<McpExchange, "header">): string | undefined => {
  const header = exchange.header("mcp-protocol-version")
  const named = new Set((header ?? "").split(",").map((one) => one.trim()))
  named.delete("")
  if (named.size === 0) return undefined
  return named.size === 1 ? [...named][0] : header
}

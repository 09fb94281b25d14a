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

/** A notification has no id, so null is none; a request's id of null is a mistake. */
const isUnset = (name: string, method: string): boolean => name !== "id" || method.startsWith("notifications/")

/** An answer is left as it is: there null is a result. */
const settledMessage = (message: JsonObject): JsonObject => {
  const { method } = message
  if (typeof method !== "string") return message
  const members = Object.entries(message).filter(([name, member]) => member !== null || !isUnset(name, method))
  return Object.fromEntries(
    members.map(([name, member = null]) => [name, name === "params" ? settled(member) : member] as const)
  )
}

/**
 * A message, or a batch of them, without members that are null, those of its parameters too: libraries of other languages
 * write out what is not set, and the protocol knows no null there.
 */
export const withoutNullMembers = (body: Json): Json =>
  Array.isArray(body)
    ? body.map((message) => settledMessage(message as JsonObject))
    : settledMessage(body as JsonObject)

/** The revision that a request names. A proxy may have sent it twice; an empty one is none. */
export const revisionOf = (exchange: Pick<McpExchange, "header">): string | undefined => {
  const header = exchange.header("mcp-protocol-version")
  const named = new Set((header ?? "").split(",").map((one) => one.trim()))
  named.delete("")
  if (named.size === 0) return undefined
  return named.size === 1 ? [...named][0] : header
}

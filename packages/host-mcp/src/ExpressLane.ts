import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS
} from "@modelcontextprotocol/server"
import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { McpExchange } from "./http/McpExchange.js"
import { isObject, paramsOf } from "./http/Messages.js"
import type { ToolResult } from "./Protocol.js"
import type { ToolVerb } from "./tools/Tools.js"

/*
 * A fast path. Most requests are one call of one tool without progress or approval. They need none of the library's
 * streams, legs, batches or negotiation, which cost more than the call itself. The answer is the same. Anything else,
 * errors included, goes to the library.
 */

const NEWER_REVISION = "2026-07-28"
const OLDER_REVISIONS = new Set(SUPPORTED_PROTOCOL_VERSIONS)

type Era = "older" | "newer"

/** A call that the fast path can answer. */
export interface PlainCall {
  readonly id: string | number
  readonly era: Era
  readonly verb: ToolVerb
  readonly given: JsonObject
}

const hasOnly = (value: JsonObject, names: ReadonlyArray<string>): boolean =>
  Object.keys(value).every((name) => names.includes(name))

const MESSAGE_MEMBERS = ["jsonrpc", "id", "method", "params"]
const PARAMS_MEMBERS = ["name", "arguments", "_meta"]
const META_MEMBERS = [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY]

const isInfo = (value: Json | undefined): boolean =>
  isObject(value) &&
  hasOnly(value, ["name", "version"]) &&
  typeof value["name"] === "string" &&
  typeof value["version"] === "string"

/** The protocol revision of a request, if its headers and body agree. */
const eraOf = (exchange: McpExchange, name: string, meta: Json | undefined): Era | null => {
  const accept = exchange.header("accept") ?? ""
  if (!accept.includes("application/json") || !accept.includes("text/event-stream")) return null
  const revision = exchange.header("mcp-protocol-version")
  if (meta === undefined) {
    return revision !== undefined && OLDER_REVISIONS.has(revision) && revision < NEWER_REVISION ? "older" : null
  }
  const agrees =
    isObject(meta) &&
    hasOnly(meta, META_MEMBERS) &&
    revision === NEWER_REVISION &&
    meta[PROTOCOL_VERSION_META_KEY] === NEWER_REVISION &&
    isObject(meta[CLIENT_CAPABILITIES_META_KEY]) &&
    isInfo(meta[CLIENT_INFO_META_KEY]) &&
    exchange.header("mcp-method") === "tools/call" &&
    exchange.header("mcp-name") === name
  return agrees ? "newer" : null
}

/** The message as a plain call, or null if the library must handle it. */
export const plainCall = (exchange: McpExchange, message: JsonObject, verb: ToolVerb): PlainCall | null => {
  const { id, jsonrpc } = message
  const params = paramsOf(message)
  const given = params["arguments"] ?? {}
  const isPlain =
    jsonrpc === "2.0" &&
    (typeof id === "string" || Number.isSafeInteger(id)) &&
    hasOnly(message, MESSAGE_MEMBERS) &&
    hasOnly(params, PARAMS_MEMBERS) &&
    isObject(given) &&
    verb.approval === "none"
  const era = isPlain ? eraOf(exchange, verb.name, params["_meta"]) : null
  return era === null ? null : { id: id as string | number, era, verb, given: given as JsonObject }
}

/**
 * The result as a message, as the library would write it. The envelope's text becomes the structured content as it is: it
 * was written once already.
 */
export const plainAnswer = (
  { era, id }: PlainCall,
  { content, isError }: Pick<ToolResult, "content" | "isError">,
  envelope: string,
  serverInfo: Readonly<Record<string, string>>
): string => {
  const error = isError === true ? ',"isError":true' : ""
  const newer =
    era === "newer" ? `,"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: serverInfo })}` : ""
  const result = `{"content":${JSON.stringify(content)},"structuredContent":${envelope}${error}${newer}}`
  return `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`
}

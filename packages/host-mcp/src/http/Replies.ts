import { answerHeaders } from "@outbound/domain/calls/headers.js"
import type { CallResponse } from "@outbound/domain/calls/Calls.js"
import type { McpReply } from "./McpExchange.js"

/** JSON-RPC 2.0 §5.1. */
export const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
/** For refusals of the transport: the first code reserved for servers. */
export const TRANSPORT_ERROR = -32_000

const JSON_HEADERS = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
} as const

/** An HTTP reply with a message. */
export const rpcReply = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): McpReply => ({
  status,
  headers: { ...JSON_HEADERS, ...headers },
  body
})

/** An error reply without a request id, which is not known yet. */
export const rpcFailure = (
  status: number,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
  headers: Readonly<Record<string, string>> = {}
): McpReply => rpcReply(status, JSON.stringify({ jsonrpc: "2.0", id: null, error }), headers)

/** The `www-authenticate` header (RFC 6750 §3; RFC 9728 §5.1 with metadata). */
export const challenge = (resourceMetadataUrl: string | null, error?: "invalid_token"): string =>
  resourceMetadataUrl === null
    ? "Bearer"
    : `Bearer ${error === undefined ? "" : `error="${error}", `}resource_metadata="${resourceMetadataUrl}"`

/** A refusal of the pipeline outside a tool's result. The envelope's error is in `data`. */
export const refusalReply = (
  answer: CallResponse,
  resourceMetadataUrl: string | null,
  error401?: "invalid_token"
): McpReply => {
  const { error } = JSON.parse(answer.body) as { readonly error: { readonly message: string } }
  return rpcFailure(
    answer.status,
    { code: TRANSPORT_ERROR, message: error.message, data: { error } },
    {
      ...answerHeaders(answer),
      ...(answer.retryAfterSeconds === null ? {} : { "retry-after": String(answer.retryAfterSeconds) }),
      ...(answer.status === 401 ? { "www-authenticate": challenge(resourceMetadataUrl, error401) } : {})
    }
  )
}

import { encodeError, refuse, type AnyWireError, statusOf } from "@outbound/domain/errors/Wire.js"

/** What is sent back. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

export const JSON_TYPE = "application/json"

export const json = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { "content-type": JSON_TYPE, "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers },
  body
})

/** The error envelope, for what no call stands behind. */
export const failure = (
  error: AnyWireError,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
  status: number = statusOf(error)
): Reply => json(status, JSON.stringify({ error: { ...encodeError(error), request_id: requestId } }), headers)

export const internalError = (requestId: string): Reply => failure(refuse("internal", {}), requestId)

import { encodeError, refuse, type AnyWireError, statusOf } from "@outbound/domain/kernel/errors/Wire.js"

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

export const JSON_TYPE = "application/json"
export const EVENT_STREAM = "text/event-stream; charset=utf-8"

const KEPT_BY_NOBODY = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const

/** The headers of a stream. Proxies must not buffer it. */
export const PIECEWISE = { ...KEPT_BY_NOBODY, "x-accel-buffering": "no" } as const

export const json = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { "content-type": JSON_TYPE, ...KEPT_BY_NOBODY, ...headers },
  body
})

/** The error envelope for a request that is not a call. */
export const failure = (
  error: AnyWireError,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
  status: number = statusOf(error)
): Reply => json(status, JSON.stringify({ error: { ...encodeError(error), request_id: requestId } }), headers)

export const internalError = (requestId: string): Reply => failure(refuse("internal", {}), requestId)

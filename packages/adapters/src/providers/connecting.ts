import { buildConnector } from "undici"
import { CONNECTING, type Door, lookupThrough } from "../site/door.js"
import { NotAllowed, portOf } from "../site/Gate.js"

const CONNECT_MILLIS_MAX = 5_000

/** Our own code of a host that we may not connect to. */
export const NO_PUBLIC_ADDRESS = "no public address"

/** The error code of a network error, or an empty text. */
export const codeOf = (cause: unknown): string => {
  if (typeof cause !== "object" || cause === null) return ""
  if (cause instanceof AggregateError) return codeOf(cause.errors[0])
  if (cause instanceof NotAllowed) return cause.reason === "unresolved" ? "no address" : NO_PUBLIC_ADDRESS
  return "code" in cause && typeof cause.code === "string" ? cause.code : ""
}

/** The connection failed, so nothing was sent. Error codes can't tell: an open connection can break with the same. */
class NotConnected extends Error {
  readonly code: string

  constructor(cause: unknown) {
    super("no connection")
    this.code = codeOf(cause)
  }
}

/** Connects like the client's default, and marks errors that occur before the connection is up. */
export const connector = (): buildConnector.connector => {
  // Over HTTP/2 a server may return requests unprocessed, and the client would resend them.
  const connect = buildConnector({ timeout: CONNECT_MILLIS_MAX, allowH2: false })
  return (options, callback) =>
    connect(options, (...[error, socket]) =>
      error === null ? callback(null, socket) : callback(new NotConnected(error), null)
    )
}

/** The same to hosts that people name: only to addresses that were just checked. Null: we must not request it. */
export const guardedConnector =
  (doorOf: (url: URL) => Door | null): buildConnector.connector =>
  (options, callback) => {
    const host = options.hostname.includes(":") ? `[${options.hostname.replaceAll(/[[\]]/g, "")}]` : options.hostname
    const url = new URL(`${options.protocol}//${host}${options.port === "" ? "" : `:${options.port}`}`)
    const door = doorOf(url)
    if (door === null) {
      const cause = new NotAllowed({ reason: "unsafe", cause: NO_PUBLIC_ADDRESS })
      return callback(new NotConnected(cause), null)
    }
    const lookup = lookupThrough(door, portOf(url))
    const connect = buildConnector({ timeout: CONNECT_MILLIS_MAX, allowH2: false, lookup, ...CONNECTING })
    return connect(options, (...[error, socket]) =>
      error === null ? callback(null, socket) : callback(new NotConnected(error), null)
    )
  }

/** Or the client rejected the request before it wrote a byte. */
export const isNeverSent = (cause: unknown): boolean =>
  cause instanceof NotConnected || codeOf(cause) === "UND_ERR_INVALID_ARG"

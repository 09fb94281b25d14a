import { buildConnector } from "undici"

const CONNECT_MILLIS_MAX = 5_000

/** The code of an error of the network; empty where it has none. */
export const codeOf = (cause: unknown): string => {
  if (typeof cause !== "object" || cause === null) return ""
  if (cause instanceof AggregateError) return codeOf(cause.errors[0])
  return "code" in cause && typeof cause.code === "string" ? cause.code : ""
}

/**
 * No connection came about, so that nothing was sent. A code alone does not say that: a connection that stands can break
 * with the very ones that it can fail to be made with.
 */
class NotConnected extends Error {
  readonly code: string

  constructor(cause: unknown) {
    super("no connection")
    this.code = codeOf(cause)
  }
}

/** Connects as the client does by itself, and marks what goes wrong until the connection stands. */
export const connector = (): buildConnector.connector => {
  // Over HTTP/2 a server may hand requests back, and the client would send them again by itself.
  const connect = buildConnector({ timeout: CONNECT_MILLIS_MAX, allowH2: false })
  return (options, callback) =>
    connect(options, (...[error, socket]) =>
      error === null ? callback(null, socket) : callback(new NotConnected(error), null)
    )
}

/** Or what is wrong with the request was said before anything of it was written. */
export const isNeverSent = (cause: unknown): boolean =>
  cause instanceof NotConnected || codeOf(cause) === "UND_ERR_INVALID_ARG"

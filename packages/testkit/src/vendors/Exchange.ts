// A scripted exchange between an adapter and its vendor: the request as received, and the vendor's reaction.

/** JSON as a client sent it, which tests take member by member. */
// oxlint-disable-next-line typescript/no-explicit-any -- what a client sends is of no type that a server could rely on
export type SentJson = any

/** A request received by the vendor. */
export interface Received {
  readonly method: string
  /** With the base path, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The parsed body; undefined if it isn't JSON. */
  readonly body: SentJson
  /** Bytes on the wire, head included. */
  readonly bytes: number
  /** The connection's number, from 1. */
  readonly connection: number
}

/** Selects requests. Absent members match anything. */
export interface Match {
  readonly method: string
  readonly path: string | RegExp
  /** Query values that must match; null: must be absent. */
  readonly query?: Readonly<Record<string, string | null>>
  /** Body members that must match, as JSON. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly when?: (request: Received) => boolean
}

/** How an answer goes wrong. */
export type Fault =
  /** Reads the request and closes the connection. */
  | { readonly kind: "closed" }
  /** Sends this many bytes, head included, and resets the connection. */
  | { readonly kind: "cut"; readonly bytes: number }
  /** Sends this many bytes, then nothing. */
  | { readonly kind: "stalled"; readonly bytes: number }
  /** Sends bytes that aren't HTTP. */
  | { readonly kind: "garbage" }
  /** Sends each byte in its own packet. */
  | { readonly kind: "slow" }
  /** Sends an endless body until the client leaves. */
  | { readonly kind: "endless" }

/** The vendor's answer: JSON, or text. */
export interface Answer {
  /** Default: 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
  readonly fault?: Fault
}

/** A request and its answers: each is given once, the last one repeats. */
export interface Exchange {
  readonly request: Match
  readonly answer: Answer | readonly [Answer, ...ReadonlyArray<Answer>]
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export const matches = (match: Match, request: Received): boolean =>
  match.method === request.method &&
  (typeof match.path === "string" ? match.path === request.path : match.path.test(request.path)) &&
  Object.entries(match.query ?? {}).every(([name, value]) => request.query.get(name) === value) &&
  Object.entries(match.body ?? {}).every(([name, value]) => isSame(request.body?.[name], value)) &&
  (match.when?.(request) ?? true)

const bodyOf = ({ json, text }: Answer): string => text ?? (json === undefined ? "" : JSON.stringify(json))

export const headOf = (answer: Answer, bodyBytes: number | null): string => {
  const { headers = {}, status = 200, text } = answer
  const all: Record<string, string> = {
    "content-type": text === undefined ? "application/json" : "text/plain; charset=utf-8",
    ...(bodyBytes === null ? { connection: "close" } : { "content-length": String(bodyBytes) }),
    ...headers
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} As Scripted\r\n${lines.join("")}\r\n`
}

export const bytesOf = (answer: Answer): Buffer => {
  const body = Buffer.from(bodyOf(answer))
  return Buffer.concat([Buffer.from(headOf(answer, body.length)), body])
}

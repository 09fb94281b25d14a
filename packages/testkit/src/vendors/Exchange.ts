/*
 * What stands between an adapter and its vendor, as tests write it down: a request as the vendor gets it, and what the
 * vendor does with it.
 */

/** JSON as a client sent it, which tests take member by member. */
// oxlint-disable-next-line typescript/no-explicit-any -- what a client sends is of no type that a server could rely on
export type SentJson = any

/** A request that reached the vendor. */
export interface Received {
  readonly method: string
  /** With the base's, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Its JSON; undefined where it is none. */
  readonly body: SentJson
  /** How many bytes it was on the wire, its head included. */
  readonly bytes: number
  /** Which connection it came over, counted from 1. */
  readonly connection: number
}

/** Which requests are meant. What is left out may be anything. */
export interface Match {
  readonly method: string
  readonly path: string | RegExp
  /** Every one of these is in the query so; null: it is not there. */
  readonly query?: Readonly<Record<string, string | null>>
  /** Every one of these members is in the body so, as JSON. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly when?: (request: Received) => boolean
}

/** How an answer goes wrong on its way. */
export type Fault =
  /** The request is read, and the connection closed. */
  | { readonly kind: "closed" }
  /** So many bytes of the answer, head included, and the connection is reset. */
  | { readonly kind: "cut"; readonly bytes: number }
  /** So many bytes of the answer, and then silence. */
  | { readonly kind: "stalled"; readonly bytes: number }
  /** Bytes that are no HTTP. */
  | { readonly kind: "garbage" }
  /** One byte after the other, each in a packet of its own. */
  | { readonly kind: "slow" }
  /** A body without an end, until the client leaves. */
  | { readonly kind: "endless" }

/** What the vendor answers. JSON, unless it is a text. */
export interface Answer {
  /** 200 unless said. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
  readonly fault?: Fault
}

/** A request, and what becomes of it: of several answers each is given once, and the last one stays. */
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

/** Status and headers, up to the body. */
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

/** An answer as it goes over the wire. */
export const bytesOf = (answer: Answer): Buffer => {
  const body = Buffer.from(bodyOf(answer))
  return Buffer.concat([Buffer.from(headOf(answer, body.length)), body])
}

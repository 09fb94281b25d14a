import { type ZoneFailureReason, ZoneFailure } from "@outbound/domain/outreach/domains/DnsZones.js"
import { Effect } from "effect"
import { request } from "undici"
import { codeOf } from "../platform/errors.js"
import { retryAfterSeconds } from "../platform/retryAfter.js"
import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"

/** The names whose zone may hold the domain, nearest first: itself, up to its organisation. */
export const candidatesOf = (domain: string): ReadonlyArray<string> => {
  const organisation = registrableDomain(domain) ?? domain
  const labels = domain.split(".")
  const names = labels.map((_, at) => labels.slice(at).join("."))
  return names.slice(0, names.indexOf(organisation) + 1)
}

/** From the connection to the end of an answer. */
export const ANSWER_MILLIS_MAX = 20_000
const ANSWER_BYTES_MAX = 4 * 1024 * 1024
const SAYS_CHARS_MAX = 300

export const failure = (reason: ZoneFailureReason, says: string, retryAfter: number | null = null): ZoneFailure =>
  new ZoneFailure({ reason, says: says.replaceAll(/\s+/g, " ").slice(0, SAYS_CHARS_MAX), retryAfterMillis: retryAfter })

export interface Answer {
  readonly status: number
  readonly text: string
  readonly retryAfterMillis: number | null
}

export interface Ask {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Errors of a request that never reached the host. */
const NEVER_ARRIVED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT"
])

const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const pieces: Array<Uint8Array> = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > ANSWER_BYTES_MAX) throw new Error("the answer is too large")
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString("utf8")
}

/** One request. What only reads never has an unknown outcome; a server's own error leaves that of a change open. */
export const send = (ask: Ask, nowMillis: number): Effect.Effect<Answer, ZoneFailure> => {
  const lost: ZoneFailureReason = ask.method === "GET" ? "unavailable" : "unknown"
  return Effect.tryPromise({
    try: async (signal): Promise<Answer> => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MILLIS_MAX)])
      const { body, headers, statusCode } = await request(ask.url, {
        method: ask.method,
        headers: { ...ask.headers, "user-agent": "outbound/1" },
        signal: limit,
        ...(ask.body === undefined ? {} : { body: ask.body })
      })
      const given = headers["retry-after"]
      const seconds = retryAfterSeconds(typeof given === "string" ? given : null, nowMillis)
      return {
        status: statusCode,
        text: await textOf(body),
        retryAfterMillis: seconds === null ? null : seconds * 1_000
      }
    },
    catch: (error) => failure(NEVER_ARRIVED.has(codeOf(error)) ? "unavailable" : lost, "the DNS host did not answer")
  }).pipe(
    Effect.filterOrFail(
      ({ status }) => status < 500,
      ({ retryAfterMillis: after, status }) => failure(lost, `the DNS host had an error (${status})`, after)
    )
  )
}

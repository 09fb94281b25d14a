import { errorIn, reasonOf, reasonOfStatus, type UpstreamError } from "@outbound/domain/data/chat/UpstreamError.js"
import type { Json } from "@outbound/domain/kernel/canonical.js"
import type { ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import { retryAfterSeconds as secondsIn } from "../platform/retryAfter.js"

export type Headers = Readonly<Record<string, string | Array<string> | undefined>>

/** "6m0s", "1.5s", "120ms" in seconds; null where it is none of that. */
const durationOf = (text: string): number | null => {
  const [, hours = "0", minutes = "0", seconds = "0", millis = "0"] =
    /^(?=\d)(?:(\d{1,6})h)?(?:(\d{1,6})m(?!s))?(?:(\d{1,6}(?:\.\d+)?)s)?(?:(\d{1,9}(?:\.\d+)?)ms)?$/.exec(text) ?? []
  const all = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(millis) / 1000
  return all > 0 ? all : null
}

/** The reset time of the exhausted window, of its two: requests and tokens. */
const resetOf = (headers: Headers): number | null => {
  const windows = ["requests", "tokens"].flatMap((unit) => {
    const reset = headers[`x-ratelimit-reset-${unit}`]
    const seconds = typeof reset === "string" ? durationOf(reset) : null
    return seconds === null ? [] : [{ seconds, isUsedUp: headers[`x-ratelimit-remaining-${unit}`] === "0" }]
  })
  const usedUp = windows.filter(({ isUsedUp }) => isUsedUp)
  const waits = (usedUp.length > 0 ? usedUp : windows).map(({ seconds }) => seconds)
  return waits.length === 0 ? null : Math.max(...waits)
}

/** How long to leave it alone. A date in `Retry-After` is ignored: the upstream's clock isn't ours. */
const retryAfterOf = (headers: Headers, reason: ProviderFailureReason, error: UpstreamError): number | null => {
  const after = headers["retry-after"]
  const said = typeof after === "string" ? secondsIn(after) : null
  return said ?? (reason === "rate_limited" ? (resetOf(headers) ?? error.retryAfterSeconds) : null)
}

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** What a refusal means. */
export interface Refusal {
  readonly reason: ProviderFailureReason
  /** Its words, fit to be shown; only where the request itself is refused. */
  readonly said?: string
  readonly retryAfterSeconds?: number
}

/** A shorter one is a placeholder, as servers without credentials get it, and may be part of any word. */
const SECRET_CHARS_MIN = 8

const without = (said: string, secret: string): string =>
  secret.length < SECRET_CHARS_MIN ? said : said.replaceAll(secret, "[credential]")

/** `secret`: our credential, which some upstreams repeat. */
const refusalOf = (
  reason: ProviderFailureReason,
  said: string | null,
  seconds: number | null,
  secret: string
): Refusal => ({
  reason,
  ...(reason === "invalid" && said !== null ? { said: without(said, secret) } : {}),
  ...(seconds === null ? {} : { retryAfterSeconds: seconds })
})

/** Reads a refusal by its status, and by what its body says without a doubt. */
export const readRefusal = (status: number, headers: Headers, text: string, secret: string): Refusal => {
  const error = errorIn(parsed(text))
  const byStatus = reasonOfStatus(status)
  const reason = byStatus === "transient" ? byStatus : (error.certain ?? byStatus)
  return refusalOf(reason, error.said, retryAfterOf(headers, reason, error), secret)
}

/** Reads an answer in one piece where a stream was asked for: an error, or a completion that we can't use. */
export const readUnstreamed = (headers: Headers, text: string, secret: string): Refusal => {
  const answer = parsed(text)
  const isAnswer = typeof answer === "object" && answer !== null && "choices" in answer && Array.isArray(answer.choices)
  const error = errorIn(isAnswer ? null : answer)
  const reason = isAnswer ? "transient" : reasonOf(error)
  return refusalOf(reason, error.said, retryAfterOf(headers, reason, error), secret)
}

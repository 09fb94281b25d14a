const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Delays between attempts. With the first, 12 attempts over about three days. */
export const RETRY_MILLIS: ReadonlyArray<number> = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  1 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR
]

/** How long an endpoint rests after so many consecutive failures. The last value applies to all further ones. */
export const REST_MILLIS: ReadonlyArray<number> = [0, 0, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE]

/** Longest `Retry-After` that we honour. */
export const RETRY_AFTER_MILLIS_MAX = HOUR

/** What follows a failed attempt. */
export interface Retry {
  /** Time until the next attempt; null: that was the last. */
  readonly retryInMillis: number | null
  /** How long the endpoint gets no messages at all. */
  readonly restMillis: number
}

/** `attempts` and `failures` include the one that has just failed. */
export const retryOf = (attempts: number, failures: number, retryAfterMillis: number | null): Retry => {
  const asked = Math.min(Math.max(retryAfterMillis ?? 0, 0), RETRY_AFTER_MILLIS_MAX)
  const wait = RETRY_MILLIS[attempts - 1]
  const rest = REST_MILLIS[Math.min(failures, REST_MILLIS.length) - 1] ?? 0
  return {
    retryInMillis: wait === undefined ? null : Math.max(wait, asked),
    restMillis: Math.max(rest, asked)
  }
}

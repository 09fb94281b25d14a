const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long after each failed attempt an event is sent again. With the first, 12 attempts over some three days. */
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

/** For how long an endpoint rests after so many failures in a row; the last holds for all further ones. */
export const REST_MILLIS: ReadonlyArray<number> = [0, 0, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE]

/** From so many failures in a row, the first success makes all that waited due at once. */
export const OUTAGE_FAILURES = 3

/** A receiver may ask for a rest, of no more than this. */
export const RETRY_AFTER_MILLIS_MAX = HOUR

/** What follows a failed attempt. */
export interface Retry {
  /** After how long the event is sent again; null: that was the last attempt. */
  readonly retryInMillis: number | null
  /** For how long nothing at all is sent to the endpoint. */
  readonly restMillis: number
}

/** `attempts`, `failures`: of the event and of the endpoint in a row, with the one that has just failed. */
export const retryOf = (attempts: number, failures: number, retryAfterMillis: number | null): Retry => {
  const asked = Math.min(Math.max(retryAfterMillis ?? 0, 0), RETRY_AFTER_MILLIS_MAX)
  const wait = RETRY_MILLIS[attempts - 1]
  const rest = REST_MILLIS[Math.min(failures, REST_MILLIS.length) - 1] ?? 0
  return {
    retryInMillis: wait === undefined ? null : Math.max(wait, asked),
    restMillis: Math.max(rest, asked)
  }
}

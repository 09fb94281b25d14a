export const RATE_WINDOW_SECONDS = 60

/**
 * A key's requests in each of the last seconds. The window slides by whole seconds: a second counts until 60 more have
 * begun. So the advised wait is at most 60 seconds, and always enough.
 */
export interface RateWindow {
  /** The second (since the epoch) of the last count. */
  readonly second: number
  /** Counts of the seconds up to and including `second`, oldest first; at most `RATE_WINDOW_SECONDS`. */
  readonly counts: ReadonlyArray<number>
}

export const emptyWindow: RateWindow = { second: 0, counts: [] }

/** The rate in a response: the limit, what remains, and the seconds until some of it returns. */
export interface RateStatus {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

/**
 * The window at this time. A clock that is behind by no more than the window counts as stopped: two hosts may differ a
 * little. One that was set back further begins a new window, because nobody may wait until it catches up.
 */
const advance = (found: RateWindow, nowMillis: number): RateWindow => {
  const now = Math.floor(nowMillis / 1000)
  const window = found.second - now > RATE_WINDOW_SECONDS ? { second: now, counts: [] } : found
  const second = Math.max(window.second, now)
  const passed = second - window.second
  const slots = RATE_WINDOW_SECONDS
  if (passed === 0 && window.counts.length > 0 && window.counts.length <= slots) return window
  if (passed >= slots || window.counts.length === 0) return { second, counts: [0] }
  const counts = [...window.counts, ...new Array<number>(passed).fill(0)]
  return { second, counts: counts.slice(Math.max(0, counts.length - slots)) }
}

export const rateStatus = (window: RateWindow, limit: number, nowMillis: number): RateStatus => {
  const current = advance(window, nowMillis)
  let used = 0
  let oldest = -1
  for (let index = 0; index < current.counts.length; index++) {
    const counted = current.counts[index] ?? 0
    if (counted > 0 && oldest < 0) oldest = index
    used += counted
  }
  const age = oldest < 0 ? 0 : current.counts.length - 1 - oldest
  return {
    limit,
    remaining: Math.max(0, limit - used),
    resetSeconds: RATE_WINDOW_SECONDS - age
  }
}

/** Adds one request to the window. */
export const count = (window: RateWindow, nowMillis: number): RateWindow => {
  const current = advance(window, nowMillis)
  const counts = current.counts.slice()
  counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1
  return { second: current.second, counts }
}

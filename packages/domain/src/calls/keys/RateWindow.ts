/** The length of the window in which a key's requests are counted. */
export const RATE_WINDOW_SECONDS = 60

/**
 * How many requests a key made in each of the last seconds. It slides by whole seconds: a second counts until 60 have
 * begun after it, so that what a caller is told to wait is never more than 60, and is enough.
 */
export interface RateWindow {
  /** The second (since the epoch) that the last count belongs to. */
  readonly second: number
  /** Counts of the seconds up to and with `second`, oldest first; at most `RATE_WINDOW_SECONDS`. */
  readonly counts: ReadonlyArray<number>
}

export const emptyWindow: RateWindow = { second: 0, counts: [] }

/** What a response says of the key's rate: the limit, what is left of it, and in how many seconds some comes back. */
export interface RateStatus {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

/** The window as it stands now. A clock that went back counts as standing still. */
const advance = (window: RateWindow, nowMillis: number): RateWindow => {
  const second = Math.max(window.second, Math.floor(nowMillis / 1000))
  const passed = second - window.second
  const slots = RATE_WINDOW_SECONDS
  if (passed >= slots || window.counts.length === 0) return { second, counts: [0] }
  const counts = [...window.counts, ...new Array<number>(passed).fill(0)]
  return { second, counts: counts.slice(Math.max(0, counts.length - slots)) }
}

export const rateStatus = (window: RateWindow, limit: number, nowMillis: number): RateStatus => {
  const current = advance(window, nowMillis)
  const used = current.counts.reduce((sum, count) => sum + count, 0)
  const oldest = current.counts.findIndex((count) => count > 0)
  const age = oldest < 0 ? 0 : current.counts.length - 1 - oldest
  return {
    limit,
    remaining: Math.max(0, limit - used),
    resetSeconds: oldest < 0 ? RATE_WINDOW_SECONDS : RATE_WINDOW_SECONDS - age
  }
}

/** The window with one request more. */
export const count = (window: RateWindow, nowMillis: number): RateWindow => {
  const current = advance(window, nowMillis)
  const last = current.counts.length - 1
  return { second: current.second, counts: current.counts.map((n, i) => (i === last ? n + 1 : n)) }
}

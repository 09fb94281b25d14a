const MINUTE_MILLIS = 60_000

/** The most credentials that are counted for; of more, those that were used last. */
const CREDENTIALS_MAX = 1_000

/** How often a vendor is asked within any minute, on this host. */
export class CallRate {
  #times: Array<number> = []

  constructor(private readonly perMinute: number | null) {}

  /** Takes a place. Above 0: there is none, for so many milliseconds; nothing was taken. */
  enter(nowMillis: number): number {
    if (this.perMinute === null) return 0
    // A time that is ahead of the clock was taken before the clock was set back.
    this.#times = this.#times.filter((time) => time > nowMillis - MINUTE_MILLIS && time <= nowMillis)
    const first = this.#times[0]
    if (this.#times.length >= this.perMinute && first !== undefined) return first + MINUTE_MILLIS - nowMillis
    this.#times.push(nowMillis)
    return 0
  }
}

/**
 * The same for each credential by itself. A vendor counts by account: whoever brings a key takes no place of the
 * service's, and waits for none of its calls.
 */
export class CallRates {
  /** Those used last come last. */
  readonly #rates = new Map<string, CallRate>()

  constructor(private readonly perMinute: number | null) {}

  enter(credential: string | null, nowMillis: number): number {
    if (this.perMinute === null) return 0
    const key = credential ?? ""
    const rate = this.#rates.get(key) ?? new CallRate(this.perMinute)
    this.#rates.delete(key)
    this.#rates.set(key, rate)
    const [oldest] = this.#rates.keys()
    if (this.#rates.size > CREDENTIALS_MAX && oldest !== undefined) this.#rates.delete(oldest)
    return rate.enter(nowMillis)
  }
}

import { MINUTE_MILLIS } from "@outbound/domain/kernel/durations.js"

/** The most credentials counted. The least recently used are dropped. */
const CREDENTIALS_MAX = 1_000

/** Limits how often this host asks a vendor per minute. */
export class CallRate {
  #times: Array<number> = []

  constructor(private readonly perMinute: number | null) {}

  /** Takes a place. Above 0: there is none for this many milliseconds, and nothing was taken. */
  enter(nowMillis: number): number {
    if (this.perMinute === null) return 0
    // A time ahead of the clock dates from before the clock was set back.
    this.#times = this.#times.filter((time) => time > nowMillis - MINUTE_MILLIS && time <= nowMillis)
    const first = this.#times[0]
    if (this.#times.length >= this.perMinute && first !== undefined) return first + MINUTE_MILLIS - nowMillis
    this.#times.push(nowMillis)
    return 0
  }
}

/** A rate per credential. Vendors count by account, so a workspace's own key and the service's don't compete. */
export class CallRates {
  /** The most recently used come last. */
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

import type { Limits } from "./Limits.js"

/** What one address has asked in its current minute. */
interface Window {
  endsAt: number
  anonymous: number
  failed: number
}

const WINDOW_MILLIS = 60_000

/** Most addresses that are counted at a time. The oldest is forgotten first. */
const ADDRESSES_MAX = 50_000

/**
 * Counts the requests of each address that name nobody, and those whose credential was refused, by the monotonic clock.
 * Requests of known keys have their own rate, and are not counted here.
 */
export class AddressRates {
  readonly #windows = new Map<string, Window>()

  constructor(
    private readonly limits: Pick<Limits, "anonymousPerMinuteMax" | "failedPerMinuteMax">,
    private readonly now: () => number = () => performance.now()
  ) {}

  /** Counts a request without a credential. Seconds to wait if it is one too many, else null. */
  anonymous(address: string): number | null {
    const window = this.#windowOf(address)
    if (window.anonymous >= this.limits.anonymousPerMinuteMax) return this.#secondsLeft(window)
    window.anonymous++
    return null
  }

  /** Counts a refused credential. */
  failed(address: string): void {
    this.#windowOf(address).failed++
  }

  /** Seconds to wait before the address may try another unknown credential, or null. */
  waitAfterFailures(address: string): number | null {
    const window = this.#windows.get(address)
    const isOver = window !== undefined && window.endsAt > this.now() && window.failed >= this.limits.failedPerMinuteMax
    return isOver ? this.#secondsLeft(window) : null
  }

  #secondsLeft({ endsAt }: Window): number {
    return Math.max(1, Math.ceil((endsAt - this.now()) / 1000))
  }

  #windowOf(address: string): Window {
    const now = this.now()
    const known = this.#windows.get(address)
    if (known !== undefined && known.endsAt > now) return known
    this.#windows.delete(address)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size >= ADDRESSES_MAX && oldest !== undefined) this.#windows.delete(oldest)
    const window = { endsAt: now + WINDOW_MILLIS, anonymous: 0, failed: 0 }
    this.#windows.set(address, window)
    return window
  }
}

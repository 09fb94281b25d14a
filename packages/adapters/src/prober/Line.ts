import { Effect } from "effect"
import { type Session, Unanswered } from "./Session.js"

/** After how many failures in a row a host is left alone. */
const FAILURES_MAX = 2

/** How many probes wait for one host. */
export const WAITING_MAX = 200

export interface LineSettings {
  readonly connectionsPerHost: number
  readonly hostPaceMillis: number
  readonly hostRestMillis: number
}

/** What is known of one mail host, and under way with it. */
export class Line {
  /** Connections that nobody uses; the one that was used last is last. */
  readonly idle: Array<Session> = []
  /** Connections that were given up, and are not closed yet. */
  readonly leaving = new Set<Promise<void>>()
  /** Whose turn it is. */
  readonly places: Effect.Semaphore
  /** Probes that wait or are under way. */
  waiting = 0
  /** Connections, those that are being made among them. */
  open = 0
  /** How many places are taken away for a while. */
  fewer = 0
  /** Its TLS does not come about. */
  isPlain = false
  private nextAt = 0
  private failures = 0
  private rest: { readonly until: number; readonly because: Unanswered } | null = null

  constructor(private readonly settings: LineSettings) {
    this.places = Effect.unsafeMakeSemaphore(settings.connectionsPerHost)
  }

  get isUnused(): boolean {
    return this.waiting === 0 && this.open === 0 && this.leaving.size === 0 && this.fewer === 0
  }

  /** Whether a connection can be made without there being too many. */
  get hasRoom(): boolean {
    return this.open + this.leaving.size < this.settings.connectionsPerHost - this.fewer
  }

  /** Why it is left alone; null: it is not. */
  restingAt(now: number): Unanswered | null {
    if (this.rest === null) return null
    // A rest that is longer than any began before the clock was set back.
    if (this.rest.until <= now || this.rest.until > now + this.settings.hostRestMillis) {
      this.rest = null
      return null
    }
    const { detail, kind } = this.rest.because
    return new Unanswered({ kind, detail: `left alone since: ${detail}`, isEarly: true })
  }

  /** Takes a turn: how long to wait for it. */
  turnAt(now: number): number {
    const { connectionsPerHost, hostPaceMillis } = this.settings
    const wait = Math.max(0, this.nextAt - now)
    // More than all who wait could have booked: the clock was set back.
    const millis = wait > hostPaceMillis * (WAITING_MAX + connectionsPerHost) ? 0 : wait
    this.nextAt = now + millis + hostPaceMillis
    return millis
  }

  answered(): void {
    this.failures = 0
  }

  failed(failure: Unanswered, now: number): void {
    this.failures += 1
    if (this.failures < FAILURES_MAX) return
    this.rest = { until: now + this.settings.hostRestMillis, because: failure }
    this.failures = 0
  }
}

import { Effect } from "effect"
import { type Session, Unanswered } from "./Session.js"

/** Failures in a row after which a host is left alone. */
const FAILURES_MAX = 2

/** The most probes waiting for a host. */
export const WAITING_MAX = 200

export interface LineSettings {
  readonly connectionsPerHost: number
  readonly hostPaceMillis: number
  readonly hostRestMillis: number
}

/** The state of a mail host. */
export class Line {
  /** Idle connections, the last used last. */
  readonly idle: Array<Session> = []
  /** Connections given up and not yet closed. */
  readonly leaving = new Set<Promise<void>>()
  /** The host's turns. */
  readonly places: Effect.Semaphore
  /** Probes waiting or under way. */
  waiting = 0
  /** Connections, with those being opened. */
  open = 0
  /** Places withheld for a while. */
  fewer = 0
  /** TLS fails with it. */
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

  get hasRoom(): boolean {
    return this.open + this.leaving.size < this.settings.connectionsPerHost - this.fewer
  }

  /** Why it is left alone; null: it isn't. */
  restingAt(now: number): Unanswered | null {
    if (this.rest === null) return null
    // A rest longer than any possible: the clock was set back.
    if (this.rest.until <= now || this.rest.until > now + this.settings.hostRestMillis) {
      this.rest = null
      return null
    }
    const { detail, kind } = this.rest.because
    return new Unanswered({ kind, detail: `left alone since: ${detail}`, isEarly: true })
  }

  /** Books a turn; returns the wait for it. */
  turnAt(now: number): number {
    const { connectionsPerHost, hostPaceMillis } = this.settings
    const wait = Math.max(0, this.nextAt - now)
    // More than all waiting probes can have booked: the clock was set back.
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

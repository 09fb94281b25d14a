import { Semaphore } from "effect"
import { type Session, Unanswered } from "./Session.js"

/** Failures in a row after which a host, or one domain at it, is left alone. */
const FAILURES_MAX = 2

/** A host that falls silent only when a recipient is named is at fault itself from this many domains in a row on. */
const DOMAINS_MAX = 3

/** Most domains of a host whose failures are remembered. */
const ODD_MAX = 500

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
  readonly places: Semaphore.Semaphore
  /** The one turn that odd domains share. */
  readonly oddPlace = Semaphore.makeUnsafe(1)
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
  private rest: Rest | null = null
  /** Domains that the host answers for differently, and whether they are left alone. */
  private readonly odd = new Map<string, { readonly failures: number; readonly rest: Rest | null }>()
  /** Domains that failed since it last answered for one. */
  private readonly silent = new Set<string>()

  constructor(private readonly settings: LineSettings) {
    this.places = Semaphore.makeUnsafe(settings.connectionsPerHost)
  }

  get isUnused(): boolean {
    return this.waiting === 0 && this.open === 0 && this.leaving.size === 0 && this.fewer === 0
  }

  get hasRoom(): boolean {
    return this.open + this.leaving.size < this.settings.connectionsPerHost - this.fewer
  }

  /** Why it is left alone, or this domain at it; null: neither is. */
  restingAt(now: number, domain: string): Unanswered | null {
    const rest = [this.rest, this.odd.get(domain)?.rest ?? null].find(
      // A rest longer than any possible: the clock was set back.
      (one) => one !== null && one.until > now && one.until <= now + this.settings.hostRestMillis
    )
    if (rest === null || rest === undefined) return null
    const { detail, kind } = rest.because
    return new Unanswered({ kind, detail: `left alone since: ${detail}`, isEarly: true })
  }

  /** Whether the domain failed here before: it gets one place, so that its neighbours keep the others. */
  isOdd(domain: string): boolean {
    return this.odd.has(domain)
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

  answered(domain: string): void {
    this.failures = 0
    this.silent.clear()
    this.odd.delete(domain)
  }

  /** What fails after a recipient was named is the domain's own, until several domains in a row fail so. */
  failed(failure: Unanswered, now: number, domain: string): void {
    const rest = { until: now + this.settings.hostRestMillis, because: failure }
    if (failure.isEarly) {
      this.failures += 1
      if (this.failures < FAILURES_MAX) return
      this.rest = rest
      this.failures = 0
      return
    }
    const failures = (this.odd.get(domain)?.failures ?? 0) + 1
    if (this.odd.size >= ODD_MAX) this.odd.clear()
    this.odd.set(domain, { failures, rest: failures >= FAILURES_MAX ? rest : null })
    this.silent.add(domain)
    if (this.silent.size < DOMAINS_MAX) return
    this.rest = rest
    this.silent.clear()
  }
}

interface Rest {
  readonly until: number
  readonly because: Unanswered
}

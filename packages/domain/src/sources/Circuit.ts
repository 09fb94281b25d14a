import { backoff } from "../kernel/backoff.js"
import { after } from "../kernel/machine.js"
import { leftOf, type Span } from "../kernel/Span.js"
import type { ProviderFailureReason } from "./ports/Source.js"
import { CircuitMachine, type CircuitState } from "./CircuitMachine.js"

/** This many failures in a row open a circuit. */
export const FAILURES_MAX = 5

/** This share of failures within the window opens a circuit too, after a minimum of requests. */
export const FAILED_SHARE_MAX = 0.5
export const WINDOW_SECONDS = 60
export const WINDOW_ASKED_MIN = 20

/** How long a circuit stays open, at first and at most. Each failed probe doubles it. */
export const OPEN_SECONDS = 30
export const OPEN_SECONDS_MAX = 300

/** How long a source is asked after the others once a request failed. */
export const DOUBTED_SECONDS = 30

/** How long a rate-limited source rests if it named no time; and at most. */
export const REST_SECONDS_DEFAULT = 5
export const REST_SECONDS_MAX = 3600

/** The weight of a new measurement, and how long a measured latency replaces the declared one. */
export const LATENCY_WEIGHT = 0.2
export const LATENCY_KEPT_SECONDS = 600

/** The window slides in parts. */
const WINDOW_PARTS = 6
const PART_MILLIS = (WINDOW_SECONDS * 1000) / WINDOW_PARTS

/** Failures count if the source couldn't answer. Refusing a request is an answer. */
const COUNTED: Readonly<Record<ProviderFailureReason, boolean>> = {
  transient: true,
  account: true,
  unknown_outcome: true,
  invalid: false,
  rate_limited: false
}

/** Admits one request. `isProbe`: it tests an open circuit. */
export interface Pass {
  readonly isProbe: boolean
}

/** What this host knows of one source at one port. Times are clock milliseconds. */
export class Circuit {
  #state: CircuitState = CircuitMachine.initial
  /** Failures since the last answer. */
  #failures = 0
  /** Failed probes in a row. */
  #relapses = 0
  #open: Span | null = null
  #doubt: Span | null = null
  #rest: Span | null = null
  #parts: Array<{ readonly part: number; asked: number; failed: number }> = []
  #lastReason: ProviderFailureReason | null = null
  #latency: { readonly millis: number; readonly at: number } | null = null

  get state(): CircuitState {
    return this.#state
  }

  /** Why its last failed request failed; null: none did. */
  get lastReason(): ProviderFailureReason | null {
    return this.#lastReason
  }

  /** How long to leave the source alone, for any cause. 0: it can be asked or probed. */
  waitMillis(nowMillis: number): number {
    return Math.max(
      leftOf(this.#rest, nowMillis),
      CircuitMachine.is.open(this.#state) ? leftOf(this.#open, nowMillis) : 0
    )
  }

  /** Whether its last request failed just now. Other sources are then asked first. */
  isDoubtful(nowMillis: number): boolean {
    return leftOf(this.#doubt, nowMillis) > 0
  }

  /** Admits a request. Null: skip the source. The holder of a pass reports the outcome. */
  enter(nowMillis: number): Pass | null {
    if (this.waitMillis(nowMillis) > 0 || CircuitMachine.is.probing(this.#state)) return null
    if (CircuitMachine.is.closed(this.#state)) return { isProbe: false }
    this.#step("probe")
    return { isProbe: true }
  }

  /** The source answered, or refused the request as faulty. */
  answered({ isProbe }: Pass, nowMillis: number): void {
    this.#count(nowMillis, false)
    this.#failures = 0
    this.#doubt = null
    if (!isProbe) return
    this.#step("recover")
    this.#relapses = 0
    this.#parts = []
  }

  failed(pass: Pass, reason: ProviderFailureReason, retryAfterSeconds: number | undefined, nowMillis: number): void {
    if (reason !== "invalid") this.#lastReason = reason
    if (reason === "rate_limited") this.#restFor(retryAfterSeconds ?? REST_SECONDS_DEFAULT, nowMillis)
    if (!COUNTED[reason]) return this.answered(pass, nowMillis)
    this.#count(nowMillis, true)
    this.#failures += 1
    this.#doubt = { from: nowMillis, until: nowMillis + DOUBTED_SECONDS * 1000 }
    if (pass.isProbe) {
      this.#relapses += 1
      this.#openFrom(nowMillis)
      return this.#step("relapse")
    }
    if (!CircuitMachine.is.closed(this.#state) || !this.#isTooMuch(nowMillis)) return
    this.#openFrom(nowMillis)
    this.#step("trip")
  }

  /** The caller was interrupted, so the outcome is unknown. */
  abandoned({ isProbe }: Pass): void {
    if (isProbe) this.#step("abandon")
  }

  /** Records the latency of a request. */
  measure(declaredMillis: number, millis: number, nowMillis: number): void {
    const before = this.latencyMillis(declaredMillis, nowMillis)
    this.#latency = { millis: before + LATENCY_WEIGHT * (millis - before), at: nowMillis }
  }

  /** The latency measured recently, else the declared one. */
  latencyMillis(declaredMillis: number, nowMillis: number): number {
    return this.#latency === null || nowMillis - this.#latency.at >= LATENCY_KEPT_SECONDS * 1000
      ? declaredMillis
      : this.#latency.millis
  }

  #step(event: (typeof CircuitMachine.events)[number]): void {
    this.#state = after(CircuitMachine, this.#state, event)
  }

  #restFor(seconds: number, nowMillis: number): void {
    const millis = Math.min(Math.max(seconds, 0), REST_SECONDS_MAX) * 1000
    if (millis > leftOf(this.#rest, nowMillis)) this.#rest = { from: nowMillis, until: nowMillis + millis }
  }

  #openFrom(nowMillis: number): void {
    const seconds = backoff(this.#relapses + 1, { first: OPEN_SECONDS, max: OPEN_SECONDS_MAX })
    this.#open = { from: nowMillis, until: nowMillis + seconds * 1000 }
  }

  #count(nowMillis: number, isFailure: boolean): void {
    const part = Math.floor(nowMillis / PART_MILLIS)
    this.#parts = this.#parts.filter((one) => one.part > part - WINDOW_PARTS && one.part <= part)
    let last = this.#parts.find((one) => one.part === part)
    if (last === undefined) this.#parts.push((last = { part, asked: 0, failed: 0 }))
    last.asked += 1
    if (isFailure) last.failed += 1
  }

  #isTooMuch(nowMillis: number): boolean {
    if (this.#failures >= FAILURES_MAX) return true
    const part = Math.floor(nowMillis / PART_MILLIS)
    let [asked, failed] = [0, 0]
    for (const one of this.#parts) {
      if (one.part <= part - WINDOW_PARTS) continue
      asked += one.asked
      failed += one.failed
    }
    return asked >= WINDOW_ASKED_MIN && failed >= asked * FAILED_SHARE_MAX
  }
}

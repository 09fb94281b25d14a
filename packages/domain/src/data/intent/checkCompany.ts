import { Effect } from "effect"
import { type Role, roleFits } from "../matching/Roles.js"
import { type Credits, zero } from "../../kernel/money/Credits.js"
import type { IntentSignalKind } from "../../sources/ports/IntentSource.js"
import { INTENT_SIGNALS } from "../../verbs/FindIntent.js"
import { QUIET_PRICE, SIGNALS_PRICE } from "../../verbs/prices.js"
import type { CallSources, CheckOutcome } from "./Sources.js"
import { isWithin, type Window } from "./Window.js"
import type { Signal } from "./Signal.js"

/** The most that a source is asked for in one check: roles are sought among them. */
const SIGNALS_ASKED_MAX = 50
/** The most signals of a kind returned per company, in the window and before it. */
const SIGNALS_TOLD_MAX = 5

/** What to check for every company. */
export interface Checks {
  readonly signals: ReadonlyArray<IntentSignalKind>
  /** The request listed nothing: hiring, plus what comes with it. */
  readonly isDefault: boolean
  /** Empty: every role. */
  readonly roles: ReadonlyArray<Role>
}

/** An empty list means the default, like an absent one. */
export const checksOf = (signals: ReadonlyArray<IntentSignalKind> | undefined, roles: ReadonlyArray<Role>): Checks => {
  const listed = INTENT_SIGNALS.filter((signal) => signals?.includes(signal) === true)
  return listed.length === 0
    ? { signals: ["hiring"], isDefault: true, roles }
    : { signals: listed, isDefault: false, roles }
}

/** Kinds left for another call if only hiring is checked. */
export const BEYOND_HIRING: ReadonlyArray<IntentSignalKind> = ["funding", "news", "job_change"]

export interface CheckedCompany {
  readonly companyDomain: string
  /** In the window; the newest of each kind first. */
  readonly signals: ReadonlyArray<Signal>
  /** Before the window. */
  readonly historical: ReadonlyArray<Signal>
  readonly completed: ReadonlyArray<IntentSignalKind>
  readonly unavailable: ReadonlyArray<{
    readonly signal: IntentSignalKind
    readonly outcome: Extract<CheckOutcome, { readonly _tag: "Unavailable" }>
  }>
  readonly skipped: ReadonlyArray<IntentSignalKind>
  /** Postings that fit no role; null if there were no postings to check. */
  readonly postingsRejected: number | null
  readonly charge: Credits
}

const priceOf = (signals: number, completed: number): Credits =>
  signals > 0 ? SIGNALS_PRICE : completed > 0 ? QUIET_PRICE : zero

/** Checks one company. Never fails: failures are part of the result. */
export const checkCompany = (
  sources: CallSources,
  companyDomain: string,
  checks: Checks,
  window: Window
): Effect.Effect<CheckedCompany> =>
  Effect.gen(function* () {
    const check = (signal: IntentSignalKind) =>
      sources.check({
        companyDomain,
        signal,
        roles: signal === "hiring" ? checks.roles.map(({ searched }) => searched) : [],
        limit: SIGNALS_ASKED_MAX
      })
    const outcomes = yield* Effect.forEach(
      checks.signals,
      (signal) => Effect.map(check(signal), (outcome) => ({ signal, outcome })),
      { concurrency: INTENT_SIGNALS.length }
    )
    const signals: Array<Signal> = []
    const historical: Array<Signal> = []
    const add = (found: ReadonlyArray<Signal>): void => {
      signals.push(...found.filter((one) => isWithin(window, one.observedAt)).slice(0, SIGNALS_TOLD_MAX))
      historical.push(...found.filter((one) => !isWithin(window, one.observedAt)).slice(0, SIGNALS_TOLD_MAX))
    }
    const completed: Array<IntentSignalKind> = []
    const unavailable: Array<CheckedCompany["unavailable"][number]> = []
    let postingsRejected: number | null = null
    for (const { outcome, signal } of outcomes) {
      if (outcome._tag === "Unavailable") {
        unavailable.push({ signal, outcome })
        continue
      }
      completed.push(signal)
      if (signal !== "hiring" || checks.roles.length === 0) {
        add(outcome.signals)
        continue
      }
      const fitting = outcome.signals.filter(({ summary, title }) =>
        checks.roles.some((role) => roleFits(role, title ?? summary))
      )
      postingsRejected = outcome.signals.length - fitting.length
      add(fitting)
    }
    const skipped = checks.isDefault ? new Set(BEYOND_HIRING) : new Set<IntentSignalKind>()
    if (checks.isDefault && signals.length > 0) {
      const rounds = yield* check("funding")
      if (rounds._tag === "Answered") {
        skipped.delete("funding")
        add(rounds.signals.slice(0, 1))
      }
    }
    return {
      companyDomain,
      signals,
      historical,
      completed,
      unavailable,
      skipped: [...skipped],
      postingsRejected,
      charge: priceOf(signals.length, completed.length)
    }
  })

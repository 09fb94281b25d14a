import { Clock, Effect, Option } from "effect"
import { type Role, roleFits } from "../matching/Roles.js"
import { type Credits, zero } from "../../kernel/money/Credits.js"
import {
  type IntentQuery,
  type IntentSignalKind,
  type IntentSource,
  NOWHERE
} from "../../sources/ports/IntentSource.js"
import { INTENT_SIGNALS } from "../../verbs/FindIntent.js"
import { QUIET_PRICE, SIGNALS_PRICE } from "../../verbs/prices.js"
import { isWithin, type Window } from "./Window.js"
import { credibleSignals, type Signal } from "./Signal.js"
import type { ProviderFailure, ProviderFailureReason } from "../../sources/ports/Source.js"
import { isUnconfigured, RETRY_AFTER_SECONDS_DEFAULT } from "../../sources/refusals.js"
import { askSourcesOrFail, incredible } from "../../sources/Waterfall.js"

/** The time limit of one source per check, leaving time for another. */
export const SOURCE_SECONDS_MAX = 7

/** The time limit of all sources per check. */
export const CHECK_SECONDS_MAX = 15

/** After this, a call starts no further check. */
export const CALL_SECONDS_MAX = 60

/** What one check found about a company, or why it failed. */
export type CheckOutcome =
  | {
      readonly _tag: "Answered"
      readonly signals: ReadonlyArray<Signal>
      /** Whether anything was read. False: the company has no place for such signals, as far as the sources know. */
      readonly isRead: boolean
    }
  | {
      readonly _tag: "Unavailable"
      readonly reason: UnavailableReason
      readonly retryAfterSeconds: number | null
      /** The sources' failures; empty if none was asked. */
      readonly failures: ReadonlyArray<ProviderFailure>
    }

export type UnavailableReason =
  | "vendor_account"
  | "invalid_request"
  | "rate_limited"
  | "temporarily_paused"
  | "upstream_error"

const REASONS: Readonly<Record<ProviderFailureReason, UnavailableReason>> = {
  account: "vendor_account",
  invalid: "invalid_request",
  rate_limited: "rate_limited",
  transient: "upstream_error",
  unknown_outcome: "upstream_error"
}

/** The sources of one call. Sources that asked for a pause are skipped for its other companies. */
export interface CallSources {
  readonly check: (query: IntentQuery) => Effect.Effect<CheckOutcome>
  /** Whether time is left for another question. */
  readonly isOpen: Effect.Effect<boolean>
}

const RETRY_AFTER_SECONDS_MAX = 3600

const unavailable = (
  reason: UnavailableReason,
  seconds: number | null,
  failures: ReadonlyArray<ProviderFailure> = []
): CheckOutcome => ({
  _tag: "Unavailable",
  failures,
  reason,
  retryAfterSeconds: seconds === null ? null : Math.max(1, Math.ceil(Math.min(seconds, RETRY_AFTER_SECONDS_MAX)))
})

/** The reason of the first source that was asked, in route order. The wait is until any source is back. */
const failed = (failures: ReadonlyArray<ProviderFailure>): CheckOutcome => {
  const waits = failures.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? [])
  const first = failures.find(({ concluded }) => concluded !== "skipped")
  const reason =
    first === undefined
      ? "temporarily_paused"
      : first.concluded === "unreadable"
        ? "upstream_error"
        : REASONS[first.reason]
  return unavailable(reason, waits.length === 0 ? null : Math.min(...waits), failures)
}

export const callSources = (sources: ReadonlyArray<IntentSource>): Effect.Effect<CallSources> =>
  Effect.map(Clock.currentTimeMillis, (startedAt) => {
    const restsUntil = new Map<string, number>()

    const ask = (source: IntentSource, query: IntentQuery) =>
      Effect.gen(function* () {
        const found = yield* source.check(query)
        if (found === NOWHERE) return Option.none()
        const signals = credibleSignals(query.companyDomain, query.signal, found, yield* Clock.currentTimeMillis)
        return signals === null ? yield* Effect.fail(incredible(source)) : Option.some(signals)
      }).pipe(
        Effect.tapError(({ reason, retryAfterSeconds }) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            // An account won't be topped up during the call.
            if (reason === "account") restsUntil.set(source.name, now + CALL_SECONDS_MAX * 1000)
            if (reason === "rate_limited") {
              restsUntil.set(source.name, now + (retryAfterSeconds ?? RETRY_AFTER_SECONDS_DEFAULT) * 1000)
            }
          })
        )
      )

    const isOpen = Effect.map(Clock.currentTimeMillis, (now) => now < startedAt + CALL_SECONDS_MAX * 1000)

    return {
      isOpen,
      check: (query) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const serving = sources.filter(({ signals }) => signals.includes(query.signal))
          const rests = serving.map(({ name }) => restsUntil.get(name) ?? 0)
          const ready = serving.filter((_, index) => (rests[index] ?? 0) <= now)
          if (serving.length === 0) return unavailable("temporarily_paused", null)
          if (ready.length === 0) return unavailable("temporarily_paused", (Math.min(...rests) - now) / 1000)
          if (!(yield* isOpen)) return unavailable("temporarily_paused", RETRY_AFTER_SECONDS_DEFAULT)
          const asked = askSourcesOrFail(
            {
              kind: "intent_source",
              sources: ready,
              request: query,
              sourceSecondsMax: SOURCE_SECONDS_MAX,
              secondsMax: CHECK_SECONDS_MAX
            },
            (source) => ask(source, query),
            (signals) => signals.length > 0
          )
          return yield* asked.pipe(
            Effect.match({
              onFailure: failed,
              onSuccess: ({ answer, failures }): CheckOutcome => {
                const unheard = failures.filter((one) => !isUnconfigured(one))
                // That one source knows no place for such signals doesn't say what another would have found.
                return Option.isNone(answer) && unheard.length > 0
                  ? failed(unheard)
                  : {
                      _tag: "Answered",
                      signals: Option.getOrElse(answer, () => []),
                      isRead: Option.isSome(answer)
                    }
              }
            })
          )
        })
    }
  })

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
  /** How many of them were read somewhere, and so are paid for. */
  readonly read: number
  readonly unavailable: ReadonlyArray<{
    readonly signal: IntentSignalKind
    readonly outcome: Extract<CheckOutcome, { readonly _tag: "Unavailable" }>
  }>
  readonly skipped: ReadonlyArray<IntentSignalKind>
  /** Postings that fit no role; null if there were no postings to check. */
  readonly postingsRejected: number | null
  readonly charge: Credits
}

const priceOf = (signals: number, read: number): Credits =>
  signals > 0 ? SIGNALS_PRICE : read > 0 ? QUIET_PRICE : zero

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
    const read = outcomes.filter(({ outcome }) => outcome._tag === "Answered" && outcome.isRead).length
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
      read,
      unavailable,
      skipped: [...skipped],
      postingsRejected,
      charge: priceOf(signals.length, read)
    }
  })

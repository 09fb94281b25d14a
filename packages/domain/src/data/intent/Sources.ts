import { Clock, Effect, Option } from "effect"
import type { IntentQuery, IntentSource } from "../../sources/ports/IntentSource.js"
import type { ProviderFailure, ProviderFailureReason } from "../../sources/ports/ProviderFailure.js"
import { RETRY_AFTER_SECONDS_DEFAULT } from "../../sources/refusals.js"
import { incredible, askSourcesOrFail } from "../../sources/Waterfall.js"
import { credibleSignals, type Signal } from "./Signal.js"

/** The time limit of one source per check, leaving time for another. */
export const SOURCE_SECONDS_MAX = 7

/** The time limit of all sources per check. */
export const CHECK_SECONDS_MAX = 15

/** After this, a call starts no further check. */
export const CALL_SECONDS_MAX = 60

/** What one check found about a company, or why it failed. */
export type CheckOutcome =
  | { readonly _tag: "Answered"; readonly signals: ReadonlyArray<Signal> }
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
  const reason = first === undefined ? "temporarily_paused" : REASONS[first.reason]
  return unavailable(reason, waits.length === 0 ? null : Math.min(...waits), failures)
}

export const callSources = (sources: ReadonlyArray<IntentSource>): Effect.Effect<CallSources> =>
  Effect.map(Clock.currentTimeMillis, (startedAt) => {
    const restsUntil = new Map<string, number>()

    const ask = (source: IntentSource, query: IntentQuery) =>
      Effect.gen(function* () {
        const found = yield* source.check(query)
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
              onSuccess: ({ answer }): CheckOutcome => ({
                _tag: "Answered",
                signals: Option.getOrElse(answer, () => [])
              })
            })
          )
        })
    }
  })

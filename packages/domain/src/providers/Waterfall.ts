import { Effect, Option } from "effect"
import { refuse, type WireError } from "../errors/Wire.js"
import { endedWithin } from "../inOwnFiber.js"
import { ProviderFailure } from "../ports/providers/ProviderFailure.js"
import type { Source } from "../ports/providers/Source.js"
import type { Route } from "../verbs/fields.js"

/** The longest that one source is waited for. */
export const SOURCE_TIMEOUT_SECONDS = 20

/** When a caller may try again where no provider said for how long to leave it alone. */
export const RETRY_AFTER_SECONDS_DEFAULT = 5

/** The longest wait that is passed on to a caller. */
const RETRY_AFTER_SECONDS_MAX = 3600

const rank: Record<Route, (source: Source) => readonly [number, number]> = {
  balanced: (s) => [s.costMicros * (1 + 4 * s.missRate), s.latencyMillis],
  cheapest: (s) => [s.costMicros, s.missRate],
  broadest: (s) => [s.missRate, s.costMicros],
  fastest: (s) => [s.latencyMillis, s.costMicros]
}

/** The order in which a route asks. Equal sources stay in the order of their configuration. */
export const inOrder = <S extends Source>(sources: ReadonlyArray<S>, route: Route): ReadonlyArray<S> =>
  [...sources].sort((a, b) => {
    const [a1, a2] = rank[route](a)
    const [b1, b2] = rank[route](b)
    return a1 - b1 || a2 - b2
  })

/** The first answer that satisfies; else the last answer that did not; none where every source found nothing. */
export interface Poured<A> {
  readonly answer: Option.Option<A>
  readonly satisfied: boolean
}

/** What a source fails with whose answer makes no sense: it is not believed, and the next one is asked. */
export const incredible = (source: Source): ProviderFailure =>
  new ProviderFailure({ provider: source.name, reason: "transient", cause: "its answer makes no sense" })

/** The failure of all, told as that of the source that is back first. */
export const unavailable = (failures: ReadonlyArray<ProviderFailure>): WireError<"provider_unavailable"> => {
  const waits = failures.map((failure) => failure.retryAfterSeconds ?? RETRY_AFTER_SECONDS_DEFAULT)
  const wait = Math.ceil(Math.min(...waits, RETRY_AFTER_SECONDS_MAX))
  return refuse("provider_unavailable", { retry_after_seconds: Math.max(1, wait) })
}

/**
 * Asks one source after the other, each once, until one answers with what satisfies. Only where not a single source
 * answered it fails, with what each of them failed with.
 */
export const pourOrFailures = <S extends Source, A>(
  sources: ReadonlyArray<S>,
  ask: (source: S) => Effect.Effect<Option.Option<A>, ProviderFailure>,
  satisfies: (answer: A) => boolean = () => true
): Effect.Effect<Poured<A>, ReadonlyArray<ProviderFailure>> =>
  Effect.gen(function* () {
    const failures: Array<ProviderFailure> = []
    let fallback = Option.none<A>()
    for (const source of sources) {
      const timedOut = () => new ProviderFailure({ provider: source.name, reason: "transient", cause: "timed out" })
      const asked = yield* Effect.either(endedWithin(ask(source), `${SOURCE_TIMEOUT_SECONDS} seconds`, timedOut))
      if (asked._tag === "Left") {
        failures.push(asked.left)
        yield* Effect.logWarning("provider failed").pipe(
          Effect.annotateLogs({ provider: source.name, reason: asked.left.reason })
        )
        continue
      }
      if (Option.isNone(asked.right)) continue
      if (satisfies(asked.right.value)) return { answer: asked.right, satisfied: true }
      fallback = asked.right
    }
    if (failures.length < sources.length) return { answer: fallback, satisfied: false }
    return yield* Effect.fail(failures)
  })

/** As `pourOrFailures`, but fails with `provider_unavailable`. */
export const pour = <S extends Source, A>(
  sources: ReadonlyArray<S>,
  ask: (source: S) => Effect.Effect<Option.Option<A>, ProviderFailure>,
  satisfies: (answer: A) => boolean = () => true
): Effect.Effect<Poured<A>, WireError<"provider_unavailable">> =>
  Effect.mapError(pourOrFailures(sources, ask, satisfies), unavailable)

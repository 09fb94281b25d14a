import { Clock, Effect, Option } from "effect"
import { refuse, type WireError } from "../errors/Wire.js"
import { endedWithin } from "../inOwnFiber.js"
import { ProviderFailure } from "../ports/providers/ProviderFailure.js"
import type { Source } from "../ports/providers/Source.js"
import type { Route } from "../verbs/fields.js"
import { type Port, PORTS } from "./Ports.js"
import { type Reach, Upstreams } from "./Upstreams.js"

/** The longest that one source is waited for. */
export const SOURCE_TIMEOUT_SECONDS = 20

/** The longest that all sources together are waited for: two that never answer leave time for a third. */
export const WATERFALL_SECONDS_MAX = 45

/** When a caller may try again where no provider said for how long to leave it alone. */
export const RETRY_AFTER_SECONDS_DEFAULT = 5

/** The longest wait that is passed on to a caller. */
const RETRY_AFTER_SECONDS_MAX = 3600

const rank: Record<Route, (source: Source, latencyMillis: number) => readonly [number, number]> = {
  balanced: (s, latency) => [s.costMicros * (1 + 4 * s.missRate), latency],
  cheapest: (s) => [s.costMicros, s.missRate],
  broadest: (s) => [s.missRate, s.costMicros],
  fastest: (s, latency) => [latency, s.costMicros]
}

/** The order in which a route asks. Equal sources stay in the order of their configuration. */
export const inOrder = <S extends Source>(
  sources: ReadonlyArray<S>,
  route: Route,
  latencyOf: (source: S) => number = (source) => source.latencyMillis
): ReadonlyArray<S> => {
  const ranked = sources.map((source) => ({ source, by: rank[route](source, latencyOf(source)) }))
  return ranked.sort(({ by: a }, { by: b }) => a[0] - b[0] || a[1] - b[1]).map(({ source }) => source)
}

/** The first answer that satisfies; else the last answer that did not; none where every source found nothing. */
export interface Poured<A> {
  readonly answer: Option.Option<A>
  readonly satisfied: boolean
}

/** What is asked of which sources. */
export interface Pour<S extends Source> {
  readonly port: Port
  /** In any order. */
  readonly sources: ReadonlyArray<S>
  /** `balanced`, where the verb takes none. */
  readonly route?: Route
  /**
   * Everything that the outcome depends on, beside port, sources and route: identical lookups of one workspace that are
   * under way at the same time are made once. Null: this one is never shared.
   */
  readonly request: object | string | null
  /** How long one source is waited for, and all together, where that is not what it usually is. */
  readonly sourceSecondsMax?: number
  readonly secondsMax?: number
}

/** What a source fails with whose answer makes no sense: it is not believed, and the next one is asked. */
export const incredible = (source: Source): ProviderFailure =>
  new ProviderFailure({
    provider: source.name,
    reason: "transient",
    concluded: "incredible",
    cause: "its answer makes no sense"
  })

/** When the source is back that is back first: in whole seconds, at least one. */
const secondsUntilFirst = (failures: ReadonlyArray<ProviderFailure>): number => {
  const waits = failures.map((failure) => failure.retryAfterSeconds ?? RETRY_AFTER_SECONDS_DEFAULT)
  return Math.max(1, Math.ceil(Math.min(...waits, RETRY_AFTER_SECONDS_MAX)))
}

/** The failure of all, told as that of the source that is back first. */
export const unavailable = (failures: ReadonlyArray<ProviderFailure>): WireError<"provider_unavailable"> =>
  refuse("provider_unavailable", { retry_after_seconds: secondsUntilFirst(failures) })

const lateOf = (source: Source): ProviderFailure =>
  new ProviderFailure({ provider: source.name, reason: "transient", concluded: "timed_out", cause: "timed out" })

const logged = ({ concluded, provider, reason }: ProviderFailure): Effect.Effect<void> =>
  concluded === "skipped"
    ? Effect.void
    : Effect.logWarning("provider failed").pipe(Effect.annotateLogs({ provider, reason }))

/** Whether the same may be asked of the same source again: it said itself that nothing happened. */
const isRepeatable = (port: Port, { concluded, reason }: ProviderFailure): boolean =>
  PORTS[port].isRepeatable && reason === "transient" && concluded === undefined

const pourOnce = <S extends Source, A>(
  { circuits }: Reach,
  { port, route = "balanced", secondsMax, sourceSecondsMax = SOURCE_TIMEOUT_SECONDS, sources }: Pour<S>,
  ask: (source: S) => Effect.Effect<Option.Option<A>, ProviderFailure>,
  satisfies: (answer: A) => boolean
): Effect.Effect<Poured<A>, ReadonlyArray<ProviderFailure>> =>
  Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    const until = began + (secondsMax ?? WATERFALL_SECONDS_MAX) * 1000
    const failures: Array<ProviderFailure> = []
    const answers: Array<Option.Option<A>> = []
    let repeatable: S | null = null

    /** Whether this was it: its answer satisfies. */
    const askOne = (source: S) =>
      Effect.gen(function* () {
        const millis = Math.min(sourceSecondsMax * 1000, until - (yield* Clock.currentTimeMillis))
        if (millis <= 0) return false
        const inTime = endedWithin(ask(source), millis, () => lateOf(source))
        const asked = yield* Effect.either(circuits.ask(port, source, inTime))
        if (asked._tag === "Left") {
          failures.push(asked.left)
          if (isRepeatable(port, asked.left)) repeatable ??= source
          yield* logged(asked.left)
          return false
        }
        answers.push(asked.right)
        return Option.exists(asked.right, satisfies)
      })

    for (const source of inOrder(sources, route, (one) => circuits.latencyMillis(port, one, began))) {
      if (yield* askOne(source)) return { answer: answers.at(-1) ?? Option.none(), satisfied: true }
    }
    if (answers.length === 0 && repeatable !== null && (yield* askOne(repeatable))) {
      return { answer: answers.at(-1) ?? Option.none(), satisfied: true }
    }
    if (answers.length === 0) return yield* Effect.fail(failures)
    return { answer: Option.flatten(Option.fromNullable(answers.findLast(Option.isSome))), satisfied: false }
  })

/**
 * Asks one source after the other, each once, until one answers with what satisfies. Sources that are to be left alone
 * are skipped. Where not a single one answered, the first is asked once more that said that nothing happened there; only
 * where that did not help it fails, with what each of them failed with.
 */
export const pourOrFailures = <S extends Source, A>(
  pour: Pour<S>,
  ask: (source: S) => Effect.Effect<Option.Option<A>, ProviderFailure>,
  satisfies: (answer: A) => boolean = () => true
): Effect.Effect<Poured<A>, ReadonlyArray<ProviderFailure>> =>
  Effect.flatMap(Upstreams, (reach) => {
    const poured = pourOnce(reach, pour, ask, satisfies)
    if (pour.request === null) return poured
    return reach.together(JSON.stringify([pour.port, pour.route ?? "balanced", pour.request]), poured)
  })

/** As `pourOrFailures`, but fails with `provider_unavailable`. */
export const pour = <S extends Source, A>(
  pour: Pour<S>,
  ask: (source: S) => Effect.Effect<Option.Option<A>, ProviderFailure>,
  satisfies: (answer: A) => boolean = () => true
): Effect.Effect<Poured<A>, WireError<"provider_unavailable">> =>
  Effect.mapError(pourOrFailures(pour, ask, satisfies), unavailable)

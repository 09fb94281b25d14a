import { Clock, Effect, Option, Result } from "effect"
import { ProviderFailure, type Route, type Source } from "./ports/Source.js"
import { inSpan } from "../kernel/telemetry.js"
import { type SourceKind, SOURCE_KINDS } from "./SourceKind.js"
import { type SourceError, refusalOf } from "./refusals.js"
import { noAccess, type SourceAccess, CurrentSourceAccess } from "./SourceAccess.js"

/** The longest wait for one source. */
export const SOURCE_TIMEOUT_SECONDS = 20

/** The longest wait for all sources together: two that never answer leave time for a third. */
export const WATERFALL_SECONDS_MAX = 45

const rank: Record<Route, (source: Source, latencyMillis: number) => readonly [number, number]> = {
  balanced: (s, latency) => [s.costMicros * (1 + 4 * s.missRate), latency],
  cheapest: (s) => [s.costMicros, s.missRate],
  broadest: (s) => [s.missRate, s.costMicros],
  fastest: (s, latency) => [latency, s.costMicros]
}

/**
 * The order in which a route asks. Ties keep the configured order. Sources whose last request just failed come last, so
 * that one call, not every call, waits for a broken source.
 */
export const inOrder = <S extends Source>(
  sources: ReadonlyArray<S>,
  route: Route,
  latencyOf: (source: S) => number = (source) => source.latencyMillis,
  isDoubtful: (source: S) => boolean = () => false
): ReadonlyArray<S> => {
  const ranked = sources.map((source) => ({
    source,
    doubt: isDoubtful(source) ? 1 : 0,
    by: rank[route](source, latencyOf(source))
  }))
  return ranked.sort((a, b) => a.doubt - b.doubt || a.by[0] - b.by[0] || a.by[1] - b.by[1]).map(({ source }) => source)
}

/** The first answer that satisfies, else the last one. None: every source found nothing. */
export interface SourceAnswer<A> {
  readonly answer: Option.Option<A>
  readonly satisfied: boolean
  /** Names of the sources still at work. The answer may come later. */
  readonly pending: ReadonlyArray<string>
  /** Of the sources that were asked beside those that answered. */
  readonly failures: ReadonlyArray<ProviderFailure>
}

export interface SourceQuery<S extends Source> {
  readonly kind: SourceKind
  /** In any order. */
  readonly sources: ReadonlyArray<S>
  /** `balanced` if the verb takes no route. */
  readonly route?: Route
  /**
   * Everything the outcome depends on, beside port, sources and route. Identical concurrent lookups of a workspace are
   * made once. Null: never shared.
   */
  readonly request: object | string | null
  /** The wait for one source, and for all together, if not the default. */
  readonly sourceSecondsMax?: number
  readonly secondsMax?: number
}

/** The failure for an answer that makes no sense. The next source is asked. */
export const incredible = (source: Source): ProviderFailure =>
  new ProviderFailure({
    provider: source.name,
    reason: "transient",
    concluded: "incredible",
    cause: "its answer makes no sense"
  })

const lateOf = (source: Source): ProviderFailure =>
  new ProviderFailure({ provider: source.name, reason: "transient", concluded: "timed_out", cause: "timed out" })

const logged = ({ concluded, provider, reason }: ProviderFailure): Effect.Effect<void> =>
  concluded === "skipped" || concluded === "pending"
    ? Effect.void
    : Effect.logWarning("provider failed").pipe(
        Effect.annotateLogs({ provider, reason, ...(concluded === undefined ? {} : { concluded }) })
      )

type Owner = Result.Result<string | null, ProviderFailure>
type Owners<S> = ReadonlyMap<S, Owner>

/** The service's own credential. */
const NOBODY: Owner = Result.succeed(null)

/**
 * Whose credential each source uses: the workspace's own, or the service's (null). Circuits are kept apart by it. An
 * unusable credential counts as a refusal.
 */
const ownersOf = <S extends Source>(
  { ownKey, workspaceId }: SourceAccess,
  kind: SourceKind,
  sources: ReadonlyArray<S>
): Effect.Effect<Owners<S>> =>
  ownKey === noAccess.ownKey || !SOURCE_KINDS[kind].hasCircuit
    ? Effect.succeed(new Map())
    : Effect.map(
        Effect.forEach(sources, (source) =>
          Effect.result(Effect.map(ownKey(source.name), (key) => (Option.isSome(key) ? workspaceId : null)))
        ),
        (owners) => new Map(owners.flatMap((owner, index) => (sources[index] ? [[sources[index], owner]] : [])))
      )

/** Whether the same source may be asked again: it said that nothing happened. */
const isRepeatable = (kind: SourceKind, { concluded, reason }: ProviderFailure): boolean =>
  SOURCE_KINDS[kind].isRepeatable && reason === "transient" && concluded === undefined

/** What plain code needs of its fiber. */
interface Asked {
  readonly access: SourceAccess
  readonly now: () => number
}

/** A source that had no time left. */
const NOT_ASKED = Effect.succeed(false)

const askSourcesOnce = <S extends Source, A>(
  { access, now }: Asked,
  { kind, route = "balanced", secondsMax, sourceSecondsMax = SOURCE_TIMEOUT_SECONDS, sources }: SourceQuery<S>,
  ask: (source: S) => Effect.Effect<Option.Option<A>, ProviderFailure>,
  satisfies: (answer: A) => boolean,
  serves: (answer: A) => boolean
): Effect.Effect<SourceAnswer<A>, ReadonlyArray<ProviderFailure>> => {
  const { circuits } = access
  const began = now()
  const until = began + (secondsMax ?? WATERFALL_SECONDS_MAX) * 1000
  const failures: Array<ProviderFailure> = []
  const answers: Array<Option.Option<A>> = []
  let repeatable: S | null = null

  const outcome = (answer: Option.Option<A>, satisfied: boolean): SourceAnswer<A> => ({
    answer,
    satisfied,
    pending: failures.flatMap(({ concluded, provider }) => (concluded === "pending" ? [provider] : [])),
    failures
  })

  const failed = (source: S, failure: ProviderFailure) => {
    failures.push(failure)
    if (isRepeatable(kind, failure)) repeatable ??= source
    const told = failure.ownKey === "refused" ? access.ownKeyRefused(source.name) : Effect.void
    return Effect.flatMap(told, () => Effect.as(logged(failure), false))
  }

  /** True if the answer satisfies. */
  const askOne = (source: S, owner: Owner): Effect.Effect<boolean> => {
    const millis = Math.min(sourceSecondsMax * 1000, until - now())
    if (millis <= 0) return NOT_ASKED
    const inTime = Effect.timeoutOrElse(ask(source), {
      duration: millis,
      orElse: () => Effect.fail(lateOf(source))
    })
    const asked = Result.isFailure(owner)
      ? Effect.fail(owner.failure)
      : circuits.ask(kind, source, inTime, owner.success).pipe(
          inSpan("source.ask", {
            kind: "client",
            attributes: () => ({
              "outbound.port": kind,
              "outbound.route": route,
              "peer.service": source.name,
              "outbound.own_key": owner.success !== null
            }),
            ended: (answer: Option.Option<A>) => ({ "outbound.found": Option.isSome(answer) })
          })
        )
    return Effect.flatMap(Effect.result(asked), (answered) => {
      if (Result.isFailure(answered)) return failed(source, answered.failure)
      answers.push(answered.success)
      const told = Result.getOrNull(owner) === null ? Effect.void : access.ownKeyAccepted(source.name)
      return Effect.flatMap(told, () => Effect.succeed(Option.exists(answered.success, satisfies)))
    })
  }

  /** What the answers come to if none satisfies. */
  const inTheEnd = (): Effect.Effect<SourceAnswer<A>, ReadonlyArray<ProviderFailure>> => {
    if (answers.length === 0) return Effect.fail(failures)
    const answer = Option.flatten(Option.fromNullishOr(answers.findLast(Option.isSome)))
    // Other sources' empty answers must not hide a broken own credential.
    const hidesOwnKey = failures.some(({ ownKey }) => ownKey !== undefined) && !Option.exists(answer, serves)
    return hidesOwnKey ? Effect.fail(failures) : Effect.succeed(outcome(answer, false))
  }

  return Effect.flatMap(ownersOf(access, kind, sources), (owners) => {
    const ownerOf = (source: S) => owners.get(source) ?? NOBODY
    const isDoubtful = (source: S) => {
      const owner = ownerOf(source)
      return Result.isSuccess(owner) && circuits.isDoubtful(kind, source, began, owner.success)
    }
    const latencyOf = (source: S) => circuits.latencyMillis(kind, source, began)
    const ordered = inOrder(sources, route, latencyOf, isDoubtful)
    const askFrom = (index: number): Effect.Effect<SourceAnswer<A>, ReadonlyArray<ProviderFailure>> => {
      const source = ordered[index] ?? (index === ordered.length && answers.length === 0 ? repeatable : null)
      if (source === null || source === undefined) return inTheEnd()
      return Effect.flatMap(askOne(source, ownerOf(source)), (satisfied) =>
        satisfied ? Effect.succeed(outcome(answers.at(-1) ?? Option.none(), true)) : askFrom(index + 1)
      )
    }
    return askFrom(0)
  })
}

/**
 * Asks the sources in turn, each once, until an answer satisfies. Skips sources that are to be left alone. If none
 * answered, asks once more the first that said nothing happened there. If that doesn't help, fails with every source's
 * failure.
 *
 * Also fails if the workspace's own credential was at fault and no other answer `serves` (by default: satisfies).
 */
export const askSourcesOrFail = <S extends Source, A>(
  query: SourceQuery<S>,
  ask: (source: S) => Effect.Effect<Option.Option<A>, ProviderFailure>,
  satisfies: (answer: A) => boolean = () => true,
  serves: (answer: A) => boolean = satisfies
): Effect.Effect<SourceAnswer<A>, ReadonlyArray<ProviderFailure>> =>
  Effect.withFiber((fiber) => {
    const access = fiber.getRef(CurrentSourceAccess)
    const clock = fiber.getRef(Clock.Clock)
    const now = () => clock.currentTimeMillisUnsafe()
    const outcome = askSourcesOnce({ access, now }, query, ask, satisfies, serves)
    if (query.request === null) return outcome
    return access.together(JSON.stringify([query.kind, query.route ?? "balanced", query.request]), outcome)
  })

/** `askSourcesOrFail`, failing with the caller's error. */
export const askSources = <S extends Source, A>(
  query: SourceQuery<S>,
  ask: (source: S) => Effect.Effect<Option.Option<A>, ProviderFailure>,
  satisfies: (answer: A) => boolean = () => true,
  serves: (answer: A) => boolean = satisfies
): Effect.Effect<SourceAnswer<A>, SourceError> =>
  Effect.catch(askSourcesOrFail(query, ask, satisfies, serves), (failures) =>
    Effect.flatMap(CurrentSourceAccess, ({ verb }) => Effect.fail(refusalOf(failures, verb ?? query.kind)))
  )

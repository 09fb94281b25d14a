import { Clock, Effect, Random } from "effect"
import type { ChatModel, ChatTarget } from "../../sources/ports/ChatUpstream.js"
import type { ProviderFailure, Source } from "../../sources/ports/Source.js"
import { CurrentSourceAccess, type SourceAccess } from "../../sources/SourceAccess.js"
import { refusesService, waitOf } from "./chatFailures.js"

/** Of the failures of all upstreams the one that decides: the first that may be back, unless all refuse the service. */
const decisive = (before: ReadonlyArray<ProviderFailure>, last: ProviderFailure): ProviderFailure => {
  const passing = [...before, last].filter((failure) => !refusesService(failure))
  return passing.toSorted((a, b) => waitOf(a) - waitOf(b))[0] ?? before[0] ?? last
}

/** A refusal of the service itself is an error of its configuration. Never logs what the upstream said. */
const logFailure = ({ concluded, provider, reason, status }: ProviderFailure) => {
  if (concluded === "skipped") return Effect.void
  const logged =
    reason === "account"
      ? Effect.logError(
          "an upstream refuses the service: check its base_url, key and credit, and the model's name there"
        )
      : Effect.logWarning("provider failed")
  return Effect.annotateLogs(logged, { provider, reason, ...(status === undefined ? {} : { status }) })
}

const KIND = "chat_upstream"

/** Nobody measured it yet. It orders nothing: an operator's order does. */
const LATENCY_MILLIS = 1_000

/** Each model of an upstream has a circuit of its own: one wrong name there must not stop the others. */
const sourceOf = ({ upstream, upstreamModel }: ChatTarget): Source => ({
  name: `${upstream.name}/${upstreamModel}`,
  costMicros: 0,
  missRate: 0,
  latencyMillis: LATENCY_MILLIS
})

/** Asks the target, unless its circuit says to leave it alone. */
export const throughCircuit = <A>(
  { circuits }: SourceAccess,
  target: ChatTarget,
  request: Effect.Effect<A, ProviderFailure>
): Effect.Effect<A, ProviderFailure> => circuits.ask(KIND, sourceOf(target), request)

/**
 * By order, and among equals at random by weight (each gets the first place in proportion to its weight). A target whose
 * last request failed just now comes last.
 */
const inOrder = (
  { circuits }: SourceAccess,
  targets: ReadonlyArray<ChatTarget>
): Effect.Effect<ReadonlyArray<ChatTarget>> =>
  targets.length === 1
    ? Effect.succeed(targets)
    : Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const ranked = yield* Effect.forEach(targets, (target) =>
          Effect.map(Random.next, (random) => ({
            target,
            isDoubtful: circuits.isDoubtful(KIND, sourceOf(target), nowMillis, null),
            rank: -Math.log(1 - random) / target.weight
          }))
        )
        return ranked
          .toSorted(
            (a, b) => Number(a.isDoubtful) - Number(b.isDoubtful) || a.target.order - b.target.order || a.rank - b.rank
          )
          .map(({ target }) => target)
      })

/** Another upstream may do better, except with a request that this one refuses. */
const mayHelp = ({ reason }: ProviderFailure): boolean => reason !== "invalid" && reason !== "unknown_outcome"

/** Asks a target. Once it answers, `answers` notes it in the call's record. `isLast`: no other is left to ask. */
type Ask<A> = (
  access: SourceAccess,
  target: ChatTarget,
  answers: Effect.Effect<void>,
  isLast: boolean
) => Effect.Effect<A, ProviderFailure>

/**
 * Asks the model's targets in turn until one answers (decision 0049). `isFinal`: something was delivered, so no other may
 * be asked. The call's record names the one that answers, with those that failed before it.
 */
export const askTargets = <A>(
  { targets }: ChatModel,
  ask: Ask<A>,
  isFinal: () => boolean = () => false
): Effect.Effect<A, ProviderFailure> =>
  Effect.flatMap(CurrentSourceAccess, (access) => {
    const answers = ({ upstream, upstreamModel }: ChatTarget, before: ReadonlyArray<ProviderFailure>) =>
      access.evidence(upstream.name, {
        served: upstreamModel,
        ...(before.length === 0 ? {} : { failed_before: before.map(({ provider }) => provider) })
      })
    const askFrom = (
      [target, ...others]: ReadonlyArray<ChatTarget>,
      before: ReadonlyArray<ProviderFailure>
    ): Effect.Effect<A, ProviderFailure> =>
      target === undefined
        ? Effect.die(new Error("no target"))
        : Effect.catch(ask(access, target, answers(target, before), others.length === 0), (failure) =>
            Effect.flatMap(logFailure(failure), () => {
              if (isFinal() || !mayHelp(failure)) return Effect.fail(failure)
              return others.length === 0
                ? Effect.fail(decisive(before, failure))
                : askFrom(others, [...before, failure])
            })
          )
    return Effect.flatMap(inOrder(access, targets), (ordered) => askFrom(ordered, []))
  })

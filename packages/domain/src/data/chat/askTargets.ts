import { Cause, Clock, Duration, Effect, Random } from "effect"
import { Bag } from "../../kernel/Bag.js"
import { nowThen } from "../../kernel/NowOrLater.js"
import type { ChatModel, ChatTarget } from "../../sources/ports/ChatUpstream.js"
import { ProviderFailure, type Source } from "../../sources/ports/Source.js"
import { CurrentSourceAccess, type SourceAccess } from "../../sources/SourceAccess.js"
import { type AnyWireError, invalid, refuse } from "../../kernel/errors/Wire.js"
import { RETRY_AFTER_SECONDS_DEFAULT } from "../../sources/refusals.js"
import type { Events } from "../../calls/Calls.js"

/** The longest that a moment which came nearer goes unnoticed. */
const LOOK_MILLIS = 2_000

interface Deadline {
  readonly dueMillis: () => number
  readonly onLate: () => void
}

/** The deadlines of all chats by one clock. One sleep serves them, because a timer for each costs more than the chat. */
class Deadlines {
  readonly #all = new Bag<Deadline>()
  #wakeMillis = Infinity

  constructor(private readonly clock: Clock.Clock) {}

  /** Returns what takes it away again. */
  add(deadline: Deadline): () => void {
    const remove = this.#all.add(deadline)
    this.#sleep(deadline.dueMillis())
    return remove
  }

  #sleep(dueMillis: number): void {
    const nowMillis = this.clock.unsafeCurrentTimeMillis()
    const wakeMillis = Math.min(dueMillis, nowMillis + LOOK_MILLIS)
    if (wakeMillis >= this.#wakeMillis) return
    this.#wakeMillis = wakeMillis
    const asleep = Effect.runFork(this.clock.sleep(Duration.millis(Math.max(0, wakeMillis - nowMillis))))
    // One that was overtaken by an earlier one finds another time here.
    asleep.addObserver(() => wakeMillis === this.#wakeMillis && this.#look())
  }

  #look(): void {
    this.#wakeMillis = Infinity
    const nowMillis = this.clock.unsafeCurrentTimeMillis()
    // Who is late is taken away when its request ends.
    const late: Array<Deadline> = []
    let nextMillis = Infinity
    for (const deadline of this.#all) {
      const dueMillis = deadline.dueMillis()
      if (dueMillis > nowMillis) nextMillis = Math.min(nextMillis, dueMillis)
      else late.push(deadline)
    }
    for (const { onLate } of late) onLate()
    if (this.#all.size > 0) this.#sleep(nextMillis)
  }
}

const byClock = new WeakMap<Clock.Clock, Deadlines>()

const deadlinesOf = (clock: Clock.Clock): Deadlines => {
  const deadlines = byClock.get(clock) ?? new Deadlines(clock)
  byClock.set(clock, deadlines)
  return deadlines
}

/** When to stop a request to an upstream. */
export interface Until {
  readonly clock: Clock.Clock
  /** Ends the request. */
  readonly controller: AbortController
  /** May move. A moment that comes nearer is noticed within two seconds. */
  readonly dueMillis: () => number
  readonly late: () => ProviderFailure
  /** Whose client may leave; null: it is not known. */
  readonly events: Pick<Events, "onLeft"> | null
}

/**
 * Attends a request that ends by the controller's signal. It fails as `late` once it is due, and is interrupted if the
 * client leaves. Run it uninterruptibly: it needs no fiber of its own then.
 */
export const attended = <A>(
  request: Effect.Effect<A, ProviderFailure>,
  { clock, controller, dueMillis, events, late }: Until
): Effect.Effect<A, ProviderFailure> =>
  Effect.suspend(() => {
    let instead: Effect.Effect<never, ProviderFailure> | null = null
    const stop = (by: Effect.Effect<never, ProviderFailure>): void => {
      instead ??= by
      controller.abort()
    }
    const forget = deadlinesOf(clock).add({ dueMillis, onLate: () => stop(Effect.failSync(late)) })
    const ignore = events?.onLeft(() => stop(Effect.interrupt))
    const ended = (): void => {
      forget()
      ignore?.()
    }
    return Effect.matchCauseEffect(request, {
      onFailure: (cause) => {
        ended()
        return instead === null || Cause.isDie(cause) ? Effect.failCause(cause) : instead
      },
      onSuccess: (value) => {
        ended()
        return Effect.succeed(value)
      }
    })
  })

const RETRY_AFTER_SECONDS_MAX = 3_600

const BROKE_OFF =
  "The upstream broke off. Only what was delivered is charged; see GET /v1/requests/:id. You can repeat the call with the same Idempotency-Key."

/** The operator's task, so waiting doesn't help the caller. */
const MISCONFIGURED = refuse("tool_unavailable", {
  tool: "llm_chat",
  reason: "the model's provider refuses this service. Its operator must correct that"
})

/** Whether the upstream refuses the service, now or before it was left alone for that. */
const refusesService = ({ leftAfter, reason }: ProviderFailure): boolean => (leftAfter ?? reason) === "account"

const waitOf = ({ retryAfterSeconds = RETRY_AFTER_SECONDS_DEFAULT }: ProviderFailure): number =>
  Math.max(1, Math.ceil(Math.min(retryAfterSeconds, RETRY_AFTER_SECONDS_MAX)))

/** The caller's error for an upstream's failure. */
export const refusalOf = (failure: ProviderFailure, delivered: "nothing" | "partly" = "nothing"): AnyWireError => {
  const details = { retry_after_seconds: waitOf(failure) }
  if (delivered === "partly") return refuse("provider_unavailable", details, BROKE_OFF)
  if (failure.reason === "invalid") {
    return invalid([{ path: "", message: failure.said ?? "was refused by the model's provider" }])
  }
  return refusesService(failure) ? MISCONFIGURED : refuse("provider_unavailable", details)
}

/** Of the failures of all upstreams the one that decides: the first that may be back, unless all refuse the service. */
const decisive = (before: ReadonlyArray<ProviderFailure>, last: ProviderFailure): ProviderFailure => {
  const passing = [...before, last].filter((failure) => !refusesService(failure))
  return passing.toSorted((a, b) => waitOf(a) - waitOf(b))[0] ?? before[0] ?? last
}

export const failed = ({ upstream }: ChatTarget, cause: string): ProviderFailure =>
  new ProviderFailure({ provider: upstream.name, reason: "transient", cause })

export const timedOut = ({ upstream }: ChatTarget): ProviderFailure =>
  new ProviderFailure({ provider: upstream.name, reason: "transient", concluded: "timed_out" })

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

/** Asks a target. Once it answers, `answers` notes it in the call's record. */
type Ask<A> = (
  access: SourceAccess,
  target: ChatTarget,
  answers: Effect.Effect<void>
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
        ? Effect.dieMessage("no target")
        : Effect.catchAll(ask(access, target, answers(target, before)), (failure) =>
            Effect.flatMap(logFailure(failure), () => {
              if (isFinal() || !mayHelp(failure)) return Effect.fail(failure)
              return others.length === 0
                ? Effect.fail(decisive(before, failure))
                : askFrom(others, [...before, failure])
            })
          )
    return nowThen(inOrder(access, targets), (ordered) => askFrom(ordered, []))
  })

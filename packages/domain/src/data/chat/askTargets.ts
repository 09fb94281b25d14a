import { Clock, Duration, Effect, Either, Exit, FiberId, Random, Runtime } from "effect"
import type { ChatModel, ChatTarget } from "../../sources/ports/ChatUpstream.js"
import { ProviderFailure, type Source } from "../../sources/ports/Source.js"
import { CurrentSourceAccess } from "../../sources/SourceAccess.js"
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
  readonly #all = new Set<Deadline>()
  #wakeMillis = Infinity

  constructor(private readonly clock: Clock.Clock) {}

  /** Returns what takes it away again. */
  add(deadline: Deadline): () => void {
    this.#all.add(deadline)
    this.#sleep(deadline.dueMillis())
    return () => void this.#all.delete(deadline)
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
    let nextMillis = Infinity
    for (const deadline of this.#all) {
      const dueMillis = deadline.dueMillis()
      if (dueMillis > nowMillis) nextMillis = Math.min(nextMillis, dueMillis)
      else {
        this.#all.delete(deadline)
        deadline.onLate()
      }
    }
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
  /** May move. A moment that comes nearer is noticed within two seconds. */
  readonly dueMillis: () => number
  readonly late: () => ProviderFailure
  /** Whose client may leave; null: it is not known. */
  readonly events: Pick<Events, "onLeft"> | null
}

/**
 * Runs a request on a fiber of its own, the only one. It fails as `late` once it is due, and is interrupted if the client
 * leaves. Either way the request has ended before.
 */
export const attended = <A, R>(
  request: Effect.Effect<A, ProviderFailure, R>,
  { dueMillis, events, late }: Until
): Effect.Effect<A, ProviderFailure, R> =>
  Effect.flatMap(Effect.clock, (clock) =>
    Effect.flatMap(Effect.runtime<R>(), (runtime) =>
      Effect.async<A, ProviderFailure>((resume) => {
        const fiber = Runtime.runFork(runtime, Effect.interruptible(request))
        let instead: Effect.Effect<never, ProviderFailure> | null = null
        const stop = (by: Effect.Effect<never, ProviderFailure>): void => {
          instead ??= by
          fiber.unsafeInterruptAsFork(FiberId.none)
        }
        const forget = deadlinesOf(clock).add({ dueMillis, onLate: () => stop(Effect.failSync(late)) })
        const ignore = events?.onLeft(() => stop(Effect.interrupt))
        fiber.addObserver((exit) => {
          forget()
          ignore?.()
          resume(instead !== null && Exit.isInterrupted(exit) ? instead : exit)
        })
      })
    )
  )

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
const decisive = (failures: readonly [ProviderFailure, ...ReadonlyArray<ProviderFailure>]): ProviderFailure => {
  const passing = failures.filter((failure) => !refusesService(failure)).toSorted((a, b) => waitOf(a) - waitOf(b))
  return passing[0] ?? failures[0]
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
export const throughCircuit = <A, R>(target: ChatTarget, request: Effect.Effect<A, ProviderFailure, R>) =>
  Effect.flatMap(CurrentSourceAccess, ({ circuits }) => circuits.ask(KIND, sourceOf(target), request))

/**
 * By order, and among equals at random by weight (each gets the first place in proportion to its weight). A target whose
 * last request failed just now comes last.
 */
const inOrder = (targets: ReadonlyArray<ChatTarget>): Effect.Effect<ReadonlyArray<ChatTarget>> =>
  targets.length === 1
    ? Effect.succeed(targets)
    : Effect.gen(function* () {
        const { circuits } = yield* CurrentSourceAccess
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

/**
 * Asks the model's targets in turn until one answers (decision 0049). `isFinal`: something was delivered, so no other may
 * be asked. Once a target answers, `answers` notes it in the call's record, with those that failed before it.
 */
export const askTargets = <A>(
  { targets }: ChatModel,
  ask: (target: ChatTarget, answers: Effect.Effect<void>) => Effect.Effect<A, ProviderFailure>,
  isFinal: () => boolean = () => false
): Effect.Effect<A, ProviderFailure> =>
  Effect.gen(function* () {
    const { evidence } = yield* CurrentSourceAccess
    const failures: Array<ProviderFailure> = []
    const answers = ({ upstream, upstreamModel }: ChatTarget) =>
      evidence(upstream.name, {
        served: upstreamModel,
        ...(failures.length === 0 ? {} : { failed_before: failures.map(({ provider }) => provider) })
      })
    for (const target of yield* inOrder(targets)) {
      const tried = yield* Effect.either(
        ask(
          target,
          Effect.suspend(() => answers(target))
        )
      )
      if (Either.isRight(tried)) return tried.right
      yield* logFailure(tried.left)
      if (isFinal() || !mayHelp(tried.left)) return yield* Effect.fail(tried.left)
      failures.push(tried.left)
    }
    const [first, ...others] = failures
    return yield* first === undefined ? Effect.dieMessage("no target") : Effect.fail(decisive([first, ...others]))
  })

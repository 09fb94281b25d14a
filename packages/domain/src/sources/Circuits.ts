import { Cause, Clock, Context, Effect, Exit, Layer, Option } from "effect"
import { ProviderFailure, type Source } from "./ports/Source.js"
import { Circuit, type Pass, REST_SECONDS_DEFAULT } from "./Circuit.js"
import type { CircuitState } from "./CircuitMachine.js"
import { type SourceKind, SOURCE_KINDS } from "./SourceKind.js"

/** The state of a source, for monitoring. */
export interface CircuitView {
  readonly kind: SourceKind
  readonly source: string
  readonly state: CircuitState
  /** How long the source is left alone; 0: not at all. */
  readonly waitSeconds: number
  /** Measured recently, else declared. */
  readonly latencyMillis: number
  /** The outcomes of its turns since this host started. */
  readonly answered: number
  readonly failed: number
  readonly rateLimited: number
  readonly skipped: number
}

/**
 * What this host has learnt of its sources across calls: which can't answer, which asked for a pause, and how long each
 * takes. Kept in memory: other hosts, and the next start, learn for themselves.
 */
export class Circuits extends Context.Service<
  Circuits,
  {
    /**
     * Asks a source, unless it is to be left alone: then it fails without asking. `owner`: the workspace whose own
     * credential is used. Its outcomes say nothing about other owners, and theirs nothing about it; only latency is
     * shared.
     */
    readonly ask: <A, R>(
      kind: SourceKind,
      source: Source,
      request: Effect.Effect<A, ProviderFailure, R>,
      owner?: string | null
    ) => Effect.Effect<A, ProviderFailure, R>
    readonly latencyMillis: (kind: SourceKind, source: Source, nowMillis: number) => number
    /** Whether the last request to the source failed just now. `owner` as in `ask`. */
    readonly isDoubtful: (kind: SourceKind, source: Source, nowMillis: number, owner: string | null) => boolean
    /** For the service's own credentials only. */
    readonly view: Effect.Effect<ReadonlyArray<CircuitView>>
  }
>()("@outbound/domain/sources/Circuits") {}

/** The most circuits kept for workspaces' own credentials. The least recently used are dropped. */
export const OWNED_MAX = 10_000

type Service = Circuits["Service"]

/** Learns nothing: asks every source and trusts its declared latency. For sources without state across calls. */
export const noCircuits: Service = {
  ask: (_port, _source, request) => request,
  latencyMillis: (_port, source) => source.latencyMillis,
  isDoubtful: () => false,
  view: Effect.succeed([])
}

interface Entry {
  readonly circuit: Circuit
  readonly kind: SourceKind
  readonly source: Source
  readonly counts: { answered: number; failed: number; rateLimited: number; skipped: number }
}

const fresh = (kind: SourceKind, source: Source): Entry => ({
  circuit: new Circuit(),
  kind,
  source,
  counts: { answered: 0, failed: 0, rateLimited: 0, skipped: 0 }
})

const skipped = ({ circuit, source }: Entry, nowMillis: number): ProviderFailure => {
  const wait = circuit.waitMillis(nowMillis)
  const { lastReason } = circuit
  return new ProviderFailure({
    provider: source.name,
    reason: "transient",
    concluded: "skipped",
    retryAfterSeconds: wait > 0 ? wait / 1000 : REST_SECONDS_DEFAULT,
    ...(lastReason === null ? {} : { leftAfter: lastReason })
  })
}

const logged = ({ kind, source }: Entry, state: CircuitState) =>
  Effect.logWarning("circuit changed").pipe(Effect.annotateLogs({ kind, provider: source.name, state }))

/** The failure of a request. A defect of the adapter counts as no answer; an interruption is null. */
const failureOf = (source: Source, exit: Exit.Failure<unknown, ProviderFailure>): ProviderFailure | null =>
  Option.getOrElse(Cause.findErrorOption(exit.cause), () =>
    Cause.hasInterruptsOnly(exit.cause)
      ? null
      : new ProviderFailure({ provider: source.name, reason: "transient", cause: exit.cause })
  )

const record = (known: Entry, pass: Pass, exit: Exit.Exit<unknown, ProviderFailure>, began: number, ended: number) => {
  const { circuit, counts, source } = known
  const measured = () => circuit.measure(source.latencyMillis, ended - began, ended)
  if (Exit.isSuccess(exit)) {
    counts.answered += 1
    circuit.answered(pass, ended)
    return measured()
  }
  const failure = failureOf(source, exit)
  // Not asked: nothing was learnt about the source.
  if (failure === null || failure.concluded === "skipped") return circuit.abandoned(pass)
  if (failure.ownKey !== undefined || failure.concluded === "pending") {
    // The source works: it refused this request, or needs more time.
    counts.answered += 1
    return circuit.answered(pass, ended)
  }
  if (failure.reason === "rate_limited") counts.rateLimited += 1
  else if (failure.reason === "invalid") counts.answered += 1
  else counts.failed += 1
  circuit.failed(pass, failure.reason, failure.retryAfterSeconds, ended)
  if (failure.concluded === "timed_out") measured()
}

export const make = Effect.sync((): Service => {
  const all = new Map<string, Entry>()
  /** The most recently used come last. */
  const owned = new Map<string, Entry>()

  const entryOf = (kind: SourceKind, source: Source): Entry => {
    const key = `${kind} ${source.name}`
    let entry = all.get(key)
    if (entry === undefined) all.set(key, (entry = fresh(kind, source)))
    return entry
  }

  const ownedBy = (owner: string, kind: SourceKind, source: Source): Entry => {
    const key = `${owner} ${kind} ${source.name}`
    const entry = owned.get(key) ?? fresh(kind, source)
    owned.delete(key)
    owned.set(key, entry)
    const [oldest] = owned.keys()
    if (owned.size > OWNED_MAX && oldest !== undefined) owned.delete(oldest)
    return entry
  }

  return {
    ask: (kind, source, request, owner = null) => {
      if (!SOURCE_KINDS[kind].hasCircuit) return request
      // Uninterruptible, so that each pass reports its outcome: others wait for a probe.
      return Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(Clock.currentTimeMillis, (began) => {
          const entry = owner === null ? entryOf(kind, source) : ownedBy(owner, kind, source)
          const before = entry.circuit.state
          const pass = entry.circuit.enter(began)
          if (pass === null) {
            entry.counts.skipped += 1
            return Effect.fail(skipped(entry, began))
          }
          return Effect.onExit(restore(request), (exit) =>
            Effect.flatMap(Clock.currentTimeMillis, (ended) => {
              record(entry, pass, exit, began, ended)
              if (owner !== null && Exit.isSuccess(exit)) {
                entryOf(kind, source).circuit.measure(source.latencyMillis, ended - began, ended)
              }
              const { state } = entry.circuit
              return state === before ? Effect.void : logged(entry, state)
            })
          )
        })
      )
    },
    latencyMillis: (kind, source, nowMillis) => {
      const entry = all.get(`${kind} ${source.name}`)
      return entry === undefined ? source.latencyMillis : entry.circuit.latencyMillis(source.latencyMillis, nowMillis)
    },
    isDoubtful: (kind, source, nowMillis, owner) => {
      const entry = owner === null ? all.get(`${kind} ${source.name}`) : owned.get(`${owner} ${kind} ${source.name}`)
      return entry?.circuit.isDoubtful(nowMillis) ?? false
    },
    view: Effect.map(Clock.currentTimeMillis, (now) =>
      [...all.values()].map(({ circuit, counts, kind, source }) => ({
        kind,
        source: source.name,
        state: circuit.state,
        waitSeconds: circuit.waitMillis(now) / 1000,
        latencyMillis: circuit.latencyMillis(source.latencyMillis, now),
        ...counts
      }))
    )
  }
})

export const layer = Layer.effect(Circuits, make)

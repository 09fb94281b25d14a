import { Cause, Clock, Context, Effect, Exit, Layer, Option } from "effect"
import { ProviderFailure } from "../ports/providers/ProviderFailure.js"
import type { Source } from "../ports/providers/Source.js"
import { Circuit, type Pass, REST_SECONDS_DEFAULT } from "./Circuit.js"
import type { CircuitState } from "./CircuitMachine.js"
import { type Port, PORTS } from "./Ports.js"

/** What is known of a source, for those who watch the service. */
export interface CircuitView {
  readonly port: Port
  readonly source: string
  readonly state: CircuitState
  /** For how long it is left alone; 0: it is not. */
  readonly waitSeconds: number
  /** As measured lately, else as declared. */
  readonly latencyMillis: number
  /** What came of every time that it was its turn, since this host started. */
  readonly answered: number
  readonly failed: number
  readonly rateLimited: number
  readonly skipped: number
}

/**
 * What this host has learnt of its sources, across calls: which of them can't answer now, which asked to be left alone
 * and until when, and how long each takes. Kept in memory: another host, or the next start, learns for itself.
 */
export class Circuits extends Context.Tag("@outbound/domain/providers/Circuits")<
  Circuits,
  {
    /** Asks a source, unless it is to be left alone; then it fails with what says so, and nothing is asked. */
    readonly ask: <A, R>(
      port: Port,
      source: Source,
      request: Effect.Effect<A, ProviderFailure, R>
    ) => Effect.Effect<A, ProviderFailure, R>
    readonly latencyMillis: (port: Port, source: Source, nowMillis: number) => number
    readonly view: Effect.Effect<ReadonlyArray<CircuitView>>
  }
>() {}

type Service = Context.Tag.Service<typeof Circuits>

/** Learns nothing: every source is asked, and is as fast as it says. For sources that must not depend on earlier calls. */
export const unlearning: Service = {
  ask: (_port, _source, request) => request,
  latencyMillis: (_port, source) => source.latencyMillis,
  view: Effect.succeed([])
}

interface Known {
  readonly circuit: Circuit
  readonly port: Port
  readonly source: Source
  readonly counts: { answered: number; failed: number; rateLimited: number; skipped: number }
}

const skipped = ({ circuit, source }: Known, nowMillis: number): ProviderFailure => {
  const wait = circuit.waitMillis(nowMillis)
  return new ProviderFailure({
    provider: source.name,
    reason: "transient",
    concluded: "skipped",
    retryAfterSeconds: wait > 0 ? wait / 1000 : REST_SECONDS_DEFAULT
  })
}

const logged = ({ port, source }: Known, state: CircuitState) =>
  Effect.logWarning("circuit changed").pipe(Effect.annotateLogs({ port, provider: source.name, state }))

/** What became of a request. A defect of the adapter is as good as no answer; an interruption says nothing. */
const failureOf = (source: Source, exit: Exit.Failure<unknown, ProviderFailure>): ProviderFailure | null =>
  Option.getOrElse(Cause.failureOption(exit.cause), () =>
    Cause.isInterruptedOnly(exit.cause)
      ? null
      : new ProviderFailure({ provider: source.name, reason: "transient", cause: exit.cause })
  )

const record = (known: Known, pass: Pass, exit: Exit.Exit<unknown, ProviderFailure>, began: number, ended: number) => {
  const { circuit, counts, source } = known
  const measured = () => circuit.measure(source.latencyMillis, ended - began, ended)
  if (Exit.isSuccess(exit)) {
    counts.answered += 1
    circuit.answered(pass, ended)
    return measured()
  }
  const failure = failureOf(source, exit)
  if (failure === null) return circuit.abandoned(pass)
  if (failure.reason === "rate_limited") counts.rateLimited += 1
  else if (failure.reason === "invalid") counts.answered += 1
  else counts.failed += 1
  circuit.failed(pass, failure.reason, failure.retryAfterSeconds, ended)
  if (failure.concluded === "timed_out") measured()
}

export const make = Effect.sync((): Service => {
  const all = new Map<string, Known>()

  const knownOf = (port: Port, source: Source): Known => {
    const key = `${port} ${source.name}`
    let known = all.get(key)
    if (known === undefined) {
      const counts = { answered: 0, failed: 0, rateLimited: 0, skipped: 0 }
      all.set(key, (known = { circuit: new Circuit(), port, source, counts }))
    }
    return known
  }

  return {
    ask: (port, source, request) => {
      if (!PORTS[port].hasCircuit) return request
      return Effect.flatMap(Clock.currentTimeMillis, (began) => {
        const known = knownOf(port, source)
        const before = known.circuit.state
        const pass = known.circuit.enter(began)
        if (pass === null) {
          known.counts.skipped += 1
          return Effect.fail(skipped(known, began))
        }
        return Effect.onExit(request, (exit) =>
          Effect.flatMap(Clock.currentTimeMillis, (ended) => {
            record(known, pass, exit, began, ended)
            const { state } = known.circuit
            return state === before ? Effect.void : logged(known, state)
          })
        )
      })
    },
    latencyMillis: (port, source, nowMillis) => {
      const known = all.get(`${port} ${source.name}`)
      return known === undefined ? source.latencyMillis : known.circuit.latencyMillis(source.latencyMillis, nowMillis)
    },
    view: Effect.map(Clock.currentTimeMillis, (now) =>
      [...all.values()].map(({ circuit, counts, port, source }) => ({
        port,
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

import { CircuitMachine } from "@outbound/domain/sources/CircuitMachine.js"
import type { CircuitView } from "@outbound/domain/sources/Circuits.js"
import { Effect } from "effect"
import { Counter, Gauge, type Registry } from "prom-client"

const LABELS = ["port", "source"] as const

/** What came of every time that it was a source's turn. */
const OUTCOMES = ["answered", "failed", "rateLimited", "skipped"] as const

/** Shows what this host has learnt of the sources of live workspaces. They are read when somebody looks. */
export const watchSources = (registry: Registry, view: Effect.Effect<ReadonlyArray<CircuitView>>): void => {
  const read = (): ReadonlyArray<CircuitView> => Effect.runSync(view)
  const registers = [registry]
  new Counter({
    name: "outbound_source_turns_total",
    help: "Times that it was a source's turn, by what it came to. A skipped one was not asked.",
    labelNames: [...LABELS, "outcome"],
    registers,
    collect() {
      this.reset()
      for (const one of read()) {
        for (const outcome of OUTCOMES) {
          const name = outcome === "rateLimited" ? "rate_limited" : outcome
          this.inc({ port: one.kind, source: one.source, outcome: name }, one[outcome])
        }
      }
    }
  })
  new Gauge({
    name: "outbound_source_circuit_open",
    help: "1: the source can't answer, and is tried by one request at a time once its wait is over; 0: it is asked.",
    labelNames: LABELS,
    registers,
    collect() {
      for (const { kind, source, state } of read()) {
        this.set({ port: kind, source }, CircuitMachine.is.closed(state) ? 0 : 1)
      }
    }
  })
  new Gauge({
    name: "outbound_source_wait_seconds",
    help: "For how long a source is left alone, as it asked for that or can't answer.",
    labelNames: LABELS,
    registers,
    collect() {
      for (const { kind, source, waitSeconds } of read()) this.set({ port: kind, source }, waitSeconds)
    }
  })
  new Gauge({
    name: "outbound_source_latency_seconds",
    help: "How long a source takes, as measured lately, else as it declares.",
    labelNames: LABELS,
    registers,
    collect() {
      for (const { kind, latencyMillis, source } of read()) this.set({ port: kind, source }, latencyMillis / 1000)
    }
  })
}

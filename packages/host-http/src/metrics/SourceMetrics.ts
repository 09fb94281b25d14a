import { CircuitMachine } from "@outbound/domain/sources/CircuitMachine.js"
import type { CircuitView } from "@outbound/domain/sources/Circuits.js"
import { Effect } from "effect"
import { Counter, Gauge, type Registry } from "prom-client"

const LABELS = ["port", "source"] as const

/** The outcomes of a source's turns. */
const OUTCOMES = ["answered", "failed", "rateLimited", "skipped"] as const

/** This host's view of the sources of live workspaces, read on each scrape. */
export const watchSources = (registry: Registry, view: Effect.Effect<ReadonlyArray<CircuitView>>): void => {
  const read = (): ReadonlyArray<CircuitView> => Effect.runSync(view)
  const registers = [registry]
  new Counter({
    name: "outbound_source_turns_total",
    help: "Turns of a source, by outcome. A skipped source was not asked.",
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
    help: "1: the circuit is open; after a wait, single requests test the source. 0: the source is asked.",
    labelNames: LABELS,
    registers,
    // Each worker has its own view.
    aggregator: "max",
    collect() {
      for (const { kind, source, state } of read()) {
        this.set({ port: kind, source }, CircuitMachine.is.closed(state) ? 0 : 1)
      }
    }
  })
  new Gauge({
    name: "outbound_source_wait_seconds",
    help: "Seconds until a source is asked again.",
    labelNames: LABELS,
    registers,
    aggregator: "max",
    collect() {
      for (const { kind, source, waitSeconds } of read()) this.set({ port: kind, source }, waitSeconds)
    }
  })
  new Gauge({
    name: "outbound_source_latency_seconds",
    help: "A source's latency, as recently measured or else declared.",
    labelNames: LABELS,
    registers,
    aggregator: "average",
    collect() {
      for (const { kind, latencyMillis, source } of read()) this.set({ port: kind, source }, latencyMillis / 1000)
    }
  })
}

import { assert, it } from "@effect/vitest"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { FAILURES_MAX, OPEN_SECONDS } from "@outbound/domain/sources/Circuit.js"
import { make } from "@outbound/domain/sources/Circuits.js"
import { Clock, Effect } from "effect"
import { Registry } from "prom-client"
import { watchSources } from "../src/metrics/SourceMetrics.js"

const source = { name: "probe", costMicros: 1, missRate: 0, latencyMillis: 250 }

it.effect("metrics show what became of a source's turns, and whether it is left alone, whenever they are read", () =>
  Effect.gen(function* () {
    const circuits = yield* make
    const registry = new Registry()
    watchSources(registry, Effect.provideService(circuits.view, Clock.Clock, yield* Clock.clockWith(Effect.succeed)))
    const shown = () => registry.metrics()
    const labels = `port="email_verifier",source="probe"`
    assert.notInclude(yield* Effect.promise(shown), "probe")

    yield* circuits.ask("email_verifier", source, Effect.succeed("an answer"))
    const failing = Effect.fail(new ProviderFailure({ provider: "probe", reason: "transient" }))
    for (let count = 0; count <= FAILURES_MAX; count++) {
      yield* Effect.result(circuits.ask("email_verifier", source, failing))
    }
    for (let reading = 0; reading < 2; reading++) {
      const text = yield* Effect.promise(shown)
      for (const [outcome, count] of [
        ["answered", 1],
        ["failed", FAILURES_MAX],
        ["rate_limited", 0],
        ["skipped", 1]
      ] as const) {
        assert.include(text, `outbound_source_turns_total{${labels},outcome="${outcome}"} ${count}\n`)
      }
      assert.include(text, `outbound_source_circuit_open{${labels}} 1\n`)
      assert.include(text, `outbound_source_wait_seconds{${labels}} ${OPEN_SECONDS}\n`)
      assert.include(text, `outbound_source_latency_seconds{${labels}} 0.2\n`)
    }
  })
)

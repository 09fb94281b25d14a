import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { ProviderFailure } from "../../src/sources/ports/Source.js"
import { FAILURES_MAX, OPEN_SECONDS } from "../../src/sources/Circuit.js"
import { make } from "../../src/sources/Circuits.js"

const PORT = "email_verifier"

describe("the circuits of a host", () => {
  it.effect("wait for no probe whose caller was interrupted just as it was let through", () =>
    Effect.gen(function* () {
      let whenLookedUp = (): void => {}
      const source = {
        get name() {
          whenLookedUp()
          return "a_source"
        },
        costMicros: 1,
        missRate: 0,
        latencyMillis: 1
      }
      const circuits = yield* make
      const down = Effect.fail(new ProviderFailure({ provider: "a_source", reason: "transient" }))
      for (let count = 0; count < FAILURES_MAX; count++) yield* Effect.result(circuits.ask(PORT, source, down))
      yield* TestClock.adjust(`${OPEN_SECONDS} seconds`)
      const probe = yield* Effect.forkChild(circuits.ask(PORT, source, Effect.void))
      whenLookedUp = () => probe.interruptUnsafe()
      yield* Fiber.await(probe)
      whenLookedUp = () => {}
      assert.notStrictEqual((yield* circuits.view)[0]?.state, "half_open")
      yield* circuits.ask(PORT, source, Effect.void)
      assert.strictEqual((yield* circuits.view)[0]?.state, "closed")
    })
  )
})

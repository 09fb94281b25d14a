import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Ref } from "effect"
import { TestClock } from "effect/testing"
import { provenBy } from "../src/health/Readiness.js"

describe("the proof that a host can serve", () => {
  it.effect("is made when asked, once for all who ask within seconds, and never of itself", () =>
    Effect.gen(function* () {
      const probes = yield* Ref.make(0)
      const ready = yield* provenBy(Ref.update(probes, (count) => count + 1))
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* Ref.get(probes), 0)
      const many = yield* Effect.all(
        Array.from({ length: 100 }, () => ready),
        { concurrency: "unbounded" }
      )
      assert.isTrue(many.every((isReady) => isReady))
      assert.strictEqual(yield* Ref.get(probes), 1)
      yield* TestClock.adjust("4 seconds")
      assert.isTrue(yield* ready)
      assert.strictEqual(yield* Ref.get(probes), 2)
    })
  )

  it.effect("fails with a probe that fails, dies or hangs, and holds again seconds after the probe does", () =>
    Effect.gen(function* () {
      const probe = yield* Ref.make<Effect.Effect<unknown, string>>(Effect.void)
      const ready = yield* provenBy(Effect.flatten(Ref.get(probe)))
      for (const broken of [Effect.fail("refused"), Effect.die("a defect"), Effect.never]) {
        yield* Ref.set(probe, broken)
        yield* TestClock.adjust("4 seconds")
        const asked = yield* Effect.forkChild(ready)
        yield* TestClock.adjust("2 seconds")
        assert.isFalse(yield* Fiber.join(asked))
        yield* Ref.set(probe, Effect.void)
        yield* TestClock.adjust("4 seconds")
        assert.isTrue(yield* ready)
      }
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { IN_PROGRESS_WAIT_MILLIS } from "../../src/calls/CallJournal.js"
import { TokenTurns } from "../../src/calls/Prepared.js"

/** Work that says that it began, and goes on when told to. */
const gated = Effect.gen(function* () {
  const began = yield* Deferred.make<void>()
  const gate = yield* Deferred.make<void>()
  return { began, gate, work: Effect.andThen(Deferred.succeed(began, undefined), Deferred.await(gate)) }
})

describe("turns of calls with one token", () => {
  it.effect("the next begins when the one before has ended, however it ended", () =>
    Effect.gen(function* () {
      const turns = new TokenTurns()
      const first = yield* gated
      const running = yield* Effect.forkChild(
        turns.take("key", "token", Effect.andThen(first.work, Effect.die("broken")))
      )
      yield* Deferred.await(first.began)
      const order: Array<string> = []
      const second = yield* Effect.forkChild(
        turns.take(
          "key",
          "token",
          Effect.sync(() => order.push("second"))
        )
      )
      const third = yield* Effect.forkChild(
        turns.take(
          "key",
          "token",
          Effect.sync(() => order.push("third"))
        )
      )
      yield* turns.take(
        "key",
        "another token",
        Effect.sync(() => order.push("another token"))
      )
      yield* turns.take(
        "another key",
        "token",
        Effect.sync(() => order.push("another key"))
      )
      assert.deepStrictEqual(order, ["another token", "another key"])
      yield* Deferred.succeed(first.gate, undefined)
      assert.isTrue(Exit.isFailure(yield* Fiber.await(running)))
      yield* Fiber.joinAll([second, third])
      assert.deepStrictEqual(order, ["another token", "another key", "second", "third"])
    })
  )

  it.effect("nobody waits longer than for a call under one's own Idempotency-Key", () =>
    Effect.gen(function* () {
      const turns = new TokenTurns()
      const first = yield* gated
      yield* Effect.forkChild(turns.take("key", "token", first.work))
      yield* Deferred.await(first.began)
      const second = yield* Effect.forkChild(
        Effect.uninterruptible(turns.take("key", "token", Effect.succeed("went on")))
      )
      yield* TestClock.adjust(IN_PROGRESS_WAIT_MILLIS - 1)
      assert.isUndefined(second.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* Fiber.join(second), "went on")
    })
  )
})

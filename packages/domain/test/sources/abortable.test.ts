import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { abortable, chatStreamOf } from "../../src/sources/abortable.js"
import { ProviderFailure } from "../../src/sources/ports/Source.js"

const failed = () => new ProviderFailure({ provider: "left", reason: "transient" })

describe("a call that a signal ends", () => {
  it.effect(
    "fails with what was said for it, whether it is left before or while it runs, and not with an interruption",
    () =>
      Effect.gen(function* () {
        const early = new AbortController()
        early.abort()
        assert.strictEqual(yield* Effect.flip(abortable(Effect.never, early.signal, () => "left")), "left")

        const late = new AbortController()
        const fiber = yield* Effect.forkChild(Effect.flip(abortable(Effect.never, late.signal, () => "left")))
        yield* Effect.yieldNow
        late.abort()
        assert.strictEqual(yield* Fiber.join(fiber), "left")
      })
  )

  it.effect("ends as it ends where nobody leaves", () =>
    Effect.gen(function* () {
      const { signal } = new AbortController()
      assert.strictEqual(yield* abortable(Effect.succeed(1), signal, () => "left"), 1)
      assert.strictEqual(yield* Effect.flip(abortable(Effect.fail("broken"), signal, () => "left")), "broken")
    })
  )

  it.effect("a stream that is left after its first piece fails the same way, and is closed", () =>
    Effect.gen(function* () {
      const leaving = new AbortController()
      let isClosed = false
      const texts = Stream.concat(Stream.succeed("first"), Stream.never).pipe(
        Stream.ensuring(Effect.sync(() => (isClosed = true)))
      )
      const stream = yield* chatStreamOf(texts, leaving.signal, failed)
      assert.deepStrictEqual(stream.first, ["first"])
      const rest = yield* Effect.forkChild(Effect.flip(stream.rest(() => true)))
      yield* Effect.yieldNow
      leaving.abort()
      assert.strictEqual((yield* Fiber.join(rest)).provider, "left")
      assert.isTrue(isClosed)
    })
  )
})

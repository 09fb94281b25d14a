import { assert, describe, it } from "@effect/vitest"
import { nowEither, nowThen } from "@outbound/domain/kernel/NowOrLater.js"
import { Cause, Effect, Exit, Result } from "effect"

const later = <A>(value: A): Effect.Effect<A> => Effect.sync(() => value)

describe("what goes on at once where its outcome is there", () => {
  it("is an outcome again, without a fiber, and a failure goes past what would follow", () => {
    const one = nowThen(Effect.succeed(1), (value) => Effect.succeed(value + 1))
    assert.deepStrictEqual(one, Effect.succeed(2))
    const failed = nowThen(Effect.fail("no"), () => Effect.die("it went on"))
    assert.deepStrictEqual(failed, Effect.fail("no"))
    const either = nowEither(Effect.fail("no"), (outcome) => Effect.succeed(Result.isFailure(outcome)))
    assert.deepStrictEqual(either, Effect.succeed(true))
  })

  it.effect("does the same later", () =>
    Effect.gen(function* () {
      let begun = 0
      const described = nowThen(later(1), (value) => {
        begun += 1
        return later(value + 1)
      })
      assert.strictEqual(begun, 0, "a description runs nothing")
      assert.strictEqual(yield* described, 2)
      const failed = Effect.flatMap(later(0), () => Effect.fail("no"))
      assert.deepStrictEqual(yield* nowEither(failed, Effect.succeed), Result.fail("no"))
    })
  )

  it.effect("takes a defect for no failure, now and later", () =>
    Effect.gen(function* () {
      const defect = new Error("broken")
      for (const effect of [Effect.die(defect), Effect.flatMap(later(0), () => Effect.die(defect))]) {
        const exit = yield* Effect.exit(nowEither(effect, () => Effect.succeed("caught")))
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      }
    })
  )
})

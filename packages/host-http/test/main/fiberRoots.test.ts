import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { globalValue } from "effect/GlobalValue"
import { replaceFiberRoots } from "../../src/main/fiberRoots.js"

const never = () => Effect.runFork(Effect.never)

const isNoted = (fiber: Fiber.RuntimeFiber<unknown, unknown>): boolean => Fiber.unsafeRoots().includes(fiber)

describe("the fibers that nobody else holds", () => {
  it.effect("are noted while they run, also those that ran before, and not in a Set", () =>
    Effect.gen(function* () {
      const before = never()
      assert.isTrue(isNoted(before))
      replaceFiberRoots()
      replaceFiberRoots()
      const after = never()
      assert.deepStrictEqual([before, after].map(isNoted), [true, true])
      yield* Fiber.interrupt(before)
      assert.deepStrictEqual([before, after].map(isNoted), [false, true])
      yield* Fiber.interrupt(after)
      assert.isFalse(isNoted(after))
      // Another version of Effect may name it otherwise, and then the calls' memory waits for full collections again.
      const scope = globalValue<{ readonly roots: unknown } | null>(Symbol.for("effect/FiberScope/Global"), () => null)
      assert.isObject(scope?.roots)
      assert.notInstanceOf(scope?.roots, Set)
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import * as fc from "fast-check"
import { TestClock } from "effect/testing"
import { make } from "../../src/sources/Coalesce.js"

/** A lookup that ends when it is told to, and counts how often it was made and how often interrupted. */
const lookup = Effect.gen(function* () {
  const end = yield* Deferred.make<string, string>()
  const count = { made: 0, interrupted: 0 }
  const effect = Effect.suspend(() => {
    count.made += 1
    return Deferred.await(end)
  }).pipe(Effect.onInterrupt(() => Effect.sync(() => (count.interrupted += 1))))
  return { end, count, effect }
})

describe("identical lookups", () => {
  it.effect("that are under way at once are made once, and everyone is told; a later one is made anew", () =>
    Effect.gen(function* () {
      const { together, underWay } = yield* make
      const { count, effect, end } = yield* lookup
      const callers = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(together("a", effect)))
      yield* Effect.yieldNow
      yield* Deferred.succeed(end, "found")
      assert.deepStrictEqual([...new Set(yield* Fiber.joinAll(callers))], ["found"])
      assert.strictEqual(count.made, 1)
      assert.deepStrictEqual(yield* underWay, { lookups: 0, callers: 0 })
      yield* together("a", effect)
      assert.strictEqual(count.made, 2)
    })
  )

  it.effect("of another key are made for themselves", () =>
    Effect.gen(function* () {
      const { together } = yield* make
      const { count, effect, end } = yield* lookup
      const callers = yield* Effect.forEach(["a", "b", "a", "c"], (key) => Effect.forkChild(together(key, effect)))
      yield* Effect.yieldNow
      assert.strictEqual(count.made, 3)
      yield* Deferred.succeed(end, "found")
      yield* Fiber.joinAll(callers)
    })
  )

  it.effect("fail for those who waited, and for nobody after them", () =>
    Effect.gen(function* () {
      const { together, underWay } = yield* make
      const { effect, end } = yield* lookup
      const callers = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(Effect.flip(together("a", effect))))
      yield* Effect.yieldNow
      yield* Deferred.fail(end, "down")
      assert.deepStrictEqual(yield* Fiber.joinAll(callers), ["down", "down", "down"])
      assert.deepStrictEqual(yield* underWay, { lookups: 0, callers: 0 })
      assert.strictEqual(yield* together("a", Effect.succeed("found")), "found")
    })
  )

  it.effect("go on while anybody waits, and end with the last who does", () =>
    Effect.gen(function* () {
      const { together, underWay } = yield* make
      const { count, effect, end } = yield* lookup
      const first = yield* Effect.forkChild(together("a", effect))
      yield* Effect.yieldNow
      const second = yield* Effect.forkChild(together("a", effect))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(first)))
      assert.deepStrictEqual(count, { made: 1, interrupted: 0 })
      yield* Deferred.succeed(end, "found")
      assert.strictEqual(yield* Fiber.join(second), "found")

      const alone = yield* lookup
      const only = yield* Effect.forkChild(together("b", alone.effect))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(only)
      assert.deepStrictEqual(yield* underWay, { lookups: 0, callers: 0 })
      yield* Effect.yieldNow
      assert.deepStrictEqual(alone.count, { made: 1, interrupted: 1 })
    })
  )

  it.effect(
    "for any timing of calls and interruptions: one lookup per key at a time, and no one gets another key's result",
    () =>
      Effect.promise(() => {
        const caller = fc.record({
          key: fc.constantFrom("a", "b", "c"),
          begins: fc.integer({ min: 0, max: 30 }),
          leaves: fc.option(fc.integer({ min: 1, max: 12 }), { nil: null })
        })
        const scenario = fc.record({
          callers: fc.array(caller, { minLength: 1, maxLength: 25 }),
          lasts: fc.integer({ min: 1, max: 10 }),
          fails: fc.boolean()
        })
        type Scenario = typeof scenario extends fc.Arbitrary<infer A> ? A : never
        const run = ({ callers, fails, lasts }: Scenario) =>
          Effect.gen(function* () {
            const { together, underWay } = yield* make
            const running = new Map<string, number>()
            let serial = 0
            const ask = (key: string) =>
              Effect.suspend(() => {
                const own = `${key} ${serial++}`
                running.set(key, (running.get(key) ?? 0) + 1)
                assert.strictEqual(running.get(key), 1, "one at a time")
                const end = Effect.sync(() => running.set(key, (running.get(key) ?? 0) - 1))
                return Effect.sleep(`${lasts} seconds`).pipe(
                  Effect.andThen(fails ? Effect.fail(own) : Effect.succeed(own)),
                  Effect.ensuring(end)
                )
              })
            const fibers = yield* Effect.forEach(callers, ({ begins, key, leaves }) =>
              together(key, ask(key)).pipe(
                Effect.catch(Effect.succeed),
                leaves === null ? Effect.asSome : Effect.timeoutOption(`${leaves} seconds`),
                Effect.delay(`${begins} seconds`),
                Effect.forkChild
              )
            )
            yield* TestClock.adjust("1 minute")
            for (const [index, fiber] of fibers.entries()) {
              const found = yield* Fiber.join(fiber)
              const { key, leaves } = callers[index] ?? assert.fail()
              if (found._tag === "Some") assert.strictEqual(found.value.split(" ")[0], key)
              else assert.isNotNull(leaves, "callers that stay get the result")
            }
            assert.deepStrictEqual(yield* underWay, { lookups: 0, callers: 0 })
          })
        return fc.assert(
          fc.asyncProperty(scenario, (given) => Effect.runPromise(run(given).pipe(Effect.provide(TestClock.layer())))),
          { numRuns: 30 }
        )
      })
  )
})

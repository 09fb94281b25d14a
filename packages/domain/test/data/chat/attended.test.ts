import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Either, Exit, Fiber, TestClock } from "effect"
import { attended, type Until } from "../../../src/data/chat/askTargets.js"
import { ProviderFailure } from "../../../src/sources/ports/Source.js"

const late = (provider: string) => () => new ProviderFailure({ provider, reason: "transient", concluded: "timed_out" })

const until = (millis: number, name: string, events: Until["events"] = null): Until => ({
  dueMillis: () => millis,
  late: late(name),
  events
})

/** A request that is never answered, and takes a while to stop. */
const endless = (stopped: Deferred.Deferred<void>, may: Effect.Effect<void> = Effect.void) =>
  Effect.onInterrupt(Effect.never, () => Effect.zipRight(may, Deferred.succeed(stopped, undefined)))

/** As in a call, which nobody interrupts. */
const started = <A>(request: Effect.Effect<A, ProviderFailure>) =>
  Effect.forkDaemon(Effect.uninterruptible(Effect.exit(Effect.either(request))))

const ended = <A>(exit: Exit.Exit<Either.Either<A, ProviderFailure>>): string =>
  Exit.match(exit, {
    onFailure: (cause) => (Cause.isInterruptedOnly(cause) ? "left" : "broken"),
    onSuccess: Either.match({ onLeft: ({ provider }) => `${provider} is late`, onRight: String })
  })

describe("a request to an upstream", () => {
  it.effect("is late to the millisecond, whichever deadline was set first", () =>
    Effect.gen(function* () {
      const stopped = yield* Deferred.make<void>()
      const far = yield* started(attended(endless(stopped), until(61_000, "far")))
      const near = yield* started(attended(endless(stopped), until(1_500, "near")))
      yield* TestClock.adjust(1_499)
      assert.isNull(near.unsafePoll())
      yield* TestClock.adjust(1)
      assert.strictEqual(ended(yield* Fiber.join(near)), "near is late")
      yield* TestClock.adjust(59_499)
      assert.isNull(far.unsafePoll())
      yield* TestClock.adjust(1)
      assert.strictEqual(ended(yield* Fiber.join(far)), "far is late")
    })
  )

  it.effect("notices within two seconds that its deadline came nearer", () =>
    Effect.gen(function* () {
      const stopped = yield* Deferred.make<void>()
      let dueMillis = 60_000
      const fiber = yield* started(
        attended(endless(stopped), { dueMillis: () => dueMillis, late: late("one"), events: null })
      )
      yield* TestClock.adjust(10_000)
      dueMillis = 10_500
      yield* TestClock.adjust(2_000)
      assert.strictEqual(ended(yield* Fiber.join(fiber)), "one is late")
    })
  )

  it.effect("that ended in time is never late", () =>
    Effect.gen(function* () {
      let lates = 0
      const counted = () => {
        lates += 1
        return late("one")()
      }
      assert.strictEqual(
        yield* attended(Effect.succeed("fine"), { dueMillis: () => 1_000, late: counted, events: null }),
        "fine"
      )
      yield* TestClock.adjust(10_000)
      assert.strictEqual(lates, 0)
    })
  )

  it.effect(
    "is interrupted when its client leaves, has stopped before its caller goes on, and forgets the client",
    () =>
      Effect.gen(function* () {
        const told = new Set<() => void>()
        const events = {
          onLeft: (one: () => void) => {
            told.add(one)
            return () => void told.delete(one)
          }
        }
        const stopped = yield* Deferred.make<void>()
        const may = yield* Deferred.make<void>()
        const fiber = yield* started(attended(endless(stopped, Deferred.await(may)), until(60_000, "one", events)))
        yield* Effect.yieldNow()
        for (const one of told) one()
        yield* Effect.yieldNow()
        assert.isNull(fiber.unsafePoll())
        yield* Deferred.succeed(may, undefined)
        assert.strictEqual(ended(yield* Fiber.join(fiber)), "left")
        assert.isTrue(yield* Deferred.isDone(stopped))
        assert.strictEqual(told.size, 0)
      })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { attended, type Until } from "../../../src/data/chat/Deadlines.js"
import { abortable } from "../../../src/sources/abortable.js"
import { ProviderFailure } from "../../../src/sources/ports/Source.js"

const late = (provider: string) => () => new ProviderFailure({ provider, reason: "transient", concluded: "timed_out" })

interface Watched {
  readonly name: string
  readonly dueMillis: () => number
  readonly late?: () => ProviderFailure
  readonly events?: Until["events"]
}

const watched = <A>(
  request: (signal: AbortSignal) => Effect.Effect<A, ProviderFailure>,
  { dueMillis, events = null, name, late: onLate = late(name) }: Watched
) =>
  Effect.clockWith((clock) => {
    const controller = new AbortController()
    return attended(request(controller.signal), { clock, controller, dueMillis, late: onLate, events })
  })

/** A request that is never answered, and takes a while to stop. */
const endless =
  (stopped: Deferred.Deferred<void>, may: Effect.Effect<void> = Effect.void) =>
  (signal: AbortSignal): Effect.Effect<never, ProviderFailure> =>
    abortable(
      Effect.onInterrupt(Effect.never, () => Effect.andThen(may, Deferred.succeed(stopped, undefined))),
      signal,
      () => new ProviderFailure({ provider: "aborted", reason: "transient" })
    )

/** As in a call, which nobody interrupts. */
const started = <A>(request: Effect.Effect<A, ProviderFailure>) =>
  Effect.forkDetach(Effect.uninterruptible(Effect.exit(Effect.result(request))))

const ended = <A>(exit: Exit.Exit<Result.Result<A, ProviderFailure>>): string =>
  Exit.match(exit, {
    onFailure: (cause) => (Cause.hasInterruptsOnly(cause) ? "left" : "broken"),
    onSuccess: Result.match({ onFailure: ({ provider }) => `${provider} is late`, onSuccess: String })
  })

describe("a request to an upstream", () => {
  it.effect("is late to the millisecond, whichever deadline was set first", () =>
    Effect.gen(function* () {
      const stopped = yield* Deferred.make<void>()
      const far = yield* started(watched(endless(stopped), { name: "far", dueMillis: () => 61_000 }))
      const near = yield* started(watched(endless(stopped), { name: "near", dueMillis: () => 1_500 }))
      yield* TestClock.adjust(1_499)
      assert.isUndefined(near.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual(ended(yield* Fiber.join(near)), "near is late")
      yield* TestClock.adjust(59_499)
      assert.isUndefined(far.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual(ended(yield* Fiber.join(far)), "far is late")
    })
  )

  it.effect("notices within two seconds that its deadline came nearer", () =>
    Effect.gen(function* () {
      const stopped = yield* Deferred.make<void>()
      let dueMillis = 60_000
      const fiber = yield* started(watched(endless(stopped), { name: "one", dueMillis: () => dueMillis }))
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
        yield* watched(() => Effect.succeed("fine"), { name: "one", dueMillis: () => 1_000, late: counted }),
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
        const request = endless(stopped, Deferred.await(may))
        const fiber = yield* started(watched(request, { name: "one", dueMillis: () => 60_000, events }))
        yield* Effect.yieldNow
        for (const one of told) one()
        yield* Effect.yieldNow
        assert.isUndefined(fiber.pollUnsafe())
        yield* Deferred.succeed(may, undefined)
        assert.strictEqual(ended(yield* Fiber.join(fiber)), "left")
        assert.isTrue(yield* Deferred.isDone(stopped))
        assert.strictEqual(told.size, 0)
      })
  )
})

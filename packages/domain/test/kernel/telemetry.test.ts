import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, FiberRef } from "effect"
import { aboutCall } from "../../src/kernel/telemetry.js"

class Service extends Context.Tag("test/Service")<Service, string>() {}

const ids = Effect.map(FiberRef.get(FiberRef.currentLogAnnotations), (all) => Object.fromEntries(all))

/** Whether the fiber has the service, whatever the types say. */
const hasService = Effect.map(Effect.context<never>(), (context) => context.unsafeMap.has(Service.key))

describe("the ids and services of a call", () => {
  it.effect("are there within it, and gone after its success, failure or defect; what was there before stays", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const look = Effect.map(Effect.all([ids, hasService]), (now) => void seen.push(now))
      const provide = Context.add(Service, "here")
      const call = <E>(end: Effect.Effect<void, E>) =>
        Effect.exit(aboutCall({ request_id: "r", verb: "v" }, Effect.zipRight(look, end), provide))
      for (const before of [{}, { job: "j" }]) {
        for (const end of [Effect.void, Effect.fail("no"), Effect.die("never")]) {
          seen.length = 0
          const exit = yield* Effect.zipLeft(call(end), look).pipe(Effect.annotateLogs(before))
          assert.strictEqual(Exit.isSuccess(exit), end === Effect.void)
          assert.deepStrictEqual(seen, [
            [{ ...before, request_id: "r", verb: "v" }, true],
            [before, false]
          ])
        }
      }
    })
  )
})

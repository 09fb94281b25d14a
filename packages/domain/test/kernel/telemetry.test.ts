import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, References } from "effect"
import { about } from "../../src/kernel/telemetry.js"

class Service extends Context.Service<Service, string>()("test/Service") {}

const ids = Effect.map(References.CurrentLogAnnotations, (all) => ({ ...all }))

/** Whether the fiber has the service, whatever the types say. */
const hasService = Effect.map(Effect.context<never>(), (context) => context.mapUnsafe.has(Service.key))

describe("the ids and services of a call", () => {
  it.effect("are there within it, and gone after its success, failure or defect; what was there before stays", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const look = Effect.map(Effect.all([ids, hasService]), (now) => void seen.push(now))
      const call = <E>(end: Effect.Effect<void, E>) =>
        Effect.andThen(look, end).pipe(
          Effect.provideService(Service, "here"),
          about({ request_id: "r", verb: "v" }),
          Effect.exit
        )
      for (const before of [{}, { job: "j" }]) {
        for (const end of [Effect.void, Effect.fail("no"), Effect.die("never")]) {
          seen.length = 0
          const exit = yield* Effect.tap(call(end), look).pipe(Effect.annotateLogs(before))
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

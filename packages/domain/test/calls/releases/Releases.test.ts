import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { closedReason, GATE_NAMES, GATES, released, Releases } from "../../../src/calls/releases/Releases.js"

describe("releases", () => {
  it.effect("everything is released unless a host closes it, but for the search of posts by company domain", () =>
    Effect.gen(function* () {
      const closed = yield* Releases
      assert.deepStrictEqual(
        GATE_NAMES.filter((gate) => closed[gate] !== undefined),
        ["find_posts.company"]
      )
      const refused = released(closed, "find_posts", ["x", "company"])
      assert.isTrue(Result.isFailure(refused))
      if (Result.isSuccess(refused)) return
      assert.strictEqual(refused.failure.code, "tool_unavailable")
      assert.strictEqual(refused.failure.message.startsWith("find_posts is not available: the search by company"), true)
      assert.isTrue(Result.isSuccess(released(closed, "find_companies", GATES.find_companies)))
    })
  )

  it.effect("what a host closes is refused with its reason, and nothing else is", () =>
    Effect.gen(function* () {
      const closed = yield* Releases
      assert.strictEqual(closedReason(closed, "find_companies", "local"), "paused by the operator")
      assert.isNull(closedReason(closed, "find_companies", "hiring"))
      assert.deepStrictEqual(
        Result.mapError(released(closed, "find_companies", ["hiring", "local"]), (error) => error.details),
        Result.fail({ tool: "find_companies", reason: "paused by the operator" })
      )
    }).pipe(Effect.provide(Layer.succeed(Releases, { "find_companies.local": "paused by the operator" })))
  )
})

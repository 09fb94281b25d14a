import { assert, it } from "@effect/vitest"
import { POLICIES, simulateReputation } from "../src/reputation/simulate.js"

it("a run follows from its seed alone", () => {
  assert.deepStrictEqual(simulateReputation(7, POLICIES.all), simulateReputation(7, POLICIES.all))
})

import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Bag } from "../../src/kernel/Bag.js"

describe("a bag", () => {
  it("holds what was added and not taken out, however they follow each other", () => {
    const steps = fc.array(fc.oneof(fc.constant("add" as const), fc.nat(20)), { maxLength: 100 })
    fc.assert(
      fc.property(steps, (all) => {
        const bag = new Bag<number>()
        const model = new Set<number>()
        const added: Array<() => void> = []
        for (const step of all) {
          if (step === "add") {
            model.add(added.length)
            added.push(bag.add(added.length))
          } else {
            // Also one that is out already.
            added[step]?.()
            model.delete(step)
          }
          assert.deepStrictEqual(
            [...bag].toSorted((a, b) => a - b),
            [...model]
          )
          assert.strictEqual(bag.size, model.size)
        }
      })
    )
  })
})

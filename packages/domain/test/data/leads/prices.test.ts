import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { leadsCharge, maximumWithin, premiumRoom } from "../../../src/data/leads/findLeads.js"
import { credits, format, fromMicros } from "../../../src/kernel/money/Credits.js"

const bounds = (limit: number, ceiling: string, allowance: string) => ({
  limit,
  ceiling: credits(ceiling),
  allowance: credits(allowance)
})

it("what is left of limit, ceiling and allowance is room for whole premium results", () => {
  assert.strictEqual(premiumRoom(bounds(10, "100", "50"), 4), 6)
  assert.strictEqual(premiumRoom(bounds(10, "3", "50"), 5), 2)
  assert.strictEqual(premiumRoom(bounds(10, "1.999999", "50"), 0), 1)
  assert.strictEqual(premiumRoom(bounds(10, "100", "2.9"), 5), 2)
  assert.strictEqual(premiumRoom(bounds(10, "2", "50"), 10), 0)
  assert.strictEqual(premiumRoom(bounds(10, "0.9", "50"), 4), 0)
})

it("the maximum is what none of the ways in which a search can end comes above, and one comes to", () => {
  const aCase = fc.record({
    limit: fc.integer({ min: 1, max: 200 }),
    ceiling: fc.bigInt({ min: 200_000n, max: 60_000_000n }),
    allowance: fc.bigInt({ min: 0n, max: 60_000_000n })
  })
  fc.assert(
    fc.property(aCase, (given) => {
      const limit = Math.min(given.limit, Number(given.ceiling / 200_000n))
      const within = { limit, ceiling: fromMicros(given.ceiling), allowance: fromMicros(given.allowance) }
      const charges = Array.from({ length: limit + 1 }, (_, found) => leadsCharge(found, premiumRoom(within, found)))
      const most = maximumWithin(within)
      assert.isTrue(charges.every((charge) => charge <= most))
      assert.isTrue(charges.includes(most))
      assert.isTrue(most <= within.ceiling)
    }),
    { numRuns: 300 }
  )
  assert.strictEqual(format(maximumWithin(bounds(10, "9.9", "50"))), "9.2")
  assert.strictEqual(format(maximumWithin(bounds(25, "5", "0"))), "5")
})

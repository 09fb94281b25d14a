import { assert, describe, it } from "@effect/vitest"
import { CHAT_PRICES, chargeOfTokens, priceOfTokens } from "../../../src/data/chat/price.js"
import { credits, fromMicros } from "../../../src/kernel/money/Credits.js"

describe("what tokens cost", () => {
  it("is each tier's price for a thousand, to the micro-credit for one", () => {
    for (const tier of ["large", "small", "mini"] as const) {
      assert.strictEqual(priceOfTokens(tier, 1_000), CHAT_PRICES[tier])
      assert.strictEqual(priceOfTokens(tier, 1) * 1_000n, CHAT_PRICES[tier] as bigint)
      assert.strictEqual(priceOfTokens(tier, 0), 0n)
    }
  })

  it("is never more than was reserved, whatever an upstream counts", () => {
    const price = priceOfTokens("mini", 1_000)
    assert.strictEqual(chargeOfTokens("mini", 1_000, credits("1")), price)
    assert.strictEqual(chargeOfTokens("mini", 1_000, price), price)
    assert.strictEqual(chargeOfTokens("mini", 1_000, fromMicros(price - 1n)), price - 1n)
    assert.strictEqual(chargeOfTokens("large", 1_000_000, credits("0.5")), credits("0.5") as bigint)
  })
})

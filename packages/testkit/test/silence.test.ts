import { assert, it } from "@effect/vitest"
import { binomial, messagesFor, placementPower, powerOf } from "../src/reputation/silence.js"

/** As in the simulation: of a shunned domain 80 % lie in junk, where one answer in twenty is still written. */
const two = (healthy: number) => ({ healthy, degraded: healthy * (0.2 + 0.8 * 0.05) })

it("chances add up to one, and at no answers are what multiplying says", () => {
  const all = Array.from({ length: 61 }, (_, hits) => binomial(60, 0.05, hits))
  assert.closeTo(
    all.reduce((sum, one) => sum + one, 0),
    1,
    1e-9
  )
  assert.closeTo(binomial(60, 0.05, 0), 0.95 ** 60, 1e-12)
  assert.strictEqual(binomial(5, 0, 0), 1)
  assert.strictEqual(binomial(5, 1, 5), 1)
})

it("no rule finds more than its false alarms where answers come alike, and all where none come from junk and all else", () => {
  assert.closeTo(powerOf(60, { healthy: 0.05, degraded: 0.05 }, 0.01), 0.01, 1e-9)
  assert.closeTo(powerOf(20, { healthy: 1, degraded: 0 }, 0.01), 1, 1e-9)
})

it("silence finds few within 60 messages, whatever the rule: a look into mailboxes finds nearly all", () => {
  assert.isBelow(powerOf(60, two(0.05), 0.01), 0.15)
  assert.isBelow(powerOf(60, two(0.1), 0.01), 0.8)
  assert.isAbove(powerOf(400, two(0.05), 0.01), 0.9)
  assert.isAbove(messagesFor(0.9, two(0.05), 0.01) ?? 0, 150)
  assert.isAbove(placementPower(4, { healthy: 0.02, degraded: 0.8 }, 0.01), 0.9)
})

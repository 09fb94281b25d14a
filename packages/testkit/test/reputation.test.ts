import { assert, it } from "@effect/vitest"
import { figuresOf } from "../src/reputation/figures.js"
import { simulateReputation } from "../src/reputation/simulate.js"
import { rounds } from "../src/thorough.js"

const SEEDS = rounds(1_000, 12)

it("receivers that throttle or block are found within 60 messages, healthy ones are left alone, and less is refused", () => {
  const { age, use } = figuresOf(Array.from({ length: SEEDS }, (_, index) => index + 1))
  const of = (counts: typeof use, name: string) => counts[name] ?? 0
  assert.isAbove(of(use, "throttles") + of(use, "blocks"), 2 * SEEDS)
  assert.isAtLeast(of(use, "throttlesFound"), 0.9 * of(use, "throttles"))
  assert.isAtLeast(of(use, "blocksFound"), 0.9 * of(use, "blocks"))
  assert.isAtMost(of(use, "healthyRested"), 0.01 * of(use, "healthy"))
  // Of as many messages as the ramp by age sends.
  const lost = (counts: typeof use) => (of(counts, "refused") + of(counts, "junked")) / of(counts, "messages")
  assert.isAtMost(lost(use), 0.5 * lost(age))
  // The ramp before it found fewer, so that the test can fail.
  assert.isBelow(of(age, "throttlesFound"), 0.9 * of(age, "throttles"))
}, 600_000)

it("a run follows from its seed alone", () => {
  assert.deepStrictEqual(simulateReputation(7, "use"), simulateReputation(7, "use"))
})

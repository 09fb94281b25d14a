import { assert, it } from "@effect/vitest"
import { figuresOf, type ReputationCounts } from "../../../src/reputation/figures.js"
import type { PolicyName } from "../../../src/reputation/simulate.js"
import { rounds } from "../../../src/thorough.js"

/** Of 1,000 worlds some 9,000 messages are complained of: a fifth more or less of a seventh of them is no chance. */
const SEEDS = rounds(1_000, 12)

/** What the ramp finds alone is compared by one figure, of over 1,000 degraded pairs. */
const SEEDS_OF_USE = rounds(250, 12)

const figures = (policy: PolicyName, seeds: number): ReputationCounts =>
  figuresOf(
    Array.from({ length: seeds }, (_, index) => index + 1),
    [policy]
  )[policy] ?? {}

it("with letters to own mailboxes nine of ten degraded pairs are found within 60 messages, healthy ones rest in one of a hundred at most, and less is refused", () => {
  const [age, use, all] = [figures("age", SEEDS), figures("use", SEEDS_OF_USE), figures("all", SEEDS)]
  const of = (counts: ReputationCounts, name: string) => counts[name] ?? 0
  const share = (counts: ReputationCounts, part: string, whole: string) => of(counts, part) / of(counts, whole)
  assert.isAbove(of(all, "degraded"), 3 * SEEDS)
  assert.isAtLeast(share(all, "found", "degraded"), 0.9)
  // Without a mailbox at a receiver nothing shows that it files mail as junk.
  assert.isBelow(share(use, "found", "degraded"), share(all, "found", "degraded"))
  assert.isAtMost(share(all, "healthyRested", "healthy"), 0.01)
  const lost = (counts: ReputationCounts) => (of(counts, "refused") + of(counts, "junked")) / of(counts, "messages")
  assert.isAtMost(lost(all), 0.5 * lost(age))
  // Of the complaints that a rule could follow, those after one that was heard of there, a fifth are spared.
  assert.isAtMost(share(all, "repeated", "complaints"), 0.8 * share(age, "repeated", "complaints"))
  // The ramp before it found fewer, so that the test can fail.
  assert.isBelow(share(age, "found", "degraded"), 0.75)
}, 600_000)

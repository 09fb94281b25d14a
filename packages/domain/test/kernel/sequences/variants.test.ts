import type { SequenceStep } from "@outbound/domain/kernel/sequences/Sequence.js"
import {
  assignedVariants,
  nextVariant,
  stillSent,
  variantName,
  VARIANTS_MAX,
  wordedBy
} from "@outbound/domain/kernel/sequences/variants.js"
import { assert, describe, it } from "vitest"

const stepOf = (variants: number): SequenceStep => {
  const [first, ...others] = Array.from({ length: variants }, (_, index) => ({
    subject: `Subject ${variantName(index)}`,
    body: `Body ${variantName(index)}`
  }))
  return { ...first!, waitDays: 3, ...(others.length === 0 ? {} : { otherVariants: others }) }
}

const PEOPLE = 20_000

/** How far counts are from what is expected, in units of chance (Pearson). */
const chiSquare = (counts: ReadonlyArray<number>, expected: number): number =>
  counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)

/** Exceeded once in 100,000, by degrees of freedom. */
const CHI_MAX: Readonly<Record<number, number>> = { 1: 19.5, 2: 23, 3: 25.9, 4: 28.5, 5: 30.9 }

describe("variants of a step", () => {
  it("each is given to the same share of the people", () => {
    for (let variants = 2; variants <= VARIANTS_MAX; variants += 1) {
      const counts = Array.from({ length: variants }, () => 0)
      for (let person = 0; person < PEOPLE; person += 1) {
        const [own] = assignedVariants({ campaignId: "c", sequence: [stepOf(variants)] }, `hash-${person}`)!
        counts[own!]! += 1
      }
      assert.isBelow(chiSquare(counts, PEOPLE / variants), CHI_MAX[variants - 1]!, `${variants} variants`)
    }
  })

  it("what a person gets in one step or campaign says nothing about another", () => {
    const sequence = [stepOf(2), stepOf(1), stepOf(2)]
    const pairs = [0, 0, 0, 0]
    const elsewhere = [0, 0, 0, 0]
    for (let person = 0; person < PEOPLE; person += 1) {
      const [first, none, third] = assignedVariants({ campaignId: "c", sequence }, `hash-${person}`)!
      const [other] = assignedVariants({ campaignId: "d", sequence }, `hash-${person}`)!
      assert.isNull(none)
      pairs[2 * first! + third!]! += 1
      elsewhere[2 * first! + other!]! += 1
    }
    assert.isBelow(chiSquare(pairs, PEOPLE / 4), CHI_MAX[3]!)
    assert.isBelow(chiSquare(elsewhere, PEOPLE / 4), CHI_MAX[3]!)
  })

  it("a person keeps theirs, a choice outweighs chance, and a sequence without variants has none", () => {
    const campaign = { campaignId: "c", sequence: [stepOf(3), stepOf(2)] }
    const own = assignedVariants(campaign, "hash")
    assert.deepStrictEqual(assignedVariants(campaign, "hash"), own)
    assert.isNull(assignedVariants({ campaignId: "c", sequence: [stepOf(1), stepOf(1)] }, "hash"))
    assert.strictEqual(nextVariant([2, null], [0, 1], 0), 2)
    assert.strictEqual(nextVariant([2, null], [0, 1], 1), 1)
    assert.isNull(nextVariant(null, null, 0))
  })

  it("a sequence is worded by anybody's variants, and shows those that are still sent", () => {
    const sequence = [stepOf(3), stepOf(1), stepOf(2)]
    assert.deepStrictEqual(
      wordedBy(sequence, [2, null, 1]).map(({ body, otherVariants, waitDays }) => [body, otherVariants, waitDays]),
      [
        ["Body C", undefined, 3],
        ["Body A", undefined, 3],
        ["Body B", undefined, 3]
      ]
    )
    assert.strictEqual(wordedBy(sequence, null), sequence)
    const shown = stillSent({ sequence, chosenVariants: [1, null, null] })
    assert.deepStrictEqual(shown[0], { subject: "Subject B", body: "Body B", waitDays: 3 })
    assert.deepStrictEqual(shown.slice(1), sequence.slice(1))
    const [first] = stillSent({ sequence, chosenVariants: [0, null, null] })
    assert.deepStrictEqual(first, { subject: "Subject A", body: "Body A", waitDays: 3 })
  })
})

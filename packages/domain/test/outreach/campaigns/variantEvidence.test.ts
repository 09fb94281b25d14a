import { evidenceBetween, evidenceFor, FALSE_WINNERS_MAX } from "@outbound/domain/outreach/campaigns/variantEvidence.js"
import { assert, describe, it } from "vitest"

/** Numbers in [0, 1) that repeat for the same seed (xorshift). */
const randomFrom = (seed: number) => {
  let state = (seed * 2_654_435_761 + 1) >>> 0 || 1
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}

const RUNS = 10_000

/** The share of campaigns that name a winner, looked at after every answer. `rates`: of answers, by variant. */
const winners = (rates: ReadonlyArray<number>, answersMax: number, runs = RUNS) => {
  const total = rates.reduce((sum, rate) => sum + rate, 0)
  let [named, right] = [0, 0]
  const best = rates.indexOf(Math.max(...rates))
  for (let run = 1; run <= runs; run += 1) {
    const random = randomFrom(run)
    for (let warm = 0; warm < 20; warm += 1) random()
    const answers = rates.map(() => 0)
    for (let answer = 0; answer < answersMax; answer += 1) {
      // Each variant went to the same share of the people, so an answer is to it in proportion to its rate.
      let at = random() * total
      const variant = rates.findIndex((rate) => (at -= rate) < 0)
      answers[Math.max(0, variant)]! += 1
      const { evidence, leader, needed } = evidenceFor(answers)
      if (leader === null || evidence < needed) continue
      named += 1
      if (leader === best) right += 1
      break
    }
  }
  return { named: named / runs, right: right / runs }
}

describe("evidence for a variant", () => {
  for (const variants of [2, 3, 6]) {
    it(`of ${variants} equal variants, at most 5 % of 10,000 campaigns name a winner, looked at after every answer`, () => {
      const equal = Array.from({ length: variants }, () => 0.05)
      assert.isAtMost(winners(equal, 120).named, FALSE_WINNERS_MAX)
    })
  }

  it("power: twice the answers are found in 9 of 10 campaigns of 150 answers, half as many more in 7 of 10 of 300", () => {
    assert.isAtLeast(winners([0.05, 0.1], 150, 2_000).right, 0.9)
    assert.isAtLeast(winners([0.05, 0.075], 300, 2_000).right, 0.7)
  })

  it("is a fair bet: over all ways in which answers may come, the stake is kept on average", () => {
    for (const answers of [1, 5, 16, 40, 200]) {
      let [mean, ways] = [0, 2 ** -answers]
      for (let first = 0; first <= answers; first += 1) {
        mean += ways * evidenceBetween(first, answers - first)
        ways *= (answers - first) / (first + 1)
      }
      assert.closeTo(mean, 1, 1e-6, `${answers} answers`)
    }
  })

  it("says who leads, against the one it beats least, and asks for more where there are more variants", () => {
    assert.deepInclude(evidenceFor([3, 3]), { leader: null, needed: 20 })
    const { evidence, leader, needed } = evidenceFor([4, 30, 9])
    assert.deepStrictEqual([leader, needed], [1, 30.5])
    assert.strictEqual(evidence, evidenceBetween(30, 9))
    assert.isAtLeast(evidence, needed)
  })
})

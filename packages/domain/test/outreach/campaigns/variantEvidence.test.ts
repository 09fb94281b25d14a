import {
  evidenceBetween,
  evidenceFor,
  FALSE_WINNERS_MAX,
  winnerOf
} from "@outbound/domain/outreach/campaigns/variantEvidence.js"
import { assert, describe, it } from "vitest"
import { winners } from "./simulatedCampaigns.js"

describe("evidence for a variant", () => {
  for (const variants of [2, 3, 6]) {
    it(`of ${variants} equal variants, at most 5 % of 10,000 campaigns name a winner, looked at after every answer`, () => {
      const equal = Array.from({ length: variants }, () => 0.05)
      assert.isAtMost(winners(winnerOf, equal, 120).named, FALSE_WINNERS_MAX)
    })
  }

  it("power: twice the answers are found in 9 of 10 campaigns of 150 answers, half as many more in 7 of 10 of 300", () => {
    assert.isAtLeast(winners(winnerOf, [0.05, 0.1], 150, 2_000).right, 0.9)
    assert.isAtLeast(winners(winnerOf, [0.05, 0.075], 300, 2_000).right, 0.7)
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

import { FALSE_WINNERS_MAX } from "@outbound/domain/outreach/campaigns/variantEvidence.js"
import {
  choicesDue,
  ruleAfter,
  shownWinnerRule,
  type WinnerRule
} from "@outbound/domain/outreach/campaigns/winnerRule.js"
import { assert, describe, it } from "vitest"
import { winners } from "./simulatedCampaigns.js"

const RULE: WinnerRule = { isOn: true, approvalId: "first", sinceMillis: 1, choices: [] }

const stepOf = (variants: number) => ({
  subject: "A",
  body: "A",
  waitDays: 0,
  ...(variants === 1
    ? {}
    : { otherVariants: Array.from({ length: variants - 1 }, () => ({ subject: "B", body: "B" })) })
})

const countsOf = (stepIndex: number, answers: ReadonlyArray<number>) =>
  answers.map((count, variant) => ({ stepIndex, variant, answers: count }))

const campaignOf = (variants: ReadonlyArray<number>) => ({
  sequence: variants.map(stepOf),
  chosenVariants: null,
  winnerRule: RULE
})

describe("the rule that chooses variants", () => {
  for (const variants of [2, 3, 6]) {
    it(`of ${variants} equal variants, it chooses one in at most 5 % of 10,000 campaigns, asked after every answer`, () => {
      const campaign = campaignOf([variants])
      const chosen = (answers: ReadonlyArray<number>) =>
        choicesDue(campaign, countsOf(0, answers), 0)[0]?.variant ?? null
      const equal = Array.from({ length: variants }, () => 0.05)
      assert.isAtMost(winners(chosen, equal, 120).named, FALSE_WINNERS_MAX)
    })
  }

  it("chooses each step by its own answers, says by which, and leaves steps of one wording alone", () => {
    const counts = [...countsOf(0, [12, 0]), ...countsOf(1, [40, 0]), ...countsOf(2, [3, 30]), ...countsOf(3, [11, 0])]
    assert.deepStrictEqual(choicesDue(campaignOf([2, 1, 2, 2]), counts, 7), [
      { stepIndex: 0, variant: 0, atMillis: 7, answers: [12, 0] },
      { stepIndex: 2, variant: 1, atMillis: 7, answers: [3, 30] }
    ])
  })

  it("does nothing where something was chosen, where it is off, and where nobody approved it", () => {
    const campaign = campaignOf([2, 2])
    const counts = [...countsOf(0, [0, 20]), ...countsOf(1, [0, 20])]
    const due = (given: Partial<Parameters<typeof choicesDue>[0]>) =>
      choicesDue({ ...campaign, ...given }, counts, 0).map(({ stepIndex }) => stepIndex)
    assert.deepStrictEqual(due({}), [0, 1])
    assert.deepStrictEqual(due({ chosenVariants: [0, null] }), [1])
    assert.deepStrictEqual(due({ winnerRule: { ...RULE, isOn: false } }), [])
    assert.deepStrictEqual(due({ winnerRule: null }), [])
  })

  it("an approval switches it on, and what it chose before is remembered; one without it changes nothing", () => {
    const choices = [{ stepIndex: 0, variant: 1, atMillis: 2, answers: [0, 20] }]
    const off = { ...RULE, isOn: false, choices }
    const on = { approvalId: "second", approvesWinnerRule: true }
    assert.deepStrictEqual(ruleAfter(off, on, 9), { isOn: true, approvalId: "second", sinceMillis: 9, choices })
    assert.deepStrictEqual(ruleAfter(null, on, 9), { isOn: true, approvalId: "second", sinceMillis: 9, choices: [] })
    for (const before of [null, off, RULE]) {
      assert.strictEqual(ruleAfter(before, { ...on, approvesWinnerRule: false }, 9), before)
    }
  })

  it("is offered as long as a message is still sent in several variants", () => {
    const offered = { winner_rule: { is_on: false, false_winners_percent: 5 } }
    assert.deepStrictEqual(shownWinnerRule({ ...campaignOf([1, 2]), winnerRule: null }), offered)
    assert.deepStrictEqual(shownWinnerRule(campaignOf([1, 2])), {
      winner_rule: { ...offered.winner_rule, is_on: true }
    })
    assert.deepStrictEqual(shownWinnerRule({ ...campaignOf([1, 2]), chosenVariants: [null, 1] }), {})
    assert.deepStrictEqual(shownWinnerRule(campaignOf([1, 1])), {})
  })
})

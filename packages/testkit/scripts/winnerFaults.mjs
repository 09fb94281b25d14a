/** The faults of the rule that chooses variants. */

const RULE = "packages/domain/src/outreach/campaigns/winnerRule.ts"
const PURE = { file: "packages/domain/test/outreach/campaigns/winnerRule.test.ts", tests: [] }
const stories = (...tests) => ({ file: "packages/testkit/test/service/winnerRule.test.ts", tests })

export const WINNER_FAULTS = [
  {
    guarantee: "the rule chooses nothing before the evidence suffices",
    file: "packages/domain/src/outreach/campaigns/variantEvidence.ts",
    find: "evidence >= needed ? leader : null",
    replace: "leader",
    by: PURE
  },
  {
    guarantee: "the rule chooses nothing where a person chose",
    file: RULE,
    find: ' || typeof chosenVariants?.[stepIndex] === "number"',
    replace: "",
    by: stories("a person's choice comes first")
  },
  {
    guarantee: "the rule chooses nothing once it is off",
    file: RULE,
    find: "winnerRule?.isOn === true\n    ? sequence",
    replace: "winnerRule !== null\n    ? sequence",
    by: PURE
  },
  {
    guarantee: "an approval without the rule does not switch it on",
    file: RULE,
    find: "approvesWinnerRule ? {",
    replace: "approvalId !== null ? {",
    by: stories("unless it was approved, answers choose nothing")
  },
  {
    guarantee: "the rule is approved only where the request offers it",
    file: "packages/domain/src/control/console/Console.ts",
    find: " && offersWinnerRule(approval.snapshot)",
    replace: "",
    by: stories("unless it was approved, answers choose nothing")
  },
  {
    guarantee: "of several approvers, all approve the rule",
    file: "packages/domain/src/control/console/Console.ts",
    find: " && others.every((one) => one.approvesWinnerRule)",
    replace: "",
    by: stories("of several approvers")
  },
  {
    guarantee: "an open request showed that the rule is on",
    file: "packages/domain/src/outreach/launching/CampaignContext.ts",
    find: "...(campaign.winnerRule?.isOn === true ? { winner_rule: true } : {}),",
    replace: "",
    by: stories("what an open request showed is changed")
  },
  {
    guarantee: "an answer wakes the rule",
    file: "packages/domain/src/outreach/replies/Inbox.ts",
    find: "if (Option.isSome(found)) yield* wakeRule(found.value.lead)",
    replace: "",
    by: stories("chooses once the answers are a proof")
  },
  {
    guarantee: "what there is of answers when the rule is approved may suffice",
    file: "packages/domain/src/outreach/launching/extendCampaign.ts",
    find: "wakes: approval === null ? [] : ruleWakes(campaign, approval)",
    replace: "wakes: []",
    by: stories("only an owner switches it off")
  },
  {
    guarantee: "only owners switch the rule off",
    file: "packages/domain/src/control/VariantChoice.ts",
    find: "yield* owner(by)",
    replace: "",
    by: stories("only an owner switches it off")
  }
]

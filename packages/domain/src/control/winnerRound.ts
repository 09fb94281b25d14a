import { Clock, Effect, Option } from "effect"
import { DONE, type JobHandler } from "../kernel/ports/LongWork.js"
import { UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import { variantName } from "../kernel/sequences/variants.js"
import { type Campaign, CampaignStore, mayStillSend } from "../outreach/campaigns/CampaignStore.js"
import { evidenceFor } from "../outreach/campaigns/variantEvidence.js"
import { campaignRefOf, choicesDue, type RuleChoice, type WinnerRule } from "../outreach/campaigns/winnerRule.js"
import { makeChooseVariant } from "./VariantChoice.js"

const because = (answers: ReadonlyArray<number>) => {
  const { evidence, needed } = evidenceFor(answers)
  return {
    answers: answers.map((count, variant) => `${variantName(variant)} ${count}`),
    evidence: Number(evidence.toFixed(1)),
    evidence_needed: needed
  }
}

/**
 * Chooses what the rule of a campaign chooses by now, as a person would. It decides under the campaign's lock, for steps
 * for which nothing was chosen yet: so a second host, or one that comes back, changes nothing, and a person's choice
 * stays.
 */
export const makeWinnerHandler = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const choose = yield* makeChooseVariant
  const { atomically } = yield* UnitOfWork

  const due = (campaign: Campaign, nowMillis: number) =>
    Effect.map(campaigns.answers(campaign.workspaceId, campaign.campaignId), (answers) =>
      choicesDue(campaign, answers, nowMillis)
    )

  const chosen = (campaign: Campaign, rule: WinnerRule, choice: RuleChoice) =>
    choose({ ...campaign, winnerRule: { ...rule, choices: [...rule.choices, choice] } }, choice, {
      actor: { kind: "rule", approvalId: rule.approvalId },
      because: because(choice.answers)
    })

  const handler: JobHandler = (key) =>
    Effect.gen(function* () {
      const { campaignId, workspaceId } = campaignRefOf(key)
      // Most answers decide nothing: they don't lock the campaign.
      const seen = yield* campaigns.get(workspaceId, campaignId)
      if (Option.isNone(seen) || (yield* due(seen.value, 0)).length === 0) return DONE
      yield* Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const found = yield* campaigns.lock(workspaceId, campaignId)
        if (Option.isNone(found) || !mayStillSend(found.value)) return
        let campaign = found.value
        for (const choice of yield* due(campaign, nowMillis)) {
          if (campaign.winnerRule !== null) campaign = yield* chosen(campaign, campaign.winnerRule, choice)
        }
      }).pipe(atomically)
      return DONE
    })
  return handler
})

import { Effect } from "effect"
import { LongWork } from "../../kernel/ports/LongWork.js"
import { type CampaignLead, CampaignStore } from "./CampaignStore.js"
import { type CampaignRef, winnerJob } from "./winnerRule.js"

/** Has a host look at the answers once the caller's transaction is committed. Call each as its last statement. */
export const makeWakeWinnerRule = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const work = yield* LongWork
  const wake = (campaign: CampaignRef) => work.announce([winnerJob(campaign)])
  return {
    /** The rule was approved: what there is of answers may suffice already. */
    approved: (campaign: CampaignRef, { approvesWinnerRule }: { readonly approvesWinnerRule: boolean }) =>
      approvesWinnerRule ? wake(campaign) : Effect.void,
    /** The lead answered. Campaigns without variants ask nothing, and those without the rule one row. */
    answered: (lead: CampaignLead) =>
      lead.variants === null
        ? Effect.void
        : Effect.flatMap(campaigns.hasWinnerRule(lead.workspaceId, lead.campaignId), (has) =>
            has ? wake(lead) : Effect.void
          )
  }
})

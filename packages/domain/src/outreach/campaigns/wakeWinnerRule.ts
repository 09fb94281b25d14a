import { Effect } from "effect"
import { LongWork } from "../../kernel/ports/LongWork.js"
import { type CampaignLead, CampaignStore } from "./CampaignStore.js"
import { winnerJob } from "./winnerRule.js"

/**
 * Has a host look at the answers once the caller's transaction, in which the lead answered, is committed. Call it as the
 * last statement. Campaigns without variants ask nothing, and those without the rule one row.
 */
export const makeWakeWinnerRule = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const work = yield* LongWork
  return (lead: CampaignLead) =>
    lead.variants === null
      ? Effect.void
      : Effect.flatMap(campaigns.hasWinnerRule(lead.workspaceId, lead.campaignId), (has) =>
          has ? work.announce([winnerJob(lead)]) : Effect.void
        )
})

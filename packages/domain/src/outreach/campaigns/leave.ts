import { Effect } from "effect"
import { changes } from "../../kernel/machine.js"
import { makeTell, ofLead, type TrailEvent } from "../../kernel/trail/TrailEvent.js"
import { type CampaignLead, CampaignStore } from "./CampaignStore.js"
import { LeadMachine } from "./LeadMachine.js"

/** Leads in these states leave their campaign when they are suppressed. */
export const LEAVING = LeadMachine.states.filter((state) => changes(LeadMachine, state, "leave"))

/** Removes many locked leads, in the transaction that suppresses them. Returns how many. */
export const makeLeave = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const tell = yield* makeTell
  return (
    workspaceId: string,
    leads: ReadonlyArray<CampaignLead>,
    told: Pick<TrailEvent, "source" | "detail"> & Partial<Pick<TrailEvent, "requestId">>,
    nowMillis: number
  ) =>
    Effect.gen(function* () {
      if (leads.length === 0) return 0
      yield* campaigns.removeLeads(
        workspaceId,
        leads.map(({ campaignLeadId }) => campaignLeadId)
      )
      yield* tell(
        nowMillis,
        leads.map((lead) => ({ ...ofLead(lead), ...told, kind: "removed" }))
      )
      return leads.length
    })
})

import { Effect, Option } from "effect"
import { free, type Handler } from "../../calls/Handler.js"
import { refuse } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { changes } from "../../kernel/machine.js"
import { zero } from "../../kernel/money/Credits.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import type { SetLeadStatus } from "../../verbs/Replies.js"
import { CampaignStore } from "../campaigns/CampaignStore.js"
import { LeadMachine, type LeadState } from "../campaigns/LeadMachine.js"
import { makeMarkLead } from "./markLead.js"

const notFound = refuse("not_found", {})

/** Whether an opt-out removes a lead in this state from its campaign. */
const leavesFrom = (state: LeadState): boolean => changes(LeadMachine, state, "leave")

export const setLeadStatus = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const markLead = yield* makeMarkLead
  const { atomically } = yield* UnitOfWork

  const look = (workspaceId: string, campaignLeadId: string) =>
    Effect.gen(function* () {
      const lead = yield* campaigns.lockPerson(workspaceId, campaignLeadId)
      if (Option.isNone(lead)) return Option.none()
      const everywhere = yield* campaigns.lockLeadsOfAddress(workspaceId, lead.value.addressHash)
      const others = everywhere.filter((other) => other.campaignLeadId !== campaignLeadId && leavesFrom(other.state))
      return Option.some({ lead: lead.value, others: others.length })
    }).pipe(atomically)

  const handler: Handler<typeof SetLeadStatus> = {
    plan: free,
    subject: (request, scope) =>
      Effect.map(look(scope.workspaceId, request.campaign_lead_id.toLowerCase()), (found) => ({
        missing: Option.isNone(found) ? notFound : null,
        refusal: null,
        wouldExceed: []
      })),
    would: (request, _plan, scope) =>
      Effect.gen(function* () {
        const { lead, others } = yield* look(scope.workspaceId, request.campaign_lead_id.toLowerCase()).pipe(
          orFail(notFound)
        )
        const leaves = request.status === "not_interested"
        const stops = leaves && leavesFrom(lead.state)
        return {
          previous_status: lead.interestStatus,
          status: request.status,
          suppression_applied: leaves,
          campaigns_left: leaves ? others + (stops ? 1 : 0) : 0
        }
      }),
    perform: (request, call) =>
      Effect.gen(function* () {
        const { workspaceId, nowMillis, requestId } = call
        const { status } = request
        const lead = yield* campaigns
          .lockPerson(workspaceId, request.campaign_lead_id.toLowerCase())
          .pipe(orFail(notFound))
        const providerSyncStatus = yield* markLead(lead, status, { source: "api", requestId }, nowMillis)
        const result = {
          campaign_lead_id: lead.campaignLeadId,
          previous_status: lead.interestStatus,
          status,
          suppression_applied: status === "not_interested",
          provider_sync_status: providerSyncStatus
        }
        return yield* call.settleIn({ result, charge: zero })
      }).pipe(atomically)
  }
  return handler
})

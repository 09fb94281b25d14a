import { Effect, Option } from "effect"
import { free, type Handler } from "../../calls/Handler.js"
import { refuse } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { changes } from "../../kernel/machine.js"
import { zero } from "../../kernel/money/Credits.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { SendingStore } from "../sending/SendingStore.js"
import { suppress as makeSuppress } from "../optOut/Suppress.js"
import { makeTell, ofLead } from "../../kernel/trail/TrailEvent.js"
import type { SetLeadStatus } from "../../verbs/Replies.js"
import { type CampaignLead, CampaignStore } from "../campaigns/CampaignStore.js"
import { LeadNews } from "../campaigns/LeadNews.js"
import { InterestSyncStore } from "./InterestSyncStore.js"
import { LeadMachine, type LeadState, type ProviderSyncStatus } from "../campaigns/LeadMachine.js"

const notFound = refuse("not_found", {})

/** Whether an opt-out removes a lead in this state from its campaign. */
const leavesFrom = (state: LeadState): boolean => changes(LeadMachine, state, "leave")

export const setLeadStatus = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const sendings = yield* SendingStore
  const syncs = yield* InterestSyncStore
  const tell = yield* makeTell
  const suppress = yield* makeSuppress
  const tellNews = yield* LeadNews
  const { atomically } = yield* UnitOfWork

  /**
   * Mirrored in the background. People not covered by a launch never reached the provider. For an own mailbox outbound
   * is the provider, so it is synced at once.
   */
  const syncStatusOf = (lead: CampaignLead) =>
    Effect.gen(function* () {
      const { mailboxId, workspaceId } = lead
      const campaign = yield* campaigns.get(workspaceId, lead.campaignId)
      if (mailboxId === null || !Option.exists(campaign, (one) => one.launchedAtMillis !== null)) return "unsupported"
      const mailbox = yield* sendings.mailbox(workspaceId, mailboxId)
      const status: ProviderSyncStatus = Option.exists(mailbox, ({ kind }) => kind === "own") ? "synced" : "pending"
      return status
    })

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
        const isRepeat = lead.interestStatus === status
        const providerSyncStatus = isRepeat ? lead.providerSyncStatus : yield* syncStatusOf(lead)
        const leaves = status === "not_interested"
        const result = {
          campaign_lead_id: lead.campaignLeadId,
          previous_status: lead.interestStatus,
          status,
          suppression_applied: leaves,
          provider_sync_status: providerSyncStatus
        }
        if (isRepeat) return yield* call.settleIn({ result, charge: zero })
        const marked = { ...lead, interestStatus: status, providerSyncStatus }
        const common = { ...ofLead(lead), source: "api" as const, requestId }
        yield* tell(nowMillis, {
          ...common,
          kind: "status_set",
          detail: { status, previous_status: lead.interestStatus }
        })
        if (leaves) {
          yield* suppress(
            { lead: marked, sources: ["not_interested"], event: "leave", reason: "not_interested", common },
            nowMillis
          )
        } else {
          yield* campaigns.updateLead(marked)
        }
        if (status === "meeting_booked") yield* tellNews(lead, { kind: "meeting" }, nowMillis)
        if (providerSyncStatus === "pending") {
          const { campaignLeadId } = lead
          yield* syncs.put({
            workspaceId,
            campaignLeadId,
            interest: status,
            requestId,
            attempts: 0,
            dueAtMillis: nowMillis
          })
        }
        return yield* call.settleIn({ result, charge: zero })
      }).pipe(atomically)
  }
  return handler
})

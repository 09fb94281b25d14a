import { Data, Effect, Option, Result } from "effect"
import { CampaignMachine } from "../../campaigns/CampaignMachine.js"
import { type CampaignLead, CampaignStore } from "../../campaigns/CampaignStore.js"
import { LeadMachine } from "../../campaigns/LeadMachine.js"
import { makeMoveLead } from "../../campaigns/moveLead.js"
import type { JsonObject } from "../../../kernel/canonical.js"
import { after, step } from "../../../kernel/machine.js"
import { UnitOfWork } from "../../../kernel/ports/UnitOfWork.js"
import { makeTell } from "../../../kernel/trail/TrailEvent.js"
import type { Asked } from "./asVendor.js"
import { VendorCampaignMachine } from "./VendorCampaignMachine.js"
import { VendorLeadMachine } from "./VendorLeadMachine.js"
import { type VendorCampaign, type VendorLead, VendorStore } from "./VendorStore.js"

/** A campaign that one host has claimed for a while. */
export interface Turn extends Asked {
  readonly campaign: VendorCampaign
  /** `ask` refuses to begin anything after this. */
  readonly untilMillis: number
}

/** Another host has claimed the campaign, so this host's data is stale. */
export class TurnLost extends Data.TaggedError("TurnLost")<{}> {}

type CampaignEvent = (typeof VendorCampaignMachine.events)[number]
type LeadEvent = (typeof VendorLeadMachine.events)[number]

/** The campaign after the event; unchanged if the event is no longer allowed. */
export const campaignAfter = (campaign: VendorCampaign, event: CampaignEvent): VendorCampaign => ({
  ...campaign,
  state: after(VendorCampaignMachine, campaign.state, event)
})

export const leadAfter = (lead: VendorLead, event: LeadEvent): VendorLead => ({
  ...lead,
  state: after(VendorLeadMachine, lead.state, event)
})

/** Records changes of campaigns and people at vendors. */
export const makeVendorRecord = Effect.gen(function* () {
  const vendors = yield* VendorStore
  const campaigns = yield* CampaignStore
  const tell = yield* makeTell
  const moveLead = yield* makeMoveLead
  const { atomically } = yield* UnitOfWork

  /** Locks and rereads the campaign, if the turn is still ours. */
  const locked = ({ campaignId, turn, workspaceId }: VendorCampaign) =>
    Effect.gen(function* () {
      const found = yield* vendors.lock(workspaceId, campaignId)
      if (Option.isNone(found) || found.value.turn !== turn) return yield* Effect.fail(new TurnLost())
      return found.value
    })

  const change = (campaign: VendorCampaign, to: (now: VendorCampaign) => VendorCampaign) =>
    Effect.gen(function* () {
      const now = to(yield* locked(campaign))
      yield* vendors.update(now)
      return now
    }).pipe(atomically)

  /** Rereads and changes people of the campaign, in the caller's transaction. */
  const changeLeads = (
    { workspaceId }: VendorCampaign,
    campaignLeadIds: ReadonlyArray<string>,
    to: (now: VendorLead) => VendorLead
  ) =>
    Effect.gen(function* () {
      const now = (yield* vendors.lockLeads(workspaceId, campaignLeadIds)).map(to)
      yield* vendors.updateLeads(now)
      return now
    })

  /** Confirms people. Those covered by an executed approval become ready. Locked by id, as a launch does. */
  const confirm = (
    campaign: VendorCampaign,
    found: ReadonlyArray<{ readonly campaignLeadId: string; readonly ref: string | null }>
  ) => {
    const refs = new Map(found.map(({ campaignLeadId, ref }) => [campaignLeadId, ref]))
    return Effect.gen(function* () {
      yield* changeLeads(campaign, [...refs.keys()], (vendorLead) => ({
        ...leadAfter(vendorLead, "confirm"),
        ref: refs.get(vendorLead.campaignLeadId) ?? vendorLead.ref
      }))
      for (const campaignLeadId of [...refs.keys()].toSorted()) {
        const lead = yield* campaigns.lockLead(campaign.workspaceId, campaignLeadId)
        if (Option.isNone(lead) || lead.value.approvalId === null || !LeadMachine.is.uncovered(lead.value.state))
          continue
        yield* moveLead(lead.value, "cover")
      }
    }).pipe(atomically)
  }

  /** Ends a person's lead with a reason unless it has ended, in the caller's transaction. */
  const endLead = (
    { campaignLeadId, workspaceId }: Pick<CampaignLead, "workspaceId" | "campaignLeadId">,
    { event, ...detail }: { readonly event: "remove" | "fail"; readonly reason: string; readonly crm?: string },
    nowMillis: number
  ) =>
    Effect.gen(function* () {
      const lead = yield* campaigns.lockLead(workspaceId, campaignLeadId)
      if (Option.isNone(lead)) return
      const kind = event === "remove" ? "removed" : "stop"
      yield* moveLead(lead.value, event, { tell: { nowMillis, kind, detail } })
    })

  /** Pauses a campaign that must not continue at its vendor. The trail gets its stop once a look has shown it. */
  const requestPause = (
    { campaignId, workspaceId }: VendorCampaign,
    cause: "removal_unconfirmed" | "not_found_at_provider" | "differs_at_provider",
    nowMillis: number,
    more: JsonObject = {}
  ) =>
    Effect.gen(function* () {
      const campaign = yield* campaigns.lock(workspaceId, campaignId)
      if (Option.isNone(campaign) || !CampaignMachine.is.running(campaign.value.state)) return
      const paused = step(CampaignMachine, campaign.value.state, "stop")
      if (Result.isFailure(paused)) return
      yield* campaigns.update({ ...campaign.value, state: paused.success, pauseReason: "capacity" })
      const vendorCampaign = yield* vendors.lock(workspaceId, campaignId)
      if (Option.isSome(vendorCampaign)) yield* vendors.update({ ...vendorCampaign.value, owesPause: true })
      yield* tell(nowMillis, {
        workspaceId,
        kind: "pause_requested",
        source: "system",
        campaignId,
        detail: { reason: "capacity", cause, ...more }
      })
    }).pipe(atomically)

  return { locked, change, changeLeads, confirm, endLead, requestPause }
})

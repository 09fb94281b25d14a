import { Effect, Result } from "effect"
import { type AnyWireError, refuse } from "../../../kernel/errors/Wire.js"
import { changes, step } from "../../../kernel/machine.js"
import { makeTell, type TrailEvent } from "../../../kernel/trail/TrailEvent.js"
import { SendingStore } from "../../sending/SendingStore.js"
import { suspended } from "../../sending/suspended.js"
import { makeTellPause } from "../../sending/vendor/tellPause.js"
import { VendorStore } from "../../sending/vendor/VendorStore.js"
import { type CampaignContext, campaignStateObstacle, capacityObstacles } from "../CampaignContext.js"
import { CampaignMachine } from "../../campaigns/CampaignMachine.js"
import { type Campaign, CampaignStore } from "../../campaigns/CampaignStore.js"

/** Who pauses or resumes, and how the trail says it. */
export type PauseTold = Pick<TrailEvent, "source"> & Partial<Pick<TrailEvent, "requestId">> & { readonly by: string }

/** Null: it can be paused, or is. */
export const pauseRefusal = ({ state }: Campaign): AnyWireError | null =>
  CampaignMachine.is.launched(state)
    ? null
    : refuse(
        "invalid_request",
        { reason: "campaign_state", state },
        `Only a campaign that was launched and is not over can be paused; this one is ${state}.`
      )

/** What stands at the vendor may differ from what was approved by now. */
const STOPPED_AT_VENDOR = refuse(
  "invalid_request",
  { reason: "campaign_state", state: "paused" },
  "The campaign was stopped at its sending vendor. Launch it again, with an approval."
)

/** Why a paused campaign can't be resumed now. Null: it can, or it isn't paused. */
export const resumeRefusal = (context: CampaignContext): AnyWireError | null => {
  const { campaign, sending } = context
  if (CampaignMachine.is.running(campaign.state)) return null
  if (!CampaignMachine.is.paused(campaign.state) || campaign.pauseReason === "killed") {
    return campaignStateObstacle(campaign)[1]
  }
  if (campaign.pauseReason === "capacity" && context.vendorCampaign !== null) return STOPPED_AT_VENDOR
  return suspended(sending) ?? capacityObstacles(context)[0]?.[1] ?? null
}

/** Pauses and resumes a locked campaign that may be. Each returns the campaign as it is now. */
export const makePauses = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const sendings = yield* SendingStore
  const vendors = yield* VendorStore
  const tellPause = yield* makeTellPause
  const tell = yield* makeTell

  return {
    /**
     * A claim shares the campaign's lock, so every earlier one is counted by now, and no later one begins. A paused
     * campaign stays as it is.
     */
    pause: (campaign: Campaign, reason: string | null, { by, ...told }: PauseTold) =>
      Effect.gen(function* () {
        const { campaignId, workspaceId } = campaign
        const stopped = step(CampaignMachine, campaign.state, "stop")
        const isNew = Result.isSuccess(stopped) && stopped.success !== campaign.state
        const now: Campaign = isNew ? { ...campaign, state: stopped.success, pauseReason: "owner" } : campaign
        if (isNew) {
          yield* campaigns.update(now)
          const detail = { by, ...(reason === null ? {} : { note: reason }) }
          yield* tellPause(campaign, "owner", { ...told, detail })
        }
        return { campaign: now, inFlight: yield* sendings.inFlight(workspaceId, campaignId) }
      }),

    /** Each person is sent only what the approval that covers them showed, so nothing needs another one. */
    resume: (campaign: Campaign, { by, ...told }: PauseTold, nowMillis: number) =>
      Effect.gen(function* () {
        const { campaignId, workspaceId } = campaign
        const resumed = step(CampaignMachine, campaign.state, "resume")
        if (Result.isFailure(resumed) || !changes(CampaignMachine, campaign.state, "resume")) return
        yield* campaigns.update({ ...campaign, state: resumed.success, pauseReason: null })
        yield* vendors.wake(workspaceId, [campaignId], nowMillis)
        yield* tell(nowMillis, { ...told, workspaceId, campaignId, kind: "resumed", detail: { by } })
      })
  }
})

import { Clock, Effect, Option } from "effect"
import type { Campaign } from "../../campaigns/CampaignStore.js"
import type { PauseReason } from "../../campaigns/CampaignMachine.js"
import { makeTell, type TrailEvent } from "../../../kernel/trail/TrailEvent.js"
import { VendorStore } from "./VendorStore.js"

/**
 * Records a campaign's pause in the trail, in the pausing transaction. At a vendor it is only requested: `paused`
 * follows once a look shows that the vendor stopped.
 */
export const makeTellPause = Effect.gen(function* () {
  const vendors = yield* VendorStore
  const tell = yield* makeTell
  return (
    { campaignId, workspaceId }: Campaign,
    reason: PauseReason,
    common: Pick<TrailEvent, "source"> & Partial<TrailEvent>
  ) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const vendorCampaign = yield* vendors.lock(workspaceId, campaignId)
      const event = { ...common, workspaceId, campaignId }
      const given = { ...common.detail, reason }
      if (Option.isNone(vendorCampaign)) {
        const detail = { ...given, provider_verified: true }
        return yield* tell(nowMillis, { ...event, kind: "paused", detail })
      }
      yield* vendors.update({ ...vendorCampaign.value, owesPause: true })
      yield* vendors.wake(workspaceId, [campaignId], nowMillis)
      yield* tell(nowMillis, { ...event, kind: "pause_requested", detail: given })
    })
})

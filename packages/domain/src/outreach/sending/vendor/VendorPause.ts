import { Clock, Effect, Option, Result } from "effect"
import { CampaignMachine } from "../../campaigns/CampaignMachine.js"
import { CampaignStore } from "../../campaigns/CampaignStore.js"
import { step } from "../../../kernel/machine.js"
import { ProviderFailure } from "../../../sources/ports/Source.js"
import { UnitOfWork } from "../../../kernel/ports/UnitOfWork.js"
import { makeTell } from "../../../kernel/trail/TrailEvent.js"
import { makeVendorOf } from "./asVendor.js"
import { MAY_SEND, VendorCampaignMachine } from "./VendorCampaignMachine.js"
import { type VendorCampaign, VendorStore } from "./VendorStore.js"

/**
 * Stops a campaign at its vendor and trusts only a look at the vendor afterwards. May run at any time, without the
 * campaign's turn. Success: no more messages leave. While an earlier request may be in transit there is no proof.
 */
export const makeVendorPause = Effect.gen(function* () {
  const vendors = yield* VendorStore
  const campaigns = yield* CampaignStore
  const tell = yield* makeTell
  const vendorOf = yield* makeVendorOf
  const { atomically } = yield* UnitOfWork

  const moved = (workspaceId: string, campaignId: string, change: (now: VendorCampaign) => VendorCampaign) =>
    Effect.gen(function* () {
      const locked = yield* vendors.lock(workspaceId, campaignId)
      if (Option.isNone(locked)) return Option.none()
      const now = change(locked.value)
      yield* vendors.update(now)
      return Option.some(now)
    })

  const stepped = (campaign: VendorCampaign, event: (typeof VendorCampaignMachine.events)[number]): VendorCampaign => ({
    ...campaign,
    state: Result.getOrElse(step(VendorCampaignMachine, campaign.state, event), () => campaign.state)
  })

  /** Records the stop in the trail if that is owed. A kill records its own stops. */
  const settle = (found: VendorCampaign, nowMillis: number) =>
    Effect.gen(function* () {
      const { campaignId, workspaceId } = found
      const campaign = yield* campaigns.lock(workspaceId, campaignId)
      const locked = yield* vendors.lock(workspaceId, campaignId)
      if (Option.isNone(locked) || Option.isNone(campaign)) return false
      const now = locked.value
      // Another request was made since, so this look proves nothing.
      if (now.askedUntilMillis !== found.askedUntilMillis) return false
      yield* vendors.update({ ...stepped(now, "stop"), askedUntilMillis: null, owesPause: false })
      const { pauseReason, state } = campaign.value
      if (now.owesPause && CampaignMachine.is.paused(state) && pauseReason !== "killed") {
        yield* tell(nowMillis, {
          workspaceId,
          kind: "paused",
          source: "system",
          campaignId,
          detail: { reason: pauseReason, provider_verified: true }
        })
      }
      return true
    }).pipe(atomically)

  return (workspaceId: string, campaignId: string) =>
    Effect.gen(function* () {
      const before = yield* vendors.get(workspaceId, campaignId)
      if (Option.isNone(before)) return
      const unproven = (cause: string) =>
        new ProviderFailure({ provider: before.value.vendor, reason: "transient", cause })
      if (!MAY_SEND.includes(before.value.state)) {
        if (before.value.owesPause) yield* settle(before.value, yield* Clock.currentTimeMillis)
        return
      }
      const pausing = yield* atomically(moved(workspaceId, campaignId, (now) => stepped(now, "pause")))
      if (Option.isNone(pausing)) return
      const campaign = pausing.value
      const { ref } = campaign
      if (ref === null) return yield* Effect.fail(unproven("it is not known how the vendor names it"))
      const { ask } = yield* vendorOf(campaign)
      const askedAtMillis = yield* Clock.currentTimeMillis
      const underWay = campaign.askedUntilMillis !== null && campaign.askedUntilMillis > askedAtMillis
      // A request that seemed to fail may have worked: only the look counts.
      const paused = yield* Effect.result(ask((vendor) => vendor.pause(ref)))
      const standing = yield* ask((vendor) => vendor.standing(ref))
      if (standing === "sending") {
        return yield* Effect.fail(Result.isFailure(paused) ? paused.failure : unproven("the pause does not hold"))
      }
      // With another credential it would be invisible too.
      if (standing === "gone") return yield* Effect.fail(unproven("it is not there"))
      if (underWay) return yield* Effect.fail(unproven("its start may still be under way"))
      if (!(yield* settle(campaign, yield* Clock.currentTimeMillis))) {
        return yield* Effect.fail(unproven("it was started anew"))
      }
    })
})

import { Clock, Effect } from "effect"
import type { Campaign } from "../../campaigns/Campaign.js"
import { canonicalJson, type Json } from "../../../kernel/canonical.js"
import { Crypto } from "../../../kernel/ports/Crypto.js"
import { ProviderFailure } from "../../../sources/ports/ProviderFailure.js"
import type { VendorTerms } from "../../../sources/ports/VendorScheduled.js"
import { SendingStore } from "../SendingStore.js"
import type { Asked } from "./asVendor.js"
import { inKnownZone } from "./knownZone.js"
import { stepsOf } from "./personalise.js"
import { VendorStore } from "./VendorStore.js"

/** By what a campaign of ours is found at its vendor. */
export const markerOf = ({ campaignId }: Pick<Campaign, "campaignId">): string => `ob-${campaignId}`

/**
 * What a campaign at its vendor is to be now. The workspace's cap is shared out evenly among its campaigns there, since
 * nobody counts what a vendor sends before it has.
 */
export const makeTerms = Effect.gen(function* () {
  const vendors = yield* VendorStore
  const sendings = yield* SendingStore
  const crypto = yield* Crypto
  return (campaign: Campaign, { vendor, workspace }: Asked) =>
    Effect.gen(function* () {
      const { workspaceId } = campaign
      const nowMillis = yield* Clock.currentTimeMillis
      const schedule = inKnownZone(campaign.schedule, vendor.timezones, nowMillis)
      if (schedule === null) {
        const cause = `the schedule can't be said in a zone that it knows: ${campaign.schedule.timezone}`
        return yield* Effect.fail(new ProviderFailure({ provider: vendor.name, reason: "invalid", cause }))
      }
      const mailboxes = (yield* sendings.activeMailboxes(workspaceId)).filter(({ kind }) => kind === "purchased")
      const sharers = Math.max(1, yield* vendors.activeCampaigns(workspaceId))
      const { dailySends, mailboxDailySends } = workspace.caps
      const terms: VendorTerms = {
        title: campaign.name,
        marker: markerOf(campaign),
        steps: stepsOf(campaign.sequence, workspace.postalAddress ?? ""),
        schedule,
        mailboxes: mailboxes.map(({ address }) => address),
        dailySends: Math.min(Math.floor(dailySends / sharers), mailboxes.length * mailboxDailySends),
        mailboxDailySends
      }
      return { terms, digest: crypto.sha256Hex(canonicalJson({ ...terms } as unknown as Json)) }
    })
})

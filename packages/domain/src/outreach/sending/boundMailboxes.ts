import { Effect } from "effect"
import { type Campaign, CampaignStore } from "../campaigns/CampaignStore.js"
import { SendingStore } from "./SendingStore.js"

/**
 * The active mailboxes that a campaign may send from: any of its workspace before its launch, afterwards those that its
 * approval showed and those that an owner added (contract: approvals, binding).
 */
export const makeBoundMailboxes = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const sendings = yield* SendingStore
  return ({ campaignId, launchedAtMillis, workspaceId }: Campaign) =>
    Effect.gen(function* () {
      const active = yield* sendings.activeMailboxes(workspaceId)
      if (launchedAtMillis === null) return active
      const bound = yield* campaigns.mailboxIds(workspaceId, campaignId)
      return active.filter(({ mailboxId }) => bound.has(mailboxId))
    })
})

import { KillStore } from "@outbound/domain/control/KillStore.js"
import { step } from "@outbound/domain/kernel/machine.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { Clock, Effect, Option, Result } from "effect"

interface LeftCampaign {
  readonly workspaceId: string
  readonly campaignId: string
}

interface LeftMailbox {
  readonly workspaceId: string
  readonly mailboxId: string
}

/** What the story under way has set up. A process tells its stories one after the other. */
const campaigns: Array<LeftCampaign> = []
const mailboxes: Array<LeftMailbox> = []

export const noteCampaign = (campaign: LeftCampaign): void => void campaigns.push(campaign)
export const noteMailboxes = (own: ReadonlyArray<LeftMailbox>): void => void mailboxes.push(...own)

const completeCampaigns = Effect.gen(function* () {
  const store = yield* CampaignStore
  for (const { campaignId, workspaceId } of campaigns) {
    const found = yield* store.lock(workspaceId, campaignId)
    if (Option.isNone(found)) continue
    const state = step(CampaignMachine, found.value.state, "complete")
    if (Result.isSuccess(state)) yield* store.update({ ...found.value, state: state.success, pauseReason: null })
  }
})

/** What a kill never saw paused is looked at every second, for ever. */
const believeKills = Effect.gen(function* () {
  const kills = yield* KillStore
  const nowMillis = yield* Clock.currentTimeMillis
  for (const workspaceId of new Set(campaigns.map((campaign) => campaign.workspaceId))) {
    const standing = yield* kills.standing(workspaceId)
    if (Option.isNone(standing)) continue
    const { killId } = standing.value
    for (const { campaignId } of yield* kills.unverified(workspaceId, killId)) {
      yield* kills.verify(workspaceId, killId, campaignId, nowMillis)
    }
  }
})

const disconnectMailboxes = Effect.gen(function* () {
  const owns = yield* OwnMailboxStore
  for (const { mailboxId, workspaceId } of mailboxes) yield* owns.remove(workspaceId, mailboxId)
})

/** Completes the campaigns that were noted, and disconnects the mailboxes: no host works for them any more. */
export const endLeftovers = Effect.gen(function* () {
  const { atomically } = yield* UnitOfWork
  yield* atomically(Effect.all([believeKills, completeCampaigns, disconnectMailboxes], { discard: true }))
}).pipe(Effect.orDie)

/** Suites that end nothing leave theirs noted, in stores that are gone. */
export const forgetLeftovers = Effect.sync(() => {
  campaigns.length = 0
  mailboxes.length = 0
})

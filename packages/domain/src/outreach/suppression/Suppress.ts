import { Effect, Either } from "effect"
import type { CampaignLead } from "../campaigns/Campaign.js"
import { CampaignStore } from "../campaigns/CampaignStore.js"
import { LeadMachine } from "../campaigns/LeadMachine.js"
import { step } from "../../kernel/machine.js"
import { Ids } from "../../kernel/ports/Ids.js"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"
import { VendorStore } from "../sending/vendor/VendorStore.js"
import { eventOf } from "../../kernel/trail/events.js"
import type { TrailEvent } from "../../kernel/trail/TrailEvent.js"
import { TrailStore } from "../../kernel/trail/TrailStore.js"
import { SuppressionStore, type SuppressionSource } from "./SuppressionStore.js"

/** How a no reached us. */
export interface OptOut {
  readonly lead: CampaignLead
  readonly sources: ReadonlyArray<SuppressionSource>
  /** What it does to the person's own sequence. */
  readonly event: "reply" | "bounce" | "unsubscribe" | "leave"
  /** Why the sequence stops, for the trail. */
  readonly reason: string
  readonly common: Pick<TrailEvent, "workspaceId" | "source"> & Partial<TrailEvent>
}

/**
 * Someone said no. They are suppressed for good, their sequence stops, and they are taken out of every other campaign,
 * all in the caller's transaction.
 */
export const suppress = Effect.gen(function* () {
  const suppressions = yield* SuppressionStore
  const campaigns = yield* CampaignStore
  const trail = yield* TrailStore
  const ids = yield* Ids
  const vendors = yield* VendorStore

  /** The person's leads elsewhere that are still to be written to. */
  const leaveOthers = (optOut: OptOut, nowMillis: number) =>
    Effect.gen(function* () {
      const { lead, common } = optOut
      const elsewhere = yield* campaigns.lockLeadsOfAddress(lead.workspaceId, lead.addressHash)
      const left: Array<CampaignLead> = []
      for (const other of elsewhere) {
        if (other.campaignLeadId === lead.campaignLeadId) continue
        const gone = step(LeadMachine, other.state, "leave")
        if (Either.isLeft(gone) || gone.right === other.state) continue
        yield* campaigns.updateLead({ ...other, state: gone.right, nextAtMillis: null })
        left.push(other)
      }
      yield* trail.append(
        left.map((other) =>
          eventOf(ids, nowMillis, {
            ...common,
            kind: "removed",
            campaignId: other.campaignId,
            campaignLeadId: other.campaignLeadId,
            replyId: null,
            detail: { reason: "opted_out" }
          })
        )
      )
      return { left, campaignIds: [lead, ...elsewhere].map(({ campaignId }) => campaignId) }
    })

  /**
   * The lead as it is now, and the leads of other campaigns that were taken out. `also`: what else follows from it, before
   * campaigns at vendors are woken, which are locked last.
   */
  return (optOut: OptOut, nowMillis: number, also: Effect.Effect<void, StoreUnavailable, Tx> = Effect.void) =>
    Effect.gen(function* () {
      const { lead, common } = optOut
      const { addressHash, workspaceId } = lead
      const known = yield* suppressions.sourcesOf(workspaceId, addressHash)
      for (const source of optOut.sources) {
        yield* suppressions.add({ workspaceId, addressHash, source, atMillis: nowMillis })
      }
      const state = Either.getOrElse(step(LeadMachine, lead.state, optOut.event), () => lead.state)
      const now: CampaignLead = { ...lead, state, nextAtMillis: null }
      yield* campaigns.updateLead(now)
      // The same no again changes nothing, and nothing is told.
      if (state !== lead.state || optOut.sources.some((source) => !known.includes(source))) {
        yield* trail.append([
          eventOf(ids, nowMillis, { ...common, kind: "suppressed" }),
          eventOf(ids, nowMillis, { ...common, kind: "stop", detail: { reason: optOut.reason } })
        ])
      }
      const { campaignIds, left } = yield* leaveOthers(optOut, nowMillis)
      yield* also
      yield* vendors.wake(workspaceId, campaignIds, nowMillis)
      return { lead: now, left }
    })
})

import { Effect } from "effect"
import type { CampaignLead } from "../campaigns/Campaign.js"
import { CampaignStore } from "../campaigns/CampaignStore.js"
import { makeMoveLead } from "../campaigns/moveLead.js"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"
import { VendorStore } from "../sending/vendor/VendorStore.js"
import { makeTell } from "../../kernel/trail/events.js"
import type { TrailEvent } from "../../kernel/trail/TrailEvent.js"
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
  const tell = yield* makeTell
  const moveLead = yield* makeMoveLead
  const vendors = yield* VendorStore

  /** The person's leads elsewhere that are still to be written to. */
  const leaveOthers = (optOut: OptOut, nowMillis: number) =>
    Effect.gen(function* () {
      const { lead, common } = optOut
      const elsewhere = yield* campaigns.lockLeadsOfAddress(lead.workspaceId, lead.addressHash)
      const left: Array<CampaignLead> = []
      for (const other of elsewhere) {
        if (other.campaignLeadId === lead.campaignLeadId) continue
        const { campaignId, campaignLeadId } = other
        const told = { ...common, campaignId, campaignLeadId, replyId: null, detail: { reason: "opted_out" } }
        if (yield* moveLead(other, "leave", { tell: { ...told, nowMillis, kind: "removed" } })) left.push(other)
      }
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
      const isMoved = yield* moveLead(lead, optOut.event, { always: { nextAtMillis: null } })
      // The same no again changes nothing, and nothing is told.
      if (isMoved || optOut.sources.some((source) => !known.includes(source))) {
        yield* tell(nowMillis, [
          { ...common, kind: "suppressed" },
          { ...common, kind: "stop", detail: { reason: optOut.reason } }
        ])
      }
      const { campaignIds, left } = yield* leaveOthers(optOut, nowMillis)
      yield* also
      yield* vendors.wake(workspaceId, campaignIds, nowMillis)
      return { left }
    })
})

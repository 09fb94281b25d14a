import { Effect } from "effect"
import { type CampaignLead, CampaignStore } from "../campaigns/CampaignStore.js"
import { companyOf } from "../../kernel/people/companyOf.js"
import { LEAVING, makeLeave } from "../campaigns/leave.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { addressHashOf } from "../../kernel/people/subjects.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { makeMoveLead } from "../campaigns/moveLead.js"
import type { InTx } from "../../kernel/ports/UnitOfWork.js"
import { VendorStore } from "../sending/vendor/VendorStore.js"
import { makeTell, type TrailEvent } from "../../kernel/trail/TrailEvent.js"
import { suppressionReason, SuppressionStore, type SuppressionSource } from "../suppression/SuppressionStore.js"

/** How an opt-out reached us. */
export interface OptOut {
  readonly lead: CampaignLead
  readonly sources: ReadonlyArray<SuppressionSource>
  /** The event for the person's own lead. */
  readonly event: "reply" | "bounce" | "unsubscribe" | "leave"
  /** Why the sequence stops, for the trail. */
  readonly reason: string
  /** The address that it came from, as it was read: perhaps another than the one that was written to. */
  readonly writer?: string
  /** Set: only a writer who is suppressed already gets this source too. */
  readonly ifSuppressed?: true
  readonly common: Pick<TrailEvent, "workspaceId" | "source"> & Partial<TrailEvent>
}

/**
 * Handles an opt-out in the caller's transaction: suppresses the person permanently, stops their sequence, removes
 * them from all other campaigns, and their colleagues from campaigns that stop for a company. Whoever wrote it from
 * another address, such as a private one or a colleague's, is suppressed too.
 */
export const suppress = Effect.gen(function* () {
  const suppressions = yield* SuppressionStore
  const campaigns = yield* CampaignStore
  const tell = yield* makeTell
  const moveLead = yield* makeMoveLead
  const vendors = yield* VendorStore
  const leave = yield* makeLeave
  const crypto = yield* Crypto

  /** The person's open leads in other campaigns. */
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

  /** Who answers has answered, whichever of their addresses, or whose, was written to. */
  const suppressWriter = ({ common, ifSuppressed, lead, sources, writer = "" }: OptOut, nowMillis: number) =>
    Effect.gen(function* () {
      const { workspaceId } = lead
      const email = usableEmail(writer)
      const addressHash = email === null ? lead.addressHash : addressHashOf(crypto, workspaceId, email)
      if (addressHash === lead.addressHash) return
      const known = yield* suppressions.sourcesOf(workspaceId, addressHash)
      if (ifSuppressed === true && known.length === 0) return
      const fresh = sources.filter((source) => !known.includes(source))
      for (const source of fresh) yield* suppressions.add({ workspaceId, addressHash, source, atMillis: nowMillis })
      const { requestId = null, source } = common
      // Of an erased person nothing new is written down, and this may be another address of theirs.
      const told = { workspaceId, source, requestId, email: lead.email === "" ? null : email }
      if (fresh.length > 0) yield* tell(nowMillis, { ...told, kind: "suppressed", detail: { reason: "answered_for" } })
      const elsewhere = yield* campaigns.lockLeadsCovered(
        workspaceId,
        { addressHashes: [addressHash], domains: [] },
        LEAVING
      )
      const removed = { source, requestId, detail: { reason: suppressionReason(sources) } }
      yield* leave(workspaceId, elsewhere, removed, nowMillis)
    })

  /** A bounce says nothing of what the company wants. */
  const stopCompany = ({ common, event, lead }: OptOut, nowMillis: number) =>
    Effect.gen(function* () {
      const company = event === "bounce" ? null : companyOf(lead.email)
      if (company === null) return
      const colleagues = yield* campaigns.stopCompany(lead.workspaceId, company, nowMillis)
      const { requestId = null, source } = common
      const told = { source, requestId, detail: { reason: "company_answered" } }
      yield* leave(lead.workspaceId, colleagues, told, nowMillis)
    })

  /**
   * Returns the current lead and the leads removed from other campaigns. `also`: further effects that must run before
   * campaigns at vendors are woken, which are locked last.
   */
  return (optOut: OptOut, nowMillis: number, also: InTx<void> = Effect.void) =>
    Effect.gen(function* () {
      const { lead, common } = optOut
      const { addressHash, workspaceId } = lead
      const known = yield* suppressions.sourcesOf(workspaceId, addressHash)
      for (const source of optOut.sources) {
        yield* suppressions.add({ workspaceId, addressHash, source, atMillis: nowMillis })
      }
      const isMoved = yield* moveLead(lead, optOut.event, { always: { nextAtMillis: null } })
      // A repeated opt-out changes nothing and writes no trail event.
      if (isMoved || optOut.sources.some((source) => !known.includes(source))) {
        yield* tell(nowMillis, [
          { ...common, kind: "suppressed" },
          { ...common, kind: "stop", detail: { reason: optOut.reason } }
        ])
      }
      const { campaignIds, left } = yield* leaveOthers(optOut, nowMillis)
      yield* suppressWriter(optOut, nowMillis)
      yield* stopCompany(optOut, nowMillis)
      yield* also
      yield* vendors.wake(workspaceId, campaignIds, nowMillis)
      return { left }
    })
})

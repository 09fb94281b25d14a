import { Clock, Effect } from "effect"
import { UnitOfWork } from "../../ports/UnitOfWork.js"
import { Contactability } from "../../suppression/Contactability.js"
import { leadAfter, makeVendorRecord, type Turn } from "./VendorRecord.js"
import { type Leaving, VendorStore } from "./VendorStore.js"

/** So many people one turn takes out. */
const LEAVING_MAX = 200

/** A removal that is not confirmed after so long pauses the campaign (design: a suppression holds at the vendor too). */
export const UNCONFIRMED_MILLIS = 60_000

/** Whoever must not be written to leaves the vendor's campaign, provably, or the campaign stops. */
export const makeWithdrawing = Effect.gen(function* () {
  const vendors = yield* VendorStore
  const contactability = yield* Contactability
  const record = yield* makeVendorRecord
  const { atomically } = yield* UnitOfWork

  /** Takes those of a launched campaign out whom something forbids by now: our own record, before the vendor is asked. */
  const takeOut = ({ campaign: { campaignId, workspaceId } }: Turn) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const open = yield* vendors.openLeads(workspaceId, campaignId)
      if (open.length === 0) return
      const addressHashes = open.map(({ addressHash }) => addressHash)
      const forbidden = yield* contactability.check({ workspaceId, campaignId, addressHashes, nowMillis })
      for (const { addressHash, campaignLeadId } of open) {
        const reason = forbidden.get(addressHash)
        if (reason === undefined) continue
        yield* atomically(record.endLead({ workspaceId, campaignLeadId }, { event: "remove", reason }, nowMillis))
      }
    })

  /** Writes down who is to leave, and since when. Whoever was never pushed is gone with that. */
  const note = ({ campaign }: Turn) =>
    atomically(
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const found = yield* vendors.leaving(campaign.workspaceId, campaign.campaignId, LEAVING_MAX)
        const unnoted = found.filter(({ there }) => there.state !== "leaving")
        const noted = yield* record.changeLeads(
          campaign,
          unnoted.map(({ there }) => there.campaignLeadId),
          (there) => {
            const left = leadAfter(there, "leave")
            return { ...left, leavingAtMillis: left.state === "leaving" ? nowMillis : null }
          }
        )
        const now = new Map(noted.map((there) => [there.campaignLeadId, there]))
        return found
          .map((one): Leaving => ({ ...one, there: now.get(one.there.campaignLeadId) ?? one.there }))
          .filter(({ there }) => there.state === "leaving")
      })
    )

  /** A campaign whose vendor may still write to someone who said no is not to go on. */
  const pauseOverdue = ({ campaign }: Turn, leaving: ReadonlyArray<Leaving>) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const isOverdue = ({ there }: Leaving) => nowMillis - (there.leavingAtMillis ?? nowMillis) >= UNCONFIRMED_MILLIS
      if (leaving.some(isOverdue)) yield* record.requestPause(campaign, "removal_unconfirmed", nowMillis)
    })

  /** Asks the vendor, one after the other, and writes down what it proves. */
  const withdraw = (turn: Turn, leaving: ReadonlyArray<Leaving>) =>
    Effect.gen(function* () {
      const { ask, campaign } = turn
      const { ref } = campaign
      for (const { blocks, lead, there } of leaving) {
        const personRef = there.ref
        // Who was erased has no address any more; nobody can push them either.
        const isErased = lead.email === ""
        if (ref !== null && isErased && personRef !== null) yield* ask((vendor) => vendor.forget(ref, personRef))
        else if (ref !== null) yield* ask((vendor) => vendor.withdraw(ref, { ref: personRef, email: lead.email }))
        const isBlocked = there.blocked || blocks
        if (blocks && !there.blocked && !isErased) yield* ask((vendor) => vendor.block(lead.email))
        yield* atomically(
          record.changeLeads(campaign, [there.campaignLeadId], (now) => ({
            ...leadAfter(now, "prove"),
            ref: isErased ? null : now.ref,
            leavingAtMillis: null,
            blocked: now.blocked || isBlocked
          }))
        )
      }
    })

  return { takeOut, note, pauseOverdue, withdraw }
})

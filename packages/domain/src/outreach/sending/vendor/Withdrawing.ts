import { Array as Arr, Clock, Effect } from "effect"
import { usableEmail } from "../../../kernel/people/EmailAddress.js"
import { ProviderFailure } from "../../../sources/ports/Source.js"
import { UnitOfWork } from "../../../kernel/ports/UnitOfWork.js"
import { Contactability } from "../../suppression/Contactability.js"
import { shownReason } from "../../suppression/SuppressionStore.js"
import { peopleThere } from "./Activating.js"
import { VendorLeadMachine } from "./VendorLeadMachine.js"
import { leadAfter, makeVendorRecord, type Turn } from "./VendorRecord.js"
import { type Leaving, VendorStore } from "./VendorStore.js"

/** Most people that one turn removes. */
const LEAVING_MAX = 200

/**
 * If a removal is not confirmed after this time, the campaign is paused (design: a suppression also applies at the
 * vendor).
 */
export const UNCONFIRMED_MILLIS = 60_000

/** Removes people who must not be emailed from the vendor's campaign, with proof; otherwise the campaign stops. */
export const makeWithdrawing = Effect.gen(function* () {
  const vendors = yield* VendorStore
  const contactability = yield* Contactability
  const record = yield* makeVendorRecord
  const { atomically } = yield* UnitOfWork

  /** Removes forbidden people of a launched campaign from our own record first, before asking the vendor. */
  const takeOut = ({ campaign: { campaignId, workspaceId } }: Turn) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const open = yield* vendors.openLeads(workspaceId, campaignId)
      if (open.length === 0) return
      const forbidden = yield* contactability.check({ workspaceId, campaignId, people: open, nowMillis })
      for (const { addressHash, campaignLeadId } of open) {
        const reason = forbidden.get(addressHash)
        if (reason === undefined) continue
        yield* atomically(
          record.endLead({ workspaceId, campaignLeadId }, { event: "remove", ...shownReason(reason) }, nowMillis)
        )
      }
    })

  /** Records who must leave, and since when. People who were never pushed are gone at once. */
  const note = ({ campaign }: Turn) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const found = yield* vendors.leaving(campaign.workspaceId, campaign.campaignId, LEAVING_MAX)
      const unnoted = found.filter(({ vendorLead }) => !VendorLeadMachine.is.leaving(vendorLead.state))
      const noted = yield* record.changeLeads(
        campaign,
        unnoted.map(({ vendorLead }) => vendorLead.campaignLeadId),
        (vendorLead) => {
          const left = leadAfter(vendorLead, "leave")
          return { ...left, leavingAtMillis: VendorLeadMachine.is.leaving(left.state) ? nowMillis : null }
        }
      )
      const now = new Map(noted.map((vendorLead) => [vendorLead.campaignLeadId, vendorLead]))
      return found
        .map((one): Leaving => ({ ...one, vendorLead: now.get(one.vendorLead.campaignLeadId) ?? one.vendorLead }))
        .filter(({ vendorLead }) => VendorLeadMachine.is.leaving(vendorLead.state))
    }).pipe(atomically)

  /** Pauses a campaign whose vendor may still email someone who opted out. */
  const pauseOverdue = ({ campaign }: Turn, leaving: ReadonlyArray<Leaving>) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const isOverdue = ({ vendorLead }: Leaving) =>
        nowMillis - (vendorLead.leavingAtMillis ?? nowMillis) >= UNCONFIRMED_MILLIS
      if (leaving.some(isOverdue)) yield* record.requestPause(campaign, "removal_unconfirmed", nowMillis)
    })

  /** All vendor ids of the campaign's people, by the keyed hashes of their addresses. */
  const namesThere = (turn: Turn, ref: string) =>
    Effect.map(peopleThere(turn, ref), (everybody) =>
      Arr.groupBy(everybody, ({ email }) =>
        contactability.hashOf(turn.campaign.workspaceId, usableEmail(email) ?? email)
      )
    )

  /** Makes the vendor delete an erased person: by its id, or by their address. */
  const forget = (turn: Turn, ref: string, { lead, vendorLead }: Leaving, names: ReturnType<typeof namesThere>) =>
    Effect.gen(function* () {
      const known = vendorLead.ref === null ? ((yield* names)[lead.addressHash] ?? []) : [{ ref: vendorLead.ref }]
      for (const person of known) yield* turn.ask((vendor) => vendor.forget(ref, person.ref))
      return known.length > 0
    })

  /** Asks the vendor one by one and records what is proven. */
  const withdraw = (turn: Turn, leaving: ReadonlyArray<Leaving>) =>
    Effect.gen(function* () {
      const { ask, campaign } = turn
      const { ref } = campaign
      const names = ref === null ? Effect.succeed({}) : yield* Effect.cached(namesThere(turn, ref))
      let unproven = 0
      for (const one of leaving) {
        const { blocks, lead, vendorLead } = one
        // Erased people have no address, and can't be pushed any more.
        const isErased = lead.email === ""
        let isForgotten = false
        if (ref !== null && isErased) isForgotten = yield* forget(turn, ref, one, names)
        else if (ref !== null) yield* ask((vendor) => vendor.withdraw(ref, { ref: vendorLead.ref, email: lead.email }))
        const isBlocked = vendorLead.blocked || blocks
        if (blocks && !vendorLead.blocked && !isErased) yield* ask((vendor) => vendor.block(lead.email))
        // A person who is not there may still be in transit or not visible yet.
        const mayCome =
          !isForgotten && vendorLead.ref === null && vendorLead.dueAtMillis > (yield* Clock.currentTimeMillis)
        if (ref !== null && mayCome) {
          unproven += 1
          continue
        }
        yield* atomically(
          record.changeLeads(campaign, [vendorLead.campaignLeadId], (now) => ({
            ...leadAfter(now, "prove"),
            ref: isErased ? null : now.ref,
            leavingAtMillis: null,
            blocked: now.blocked || isBlocked
          }))
        )
      }
      if (unproven === 0) return
      const cause = "people who are to leave it may still be on their way there"
      return yield* Effect.fail(new ProviderFailure({ provider: turn.vendor.name, reason: "transient", cause }))
    })

  return { takeOut, note, pauseOverdue, withdraw }
})

import { Array as Arr, Clock, Effect } from "effect"
import { usableEmail } from "../../../kernel/people/EmailAddress.js"
import { ProviderFailure } from "../../../sources/ports/ProviderFailure.js"
import type { PeopleThere } from "../../../sources/ports/VendorScheduled.js"
import { UnitOfWork } from "../../../kernel/ports/UnitOfWork.js"
import { Contactability } from "../../suppression/Contactability.js"
import { VendorLeadMachine } from "./VendorLeadMachine.js"
import { leadAfter, makeVendorRecord, type Turn } from "./VendorRecord.js"
import { type Leaving, VendorStore } from "./VendorStore.js"

/** So many people one turn takes out. */
const LEAVING_MAX = 200

/** So many pages of a campaign's people one turn reads: ours are 5,000 at most, and others may be put there. */
const PEOPLE_PAGES_MAX = 200

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
      })
    )

  /** A campaign whose vendor may still write to someone who said no is not to go on. */
  const pauseOverdue = ({ campaign }: Turn, leaving: ReadonlyArray<Leaving>) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const isOverdue = ({ vendorLead }: Leaving) =>
        nowMillis - (vendorLead.leavingAtMillis ?? nowMillis) >= UNCONFIRMED_MILLIS
      if (leaving.some(isOverdue)) yield* record.requestPause(campaign, "removal_unconfirmed", nowMillis)
    })

  /** By what names the vendor has the people of the campaign, all of them, by the keyed hashes of their addresses. */
  const namesThere = ({ ask, campaign: { workspaceId }, vendor: { name } }: Turn, ref: string) =>
    Effect.gen(function* () {
      const everybody: Array<PeopleThere["people"][number]> = []
      let cursor: string | null = null
      for (let pages = 0; pages < PEOPLE_PAGES_MAX; pages += 1) {
        const from: string | null = cursor
        const page: PeopleThere = yield* ask((vendor) => vendor.everybody(ref, from))
        everybody.push(...page.people)
        cursor = page.cursor
        if (cursor === null) {
          return Arr.groupBy(everybody, ({ email }) => contactability.hashOf(workspaceId, usableEmail(email) ?? email))
        }
      }
      // Not read to its end it proves nothing of whoever is not on it.
      const cause = "it lists people without an end"
      return yield* Effect.fail(new ProviderFailure({ provider: name, reason: "transient", cause }))
    })

  /** Has the vendor forget who was erased: by its name for them, else by whatever it has of their address. */
  const forget = (turn: Turn, ref: string, { lead, vendorLead }: Leaving, names: ReturnType<typeof namesThere>) =>
    Effect.gen(function* () {
      const known = vendorLead.ref === null ? ((yield* names)[lead.addressHash] ?? []) : [{ ref: vendorLead.ref }]
      for (const person of known) yield* turn.ask((vendor) => vendor.forget(ref, person.ref))
      return known.length > 0
    })

  /** Asks the vendor, one after the other, and writes down what it proves. */
  const withdraw = (turn: Turn, leaving: ReadonlyArray<Leaving>) =>
    Effect.gen(function* () {
      const { ask, campaign } = turn
      const { ref } = campaign
      const names = ref === null ? Effect.succeed({}) : yield* Effect.cached(namesThere(turn, ref))
      let unproven = 0
      for (const one of leaving) {
        const { blocks, lead, vendorLead } = one
        // Who was erased has no address any more; nobody can push them either.
        const isErased = lead.email === ""
        let isForgotten = false
        if (ref !== null && isErased) isForgotten = yield* forget(turn, ref, one, names)
        else if (ref !== null) yield* ask((vendor) => vendor.withdraw(ref, { ref: vendorLead.ref, email: lead.email }))
        const isBlocked = vendorLead.blocked || blocks
        if (blocks && !vendorLead.blocked && !isErased) yield* ask((vendor) => vendor.block(lead.email))
        // Whoever is not there may still be on their way, or not be shown yet.
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

import { Clock, Effect, Option, Result } from "effect"
import { backoff } from "../../../kernel/backoff.js"
import { CampaignMachine } from "../../campaigns/CampaignMachine.js"
import { type Campaign, CampaignStore } from "../../campaigns/CampaignStore.js"
import { step } from "../../../kernel/machine.js"
import { ProviderFailure } from "../../../sources/ports/Source.js"
import type { PushAnswer } from "../../../sources/ports/VendorScheduled.js"
import { UnitOfWork } from "../../../kernel/ports/UnitOfWork.js"
import { inSpan } from "../../../kernel/telemetry.js"
import { Contactability } from "../../suppression/Contactability.js"
import { shownReason } from "../../suppression/SuppressionStore.js"
import { UNDER_WAY_MILLIS } from "./asVendor.js"
import { makeWrittenFor } from "./writtenFor.js"
import { UNSETTLED, VendorLeadMachine, type VendorLeadState } from "./VendorLeadMachine.js"
import { leadAfter, makeVendorRecord, type Turn } from "./VendorRecord.js"
import { type VendorLeadAt, VendorStore } from "./VendorStore.js"

/** Most people that one turn looks up. */
const LOCATED_MAX = 200

/** Most pushes of a person, and most look-ups after a push, before they are given up. */
export const PUSHES_MAX = 3
export const LOOKS_MAX = 3

/** When a person who was not found is looked for again: doubled with every look. */
const LOOK_AGAIN_MILLIS = { first: 10_000, max: 10_000 * 2 ** LOOKS_MAX }
const lookAgainAfter = (looks: number): number => backoff(looks + 1, LOOK_AGAIN_MILLIS)

/** Pushes people to the vendor's campaign, each once, and finds out who is there. */
export const makePushing = Effect.gen(function* () {
  const vendors = yield* VendorStore
  const campaigns = yield* CampaignStore
  const contactability = yield* Contactability
  const writtenFor = yield* makeWrittenFor
  const record = yield* makeVendorRecord
  const { atomically } = yield* UnitOfWork

  /** The vendor refuses them: this campaign sends them nothing. */
  const refuse = (turn: Turn, campaignLeadIds: ReadonlyArray<string>, reason: string) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      yield* Effect.gen(function* () {
        yield* record.changeLeads(turn.campaign, campaignLeadIds, (vendorLead) => leadAfter(vendorLead, "refuse"))
        for (const campaignLeadId of campaignLeadIds.toSorted()) {
          const { workspaceId } = turn.campaign
          yield* record.endLead({ workspaceId, campaignLeadId }, { event: "fail", reason }, nowMillis)
        }
      }).pipe(atomically)
    })

  /** Looks people up once. Those not found are looked up again, then pushed again, and finally given up. */
  const locate = (turn: Turn, ref: string, people: ReadonlyArray<VendorLeadAt>) =>
    Effect.gen(function* () {
      if (people.length === 0) return
      const emails = people.map(({ lead }) => lead.email)
      const located = yield* turn.ask((vendor) => vendor.locate(ref, emails))
      const nowMillis = yield* Clock.currentTimeMillis
      const refs = new Map(located.map((one) => [one.email.toLowerCase(), one.ref]))
      const found = people.flatMap(({ lead, vendorLead: { campaignLeadId } }) => {
        const ref = refs.get(lead.email.toLowerCase())
        return ref === undefined ? [] : [{ campaignLeadId, ref }]
      })
      yield* record.confirm(turn.campaign, found)
      const isFound = new Set(found.map(({ campaignLeadId }) => campaignLeadId))
      const missing = people
        .filter(({ vendorLead }) => !isFound.has(vendorLead.campaignLeadId))
        .map(({ vendorLead }) => vendorLead)
      const isLost = ({ looks, pushes }: VendorLeadAt["vendorLead"]) => pushes >= PUSHES_MAX && looks + 1 >= LOOKS_MAX
      yield* atomically(
        record.changeLeads(
          turn.campaign,
          missing.map(({ campaignLeadId }) => campaignLeadId),
          (vendorLead) => ({
            ...leadAfter(vendorLead, "miss"),
            looks: vendorLead.looks + 1,
            dueAtMillis: nowMillis + lookAgainAfter(vendorLead.looks)
          })
        )
      )
      const lost = missing.filter(isLost).map(({ campaignLeadId }) => campaignLeadId)
      if (lost.length > 0) yield* refuse(turn, lost, "unconfirmed_by_provider")
    })

  /** Erased people have no address: they are not looked up or pushed, but removed. */
  const dueIn = (turn: Turn, states: ReadonlyArray<VendorLeadState>, limit: number) =>
    Effect.gen(function* () {
      const { campaignId, workspaceId } = turn.campaign
      const byMillis = yield* Clock.currentTimeMillis
      const due = yield* vendors.leadsDue(workspaceId, campaignId, states, { byMillis, limit })
      return due.filter(({ lead }) => lead.email !== "")
    })

  /** Of those to be pushed, returns the ones who may be emailed, and removes the others. */
  const allowed = (turn: Turn, people: ReadonlyArray<VendorLeadAt>) =>
    Effect.gen(function* () {
      const { campaignId, workspaceId } = turn.campaign
      const nowMillis = yield* Clock.currentTimeMillis
      const forbidden = yield* contactability.check({
        workspaceId,
        campaignId,
        people: people.map(({ lead }) => lead),
        nowMillis
      })
      for (const { lead } of people) {
        const reason = forbidden.get(lead.addressHash)
        if (reason === undefined) continue
        yield* atomically(record.endLead(lead, { event: "remove", ...shownReason(reason) }, nowMillis))
      }
      return people.filter(({ lead }) => !forbidden.has(lead.addressHash))
    })

  const push = (turn: Turn, ref: string, campaign: Campaign, due: ReadonlyArray<VendorLeadAt>) =>
    Effect.gen(function* () {
      const people = yield* allowed(turn, due)
      const idsOf = (some: ReadonlyArray<VendorLeadAt>) => some.map(({ vendorLead }) => vendorLead.campaignLeadId)
      if (people.length === 0) return
      const written = yield* writtenFor(
        turn.workspace,
        campaign,
        people.map(({ lead }) => lead)
      )
      const nowMillis = yield* Clock.currentTimeMillis
      yield* Effect.gen(function* () {
        yield* record.locked(turn.campaign)
        yield* record.changeLeads(turn.campaign, idsOf(people), (vendorLead) => ({
          ...leadAfter(vendorLead, "push"),
          pushes: vendorLead.pushes + 1,
          looks: 0,
          dueAtMillis: nowMillis + UNDER_WAY_MILLIS
        }))
      }).pipe(atomically)
      const answer = yield* Effect.result(
        turn
          .ask((vendor) => vendor.push(ref, written))
          .pipe(
            inSpan("vendor.push", {
              kind: "client",
              attributes: () => ({ "peer.service": turn.campaign.vendor, "outbound.people": written.length })
            })
          )
      )
      if (Result.isFailure(answer)) return yield* afterFailedPush(turn, people, answer.failure)
      yield* afterPush(turn, ref, people, answer.success)
    })

  /**
   * Nothing happened unless the outcome is unknown: then we look them up once the push can't be in transit any more.
   */
  const afterFailedPush = (turn: Turn, people: ReadonlyArray<VendorLeadAt>, failure: ProviderFailure) =>
    Effect.gen(function* () {
      if (failure.reason !== "unknown_outcome") {
        const nowMillis = yield* Clock.currentTimeMillis
        yield* atomically(
          record.changeLeads(
            turn.campaign,
            people.map(({ vendorLead }) => vendorLead.campaignLeadId),
            (vendorLead) => ({
              ...leadAfter(vendorLead, "withhold"),
              pushes: vendorLead.pushes - 1,
              dueAtMillis: nowMillis
            })
          )
        )
      }
      return yield* Effect.fail(failure)
    })

  const afterPush = (turn: Turn, ref: string, people: ReadonlyArray<VendorLeadAt>, answer: PushAnswer) =>
    Effect.gen(function* () {
      const asked = new Set(people.map(({ vendorLead }) => vendorLead.campaignLeadId))
      const confirmed = answer.confirmed.filter(({ campaignLeadId }) => asked.has(campaignLeadId))
      yield* record.confirm(turn.campaign, confirmed)
      const isConfirmed = new Set(confirmed.map(({ campaignLeadId }) => campaignLeadId))
      const refused = answer.refused
        .map(({ campaignLeadId }) => campaignLeadId)
        .filter((id) => asked.has(id) && !isConfirmed.has(id))
      if (refused.length > 0) yield* refuse(turn, refused, "refused_by_provider")
      const open = people.filter(
        ({ vendorLead }) => !isConfirmed.has(vendorLead.campaignLeadId) && !refused.includes(vendorLead.campaignLeadId)
      )
      for (let at = 0; at < open.length; at += LOCATED_MAX) {
        yield* locate(turn, ref, open.slice(at, at + LOCATED_MAX))
      }
    })

  /** One push or one look-up of what is due. True: there may be more. */
  const bring = (turn: Turn, ref: string, campaign: Campaign) =>
    Effect.gen(function* () {
      const asked = yield* dueIn(turn, ["asked", "missing"], LOCATED_MAX)
      const again = asked.filter(
        ({ vendorLead }) => VendorLeadMachine.is.missing(vendorLead.state) && vendorLead.looks >= LOOKS_MAX
      )
      const toLookFor = asked.filter((one) => !again.includes(one))
      if (toLookFor.length > 0) {
        yield* locate(turn, ref, toLookFor)
        return true
      }
      const waiting = again.length > 0 ? again : yield* dueIn(turn, ["waiting"], turn.vendor.pushMax)
      if (waiting.length === 0) return false
      yield* push(turn, ref, campaign, waiting.slice(0, turn.vendor.pushMax))
      return true
    })

  /** An incomplete campaign becomes a draft once all its people are confirmed or refused. */
  const settle = ({ campaign: { campaignId, workspaceId } }: Turn) =>
    Effect.gen(function* () {
      const campaign = yield* campaigns.lock(workspaceId, campaignId)
      if (Option.isNone(campaign) || !CampaignMachine.is.awaiting(campaign.value.state)) return
      const counts = yield* vendors.counts(workspaceId, campaignId)
      if (UNSETTLED.some((state) => counts[state] > 0)) return
      const confirmed = step(CampaignMachine, campaign.value.state, "import_confirmed")
      if (Result.isSuccess(confirmed)) yield* campaigns.update({ ...campaign.value, state: confirmed.success })
    }).pipe(atomically)

  return { bring, settle }
})

import { Clock, Effect, Option, Result } from "effect"
import { canonicalJson, type Json } from "../../../kernel/canonical.js"
import { makeBoundMailboxes } from "../boundMailboxes.js"
import { CampaignMachine } from "../../campaigns/CampaignMachine.js"
import { type Campaign, CampaignStore } from "../../campaigns/CampaignStore.js"
import { LeadMachine } from "../../campaigns/LeadMachine.js"
import { Contactability } from "../../suppression/Contactability.js"
import { RECIPIENTS_MAX } from "../../../verbs/campaignFields.js"
import { step } from "../../../kernel/machine.js"
import { usableEmail } from "../../../kernel/people/EmailAddress.js"
import { Crypto } from "../../../kernel/ports/Crypto.js"
import { ProviderFailure } from "../../../sources/ports/Source.js"
import type { PeopleThere, VendorTerms } from "../../../sources/ports/VendorScheduled.js"
import { UnitOfWork } from "../../../kernel/ports/UnitOfWork.js"
import { makeTell } from "../../../kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "../../../kernel/workspaces/WorkspaceStore.js"
import { type Asked, UNDER_WAY_MILLIS } from "./asVendor.js"
import { inKnownZone } from "./knownZone.js"
import { stepsOf } from "./personalise.js"
import { VendorCampaignMachine } from "./VendorCampaignMachine.js"
import { campaignAfter, makeVendorRecord, type Turn } from "./VendorRecord.js"
import { VendorStore } from "./VendorStore.js"
import { makeWrittenFor } from "./writtenFor.js"

/** Most pages of a campaign's people that one turn reads: ours are at most 5,000, and others may add people. */
const PEOPLE_PAGES_MAX = 200

/** All people of a vendor's campaign. */
export const peopleThere = ({ ask, vendor: { name } }: Turn, ref: string) =>
  Effect.gen(function* () {
    const everybody: Array<PeopleThere["people"][number]> = []
    let cursor: string | null = null
    for (let pages = 0; pages < PEOPLE_PAGES_MAX; pages += 1) {
      const from: string | null = cursor
      const page: PeopleThere = yield* ask((vendor) => vendor.everybody(ref, from))
      everybody.push(...page.people)
      cursor = page.cursor
      if (cursor === null) return everybody
    }
    // An incomplete list proves nothing about people who are not on it.
    const cause = "it lists people without an end"
    return yield* Effect.fail(new ProviderFailure({ provider: name, reason: "transient", cause }))
  })

/** Most turns that wait for a vendor to list people whom it confirmed. */
const UNSEEN_TURNS_MAX = 5

/** The marker that finds our campaign at its vendor. */
const markerOf = ({ campaignId }: Pick<Campaign, "campaignId">): string => `ob-${campaignId}`

/**
 * A campaign's target settings at its vendor. The workspace's cap is divided evenly among its campaigns there, because
 * a vendor's messages are counted only after it sent them.
 */
const makeTerms = Effect.gen(function* () {
  const vendors = yield* VendorStore
  const boundMailboxes = yield* makeBoundMailboxes
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
      const mailboxes = (yield* boundMailboxes(campaign)).filter(({ kind }) => kind === "purchased")
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

/** Makes campaigns at the vendor, tells it their terms, and has them sent. */
export const makeActivating = Effect.gen(function* () {
  const vendors = yield* VendorStore
  const campaigns = yield* CampaignStore
  const workspaces = yield* WorkspaceStore
  const contactability = yield* Contactability
  const termsOf = yield* makeTerms
  const writtenFor = yield* makeWrittenFor
  const tell = yield* makeTell
  const record = yield* makeVendorRecord
  const { atomically } = yield* UnitOfWork

  /**
   * The campaign with the vendor's id: found by our marker, or created. Only a delay at the vendor can create it twice.
   */
  const present = (turn: Turn, campaign: Campaign) =>
    Effect.gen(function* () {
      const { ask, vendor } = turn
      if (turn.campaign.ref !== null) return turn.campaign
      const nowMillis = yield* Clock.currentTimeMillis
      if ((turn.campaign.askedUntilMillis ?? 0) > nowMillis) {
        const cause = "its making may still be under way"
        return yield* Effect.fail(new ProviderFailure({ provider: vendor.name, reason: "transient", cause }))
      }
      const found = yield* ask((one) => one.find(markerOf(campaign)))
      const stands = (ref: string) =>
        record.change(turn.campaign, (now) => ({ ...campaignAfter(now, "find"), ref, askedUntilMillis: null }))
      if (Option.isSome(found)) return yield* stands(found.value)
      const { terms } = yield* termsOf(campaign, turn)
      yield* record.change(turn.campaign, (now) => ({
        ...campaignAfter(now, "create"),
        askedUntilMillis: nowMillis + UNDER_WAY_MILLIS
      }))
      // Creation sets only part of the terms. Set them again before it sends.
      const made = yield* Effect.result(ask((one) => one.create(terms)))
      if (Result.isSuccess(made)) return yield* stands(made.success)
      if (made.failure.reason !== "unknown_outcome") {
        yield* record.change(turn.campaign, (now) => ({ ...campaignAfter(now, "miss"), askedUntilMillis: null }))
      }
      return yield* Effect.fail(made.failure)
    })

  /**
   * The one-time permission to activate it, after checking everything that could forbid it now. A person whom another
   * campaign may be emailing forbids it. A concurrent kill waits for this or comes first.
   */
  const decide = ({ campaign: { campaignId, workspaceId }, campaign: held }: Turn, nowMillis: number) =>
    Effect.gen(function* () {
      const no = { isPermitted: false, written: [] }
      const sending = yield* workspaces.lockSending(workspaceId)
      const campaign = yield* campaigns.lock(workspaceId, campaignId)
      if (
        sending.suspendedAtMillis !== null ||
        !Option.exists(campaign, ({ state }) => CampaignMachine.is.running(state))
      )
        return no
      const written = yield* vendors.elsewhere(workspaceId, campaignId)
      if (written.length > 0) return { isPermitted: false, written }
      if ((yield* vendors.leaving(workspaceId, campaignId, 1)).length > 0) return no
      const now = yield* record.locked(held)
      if (!VendorCampaignMachine.is.idle(now.state) && !VendorCampaignMachine.is.activating(now.state)) return no
      yield* vendors.update({
        ...campaignAfter(now, "activate"),
        askedUntilMillis: nowMillis + UNDER_WAY_MILLIS
      })
      return { isPermitted: true, written }
    }).pipe(atomically)

  /** People who forbid it are removed afterwards, because the holder of an active campaign must not wait for a lead. */
  const permit = (turn: Turn) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const { isPermitted, written } = yield* decide(turn, nowMillis)
      const capped = { event: "remove", reason: "capped" } as const
      yield* Effect.forEach(written, (lead) => atomically(record.endLead(lead, capped, nowMillis)), { discard: true })
      return isPermitted
    })

  /**
   * Who stands in the vendor's campaign otherwise than approved: people whom nobody approved, because others added them
   * there, people of ours with other values or words than their approval's, and people whom the vendor confirmed and
   * doesn't list: nobody can say what it would send them.
   */
  const unlike = (turn: Turn, ref: string, campaign: Campaign) =>
    Effect.gen(function* () {
      const { campaignId, workspaceId } = turn.campaign
      // Some of ours may have no address any more, and until they are removed nothing is started anyway.
      if ((yield* vendors.leaving(workspaceId, campaignId, 1)).length > 0)
        return { strangers: 0, altered: [], unseen: 0 }
      const leads = (yield* campaigns.firstLeads(workspaceId, campaignId, LeadMachine.states, RECIPIENTS_MAX)).filter(
        ({ approvalId }) => approvalId !== null
      )
      const open = leads.filter(({ state }) => LeadMachine.is.open(state))
      const written = yield* writtenFor(turn.workspace, campaign, open)
      const approved = new Set(leads.map(({ addressHash }) => addressHash))
      const personOf = new Map(open.map(({ addressHash }, index) => [addressHash, written[index]]))
      const people = (yield* peopleThere(turn, ref)).map((one) => ({
        ...one,
        hash: contactability.hashOf(workspaceId, usableEmail(one.email) ?? one.email)
      }))
      const confirmed = yield* vendors.presentLeads(workspaceId, campaignId)
      const listed = new Set(people.map(({ hash }) => hash))
      return {
        unseen: open.filter((lead) => confirmed.has(lead.campaignLeadId) && !listed.has(lead.addressHash)).length,
        strangers: people.filter(({ hash }) => !approved.has(hash)).length,
        altered: people.flatMap(({ hash, holds, ref: personRef }) => {
          const person = personOf.get(hash)
          return person === undefined || holds(person) ? [] : [{ personRef, person }]
        })
      }
    })

  /** Gives the vendor what was approved of each person, where it holds something else, and looks again. */
  const aligned = (turn: Turn, ref: string, campaign: Campaign) =>
    Effect.gen(function* () {
      const found = yield* unlike(turn, ref, campaign)
      if (found.altered.length === 0) return found
      yield* Effect.forEach(
        found.altered,
        ({ person, personRef }) => turn.ask((vendor) => vendor.amend(ref, personRef, person)),
        { discard: true }
      )
      return yield* unlike(turn, ref, campaign)
    })

  const configure = (turn: Turn, ref: string, campaign: Campaign) =>
    Effect.gen(function* () {
      const { digest, terms } = yield* termsOf(campaign, turn)
      if (terms.mailboxes.length === 0 || terms.dailySends < 1) {
        const cause = "there is nothing to send from, or nothing that may be sent"
        return yield* Effect.fail(new ProviderFailure({ provider: turn.vendor.name, reason: "transient", cause }))
      }
      if (turn.campaign.terms === digest) return
      // Messages that may leave from now on name values, so everybody has them first.
      if (!VendorCampaignMachine.is.idle(turn.campaign.state)) yield* aligned(turn, ref, campaign)
      yield* turn.ask((vendor) => vendor.configure(ref, terms))
      yield* record.change(turn.campaign, (now) => ({ ...now, terms: digest }))
    })

  /**
   * Whether the vendor holds what was approved. Where it doesn't, somebody changed it there or a request was not carried
   * out, so it is told once more. If that doesn't help, the campaign is paused instead of started.
   */
  const isAsApproved = (turn: Turn, ref: string, campaign: Campaign) =>
    Effect.gen(function* () {
      const { terms } = yield* termsOf(campaign, turn)
      const differences = turn.ask((vendor) => vendor.differences(ref, terms))
      const first = yield* differences
      if (first.length > 0) yield* turn.ask((vendor) => vendor.configure(ref, terms))
      const left = first.length > 0 ? yield* differences : first
      const { altered, strangers, unseen } = yield* aligned(turn, ref, campaign)
      if (left.length === 0 && strangers === 0 && altered.length === 0) {
        if (unseen === 0) return true
        // A list may lag behind a push.
        if (turn.campaign.failures < UNSEEN_TURNS_MAX) {
          const cause = `it doesn't list ${unseen} people whom it confirmed`
          return yield* Effect.fail(new ProviderFailure({ provider: turn.vendor.name, reason: "transient", cause }))
        }
      }
      const nowMillis = yield* Clock.currentTimeMillis
      const found = [
        ...left.map(({ found: told, member }) => ({ member, found: told })),
        ...(strangers === 0 ? [] : [{ member: "people", found: `${strangers} whom nobody approved` }]),
        ...(unseen === 0 ? [] : [{ member: "people", found: `${unseen} approved people are not listed` }]),
        ...(altered.length === 0
          ? []
          : [{ member: "values", found: `other than approved of ${altered.length} people` }])
      ]
      yield* record.requestPause(turn.campaign, "differs_at_provider", nowMillis, { differences: found })
      return false
    })

  const confirmed = (turn: Turn) =>
    record.change(turn.campaign, (now) => ({
      ...campaignAfter(now, "confirm"),
      readAtMillis: now.readAtMillis ?? 0,
      failures: 0
    }))

  /** A person, or the vendor's own protection, stopped it there. We don't override that; we show it. */
  const stoppedThere = ({ campaign: { campaignId, workspaceId }, campaign: held }: Turn) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const campaign = yield* campaigns.lock(workspaceId, campaignId)
      yield* vendors.update(campaignAfter(yield* record.locked(held), "stop"))
      const paused = Option.map(campaign, ({ state }) => step(CampaignMachine, state, "stop"))
      if (Option.isNone(campaign) || Option.isNone(paused) || Result.isFailure(paused.value)) return
      if (!CampaignMachine.is.running(campaign.value.state)) return
      yield* campaigns.update({ ...campaign.value, state: paused.value.success, pauseReason: "capacity" })
      yield* tell(nowMillis, {
        workspaceId,
        kind: "paused",
        source: "provider_poll",
        campaignId,
        detail: { reason: "capacity", provider_verified: true, cause: "stopped_at_provider" }
      })
    }).pipe(atomically)

  /** Makes sure that the campaign is sending. True: it is. */
  const activate = (turn: Turn, ref: string, campaign: Campaign) =>
    Effect.gen(function* () {
      const { ask } = turn
      const before = turn.campaign.state
      yield* configure(turn, ref, campaign)
      const standing = yield* ask((vendor) => vendor.standing(ref))
      if (standing === "gone") {
        yield* record.requestPause(turn.campaign, "not_found_at_provider", yield* Clock.currentTimeMillis)
        return yield* Effect.fail(
          new ProviderFailure({ provider: turn.vendor.name, reason: "transient", cause: "it is not there" })
        )
      }
      const isUp = standing === "sending" || standing === "ended"
      if (VendorCampaignMachine.is.sending(before)) {
        if (!isUp) yield* stoppedThere(turn)
        return isUp
      }
      if (VendorCampaignMachine.is.activating(before) && isUp) {
        yield* confirmed(turn)
        return true
      }
      if (VendorCampaignMachine.is.idle(before) && standing === "sending") {
        yield* record.change(turn.campaign, (now) => campaignAfter(now, "stray"))
        return false
      }
      if (!(yield* isAsApproved(turn, ref, campaign)) || !(yield* permit(turn))) return false
      const asked = yield* Effect.result(ask((vendor) => vendor.activate(ref)))
      if (Result.isSuccess(asked) || asked.failure.reason !== "unknown_outcome") {
        yield* record.change(turn.campaign, (now) => ({ ...now, askedUntilMillis: null }))
      }
      if (Result.isFailure(asked)) return yield* Effect.fail(asked.failure)
      const after = yield* ask((vendor) => vendor.standing(ref))
      if (after !== "sending" && after !== "ended") return false
      yield* confirmed(turn)
      return true
    })

  return { present, activate }
})

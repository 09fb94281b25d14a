/** When the next message of a campaign, or to one person, can leave. */
import { Effect, Option } from "effect"
import { isWireError } from "../kernel/errors/Wire.js"
import type { FromStore } from "../kernel/ports/UnitOfWork.js"
import { type Campaign, type CampaignLead, CampaignStore } from "../outreach/campaigns/CampaignStore.js"
import { isByRecipient } from "../outreach/campaigns/recipientHours.js"
import { dayStart } from "../outreach/sending/Dispatcher.js"
import { forecast } from "../outreach/sending/forecast.js"
import { earliestOf, makeOpening } from "../outreach/sending/forecastFacts.js"
import { applies, hindrances } from "../outreach/sending/sendRule.js"
import { SendingStore } from "../outreach/sending/SendingStore.js"
import { contactedSince, Contactability } from "../outreach/suppression/Contactability.js"
import { SuppressionStore } from "../outreach/suppression/SuppressionStore.js"
import { type Capacity, dueLead, makeCapacity, makeKnownReceivers, makeOthers, putOff } from "./capacity.js"
import { ConsoleReads, type SendingView } from "./console/ConsoleReads.js"

/** What of a lead decides when it can be written to. */
export type OwedLine = Pick<
  CampaignLead,
  | "campaignLeadId"
  | "email"
  | "addressHash"
  | "state"
  | "approvalId"
  | "mailboxId"
  | "stepsSent"
  | "nextAtMillis"
  | "hours"
>

/**
 * How many people a look takes, of the campaign and of the others: those who are due first. If somebody whom it left out
 * could come first, the next look takes so many times as many.
 */
const OWN_LOOK = 50
const OTHERS_LOOK = 200
const LOOK_GROWTH = 5
const LOOK_MAX = 1_000

/** What a running campaign may send from, and whom nothing lets it write to. */
const makeRunning = Effect.gen(function* () {
  const reads = yield* ConsoleReads
  const campaigns = yield* CampaignStore
  const contactability = yield* Contactability
  const suppressions = yield* SuppressionStore
  const sendings = yield* SendingStore
  const capacityOf = yield* makeCapacity
  const knownReceivers = yield* makeKnownReceivers

  /** None: nothing leaves before somebody acts. */
  const running = (workspaceId: string, campaignId: string, nowMillis: number, sendingOf?: FromStore<SendingView>) =>
    Effect.gen(function* () {
      const campaign = Option.getOrNull(yield* campaigns.get(workspaceId, campaignId))
      if (campaign === null || applies("campaign_not_running", { campaign: campaign.state })) return null
      const today = dayStart(nowMillis)
      const isLimited = campaign.maxPerCompanyPerDay !== null
      const nobody: ReadonlyMap<string, number> = new Map()
      // None depends on another, so a page waits for the slowest of them, and not for their sum.
      const [sending, bound, stopped, sentToCompanies, receiverOf] = yield* Effect.all(
        [
          sendingOf ?? reads.sending(workspaceId, today, nowMillis),
          campaigns.mailboxIds(workspaceId, campaignId),
          campaign.stopForCompany ? campaigns.stoppedCompanies(workspaceId, campaignId) : Effect.succeed(null),
          isLimited ? sendings.sentToCompanies(workspaceId, campaignId, today) : Effect.succeed(nobody),
          knownReceivers(workspaceId)
        ],
        { concurrency: "unbounded" }
      )
      const known = { isSuspended: sending.suspendedAtMillis !== null, isCrmUnread: sending.isCrmUnread }
      if (sending.postalAddress === null || hindrances(["suspended", "crm_unread"], known).length > 0) return null
      const capacity: Capacity = yield* capacityOf(workspaceId, (mailboxId) => bound.has(mailboxId), nowMillis)
      const mailboxOf = new Map(
        capacity.mailboxes
          .filter(({ mailboxId }) => bound.has(mailboxId))
          .map((mailbox) => [mailbox.mailboxId, mailbox] as const)
      )
      return { campaign, capacity, mailboxOf, stopped, sentToCompanies, receiverOf }
    })

  /** Those who may be written to, each with when another campaign last wrote to them. */
  const allowed = <L extends Pick<CampaignLead, "addressHash" | "email">>(
    { campaignId, workspaceId }: Campaign,
    people: ReadonlyArray<L>,
    nowMillis: number
  ) =>
    Effect.gen(function* () {
      const about = { workspaceId, campaignId }
      const forbidden = yield* contactability.check({ ...about, people, nowMillis, mayWait: true })
      const kept = people.filter(({ addressHash }) => !forbidden.has(addressHash))
      const contacted = yield* suppressions.contactedElsewhere({
        ...about,
        addressHashes: kept.map(({ addressHash }) => addressHash),
        sinceMillis: contactedSince(nowMillis)
      })
      return kept.map((lead) => ({ lead, contactedMillis: contacted.get(lead.addressHash) }))
    }).pipe(
      // Who may be written to can't be said now, so nobody is.
      Effect.catchIf(isWireError, () => Effect.succeed([]))
    )

  return { running, allowed }
})

type Running = NonNullable<Effect.Success<ReturnType<Effect.Success<typeof makeRunning>["running"]>>>

/**
 * The earliest moment at which the campaign's next message can leave, within its hours, the caps and the rests, after what
 * other campaigns send before it. Null: nothing is due, or nothing leaves before somebody acts.
 */
export const makeNextMessageAt = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const othersOf = yield* makeOthers
  const { allowed, running } = yield* makeRunning

  /** The campaign's own people who are due first. */
  const ownOf = ({ campaign, capacity, mailboxOf, receiverOf, stopped }: Running, size: number) =>
    Effect.gen(function* () {
      const waiting = yield* campaigns.waiting(campaign.workspaceId, { of: campaign.campaignId }, size)
      const due = waiting.filter(({ mailboxId }) => mailboxOf.has(mailboxId))
      const leads = (yield* allowed(campaign, due, capacity.nowMillis))
        .map(({ contactedMillis, lead }) => putOff(dueLead(campaign, lead, receiverOf), contactedMillis))
        .filter(({ company }) => company === null || stopped?.has(company) !== true)
      const untilMillis = waiting.length < size ? Infinity : (waiting.at(-1)?.nextAtMillis ?? Infinity)
      return { isNobody: waiting.length === 0, leads, untilMillis }
    })

  /** Those who are due later than this leave no sooner than this. */
  const soonestAfter = ({ campaign: { schedule }, capacity }: Running, untilMillis: number): number => {
    if (untilMillis === Infinity || isByRecipient(schedule)) return untilMillis
    return makeOpening(capacity, schedule)(null, Math.max(capacity.nowMillis, untilMillis))?.atMillis ?? Infinity
  }

  /** `sendingOf`: what the caller reads of sending anyway. */
  return (
    workspaceId: string,
    campaignId: string,
    nowMillis: number,
    sendingOf?: FromStore<SendingView>
  ): FromStore<number | null> =>
    Effect.gen(function* () {
      const now = yield* running(workspaceId, campaignId, nowMillis, sendingOf)
      if (now === null) return null
      const { campaign, capacity, receiverOf, sentToCompanies } = now
      let [ownSize, othersSize] = [OWN_LOOK, OTHERS_LOOK]
      let [own, others] = yield* Effect.all(
        [ownOf(now, ownSize), othersOf(workspaceId, campaignId, nowMillis, othersSize, receiverOf)],
        { concurrency: "unbounded" }
      )
      if (own.isNobody) return null
      for (;;) {
        const facts = { ...capacity, campaign, sentToCompanies, leads: own.leads, others: others.plans }
        const atMillis = forecast({ ...facts, isFirstEnough: true }).first?.atMillis ?? null
        // Those who were left out are due later.
        const isOwnEnough = (atMillis ?? Infinity) <= soonestAfter(now, own.untilMillis) || ownSize >= LOOK_MAX
        const areOthersEnough = (atMillis ?? Infinity) <= others.untilMillis || othersSize >= LOOK_MAX
        if (isOwnEnough && areOthersEnough) return atMillis
        if (!isOwnEnough) {
          ownSize = Math.min(LOOK_MAX, ownSize * LOOK_GROWTH)
          own = yield* ownOf(now, ownSize)
        }
        if (!areOthersEnough) {
          othersSize = Math.min(LOOK_MAX, othersSize * LOOK_GROWTH)
          others = yield* othersOf(workspaceId, campaignId, nowMillis, othersSize, receiverOf)
        }
      }
    })
})

/**
 * The earliest moment at which the next message to each of these people can leave, within hours, caps and rests. Those who
 * are due before them may delay it. Without those to whom nothing leaves before somebody acts.
 */
export const makeNextOfPeople = Effect.gen(function* () {
  const { allowed, running } = yield* makeRunning
  return (
    workspaceId: string,
    campaignId: string,
    people: ReadonlyArray<OwedLine>,
    nowMillis: number
  ): FromStore<ReadonlyMap<string, number>> =>
    Effect.gen(function* () {
      const owed = people.flatMap((line) => {
        const { approvalId, mailboxId, nextAtMillis } = line
        // Whom no executed approval covers has none.
        const isOwed = !applies("not_approved", { lead: line, approval: approvalId === null ? null : "used" })
        return isOwed && mailboxId !== null && nextAtMillis !== null
          ? [{ ...line, campaignId, mailboxId, nextAtMillis }]
          : []
      })
      const now = owed.length === 0 ? null : yield* running(workspaceId, campaignId, nowMillis)
      if (now === null) return new Map()
      const { campaign, capacity, mailboxOf, receiverOf, sentToCompanies, stopped } = now
      const steps = campaign.sequence.length
      const due = owed.filter((lead) => !applies("ended", { lead, steps }) && mailboxOf.has(lead.mailboxId))
      const found = new Map<string, number>()
      for (const { contactedMillis, lead } of yield* allowed(campaign, due, nowMillis)) {
        const plan = putOff(dueLead(campaign, lead, receiverOf), contactedMillis)
        const mailbox = mailboxOf.get(plan.mailboxId)
        if (mailbox === undefined || (plan.company !== null && stopped?.has(plan.company) === true)) continue
        const atMillis = earliestOf(capacity, { campaign, sentToCompanies }, mailbox, plan)
        if (atMillis !== null) found.set(lead.campaignLeadId, atMillis)
      }
      return found
    })
})

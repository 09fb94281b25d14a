/** What a workspace may send from now on, and what its other campaigns take of it. */
import { Array as Arr, Effect, Option } from "effect"
import { WorkspaceStore } from "../kernel/workspaces/WorkspaceStore.js"
import { CampaignStore } from "../outreach/campaigns/CampaignStore.js"
import { companyUnder } from "../outreach/campaigns/companyRules.js"
import type { WaitingLead } from "../outreach/campaigns/waiting.js"
import type { FromStore } from "../kernel/ports/UnitOfWork.js"
import { domainOf, ownReceiver } from "../outreach/sending/Breaker.js"
import { dayStart, OWN_PACE } from "../outreach/sending/Dispatcher.js"
import type { ForecastFacts, ForecastLead, ForecastPlan } from "../outreach/sending/forecastFacts.js"
import { MailboxMachine } from "../outreach/sending/MailboxMachine.js"
import { makeHoldsWindows, makeNextWindow } from "../outreach/sending/SendingCalendar.js"
import { SendingStore } from "../outreach/sending/SendingStore.js"
import { waitsUntil } from "../outreach/suppression/Contactability.js"
import { Providers } from "../sources/ports/Providers.js"
import { ConsoleReads, type MailboxLine } from "./console/ConsoleReads.js"

/** How many people of other campaigns a forecast counts, those first who are due first. */
export const OTHER_PEOPLE_MAX = 5_000

const MAILBOXES_AT_ONCE = 500

const NOBODY: ReadonlyMap<string, number> = new Map()

/** Whom another campaign wrote to waits for so long. */
export const putOff = (lead: ForecastLead, contactedMillis: number | undefined): ForecastLead =>
  contactedMillis === undefined
    ? lead
    : { ...lead, nextAtMillis: Math.max(lead.nextAtMillis, waitsUntil(contactedMillis)) }

/** A person to whom a message of the campaign is due. */
export const dueLead = (
  campaign: Parameters<typeof companyUnder>[0],
  lead: WaitingLead,
  receiverOf: ReceiverOf
): ForecastLead => {
  const { campaignLeadId, email, hours, mailboxId, nextAtMillis, stepsSent } = lead
  const company = companyUnder(campaign, email)
  return { campaignLeadId, mailboxId, nextAtMillis, stepsSent, hours, company, receiver: receiverOf(email) }
}

/** The organisation that receives an address's mail, as far as it is known without asking name servers. */
export type ReceiverOf = (email: string) => string

export const makeKnownReceivers = Effect.map(
  SendingStore,
  (sendings) =>
    (workspaceId: string): FromStore<ReceiverOf> =>
      Effect.map(
        sendings.knownReceivers(workspaceId),
        (known) => (email) => known.get(domainOf(email)) ?? ownReceiver(email)
      )
)

/** Everything of a forecast that is the same for all campaigns of the workspace. */
export type Capacity = Omit<ForecastFacts, "campaign" | "sentToCompanies" | "leads" | "others" | "isFirstEnough">

/** `isSender`: whether the campaign sends from the mailbox. */
export const makeCapacity = Effect.gen(function* () {
  const reads = yield* ConsoleReads
  const workspaces = yield* WorkspaceStore
  const providers = yield* Providers
  const holdsWindows = yield* makeHoldsWindows
  const nextWindow = yield* makeNextWindow
  const sendings = yield* SendingStore

  /** All mailboxes, with what left from each today. */
  const mailboxesOf = (workspaceId: string, nowMillis: number) =>
    Effect.gen(function* () {
      const lines: Array<MailboxLine> = []
      for (let after: string | null = null; ;) {
        const page: ReadonlyArray<MailboxLine> = yield* reads.mailboxes(
          workspaceId,
          dayStart(nowMillis),
          after,
          MAILBOXES_AT_ONCE
        )
        lines.push(...page)
        after = page.at(-1)?.mailboxId ?? null
        if (page.length < MAILBOXES_AT_ONCE) return lines
      }
    })

  return (workspaceId: string, isSender: (mailboxId: string) => boolean, nowMillis: number) =>
    Effect.gen(function* () {
      const [workspace, mailboxes, use] = yield* Effect.all(
        [
          workspaces.get(workspaceId),
          mailboxesOf(workspaceId, nowMillis),
          sendings.uses(workspaceId, nowMillis, "receiver")
        ],
        { concurrency: "unbounded" }
      )
      const { caps, kind } = Option.getOrThrow(workspace)
      const active = mailboxes
        .filter(({ state }) => MailboxMachine.is.sending(state))
        .toSorted((one, other) => (one.address < other.address ? -1 : 1))
      const { sending } = providers[kind]
      return {
        nowMillis,
        windows: holdsWindows(
          kind,
          active.filter(({ mailboxId }) => isSender(mailboxId))
        ),
        nextWindow,
        pace: sending?.schedules === "outbound" ? sending.pace : OWN_PACE,
        ownPace: OWN_PACE,
        caps,
        use,
        sentToday: mailboxes.reduce((sum, { sendsToday }) => sum + sendsToday, 0),
        mailboxes: active.map(({ sendsToday, ...mailbox }) => ({ ...mailbox, sentToday: sendsToday }))
      } satisfies Capacity
    })
})

/** What the other campaigns that run still send, by campaign. Nobody is asked whether they may still be written to. */
export const makeOthers = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const sendings = yield* SendingStore
  const knownReceivers = yield* makeKnownReceivers
  /** `known`: the receivers, if they were read. */
  return (
    workspaceId: string,
    campaignId: string,
    nowMillis: number,
    limit = OTHER_PEOPLE_MAX,
    known: ReceiverOf | null = null
  ) =>
    Effect.gen(function* () {
      const waiting = yield* campaigns.waiting(workspaceId, { besides: campaignId }, limit)
      const peopleOf = Arr.groupBy(waiting, (lead) => lead.campaignId)
      const others = waiting.length === 0 ? [] : yield* campaigns.these(workspaceId, Object.keys(peopleOf))
      const receiverOf: ReceiverOf = known ?? (others.length === 0 ? ownReceiver : yield* knownReceivers(workspaceId))
      const plans: Array<ForecastPlan> = []
      for (const campaign of others) {
        const isLimited = campaign.maxPerCompanyPerDay !== null
        const sentToCompanies = isLimited
          ? yield* sendings.sentToCompanies(workspaceId, campaign.campaignId, dayStart(nowMillis))
          : NOBODY
        const leads = (peopleOf[campaign.campaignId] ?? []).map((lead) => dueLead(campaign, lead, receiverOf))
        plans.push({ campaign, sentToCompanies, leads })
      }
      // All who are due until then are among them; everybody, if there are fewer than were asked for.
      const untilMillis = waiting.length < limit ? Infinity : (waiting.at(-1)?.nextAtMillis ?? Infinity)
      return { plans, untilMillis }
    })
})

import { Clock, Context, Effect, Layer, Option } from "effect"
import type { AnyWireError } from "../kernel/errors/Wire.js"
import { isFinal } from "../kernel/machine.js"
import type { FromStore } from "../kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "../kernel/workspaces/WorkspaceStore.js"
import { type CampaignContext, coversOf, makeCampaignContext } from "../outreach/launching/CampaignContext.js"
import { CampaignMachine } from "../outreach/campaigns/CampaignMachine.js"
import { CampaignStore } from "../outreach/campaigns/CampaignStore.js"
import type { OpenLead } from "../outreach/campaigns/waiting.js"
import { companyUnder } from "../outreach/campaigns/companyRules.js"
import { LeadMachine } from "../outreach/campaigns/LeadMachine.js"
import { dayStart } from "../outreach/sending/Dispatcher.js"
import { type Forecast, forecast } from "../outreach/sending/forecast.js"
import type { ForecastLead } from "../outreach/sending/forecastFacts.js"
import { applies } from "../outreach/sending/sendRule.js"
import { SendingStore } from "../outreach/sending/SendingStore.js"
import { contactedSince, Contactability } from "../outreach/suppression/Contactability.js"
import { countedBar, SuppressionStore } from "../outreach/suppression/SuppressionStore.js"
import { RECIPIENTS_MAX } from "../verbs/campaignFields.js"
import type { LeftOutReason } from "../verbs/ForecastCampaign.js"
import { makeCapacity, makeKnownReceivers, makeOthers, OTHER_PEOPLE_MAX, putOff, type ReceiverOf } from "./capacity.js"
import { makeNextMessageAt, makeNextOfPeople, type OwedLine } from "./nextMessage.js"

/** On which days the messages of a campaign would leave, and why some people get no further one. */
export interface CampaignForecast extends Pick<Forecast, "days" | "lastMessageAtMillis"> {
  readonly leftOut: Readonly<Partial<Record<LeftOutReason, number>>>
  /** Whether its mailboxes keep the campaign's days and hours. Those of a sandbox that were bought keep none. */
  readonly windows: boolean
}

/** What a campaign would do if a launch were approved now. */
export class Forecasts extends Context.Service<
  Forecasts,
  {
    /** None: there is no such campaign. Fails with `contact_history_unavailable` if suppression can't be checked. */
    readonly ofLaunch: (
      workspaceId: string,
      campaignId: string
    ) => FromStore<Option.Option<CampaignForecast>, AnyWireError>
    /** The earliest moment at which the campaign's next message can leave; null: nothing is due, or can leave. */
    readonly nextMessageAt: (workspaceId: string, campaignId: string) => FromStore<number | null>
    /** The earliest moment at which the next message to each of these people can leave, by lead; absent: nothing is due. */
    readonly nextOfPeople: (
      workspaceId: string,
      campaignId: string,
      people: ReadonlyArray<OwedLine>
    ) => FromStore<ReadonlyMap<string, number>>
  }
>()("@outbound/domain/control/Forecasts") {}

/** Whom the campaign writes to next and from which mailbox, or why it writes to them no more. */
const planOf = (
  leads: ReadonlyArray<OpenLead>,
  context: CampaignContext,
  receiverOf: ReceiverOf,
  isLaunch: boolean
) => {
  const { atMillis, campaign, mailboxes, vendorCampaign } = context
  const isActive = new Set(mailboxes.map(({ mailboxId }) => mailboxId))
  // What a launch would do. Who was written to before keeps their mailbox and their time.
  const covers = new Map(
    mailboxes.length === 0 || !isLaunch
      ? []
      : coversOf(leads, context, new Map(), atMillis)
          .filter((_, index) => leads[index]?.stepsSent === 0)
          .map((cover) => [cover.campaignLeadId, cover] as const)
  )
  return (lead: OpenLead): ForecastLead | LeftOutReason => {
    const { mailboxId, nextAtMillis } = covers.get(lead.campaignLeadId) ?? lead
    if (vendorCampaign !== null) return "scheduled_by_vendor"
    if (!isLaunch && LeadMachine.is.uncovered(lead.state)) return "not_approved"
    if (mailboxId === null || nextAtMillis === null || !isActive.has(mailboxId)) return "no_mailbox"
    const { campaignLeadId, email, hours, stepsSent } = lead
    const company = companyUnder(campaign, email)
    return { campaignLeadId, mailboxId, nextAtMillis, stepsSent, company, hours, receiver: receiverOf(email) }
  }
}

/** `isLaunch`: as if it were launched now; otherwise as if it went on now. */
export const makeForecastOf = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const sendings = yield* SendingStore
  const workspaces = yield* WorkspaceStore
  const contactability = yield* Contactability
  const suppressions = yield* SuppressionStore
  const around = yield* makeCampaignContext
  const capacityOf = yield* makeCapacity
  const othersOf = yield* makeOthers
  const knownReceivers = yield* makeKnownReceivers

  return (workspaceId: string, campaignId: string, nowMillis: number, asked: { readonly isLaunch: boolean }) =>
    Effect.gen(function* () {
      const found = yield* campaigns.get(workspaceId, campaignId)
      if (Option.isNone(found)) return Option.none()
      const campaign = found.value
      const isLaunch = asked.isLaunch || campaign.launchedAtMillis === null
      const context = yield* around(workspaceId, campaign, yield* workspaces.sending(workspaceId))
      const isOver = isFinal(CampaignMachine, campaign.state) || campaign.pauseReason === "killed"
      const open = yield* campaigns.openLeads(workspaceId, campaignId, RECIPIENTS_MAX)
      const steps = campaign.sequence.length
      const waiting = open.filter((lead) => !applies("ended", { lead, steps }))
      const forbidden = yield* contactability.check({
        workspaceId,
        campaignId,
        people: waiting,
        nowMillis,
        mayWait: true
      })
      const leftOut: Partial<Record<LeftOutReason, number>> = {}
      const leaveOut = (reason: LeftOutReason, count = 1) => {
        leftOut[reason] = (leftOut[reason] ?? 0) + count
      }
      const kept = waiting.filter(({ addressHash }) => !forbidden.has(addressHash))
      for (const { addressHash } of waiting) {
        const reason = forbidden.get(addressHash)
        if (reason !== undefined) leaveOut(countedBar(reason))
      }
      // Whom nothing else forbids waits, if the workspace lets people in two campaigns wait.
      const contacted = yield* suppressions.contactedElsewhere({
        workspaceId,
        campaignId,
        addressHashes: kept.map(({ addressHash }) => addressHash),
        sinceMillis: contactedSince(nowMillis)
      })
      const receiverOf = yield* knownReceivers(workspaceId)
      const planned = planOf(kept, context, receiverOf, isLaunch)
      const stopped = yield* campaigns.stoppedCompanies(workspaceId, campaignId)
      const leads: Array<ForecastLead> = []
      for (const lead of kept) {
        const plan = isOver ? "campaign_over" : planned(lead)
        if (typeof plan === "string") leaveOut(plan)
        else if (plan.company !== null && stopped.has(plan.company)) leaveOut("company_answered")
        else leads.push(putOff(plan, contacted.get(lead.addressHash)))
      }
      const senders = new Set(context.mailboxes.map(({ mailboxId }) => mailboxId))
      const capacity = yield* capacityOf(workspaceId, (mailboxId) => senders.has(mailboxId), nowMillis)
      const { days, lastMessageAtMillis, unfinished } = forecast({
        ...capacity,
        campaign,
        sentToCompanies: yield* sendings.sentToCompanies(workspaceId, campaignId, dayStart(nowMillis)),
        leads,
        others: (yield* othersOf(workspaceId, campaignId, nowMillis, OTHER_PEOPLE_MAX, receiverOf)).plans
      })
      if (unfinished > 0) leaveOut("beyond_last_day", unfinished)
      return Option.some<CampaignForecast>({ days, lastMessageAtMillis, leftOut, windows: capacity.windows })
    })
})

export const layer = Layer.effect(
  Forecasts,
  Effect.gen(function* () {
    const forecastOf = yield* makeForecastOf
    const nextMessageAt = yield* makeNextMessageAt
    const nextOfPeople = yield* makeNextOfPeople
    return Forecasts.of({
      nextMessageAt: (workspaceId, campaignId) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => nextMessageAt(workspaceId, campaignId, nowMillis)),
      nextOfPeople: (workspaceId, campaignId, people) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
          nextOfPeople(workspaceId, campaignId, people, nowMillis)
        ),
      ofLaunch: (workspaceId, campaignId) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
          forecastOf(workspaceId, campaignId, nowMillis, { isLaunch: true })
        )
    })
  })
)

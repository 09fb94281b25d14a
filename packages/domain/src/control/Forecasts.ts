import { Clock, Context, Effect, Layer, Option } from "effect"
import { type AnyWireError, isWireError } from "../kernel/errors/Wire.js"
import { isFinal } from "../kernel/machine.js"
import type { FromStore } from "../kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "../kernel/workspaces/WorkspaceStore.js"
import { type CampaignContext, coversOf, makeCampaignContext } from "../outreach/launching/CampaignContext.js"
import { CampaignMachine } from "../outreach/campaigns/CampaignMachine.js"
import { type CampaignLead, CampaignStore } from "../outreach/campaigns/CampaignStore.js"
import { companyUnder } from "../outreach/campaigns/companyRules.js"
import { LeadMachine } from "../outreach/campaigns/LeadMachine.js"
import { dayStart, OWN_PACE } from "../outreach/sending/Dispatcher.js"
import { type Forecast, forecast, type ForecastLead, type ForecastMailbox } from "../outreach/sending/forecast.js"
import { makeHoldsWindows, makeNextWindow } from "../outreach/sending/SendingCalendar.js"
import { SendingStore } from "../outreach/sending/SendingStore.js"
import { contactedSince, Contactability, waitsUntil } from "../outreach/suppression/Contactability.js"
import { isKeptOut, SuppressionStore } from "../outreach/suppression/SuppressionStore.js"
import { Providers } from "../sources/ports/Providers.js"
import { RECIPIENTS_MAX } from "../verbs/campaignFields.js"
import type { LeftOutReason } from "../verbs/ForecastCampaign.js"
import { ConsoleReads, type MailboxLine } from "./console/ConsoleReads.js"

/** On which days the messages of a campaign would leave, and why some people get no further one. */
export interface CampaignForecast extends Pick<Forecast, "days" | "firstMessageAtMillis" | "lastMessageAtMillis"> {
  readonly leftOut: Readonly<Partial<Record<LeftOutReason, number>>>
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
  }
>()("@outbound/domain/control/Forecasts") {}

const MAILBOXES_AT_ONCE = 500

/** Whom the campaign writes to next and from which mailbox, or why it writes to them no more. */
const planOf = (leads: ReadonlyArray<CampaignLead>, context: CampaignContext, isLaunch: boolean) => {
  const { atMillis, campaign, mailboxes, vendorCampaign } = context
  const isActive = new Set(mailboxes.map(({ mailboxId }) => mailboxId))
  // What a launch would do. Who was written to before keeps their mailbox and their time.
  const covers = new Map(
    mailboxes.length === 0 || !isLaunch
      ? []
      : coversOf(leads, context, atMillis)
          .filter((_, index) => leads[index]?.stepsSent === 0)
          .map((cover) => [cover.campaignLeadId, cover] as const)
  )
  return (lead: CampaignLead): ForecastLead | LeftOutReason => {
    const { mailboxId, nextAtMillis } = covers.get(lead.campaignLeadId) ?? lead
    if (vendorCampaign !== null) return "scheduled_by_vendor"
    if (!isLaunch && LeadMachine.is.uncovered(lead.state)) return "not_approved"
    if (mailboxId === null || nextAtMillis === null || !isActive.has(mailboxId)) return "no_mailbox"
    const { email, hours, stepsSent } = lead
    return { mailboxId, nextAtMillis, stepsSent, company: companyUnder(campaign, email), hours }
  }
}

const putOff = (lead: ForecastLead, contactedMillis: number | undefined): ForecastLead =>
  contactedMillis === undefined
    ? lead
    : { ...lead, nextAtMillis: Math.max(lead.nextAtMillis, waitsUntil(contactedMillis)) }

/** `isLaunch`: as if it were launched now; otherwise as if it went on now. */
export const makeForecastOf = Effect.gen(function* () {
  const reads = yield* ConsoleReads
  const campaigns = yield* CampaignStore
  const sendings = yield* SendingStore
  const workspaces = yield* WorkspaceStore
  const contactability = yield* Contactability
  const suppressions = yield* SuppressionStore
  const around = yield* makeCampaignContext
  const providers = yield* Providers
  const holdsWindows = yield* makeHoldsWindows
  const nextWindow = yield* makeNextWindow

  /** What left today from each of these mailboxes. */
  const sentTodayOf = (workspaceId: string, nowMillis: number) =>
    Effect.gen(function* () {
      const lines: Array<MailboxLine> = []
      let after: string | null = null
      for (;;) {
        const page: ReadonlyArray<MailboxLine> = yield* reads.mailboxes(
          workspaceId,
          dayStart(nowMillis),
          after,
          MAILBOXES_AT_ONCE
        )
        lines.push(...page)
        after = page.at(-1)?.mailboxId ?? null
        if (page.length < MAILBOXES_AT_ONCE) return new Map(lines.map((line) => [line.mailboxId, line.sendsToday]))
      }
    })

  return (
    workspaceId: string,
    campaignId: string,
    nowMillis: number,
    asked: { readonly isLaunch: boolean; readonly isFirstEnough?: boolean }
  ) =>
    Effect.gen(function* () {
      const found = yield* campaigns.get(workspaceId, campaignId)
      if (Option.isNone(found)) return Option.none()
      const campaign = found.value
      const isLaunch = asked.isLaunch || campaign.launchedAtMillis === null
      const context = yield* around(workspaceId, campaign, yield* workspaces.sending(workspaceId))
      const isOver = isFinal(CampaignMachine, campaign.state) || campaign.pauseReason === "killed"
      const open = yield* campaigns.firstLeads(workspaceId, campaignId, LeadMachine.in.open, RECIPIENTS_MAX)
      const waiting = open.filter(({ stepsSent }) => stepsSent < campaign.sequence.length)
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
        if (reason !== undefined) leaveOut(isKeptOut(reason) ? "other" : reason)
      }
      // Whom nothing else forbids waits, if the workspace lets people in two campaigns wait.
      const contacted = yield* suppressions.contactedElsewhere({
        workspaceId,
        campaignId,
        addressHashes: kept.map(({ addressHash }) => addressHash),
        sinceMillis: contactedSince(nowMillis)
      })
      const planned = planOf(kept, context, isLaunch)
      const stopped = yield* campaigns.stoppedCompanies(workspaceId, campaignId)
      const leads: Array<ForecastLead> = []
      for (const lead of kept) {
        const plan = isOver ? "campaign_over" : planned(lead)
        if (typeof plan === "string") leaveOut(plan)
        else if (plan.company !== null && stopped.has(plan.company)) leaveOut("company_answered")
        else leads.push(putOff(plan, contacted.get(lead.addressHash)))
      }
      const sentToday = yield* sentTodayOf(workspaceId, nowMillis)
      const { caps, kind } = context.workspace
      const { sending } = providers[kind]
      const { days, firstMessageAtMillis, lastMessageAtMillis, unfinished } = forecast({
        nowMillis,
        campaign,
        windows: holdsWindows(kind, context.mailboxes),
        nextWindow,
        pace: sending?.schedules === "outbound" ? sending.pace : OWN_PACE,
        ownPace: OWN_PACE,
        caps,
        sentToday: [...sentToday.values()].reduce((sum, count) => sum + count, 0),
        sentToCompanies: yield* sendings.sentToCompanies(workspaceId, campaignId, dayStart(nowMillis)),
        mailboxes: context.mailboxes.map((mailbox): ForecastMailbox => ({
          ...mailbox,
          sentToday: sentToday.get(mailbox.mailboxId) ?? 0
        })),
        leads,
        isFirstEnough: asked.isFirstEnough === true
      })
      if (unfinished > 0) leaveOut("beyond_last_day", unfinished)
      return Option.some<CampaignForecast>({ days, firstMessageAtMillis, lastMessageAtMillis, leftOut })
    })
})

/**
 * The earliest moment at which the campaign's next message can leave, within its hours, the caps and the rests. Null:
 * nothing is due, or nothing leaves before somebody acts.
 */
export const makeNextMessageAt = Effect.gen(function* () {
  const forecastOf = yield* makeForecastOf
  const reads = yield* ConsoleReads
  const campaigns = yield* CampaignStore
  return (workspaceId: string, campaignId: string, nowMillis: number): FromStore<number | null> =>
    Effect.gen(function* () {
      const campaign = yield* campaigns.get(workspaceId, campaignId)
      if (!Option.exists(campaign, ({ state }) => CampaignMachine.is.running(state))) return null
      const { isCrmUnread, postalAddress, suspendedAtMillis } = yield* reads.sending(
        workspaceId,
        dayStart(nowMillis),
        nowMillis
      )
      if (suspendedAtMillis !== null || postalAddress === null || isCrmUnread) return null
      const asked = { isLaunch: false, isFirstEnough: true }
      return yield* forecastOf(workspaceId, campaignId, nowMillis, asked).pipe(
        Effect.map((found) => Option.getOrNull(found)?.firstMessageAtMillis ?? null),
        // Who may be written to can't be said now, so nobody is.
        Effect.catchIf(isWireError, () => Effect.succeed(null))
      )
    })
})

export const layer = Layer.effect(
  Forecasts,
  Effect.map(Effect.all([makeForecastOf, makeNextMessageAt]), ([forecastOf, nextMessageAt]) =>
    Forecasts.of({
      nextMessageAt: (workspaceId, campaignId) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => nextMessageAt(workspaceId, campaignId, nowMillis)),
      ofLaunch: (workspaceId, campaignId) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
          forecastOf(workspaceId, campaignId, nowMillis, { isLaunch: true })
        )
    })
  )
)

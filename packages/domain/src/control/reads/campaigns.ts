import { Effect, Option } from "effect"
import { makeCampaignOutcomes } from "../outcomes/outcomesOf.js"
import { cursors as makeCursors } from "../../calls/cursor.js"
import { answering } from "../../calls/Handler.js"
import { refuse } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { type LeadOrigin, SOURCE_LICENCES } from "../../kernel/people/origins.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { variantName } from "../../kernel/sequences/variants.js"
import { makeListGate, shownList } from "../../outreach/launching/list/listGate.js"
import { RECIPIENTS_MAX } from "../../verbs/campaignFields.js"
import { CampaignStore } from "../../outreach/campaigns/CampaignStore.js"
import { makeCampaignMarks } from "../../outreach/evidence/campaignMarks.js"
import { LeadMachine, type LeadState } from "../../outreach/campaigns/LeadMachine.js"
import { dayStart } from "../../outreach/sending/Dispatcher.js"
import { makeNextWindow } from "../../outreach/sending/SendingCalendar.js"
import {
  CAMPAIGNS_PAGE_DEFAULT,
  type GetCampaign,
  LEADS_PAGE_DEFAULT,
  type ListCampaigns,
  type ListLeads
} from "../../verbs/Campaigns.js"
import { type CampaignLine, ConsoleReads, type StepCounts } from "../console/ConsoleReads.js"
import { countsOf } from "../console/funnel.js"
import { endsAt, whyNotSending } from "../console/whyNotSending.js"
import type { ForecastCampaign } from "../../verbs/ForecastCampaign.js"
import { makeForecastOf } from "../Forecasts.js"
import { makeNextMessageAt, makeNextOfPeople } from "../nextMessage.js"
import { iso, isoOrNull } from "../../kernel/text.js"

const notFound = refuse("not_found", {})

export const forecastCampaign = Effect.map(makeForecastOf, (forecastOf) =>
  answering<typeof ForecastCampaign>((request, call) =>
    Effect.gen(function* () {
      const campaignId = request.campaign_id.toLowerCase()
      const { days, lastMessageAtMillis, leftOut } = yield* forecastOf(call.workspaceId, campaignId, call.nowMillis, {
        isLaunch: false
      }).pipe(orFail(notFound))
      return {
        days,
        last_message_at: isoOrNull(lastMessageAtMillis),
        recipients_left_out: leftOut
      }
    })
  )
)

type Summary = Pick<CampaignLine, Exclude<keyof CampaignLine, "contacted">>

const summaryOf = (campaign: Summary) => ({
  campaign_id: campaign.campaignId,
  name: campaign.name,
  state: campaign.state,
  paused_because: campaign.pauseReason,
  created_at: iso(campaign.createdAtMillis),
  launched_at: isoOrNull(campaign.launchedAtMillis),
  leads: campaign.leads,
  sent: campaign.sent,
  replied: campaign.replied,
  bounced: campaign.bounced,
  unsubscribed: campaign.unsubscribed
})

export const listCampaigns = Effect.gen(function* () {
  const reads = yield* ConsoleReads
  const cursors = yield* makeCursors
  return answering<typeof ListCampaigns>((request, call) =>
    Effect.gen(function* () {
      const { workspaceId } = call
      const filters = { state: request.state ?? null, since: request.since ?? null }
      const after = yield* Effect.fromResult(cursors.decode(workspaceId, filters, request.cursor))
      const limit = request.limit ?? CAMPAIGNS_PAGE_DEFAULT
      const which = { state: filters.state, sinceMillis: filters.since }
      const page = yield* reads.campaigns(workspaceId, { after, limit: limit + 1 }, which)
      const { nextCursor, shown } = cursors.cut(workspaceId, filters, { rows: page, limit }, (last) => ({
        atMillis: last.createdAtMillis,
        id: last.campaignId
      }))
      return { campaigns: shown.map(summaryOf), next_cursor: nextCursor }
    })
  )
})

const NOBODY = Object.fromEntries(LeadMachine.states.map((state) => [state, 0])) as Record<LeadState, number>

const nameOrNull = (variant: number | null): string | null => (variant === null ? null : variantName(variant))

const stepOf = (step: StepCounts) => ({
  step: step.stepIndex + 1,
  variant: nameOrNull(step.variant),
  sent: step.sent,
  failed: step.failed,
  unknown: step.unknown,
  replied: step.replied,
  interested: step.interested,
  bounced: step.bounced,
  unsubscribed: step.unsubscribed
})

export const getCampaign = Effect.map(
  Effect.all([ConsoleReads, makeNextWindow, makeNextMessageAt, makeCampaignOutcomes, makeListGate, makeCampaignMarks]),
  ([reads, nextWindow, nextMessageAt, outcomesOf, gate, marks]) =>
    answering<typeof GetCampaign>((request, call) =>
      Effect.gen(function* () {
        const { nowMillis, workspaceId } = call
        const campaignId = request.campaign_id.toLowerCase()
        const view = yield* reads.campaign(workspaceId, campaignId).pipe(orFail(notFound))
        const { launchedAtMillis, schedule, sequence } = view.campaign
        const listed = { workspaceId, campaignId, isLaunched: launchedAtMillis !== null, max: RECIPIENTS_MAX }
        const sendingOf = yield* Effect.cached(reads.sending(workspaceId, dayStart(nowMillis), nowMillis))
        const [sending, nextAtMillis, list, outcomes, marked] = yield* Effect.all(
          [
            sendingOf,
            nextMessageAt(workspaceId, campaignId, nowMillis, sendingOf),
            gate.countsOfCampaign(listed, nowMillis),
            outcomesOf(workspaceId, campaignId),
            marks.counts({ workspaceId, campaignId, sequence }, nowMillis)
          ],
          { concurrency: "unbounded" }
        )
        return {
          ...summaryOf({ ...view.campaign, ...countsOf(view) }),
          outcomes,
          leads_by_state: { ...NOBODY, ...view.leads },
          list: shownList(list),
          ...marked,
          steps: view.steps.map(stepOf),
          mailboxes: view.mailboxes.map(({ address, mailboxId, sent, state }) => ({
            mailbox_id: mailboxId,
            address,
            state,
            sent
          })),
          schedule: {
            timezone: schedule.timezone,
            days: schedule.days,
            start_hour: schedule.startHour,
            end_hour: schedule.endHour,
            recipient_timezone: schedule.recipientTimezone ?? false,
            skip_holidays: schedule.skipHolidays ?? []
          },
          next_due_at: isoOrNull(nextAtMillis),
          why_not_sending: whyNotSending(view, sending, nextWindow, nextAtMillis, nowMillis).map((why) => ({
            reason: why.kind,
            until: isoOrNull(endsAt(why, nowMillis))
          }))
        }
      })
    )
)

/** Where somebody's address came from first. */
const originShown = (origin: LeadOrigin | null) => {
  if (origin === null) return null
  const { at, by, file, how, kind, line, request_id, sources } = origin
  return {
    kind,
    how,
    at,
    by,
    request_id,
    line,
    file,
    sources: sources.map((name) => ({ name, licence: SOURCE_LICENCES[name] ?? null }))
  }
}

export const listLeads = Effect.gen(function* () {
  const reads = yield* ConsoleReads
  const cursors = yield* makeCursors
  const nextOfPeople = yield* makeNextOfPeople
  const campaigns = yield* CampaignStore
  const marks = yield* makeCampaignMarks
  return answering<typeof ListLeads>((request, call) =>
    Effect.gen(function* () {
      const { workspaceId } = call
      const campaignId = request.campaign_id.toLowerCase()
      const email = request.email === undefined ? null : (usableEmail(request.email) ?? request.email)
      const filters = { campaign_id: campaignId, state: request.state ?? null, email }
      const after = yield* Effect.fromResult(cursors.decode(workspaceId, filters, request.cursor))
      if ((yield* reads.campaignNames(workspaceId, [campaignId], 0)).length === 0) return yield* Effect.fail(notFound)
      const limit = request.limit ?? LEADS_PAGE_DEFAULT
      const page = yield* reads.leads(workspaceId, campaignId, {
        text: null,
        ...(email === null ? {} : { email }),
        state: filters.state,
        after: after?.id ?? null,
        limit: limit + 1
      })
      const { nextCursor, shown } = cursors.cut(workspaceId, filters, { rows: page, limit }, (last) => ({
        atMillis: 0,
        id: last.campaignLeadId
      }))
      const sequenceOf = Effect.map(
        campaigns.get(workspaceId, campaignId),
        Option.match({ onNone: () => [], onSome: ({ sequence }) => sequence })
      )
      const leadIds = shown.map(({ campaignLeadId }) => campaignLeadId)
      const [nextOf, marksOf] = yield* Effect.all(
        [
          nextOfPeople(workspaceId, campaignId, shown, call.nowMillis),
          marks.ofLeads({ workspaceId, campaignId }, sequenceOf, leadIds, call.nowMillis)
        ],
        { concurrency: "unbounded" }
      )
      return {
        leads: shown.map((lead) => ({
          campaign_lead_id: lead.campaignLeadId,
          email: lead.email,
          state: lead.state,
          step: lead.stepsSent,
          variant: nameOrNull(lead.variant),
          last_sent_at: isoOrNull(lead.lastSentAtMillis),
          next_due_at: isoOrNull(nextOf.get(lead.campaignLeadId) ?? null),
          status: lead.interestStatus,
          ...(marksOf === null
            ? {}
            : {
                evidence: (marksOf.get(lead.campaignLeadId) ?? []).map(({ mark, variable }) => ({ variable, mark }))
              }),
          origin: originShown(lead.origin)
        })),
        // By id alone: leads keep the order of their import.
        next_cursor: nextCursor
      }
    })
  )
})

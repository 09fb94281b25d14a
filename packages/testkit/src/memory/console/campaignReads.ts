import type { CampaignLead } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { LeadMachine, type LeadState } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import type { CampaignView, ConsoleReads, LeadLine, StepCounts } from "@outbound/domain/control/console/ConsoleReads.js"
import { MEETING_INTEREST, POSITIVE_INTEREST } from "@outbound/domain/kernel/sequences/Sequence.js"
import { allows } from "@outbound/domain/kernel/machine.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { Option } from "effect"
import type { Memory } from "../Memory.js"
import { lastSent, messagesOf } from "../lastSent.js"
import { ascending, descending, keyOf } from "../Table.js"
import type { Tables } from "../Tables.js"
import { campaignDays } from "./campaignDays.js"
import { part, tally } from "./part.js"

const leadsOf = (tables: Tables, workspaceId: string, campaignId: string): ReadonlyArray<CampaignLead> =>
  tables.leads.where("campaign", keyOf(workspaceId, campaignId))

/** May still be written to. */
const isOpen = ({ state }: CampaignLead): boolean => state === LeadMachine.initial || allows(LeadMachine, state, "send")

const waitingOf = (tables: Tables, open: ReadonlyArray<CampaignLead>): CampaignView["waiting"] => {
  const covered = open.filter((lead) => lead.approvalId !== null)
  const due = covered.flatMap(({ nextAtMillis }) => (nextAtMillis === null ? [] : [nextAtMillis]))
  const hasMailbox = ({ mailboxId, workspaceId }: CampaignLead): boolean =>
    mailboxId !== null && MailboxMachine.is.sending(tables.mailboxes.get(keyOf(workspaceId, mailboxId))?.state)
  return {
    covered: covered.length,
    uncovered: open.length - covered.length,
    withoutMailbox: covered.filter((lead) => !hasMailbox(lead)).length,
    nextAtMillis: due.length === 0 ? null : Math.min(...due)
  }
}

/** Whom it waits for, by their own hours: most people first. */
const hoursOf = (open: ReadonlyArray<CampaignLead>): CampaignView["hours"] => {
  const all = new Set(open.map(({ hours }) => hours))
  return [...all]
    .map((hours) => {
      const leads = open.filter((lead) => lead.hours === hours)
      const due = leads.flatMap(({ approvalId, nextAtMillis }) =>
        approvalId === null || nextAtMillis === null ? [] : [nextAtMillis]
      )
      return { hours, people: leads.length, nextAtMillis: due.length === 0 ? null : Math.min(...due) }
    })
    .sort(
      ascending(
        ({ people }) => -people,
        ({ hours }) => hours ?? "~"
      )
    )
}

export const wantsMore = (tables: Tables, { campaignLeadId, interestStatus, workspaceId }: CampaignLead): boolean =>
  interestStatus === null
    ? tables.replies
        .where("workspace", workspaceId)
        .some((reply) => reply.campaignLeadId === campaignLeadId && reply.classification === "interested")
    : POSITIVE_INTEREST.includes(interestStatus)

/** Whose answer counts; the others left before it came, or wrote none. */
export const hasReplied = ({ state }: CampaignLead): boolean => LeadMachine.in.replied.some((one) => one === state)

export const countIn = (leads: ReadonlyArray<CampaignLead>, state: LeadState): number =>
  leads.filter((lead) => lead.state === state).length

type Place = Pick<StepCounts, "stepIndex" | "variant">

const keyOfPlace = ({ stepIndex, variant }: Place): string => `${stepIndex} ${variant ?? ""}`

const stepsOf = (tables: Tables, leads: ReadonlyArray<CampaignLead>): ReadonlyArray<StepCounts> => {
  const messages = leads.flatMap((lead) => messagesOf(tables, lead))
  const lastOf = (lead: CampaignLead): Place => ({
    stepIndex: lead.stepsSent - 1,
    variant: lastSent(tables, lead)?.variant ?? null
  })
  const reached = leads
    .filter(({ stepsSent }) => stepsSent > 0)
    .map((lead) => ({ lead, place: keyOfPlace(lastOf(lead)) }))
  const places = new Map(
    [...messages, ...reached.map(({ lead }) => lastOf(lead))].map(({ stepIndex, variant }): [string, Place] => [
      keyOfPlace({ stepIndex, variant }),
      { stepIndex, variant }
    ])
  )
  return [...places]
    .sort(
      ascending(
        ([, { stepIndex }]) => stepIndex,
        ([, { variant }]) => variant ?? Infinity
      )
    )
    .map(([key, place]) => {
      const counts = tally(messages.filter((message) => keyOfPlace(message) === key).map(({ state }) => state))
      const last = reached.filter(({ place: theirs }) => theirs === key).map(({ lead }) => lead)
      return {
        ...place,
        sent: counts.sent ?? 0,
        claimed: counts.claimed ?? 0,
        failed: counts.failed ?? 0,
        unknown: counts.unknown ?? 0,
        replied: countIn(last, "replied"),
        interested: last.filter((lead) => hasReplied(lead) && wantsMore(tables, lead)).length,
        meetings: last.filter(
          (lead) => hasReplied(lead) && lead.interestStatus !== null && MEETING_INTEREST.includes(lead.interestStatus)
        ).length,
        bounced: countIn(last, "bounced"),
        unsubscribed: countIn(last, "unsubscribed")
      }
    })
}

const writingOf = (tables: Tables, leads: ReadonlyArray<CampaignLead>): CampaignView["mailboxes"] => {
  const sent = new Map<string, number>()
  for (const { mailboxId, stepsSent, workspaceId } of leads) {
    if (mailboxId === null) continue
    const key = keyOf(workspaceId, mailboxId)
    sent.set(key, (sent.get(key) ?? 0) + stepsSent)
  }
  return [...sent]
    .flatMap(([key, count]) => {
      const mailbox = tables.mailboxes.get(key)
      if (mailbox === undefined) return []
      const { address, mailboxId, state } = mailbox
      return [{ mailboxId, address, state, sent: count }]
    })
    .sort(ascending(({ address }) => address))
}

const nameOf = ({ firstName, lastName }: CampaignLead): string | null =>
  [firstName, lastName].filter((name) => name !== null).join(" ") || null

const lastSentOf = (tables: Tables, lead: CampaignLead): number | null => {
  const times = messagesOf(tables, lead).flatMap(({ sentAtMillis }) => (sentAtMillis === null ? [] : [sentAtMillis]))
  return times.length === 0 ? null : Math.max(...times)
}

const lineOf = (tables: Tables, lead: CampaignLead): LeadLine => ({
  campaignLeadId: lead.campaignLeadId,
  email: lead.email,
  addressHash: lead.addressHash,
  approvalId: lead.approvalId,
  mailboxId: lead.mailboxId,
  hours: lead.hours,
  origin: lead.origin,
  name: nameOf(lead),
  companyName: lead.companyName,
  state: lead.state,
  interestStatus: lead.interestStatus,
  stepsSent: lead.stepsSent,
  variant: lastSent(tables, lead)?.variant ?? null,
  lastSentAtMillis: lastSentOf(tables, lead),
  nextAtMillis: lead.nextAtMillis
})

const holds = (lead: CampaignLead, text: string): boolean =>
  [lead.email, lead.firstName, lead.lastName, lead.companyName, ...Object.values(lead.custom)]
    .filter((one) => one !== null)
    .join(" ")
    .toLowerCase()
    .includes(text.toLowerCase())

/** What the pages about campaigns show. */
export const campaignReads = ({
  read
}: Memory["Service"]): Pick<
  ConsoleReads["Service"],
  "campaigns" | "campaign" | "campaignDays" | "campaignNames" | "leads"
> => ({
  campaigns: (workspaceId, wanted, filter) =>
    read((tables) => {
      const own = tables.campaigns.filter(
        (campaign) =>
          campaign.workspaceId === workspaceId &&
          (filter.state === null || campaign.state === filter.state) &&
          (filter.sinceMillis === null || campaign.createdAtMillis >= filter.sinceMillis)
      )
      const placeOf = ({ campaignId, createdAtMillis }: (typeof own)[number]) => ({
        at: createdAtMillis,
        id: campaignId
      })
      return part(own, placeOf, wanted).map(
        ({ campaignId, createdAtMillis, launchedAtMillis, name, pauseReason, state }) => {
          const leads = leadsOf(tables, workspaceId, campaignId)
          return {
            campaignId,
            name,
            state,
            pauseReason,
            createdAtMillis,
            launchedAtMillis,
            leads: leads.length,
            contacted: leads.filter(({ stepsSent }) => stepsSent > 0).length,
            sent: leads.reduce((sum, { stepsSent }) => sum + stepsSent, 0),
            replied: countIn(leads, "replied"),
            bounced: countIn(leads, "bounced"),
            unsubscribed: countIn(leads, "unsubscribed")
          }
        }
      )
    }),

  campaign: (workspaceId, campaignId) =>
    read((tables) => {
      const campaign = tables.campaigns.get(keyOf(workspaceId, campaignId))
      if (campaign === undefined) return Option.none()
      const leads = leadsOf(tables, workspaceId, campaignId)
      const open = leads.filter((lead) => isOpen(lead) && lead.stepsSent < campaign.sequence.length)
      return Option.some({
        campaign,
        leads: tally<LeadState>(leads.map(({ state }) => state)),
        steps: stepsOf(tables, leads),
        mailboxes: writingOf(tables, leads),
        waiting: waitingOf(tables, open),
        hours: hoursOf(open)
      })
    }),

  campaignDays: (workspaceId, campaignId, limit) =>
    read((tables) => campaignDays(tables, leadsOf(tables, workspaceId, campaignId)).slice(0, limit)),

  campaignNames: (workspaceId, campaignIds, newest) =>
    read(({ campaigns }) =>
      campaigns
        .filter((campaign) => campaign.workspaceId === workspaceId)
        .sort(
          descending(
            ({ createdAtMillis }) => createdAtMillis,
            ({ campaignId }) => campaignId
          )
        )
        .filter(({ campaignId }, index) => index < newest || campaignIds.includes(campaignId))
        .map(({ campaignId, name }) => ({ campaignId, name }))
    ),

  leads: (workspaceId, campaignId, { after, email, limit, state, text }) =>
    read((tables) =>
      leadsOf(tables, workspaceId, campaignId)
        .filter(
          (lead) =>
            (after === null || lead.campaignLeadId > after) &&
            (state === null || lead.state === state) &&
            (email === undefined || lead.email === email) &&
            (text === null || holds(lead, text))
        )
        .sort(ascending(({ campaignLeadId }) => campaignLeadId))
        .slice(0, limit)
        .map((lead) => lineOf(tables, lead))
    )
})

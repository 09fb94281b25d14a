import type { CampaignLead } from "@outbound/domain/outreach/campaigns/Campaign.js"
import { LeadMachine, type LeadState } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import type { CampaignView, ConsoleReads, LeadLine, StepCounts } from "@outbound/domain/control/console/ConsoleReads.js"
import { allows } from "@outbound/domain/kernel/machine.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { Option } from "effect"
import type { Memory } from "../Memory.js"
import { ascending, descending, keyOf } from "../Table.js"
import type { Tables } from "../Tables.js"
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

const stepsOf = (tables: Tables, leads: ReadonlyArray<CampaignLead>): ReadonlyArray<StepCounts> => {
  const messages = leads.flatMap((lead) => tables.messages.where("lead", keyOf(lead.workspaceId, lead.campaignLeadId)))
  const indexes = [...new Set(messages.map(({ stepIndex }) => stepIndex))].sort((a, b) => a - b)
  return indexes.map((stepIndex) => {
    const counts = tally(messages.filter((message) => message.stepIndex === stepIndex).map(({ state }) => state))
    return { stepIndex, sent: 0, claimed: 0, failed: 0, unknown: 0, ...counts }
  })
}

const nameOf = ({ firstName, lastName }: CampaignLead): string | null =>
  [firstName, lastName].filter((name) => name !== null).join(" ") || null

const lineOf = (lead: CampaignLead): LeadLine => ({
  campaignLeadId: lead.campaignLeadId,
  email: lead.email,
  name: nameOf(lead),
  companyName: lead.companyName,
  state: lead.state,
  stepsSent: lead.stepsSent,
  nextAtMillis: lead.nextAtMillis
})

const holds = (lead: CampaignLead, text: string): boolean =>
  [lead.email, lead.firstName, lead.lastName, lead.companyName]
    .filter((one) => one !== null)
    .join(" ")
    .toLowerCase()
    .includes(text.toLowerCase())

/** What the pages about campaigns show. */
export const campaignReads = ({
  read
}: Memory["Type"]): Pick<ConsoleReads["Type"], "campaigns" | "campaign" | "campaignNames" | "leads"> => ({
  campaigns: (workspaceId, wanted) =>
    read((tables) => {
      const own = tables.campaigns.filter((campaign) => campaign.workspaceId === workspaceId)
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
            replied: leads.filter((lead) => LeadMachine.is.replied(lead.state)).length
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
        waiting: waitingOf(tables, open)
      })
    }),

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

  leads: (workspaceId, campaignId, { after, limit, state, text }) =>
    read((tables) =>
      leadsOf(tables, workspaceId, campaignId)
        .filter(
          (lead) =>
            (after === null || lead.campaignLeadId > after) &&
            (state === null || lead.state === state) &&
            (text === null || holds(lead, text))
        )
        .sort(ascending(({ campaignLeadId }) => campaignLeadId))
        .slice(0, limit)
        .map(lineOf)
    )
})

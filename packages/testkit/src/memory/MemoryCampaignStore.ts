import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import {
  type Campaign,
  type CampaignLead,
  CampaignStore,
  type NewLead
} from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { companyUnder } from "@outbound/domain/outreach/campaigns/companyRules.js"
import { assignedVariants } from "@outbound/domain/kernel/sequences/variants.js"
import { hoursUnder } from "@outbound/domain/outreach/campaigns/recipientHours.js"
import { LeadMachine, type LeadState } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { leadAfter } from "@outbound/domain/outreach/campaigns/moveLead.js"
import { isFinal, statesAllowing } from "@outbound/domain/kernel/machine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { domainsAbove } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { Option } from "effect"
import { lastSent } from "./lastSent.js"
import { leftOutWrites } from "./leftOut.js"
import { openLead, waitingLeads } from "./waitingLeads.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, descending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

const leadId = (lead: CampaignLead): string => lead.campaignLeadId
const campaignId = (campaign: Campaign): string => campaign.campaignId

const leadsIn = ({ leads }: Tables, workspaceId: string, campaign: string, states: ReadonlyArray<LeadState>) =>
  leads
    .where("campaign", keyOf(workspaceId, campaign))
    .filter((lead) => states.includes(lead.state))
    .sort(ascending(leadId))

/** The answers to each variant, of the people whose last message was of it. */
const answersOf = (tables: Tables, workspaceId: string, campaign: string) => {
  const replied = leadsIn(tables, workspaceId, campaign, LeadMachine.in.replied)
  const counts = new Map<string, { stepIndex: number; variant: number; answers: number }>()
  for (const last of replied.map((lead) => lastSent(tables, lead))) {
    if (last === undefined || last.variant === null) continue
    const { stepIndex, variant } = last
    const count = counts.get(`${stepIndex} ${variant}`) ?? { stepIndex, variant, answers: 0 }
    counts.set(`${stepIndex} ${variant}`, { ...count, answers: count.answers + 1 })
  }
  return [...counts.values()]
}

export const layer = memoryStore(CampaignStore, "CampaignStore", ({ read, write }) => {
  const find = (workspaceId: string, id: string) => read(({ campaigns }) => campaigns.find(keyOf(workspaceId, id)))
  return {
    ...leftOutWrites({ write }),
    insert: (campaign, leads) =>
      write((tables) => {
        tables.campaigns.insert(keyOf(campaign.workspaceId, campaign.campaignId), campaign)
        for (const lead of leads) insertLead(tables, campaign, lead)
      }),
    addLeads: (campaign, leads) =>
      write((tables) => {
        for (const lead of leads) insertLead(tables, campaign, lead)
      }),
    present: (workspaceId, campaign, addressHashes) =>
      read(({ leads }) => {
        const own = new Set(leads.where("campaign", keyOf(workspaceId, campaign)).map((lead) => lead.addressHash))
        return new Set(addressHashes.filter((hash) => own.has(hash)))
      }),
    countLeads: (workspaceId, campaign) =>
      read(({ leads }) => leads.where("campaign", keyOf(workspaceId, campaign)).length),
    hasWinnerRule: (workspaceId, campaign) =>
      read(({ campaigns }) => campaigns.get(keyOf(workspaceId, campaign))?.winnerRule?.isOn === true),
    answers: (workspaceId, campaign) => read((tables) => answersOf(tables, workspaceId, campaign)),
    underWinnerRule: (limit) =>
      read(({ campaigns }) =>
        campaigns
          .filter(({ state, winnerRule }) => CampaignMachine.is.launched(state) && winnerRule?.isOn === true)
          .sort(descending(campaignId))
          .slice(0, limit)
      ),
    // Transactions run one at a time: no launch executes beside another's.
    holdToLaunch: () => write(() => undefined),
    holdToExtend: () => write(() => true),
    get: find,
    these: (workspaceId, ids) =>
      read(({ campaigns }) =>
        campaigns
          .filter((campaign) => campaign.workspaceId === workspaceId && ids.includes(campaign.campaignId))
          .sort(ascending(campaignId))
      ),
    openLeads: (workspaceId, campaign, limit) =>
      read((tables) => leadsIn(tables, workspaceId, campaign, LeadMachine.in.open).slice(0, limit).map(openLead)),
    waiting: (workspaceId, which, limit) => read((tables) => waitingLeads(tables, workspaceId, which).slice(0, limit)),
    lock: find,
    update: (campaign) =>
      write(({ campaigns }) => campaigns.update(keyOf(campaign.workspaceId, campaign.campaignId), () => campaign)),
    leadsIn: (workspaceId, campaign, states) =>
      read((tables) =>
        leadsIn(tables, workspaceId, campaign, states).map(({ addressHash, campaignLeadId, email }) => ({
          campaignLeadId,
          email,
          addressHash
        }))
      ),
    firstLeads: (workspaceId, campaign, states, limit) =>
      read((tables) => leadsIn(tables, workspaceId, campaign, states).slice(0, limit)),
    removeLeads: (workspaceId, ids) =>
      write(({ leads }) => {
        for (const id of ids) {
          const lead = leads.get(keyOf(workspaceId, id))
          const next = lead === undefined ? Option.none() : leadAfter(lead, "remove")
          if (Option.isSome(next)) leads.set(keyOf(workspaceId, id), next.value)
        }
      }),
    coverLeads: (workspaceId, campaign, approvalId, covers) =>
      write(({ leads }) => {
        for (const { campaignLeadId, isUnconfirmed, mailboxId, nextAtMillis, words = null } of covers) {
          const lead = leads.get(keyOf(workspaceId, campaignLeadId))
          if (lead?.campaignId !== campaign) continue
          const next = leadAfter(lead, "cover")
          if (Option.isNone(next)) continue
          const due = lead.stepsSent > 0 ? {} : { mailboxId, nextAtMillis }
          leads.set(keyOf(workspaceId, campaignLeadId), {
            ...(isUnconfirmed === true && LeadMachine.is.uncovered(lead.state) ? lead : next.value),
            approvalId,
            words,
            ...due
          })
        }
      }),
    mailboxIds: (workspaceId, campaign) =>
      read(({ campaignMailboxes }) => campaignMailboxes.get(keyOf(workspaceId, campaign)) ?? new Set()),
    bindMailboxes: (workspaceId, campaign, addresses) =>
      write(({ campaignMailboxes, mailboxes }) => {
        const key = keyOf(workspaceId, campaign)
        const named = mailboxes.filter((one) => one.workspaceId === workspaceId && addresses.includes(one.address))
        const ids = named.map(({ mailboxId }) => mailboxId)
        campaignMailboxes.set(key, new Set([...(campaignMailboxes.get(key) ?? []), ...ids]))
      }),
    shareLeads: (workspaceId, campaign, mailboxId, share) =>
      write((tables) => {
        const untouched = leadsIn(tables, workspaceId, campaign, statesAllowing(LeadMachine, "send")).filter(
          ({ campaignLeadId, stepsSent }) =>
            stepsSent === 0 &&
            tables.messages
              .where("lead", keyOf(workspaceId, campaignLeadId))
              .every(({ state }) => MessageMachine.is.unsent(state))
        )
        untouched.forEach((lead, index) => {
          if ((index + 1) % share === 0)
            tables.leads.set(keyOf(workspaceId, lead.campaignLeadId), { ...lead, mailboxId })
        })
      }),
    lockLead: (workspaceId, id) => read(({ leads }) => leads.find(keyOf(workspaceId, id))),
    lockPerson: (workspaceId, id) => read(({ leads }) => leads.find(keyOf(workspaceId, id))),
    lockLeads: () => read(() => undefined),
    // Whom a lead is about is not the caller's to change.
    updateLead: (lead) =>
      write(({ leads }) =>
        leads.update(
          keyOf(lead.workspaceId, lead.campaignLeadId),
          ({ companyName, custom, email, evidence = null, firstName, lastName }) => ({
            ...lead,
            companyName,
            custom,
            email,
            evidence,
            firstName,
            lastName
          })
        )
      ),
    lockLeadsOfAddress: (workspaceId, addressHash) =>
      read(({ campaigns, leads }) =>
        leads
          .where("person", keyOf(workspaceId, addressHash))
          .filter((lead) => {
            const campaign = campaigns.get(keyOf(workspaceId, lead.campaignId))
            return campaign !== undefined && !isFinal(CampaignMachine, campaign.state)
          })
          .sort(ascending(leadId))
      ),
    stopCompany: (workspaceId, company) =>
      write((tables) => {
        const { campaigns, companies, stoppedCompanies } = tables
        const stoppedIn = (id: string) => stoppedCompanies.get(keyOf(workspaceId, id)) ?? new Set<string>()
        const stopping = campaigns.filter(
          (campaign) =>
            campaign.workspaceId === workspaceId &&
            campaign.stopForCompany &&
            campaign.launchedAtMillis !== null &&
            !isFinal(CampaignMachine, campaign.state) &&
            !stoppedIn(campaign.campaignId).has(company)
        )
        return stopping
          .flatMap((campaign) => {
            const id = campaign.campaignId
            stoppedCompanies.set(keyOf(workspaceId, id), new Set([...stoppedIn(id), company]))
            return leadsIn(tables, workspaceId, id, statesAllowing(LeadMachine, "send"))
          })
          .filter((lead) => companies.get(keyOf(workspaceId, lead.campaignLeadId)) === company)
          .sort(ascending(leadId))
      }),
    stoppedCompanies: (workspaceId, campaign) =>
      read(({ stoppedCompanies }) => stoppedCompanies.get(keyOf(workspaceId, campaign)) ?? new Set()),
    lockLeadsCovered: (workspaceId, { addressHashes, domains }, states) =>
      read(({ campaigns, leads }) => {
        const [people, companies] = [new Set(addressHashes), new Set(domains)]
        return leads
          .filter((lead) => {
            const campaign = campaigns.get(keyOf(workspaceId, lead.campaignId))
            return (
              lead.workspaceId === workspaceId &&
              (people.has(lead.addressHash) || domainsAbove(lead.email).some((domain) => companies.has(domain))) &&
              states.includes(lead.state) &&
              campaign !== undefined &&
              !isFinal(CampaignMachine, campaign.state)
            )
          })
          .sort(ascending(leadId))
      }),
    namesAt: (workspaceId, domain, states, limit) =>
      read(({ leads }) =>
        leads
          .filter(
            (lead) =>
              lead.workspaceId === workspaceId && lead.email.endsWith(`@${domain}`) && states.includes(lead.state)
          )
          .sort(ascending((lead) => `${[...lead.email].reverse().join("")} ${lead.campaignLeadId}`))
          .slice(0, limit)
          .map(({ email, firstName, lastName }) => ({ email, firstName, lastName }))
      ),
    lockDone: (limit) =>
      read((tables) =>
        tables.campaigns
          .filter(
            ({ campaignId, state, workspaceId }) =>
              CampaignMachine.is.running(state) &&
              leadsIn(tables, workspaceId, campaignId, LeadMachine.in.open).length === 0
          )
          .sort(ascending(campaignId))
          .slice(0, limit)
      ),
    lockActive: (workspaceId) =>
      read(({ campaigns }) =>
        campaigns
          .filter((campaign) => campaign.workspaceId === workspaceId && CampaignMachine.is.running(campaign.state))
          .sort(ascending(campaignId))
      )
  }
})

const insertLead = (tables: Tables, campaign: Campaign, lead: NewLead): void => {
  const { campaignId, workspaceId } = campaign
  const company = companyUnder(campaign, lead.email)
  if (company !== null) tables.companies.insert(keyOf(workspaceId, lead.campaignLeadId), company)
  tables.leads.insert(keyOf(workspaceId, lead.campaignLeadId), {
    workspaceId,
    campaignId,
    campaignLeadId: lead.campaignLeadId,
    addressHash: lead.addressHash,
    email: lead.email,
    firstName: lead.firstName,
    lastName: lead.lastName,
    companyName: lead.companyName,
    custom: lead.custom,
    evidence: lead.evidence ?? null,
    state: LeadMachine.initial,
    interestStatus: null,
    providerSyncStatus: null,
    approvalId: null,
    mailboxId: null,
    hours: hoursUnder(campaign.schedule, lead),
    variants: assignedVariants(campaign, lead.addressHash),
    origin: lead.origin,
    words: null,
    stepsSent: 0,
    nextAtMillis: null
  })
}

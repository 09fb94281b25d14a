import { allows } from "@outbound/domain/kernel/machine.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import type { CampaignLead } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import type { OpenLead, WaitingLead, WaitingOf } from "@outbound/domain/outreach/campaigns/waiting.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { ascending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

/** Covered leads with a step left and an active mailbox, soonest due first. */
export const waitingLeads = (
  { campaigns, leads, mailboxes }: Tables,
  workspaceId: string,
  which: WaitingOf
): ReadonlyArray<WaitingLead> => {
  const among =
    "of" in which
      ? leads.where("campaign", keyOf(workspaceId, which.of))
      : leads.filter((lead) => lead.workspaceId === workspaceId && lead.campaignId !== which.besides)
  return among
    .flatMap((lead): ReadonlyArray<WaitingLead> => {
      const { addressHash, campaignId, campaignLeadId, email, hours, mailboxId, nextAtMillis, stepsSent } = lead
      const campaign = campaigns.get(keyOf(workspaceId, campaignId))
      const isOwed =
        allows(LeadMachine, lead.state, "send") &&
        lead.approvalId !== null &&
        stepsSent < (campaign?.sequence.length ?? 0)
      const counts = isOwed && ("of" in which || (campaign !== undefined && CampaignMachine.is.running(campaign.state)))
      if (!counts || mailboxId === null || nextAtMillis === null) return []
      if (!MailboxMachine.is.sending(mailboxes.get(keyOf(workspaceId, mailboxId))?.state)) return []
      return [{ addressHash, campaignId, campaignLeadId, email, hours, mailboxId, nextAtMillis, stepsSent }]
    })
    .sort(
      ascending(
        ({ nextAtMillis }) => nextAtMillis,
        ({ campaignLeadId }) => campaignLeadId
      )
    )
}

export const openLead = (lead: CampaignLead): OpenLead => {
  const { addressHash, campaignLeadId, email, hours, mailboxId, nextAtMillis, state, stepsSent } = lead
  return { addressHash, campaignLeadId, email, hours, mailboxId, nextAtMillis, state, stepsSent }
}

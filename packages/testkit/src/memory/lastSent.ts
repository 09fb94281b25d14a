import type { CampaignLead } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

export const messagesOf = (tables: Tables, { campaignLeadId, workspaceId }: CampaignLead) =>
  tables.messages.where("lead", keyOf(workspaceId, campaignLeadId))

/** The last message that the lead was sent. */
export const lastSent = (tables: Tables, lead: CampaignLead) =>
  messagesOf(tables, lead).find(
    ({ state, stepIndex }) => MessageMachine.is.left(state) && stepIndex === lead.stepsSent - 1
  )

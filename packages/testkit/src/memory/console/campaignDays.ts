import type { CampaignDay } from "@outbound/domain/control/console/ConsoleReads.js"
import type { CampaignLead } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { dayStart } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { descending, keyOf } from "../Table.js"
import type { Tables } from "../Tables.js"

type What = "sent" | "replied" | "bounced"

/** When a person replied, or when their address bounced; null: nothing tells. */
const endedAt = (tables: Tables, { campaignLeadId, state, workspaceId }: CampaignLead): number | null => {
  const isBounced = LeadMachine.is.bounced(state)
  const said = tables.replies.where("workspace", workspaceId).filter((reply) => reply.campaignLeadId === campaignLeadId)
  const times = said
    .filter(({ classification }) =>
      isBounced ? classification === "bounce" : classification !== "bounce" && classification !== "out_of_office"
    )
    .map(({ receivedAtMillis }) => receivedAtMillis)
  if (times.length > 0) return isBounced ? Math.max(...times) : Math.min(...times)
  const written = tables.messages.where("lead", keyOf(workspaceId, campaignLeadId))
  return written.length === 0 ? null : Math.max(...written.map(({ claimedAtMillis }) => claimedAtMillis))
}

/** What became of these people by day, newest first. */
export const campaignDays = (tables: Tables, leads: ReadonlyArray<CampaignLead>): ReadonlyArray<CampaignDay> => {
  const days = new Map<number, CampaignDay>()
  const add = (what: What, atMillis: number | null) => {
    if (atMillis === null) return
    const dayMillis = dayStart(atMillis)
    const day = days.get(dayMillis) ?? { dayMillis, sent: 0, replied: 0, bounced: 0 }
    days.set(dayMillis, { ...day, [what]: day[what] + 1 })
  }
  for (const lead of leads) {
    for (const { sentAtMillis, state } of tables.messages.where("lead", keyOf(lead.workspaceId, lead.campaignLeadId))) {
      if (MessageMachine.is.left(state)) add("sent", sentAtMillis)
    }
    const { state } = lead
    if (LeadMachine.is.replied(state)) add("replied", endedAt(tables, lead))
    if (LeadMachine.is.bounced(state)) add("bounced", endedAt(tables, lead))
  }
  return [...days.values()].sort(descending(({ dayMillis }) => dayMillis))
}

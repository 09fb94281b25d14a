import type { CampaignPeriod, DayFigures, PeriodReads } from "@outbound/domain/control/console/Periods.js"
import type { CampaignLead } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { AUTOMATIC } from "@outbound/domain/outreach/meaning/Classification.js"
import { dayStart } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import type { Memory } from "../Memory.js"
import { ascending, keyOf } from "../Table.js"
import type { Tables } from "../Tables.js"
import { countIn, hasReplied, wantsMore } from "./campaignReads.js"

/** Messages of the workspace that left since then. */
const leftSince = (tables: Tables, workspaceId: string, sinceMillis: number) =>
  tables.messages
    .where("workspace", workspaceId)
    .filter(({ sentAtMillis, state }) => MessageMachine.is.left(state) && (sentAtMillis ?? 0) >= sinceMillis)

const NOTHING = { sent: 0, people: 0, replied: 0, interested: 0, bounced: 0, unsubscribed: 0 }

/** Reads of what was sent and heard in a time. */
export const periodReads = ({ read }: Memory["Service"]): PeriodReads => ({
  campaignsSince: (workspaceId, sinceMillis, limit) =>
    read((tables) => {
      const sentTo = new Map<string, { lead: CampaignLead; sent: number }>()
      for (const { campaignLeadId } of leftSince(tables, workspaceId, sinceMillis)) {
        const lead = tables.leads.get(keyOf(workspaceId, campaignLeadId))
        if (lead !== undefined) {
          sentTo.set(campaignLeadId, { lead, sent: (sentTo.get(campaignLeadId)?.sent ?? 0) + 1 })
        }
      }
      const found = new Map<string, CampaignPeriod>()
      for (const { lead, sent } of sentTo.values()) {
        const campaign = tables.campaigns.get(keyOf(workspaceId, lead.campaignId))
        if (campaign === undefined) continue
        const { campaignId, name, state } = campaign
        const known = found.get(campaignId) ?? { campaignId, name, state, ...NOTHING }
        found.set(campaignId, {
          ...known,
          sent: known.sent + sent,
          people: known.people + 1,
          replied: known.replied + Number(hasReplied(lead)),
          interested: known.interested + Number(hasReplied(lead) && wantsMore(tables, lead)),
          bounced: known.bounced + countIn([lead], "bounced"),
          unsubscribed: known.unsubscribed + countIn([lead], "unsubscribed")
        })
      }
      return [...found.values()]
        .sort(
          ascending(
            ({ people }) => -people,
            ({ campaignId }) => campaignId
          )
        )
        .slice(0, limit)
    }),

  figuresByDay: (workspaceId, sinceMillis) =>
    read((tables) => {
      const days = new Map<number, DayFigures>()
      const add = (what: "sent" | "bounced" | "replies", atMillis: number) => {
        const dayMillis = dayStart(atMillis)
        const day = days.get(dayMillis) ?? { dayMillis, sent: 0, bounced: 0, replies: 0 }
        days.set(dayMillis, { ...day, [what]: day[what] + 1 })
      }
      for (const { messageId, sentAtMillis } of leftSince(tables, workspaceId, sinceMillis)) {
        add("sent", sentAtMillis ?? 0)
        if (tables.outcomes.get(keyOf(workspaceId, messageId)) === "hard_bounce") add("bounced", sentAtMillis ?? 0)
      }
      for (const { classification, receivedAtMillis } of tables.replies.where("workspace", workspaceId)) {
        const isByProgram = classification !== null && AUTOMATIC.includes(classification)
        if (receivedAtMillis >= sinceMillis && !isByProgram) add("replies", receivedAtMillis)
      }
      return [...days.values()].sort(ascending(({ dayMillis }) => dayMillis))
    })
})

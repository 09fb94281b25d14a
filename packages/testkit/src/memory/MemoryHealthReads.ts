import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import {
  HealthReads,
  RECEIVER_ROWS_MAX,
  type ReceiverRow,
  REST_ROWS_MAX
} from "@outbound/domain/outreach/health/HealthReads.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, descending, keyOf } from "./Table.js"

export const layer = memoryStore(HealthReads, "HealthReads", ({ read }) => ({
  receivers: (workspaceId, sinceMillis) =>
    read((tables) => {
      const sums = new Map<string, ReceiverRow>()
      for (const message of tables.messages.where("workspace", workspaceId)) {
        const { campaignLeadId, mailboxId, messageId, state, stepIndex } = message
        const outcome = tables.outcomes.get(keyOf(workspaceId, messageId))
        const hasLeft = MessageMachine.is.left(state)
        const mailbox = tables.mailboxes.get(keyOf(workspaceId, mailboxId))
        const lead = tables.leads.get(keyOf(workspaceId, campaignLeadId))
        if (message.claimedAtMillis < sinceMillis || !(hasLeft || outcome === "refused")) continue
        if (mailbox === undefined || lead === undefined) continue
        const receiver = tables.receivers.get(keyOf(workspaceId, messageId)) ?? null
        const mailDomain = receiver === null ? (lead.email.split("@")[1] ?? "") : ""
        const key = keyOf(mailbox.domain, receiver ?? "", mailDomain)
        const sum = sums.get(key) ?? {
          domain: mailbox.domain,
          receiver,
          mailDomain,
          sent: 0,
          bounced: 0,
          refused: 0,
          complained: 0,
          replied: 0
        }
        const isAnswered = LeadMachine.is.replied(lead.state) && stepIndex === lead.stepsSent - 1
        sums.set(key, {
          ...sum,
          sent: sum.sent + (hasLeft ? 1 : 0),
          bounced: sum.bounced + (hasLeft && outcome === "hard_bounce" ? 1 : 0),
          refused: sum.refused + (outcome === "refused" ? 1 : 0),
          complained: sum.complained + (hasLeft && outcome === "complaint" ? 1 : 0),
          replied: sum.replied + (hasLeft && isAnswered ? 1 : 0)
        })
      }
      return [...sums.values()].slice(0, RECEIVER_ROWS_MAX)
    }),
  rests: (workspaceId, afterMillis) =>
    read(({ mailboxes, receiverRests }) =>
      receiverRests
        .filter((rest) => rest.workspaceId === workspaceId && rest.restsUntilMillis > afterMillis)
        .flatMap(({ mailboxId, receiver, restsUntilMillis, says, status, times }) => {
          const mailbox = mailboxes.get(keyOf(workspaceId, mailboxId))
          if (mailbox === undefined) return []
          const { address, domain } = mailbox
          return [{ domain, mailbox: address, receiver, restsUntilMillis, times, status, says }]
        })
        .sort(descending(({ restsUntilMillis }) => restsUntilMillis))
        .slice(0, REST_ROWS_MAX)
    ),
  listed: (workspaceId) =>
    read(({ domainWatches, sendingDomains }) => {
      const found = new Map<string, { readonly domain: string; readonly zone: string }>()
      for (const { domainId, lists } of domainWatches.filter((watch) => watch.workspaceId === workspaceId)) {
        const domain = sendingDomains.get(keyOf(workspaceId, domainId))?.domain
        if (domain === undefined) continue
        for (const { isListed, zone } of lists) if (isListed === true) found.set(keyOf(domain, zone), { domain, zone })
      }
      return [...found].sort(ascending(([key]) => key)).map(([, one]) => one)
    })
}))

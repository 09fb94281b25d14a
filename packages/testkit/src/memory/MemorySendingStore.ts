import { MessageMachine } from "@outbound/domain/sending/MessageMachine.js"
import { type Mailbox, type Message, SendingStore } from "@outbound/domain/sending/SendingStore.js"
import { Option } from "effect"
import { claimDue, isDue, isLeftAlone } from "./MemoryClaims.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"

const byAddress = ascending(
  (mailbox: Mailbox) => mailbox.address,
  (mailbox: Mailbox) => mailbox.mailboxId
)

/** Once a message has an end, it can't be claimed again. */
const isClaim = ({ state }: Message): boolean => state === MessageMachine.initial

export const layer = memoryStore(SendingStore, "SendingStore", ({ atomically, read, write }) => ({
  insertMailboxes: (mailboxes) =>
    write((tables) => {
      for (const mailbox of mailboxes) {
        const { address, operationId, workspaceId } = mailbox
        const isSame = (other: Mailbox) =>
          other.workspaceId === workspaceId && other.operationId === operationId && other.address === address
        if (tables.mailboxes.some(isSame)) throw new Error(`the workspace has ${address} already`)
        tables.mailboxes.insert(keyOf(mailbox.workspaceId, mailbox.mailboxId), mailbox)
      }
    }),
  lockMailboxesOfOperation: (workspaceId, operationId) =>
    read(({ mailboxes }) =>
      mailboxes
        .filter((mailbox) => mailbox.workspaceId === workspaceId && mailbox.operationId === operationId)
        .sort(byAddress)
    ),
  updateMailboxes: (changed) =>
    write(({ mailboxes }) => {
      for (const mailbox of changed) {
        mailboxes.update(keyOf(mailbox.workspaceId, mailbox.mailboxId), () => mailbox)
      }
    }),
  domains: (workspaceId) =>
    read(({ mailboxes }) => [
      ...new Set(mailboxes.filter((mailbox) => mailbox.workspaceId === workspaceId).map(({ domain }) => domain))
    ]),
  lockUpkeepDue: (nowMillis, limit, afterMailboxId) =>
    read(({ mailboxes }) =>
      mailboxes
        .filter(
          ({ mailboxId, state, upkeepPaidUntilMillis }) =>
            state === "active" &&
            upkeepPaidUntilMillis !== null &&
            upkeepPaidUntilMillis <= nowMillis &&
            (afterMailboxId === null || mailboxId > afterMailboxId)
        )
        .sort((a, b) => (a.mailboxId < b.mailboxId ? -1 : 1))
        .slice(0, limit)
    ),
  activeMailboxes: (workspaceId) =>
    read(({ mailboxes }) =>
      mailboxes.filter((mailbox) => mailbox.workspaceId === workspaceId && mailbox.state === "active").sort(byAddress)
    ),
  mailbox: (workspaceId, mailboxId) =>
    read(({ mailboxes }) => Option.fromNullable(mailboxes.get(keyOf(workspaceId, mailboxId)))),
  claimDue: (options) => atomically(write((tables) => claimDue(tables, options))),
  lockForbiddenDue: (nowMillis, contactedSinceMillis, limit) =>
    read((tables) =>
      tables.leads
        .filter((lead) => isDue(tables, lead, nowMillis))
        .sort(
          ascending(
            (lead) => lead.nextAtMillis ?? 0,
            (lead) => lead.campaignLeadId
          )
        )
        .flatMap((lead) => {
          const reason = isLeftAlone(tables, lead, contactedSinceMillis)
          return reason === null ? [] : [{ lead, reason }]
        })
        .slice(0, limit)
    ),
  lockMessage: (workspaceId, messageId) =>
    read(({ messages }) => Option.fromNullable(messages.get(keyOf(workspaceId, messageId)))),
  endMessage: (message, addressHash) =>
    write((tables) => {
      const { campaignId, messageId, sentAtMillis, state, workspaceId } = message
      tables.messages.update(keyOf(workspaceId, messageId), () => message)
      if (state !== "sent" || sentAtMillis === null) return
      tables.contacts.set(keyOf(workspaceId, messageId), {
        workspaceId,
        addressHash,
        campaignId,
        atMillis: sentAtMillis
      })
    }),
  lockStaleClaims: (beforeMillis, limit) =>
    read(({ messages }) =>
      messages
        .filter((message) => isClaim(message) && message.claimedAtMillis < beforeMillis)
        .sort(
          ascending(
            (message) => message.claimedAtMillis,
            (message) => message.messageId
          )
        )
        .slice(0, limit)
    ),
  lockWaitedOut: (nowMillis, limit) =>
    read(({ campaigns, leads }) =>
      leads
        .filter((lead) => {
          if (lead.state !== "active" || lead.nextAtMillis === null || lead.nextAtMillis > nowMillis) return false
          const campaign = campaigns.get(keyOf(lead.workspaceId, lead.campaignId))
          return campaign !== undefined && lead.stepsSent >= campaign.sequence.length
        })
        .sort(
          ascending(
            (lead) => lead.nextAtMillis ?? 0,
            (lead) => lead.campaignLeadId
          )
        )
        .slice(0, limit)
    )
}))

import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { allows } from "@outbound/domain/kernel/machine.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { MessageMachine, type MessageOutcome } from "@outbound/domain/outreach/sending/MessageMachine.js"
import type { RefusalCounts } from "@outbound/domain/outreach/sending/refusals.js"
import {
  type Handover,
  type Mailbox,
  type MailboxRef,
  type Message,
  SendingStore
} from "@outbound/domain/outreach/sending/SendingStore.js"
import { removalOf } from "@outbound/domain/outreach/sending/sendRule.js"
import { Clock, Effect } from "effect"
import { byDue, claimDue, claimOne, dueOfOwn, factsOf, nextOfOwn, roomAt, windowKey } from "./MemoryClaims.js"
import { useBook } from "./ownUse.js"
import { memoryStore } from "./MemoryStore.js"
import { movedMailbox, movedMessage } from "./movedMailbox.js"
import { ascending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

const byAddress = ascending(
  (mailbox: Mailbox) => mailbox.address,
  (mailbox: Mailbox) => mailbox.mailboxId
)

const byRef = ascending(
  (mailbox: MailboxRef) => mailbox.workspaceId,
  (mailbox: MailboxRef) => mailbox.mailboxId
)

const isBehind = (mailbox: MailboxRef, after: MailboxRef | null): boolean => after === null || byRef(after, mailbox) < 0

/** Once a message has an end, it can't be claimed again. */
const isClaim = ({ state }: Message): boolean => state === MessageMachine.initial

const byClaim = ascending(
  (message: Message) => message.claimedAtMillis,
  (message: Message) => message.messageId
)

/** Outcomes of a message; a later one outweighs those before it. */
const WEIGHT: ReadonlyArray<MessageOutcome> = ["refused", "hard_bounce", "complaint"]

const handIn = ({ outcomes, receivers }: Tables, { messageId, workspaceId }: Message, handover: Handover | null) => {
  if (handover === null) return
  receivers.set(keyOf(workspaceId, messageId), handover.receiver)
  if (handover.isRefused) outcomes.set(keyOf(workspaceId, messageId), "refused")
}

/** Each person counts once, by their newest message. */
const refusalsOf = (
  tables: Tables,
  of: {
    readonly workspaceId: string
    readonly mailboxId: string
    readonly receiver: string
    readonly sinceMillis: number
  }
): RefusalCounts => {
  const { mailboxId, receiver, sinceMillis, workspaceId } = of
  const newest = new Map<
    string,
    { readonly isRefused: boolean; readonly receiver: string | null; readonly atMillis: number }
  >()
  const messages = tables.messages
    .where("workspace", workspaceId)
    .filter((message) => message.mailboxId === mailboxId && message.claimedAtMillis >= sinceMillis)
    .sort(byClaim)
  for (const { campaignLeadId, claimedAtMillis, messageId, state } of messages) {
    const isRefused = tables.outcomes.get(keyOf(workspaceId, messageId)) === "refused"
    if (!MessageMachine.is.left(state) && !isRefused) continue
    newest.set(tables.leads.get(keyOf(workspaceId, campaignLeadId))?.addressHash ?? campaignLeadId, {
      isRefused,
      receiver: tables.receivers.get(keyOf(workspaceId, messageId)) ?? null,
      atMillis: claimedAtMillis
    })
  }
  const all = [...newest.values()]
  const refused = all.filter((one) => one.isRefused)
  const restedUntil = tables.receiverRests.get(keyOf(workspaceId, mailboxId, receiver))?.restsUntilMillis ?? 0
  const there = all.filter((one) => one.receiver === receiver && one.atMillis >= restedUntil)
  const receivers = new Set(refused.flatMap((one) => one.receiver ?? [])).size
  return {
    mailbox: { people: all.length, refused: refused.length, receivers },
    receiver: { people: there.length, refused: there.filter((one) => one.isRefused).length }
  }
}

export const layer = memoryStore(SendingStore, "SendingStore", ({ atomically, read, write }) => ({
  insertMailboxes: (mailboxes) =>
    write((tables) => {
      for (const mailbox of mailboxes) {
        const { address, kind, operationId, workspaceId } = mailbox
        const isSame = (other: Mailbox) =>
          other.workspaceId === workspaceId &&
          other.address === address &&
          // What was taken over may have been given back before.
          (operationId === null ? kind === "own" && other.kind === "own" : other.operationId === operationId)
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
  lockAddresses: (addresses) =>
    read(({ mailboxes }) =>
      mailboxes.filter(({ address, state }) => !MailboxMachine.is.gone(state) && addresses.includes(address))
    ),
  updateMailboxes: (changed) =>
    write(({ mailboxes }) => {
      for (const mailbox of changed) {
        mailboxes.update(keyOf(mailbox.workspaceId, mailbox.mailboxId), (before) => movedMailbox(before, mailbox))
      }
    }),
  domains: (workspaceId) =>
    read(({ mailboxes }) => [
      ...new Set(mailboxes.filter((mailbox) => mailbox.workspaceId === workspaceId).map(({ domain }) => domain))
    ]),
  lockUpkeepDue: (nowMillis, limit, after) =>
    read(({ mailboxes }) =>
      mailboxes
        .filter(
          (mailbox) =>
            MailboxMachine.is.sending(mailbox.state) &&
            mailbox.upkeepPaidUntilMillis !== null &&
            mailbox.upkeepPaidUntilMillis <= nowMillis &&
            isBehind(mailbox, after)
        )
        .sort(byRef)
        .slice(0, limit)
    ),
  activeMailboxes: (workspaceId) =>
    read(({ mailboxes }) =>
      mailboxes
        .filter((mailbox) => mailbox.workspaceId === workspaceId && MailboxMachine.is.sending(mailbox.state))
        .sort(byAddress)
    ),
  mailbox: (workspaceId, mailboxId) => read(({ mailboxes }) => mailboxes.find(keyOf(workspaceId, mailboxId))),
  lockMailbox: (workspaceId, mailboxId) => read(({ mailboxes }) => mailboxes.find(keyOf(workspaceId, mailboxId))),
  mailboxesOfCampaign: (workspaceId, campaignId) =>
    read(({ campaigns, leads, mailboxes }) => {
      const steps = campaigns.get(keyOf(workspaceId, campaignId))?.sequence.length ?? 0
      const writing = leads
        .where("campaign", keyOf(workspaceId, campaignId))
        .filter((lead) => lead.approvalId !== null && lead.stepsSent < steps && allows(LeadMachine, lead.state, "send"))
        .map((lead) => lead.mailboxId)
      return mailboxes
        .filter((mailbox) => mailbox.workspaceId === workspaceId && writing.includes(mailbox.mailboxId))
        .sort(byAddress)
    }),
  lockUpkeepPaused: (limit, after) =>
    read(({ mailboxes }) =>
      mailboxes
        .filter(
          (mailbox) =>
            MailboxMachine.is.paused(mailbox.state) && mailbox.pauseReason === "upkeep" && isBehind(mailbox, after)
        )
        .sort(byRef)
        .slice(0, limit)
    ),
  noteBounces: (workspaceId, mailboxId, sinceMillis) =>
    write(({ bouncesHigh }) => {
      const key = keyOf(workspaceId, mailboxId)
      if (sinceMillis === null) bouncesHigh.delete(key)
      else if (!bouncesHigh.has(key)) bouncesHigh.set(key, sinceMillis)
    }),
  restMailbox: (workspaceId, mailboxId, untilMillis) =>
    write(({ mailboxes }) => {
      mailboxes.update(keyOf(workspaceId, mailboxId), (mailbox) => ({
        ...mailbox,
        restsUntilMillis: Math.max(mailbox.restsUntilMillis ?? 0, untilMillis)
      }))
    }),
  restMailboxes: (refs, untilMillis) =>
    write(({ mailboxes }) => {
      for (const { mailboxId, workspaceId } of refs) {
        mailboxes.update(keyOf(workspaceId, mailboxId), (mailbox) => ({
          ...mailbox,
          restsUntilMillis: Math.max(mailbox.restsUntilMillis ?? 0, untilMillis)
        }))
      }
    }),
  bouncesOf: (workspaceId, addressHash) =>
    read(({ leads, replies }) => {
      const ofPerson = leads.where("person", keyOf(workspaceId, addressHash)).map((lead) => lead.campaignLeadId)
      return replies
        .where("workspace", workspaceId)
        .filter((reply) => reply.classification === "bounce" && ofPerson.includes(reply.campaignLeadId)).length
    }),
  health: (workspaceId, mailboxId, last) =>
    read(({ leads, messages, outcomes }) => {
      const latest = messages
        .where("workspace", workspaceId)
        .filter((message) => message.mailboxId === mailboxId && MessageMachine.is.left(message.state))
        .sort(ascending((message) => -(message.sentAtMillis ?? 0)))
        .slice(0, last)
      const peopleOf = (outcome: MessageOutcome) =>
        new Set(
          latest
            .filter(({ messageId }) => outcomes.get(keyOf(workspaceId, messageId)) === outcome)
            .map(({ campaignLeadId }) => leads.get(keyOf(workspaceId, campaignLeadId))?.addressHash ?? campaignLeadId)
        ).size
      return { sent: latest.length, hardBounces: peopleOf("hard_bounce"), complaints: peopleOf("complaint") }
    }),
  setWindows: (given) =>
    write(({ windows }) => {
      for (const window of given) windows.set(windowKey(window), window)
    }),
  lockClosedWindows: (nowMillis, limit) =>
    read(({ campaigns, windows }) =>
      windows
        .filter(({ closesAtMillis }) => closesAtMillis <= nowMillis)
        .sort(
          ascending(
            (window) => window.closesAtMillis,
            (window) => window.campaignId,
            (window) => window.hours ?? ""
          )
        )
        .flatMap(({ campaignId, hours, workspaceId }) => {
          const campaign = campaigns.get(keyOf(workspaceId, campaignId))
          return CampaignMachine.is.running(campaign?.state)
            ? [{ workspaceId, campaignId, hours, schedule: campaign.schedule }]
            : []
        })
        .slice(0, limit)
    ),
  claimDue: (options) => atomically(write((tables) => claimDue(tables, options))),
  dueOfOwn: (options) => read((tables) => dueOfOwn(tables, options)),
  nextOfOwn: (options) => read((tables) => nextOfOwn(tables, options)),
  roomAt: (options, receiver) => read((tables) => roomAt(tables, options, receiver)),
  uses: (workspaceId, nowMillis) => read((tables) => useBook(tables, workspaceId, nowMillis)),
  noteReceiver: (workspaceId, mailDomain, receiver) =>
    atomically(
      write(({ mailReceivers }) =>
        mailReceivers.set(keyOf(workspaceId, mailDomain), { workspaceId, mailDomain, receiver })
      )
    ),
  knownReceivers: (workspaceId) =>
    read(
      ({ mailReceivers }) =>
        new Map(
          mailReceivers
            .filter((one) => one.workspaceId === workspaceId)
            .map(({ mailDomain, receiver }) => [mailDomain, receiver])
        )
    ),
  claimOne: (options) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      atomically(write((tables) => claimOne(tables, options, nowMillis)))
    ),
  inFlight: (workspaceId, campaignId) =>
    read(
      ({ messages }) =>
        messages
          .where("workspace", workspaceId)
          .filter((message) => message.campaignId === campaignId && MessageMachine.is.inFlight(message.state)).length
    ),
  sentToCompanies: (workspaceId, campaignId, sinceMillis) =>
    read((tables) => {
      const sent = new Map<string, number>()
      for (const message of tables.messages.where("workspace", workspaceId)) {
        const company = tables.companies.get(keyOf(workspaceId, message.campaignLeadId))
        const counts = !MessageMachine.is.unsent(message.state) && message.claimedAtMillis >= sinceMillis
        if (message.campaignId !== campaignId || company === undefined || !counts) continue
        sent.set(company, (sent.get(company) ?? 0) + 1)
      }
      return sent
    }),
  putOffContacted: (nowMillis, contactedSinceMillis, limit) =>
    write((tables) => {
      const due = tables.leads
        .filter(({ nextAtMillis }) => nextAtMillis !== null && nextAtMillis <= nowMillis)
        .sort(byDue)
        .flatMap((lead) => {
          const { addressHash, campaignId, workspaceId } = lead
          const facts = factsOf(tables, lead, { nowMillis, contactedSinceMillis, dayStartMillis: nowMillis })
          const isRunning = CampaignMachine.is.running(facts.campaign)
          const isLeft = lead.stepsSent < facts.steps && allows(LeadMachine, lead.state, "send")
          if (facts.overlap === "refuse" || !isRunning || !isLeft) return []
          const contacts = tables.contacts
            .where("person", keyOf(workspaceId, addressHash))
            .filter((contact) => contact.campaignId !== campaignId && contact.atMillis >= contactedSinceMillis)
          const last = Math.max(...contacts.map(({ atMillis }) => atMillis))
          return contacts.length === 0 ? [] : [{ lead, nextAtMillis: last + (nowMillis - contactedSinceMillis) + 1 }]
        })
        .slice(0, limit)
      for (const { lead, nextAtMillis } of due) {
        tables.leads.update(keyOf(lead.workspaceId, lead.campaignLeadId), (row) => ({ ...row, nextAtMillis }))
      }
      return due.length
    }),
  lockForbiddenDue: (nowMillis, contactedSinceMillis, limit) =>
    read((tables) =>
      tables.leads
        .filter(({ nextAtMillis }) => nextAtMillis !== null && nextAtMillis <= nowMillis)
        .sort(byDue)
        .flatMap((lead) => {
          const reason = removalOf(
            factsOf(tables, lead, { nowMillis, contactedSinceMillis, dayStartMillis: nowMillis })
          )
          return reason === null ? [] : [{ lead, reason }]
        })
        .slice(0, limit)
    ),
  lockMessage: (workspaceId, messageId) => read(({ messages }) => messages.find(keyOf(workspaceId, messageId))),
  insertFailed: (message, _addressHash, handover) =>
    write((tables) => {
      tables.messages.insert(keyOf(message.workspaceId, message.messageId), message)
      handIn(tables, message, handover)
    }),
  setOutcome: (workspaceId, messageId, outcome) =>
    write(({ outcomes }) => {
      const key = keyOf(workspaceId, messageId)
      if (WEIGHT.indexOf(outcome) >= WEIGHT.indexOf(outcomes.get(key) ?? "refused")) outcomes.set(key, outcome)
    }),
  refusals: (workspaceId, mailboxId, receiver, sinceMillis) =>
    read((tables) => refusalsOf(tables, { workspaceId, mailboxId, receiver, sinceMillis })),
  receiverOf: (workspaceId, messageId) => read(({ receivers }) => receivers.find(keyOf(workspaceId, messageId))),
  receiverRest: (workspaceId, mailboxId, receiver) =>
    read(({ receiverRests }) => receiverRests.find(keyOf(workspaceId, mailboxId, receiver))),
  setReceiverRest: (rest) =>
    write(({ receiverRests }) => receiverRests.set(keyOf(rest.workspaceId, rest.mailboxId, rest.receiver), rest)),
  putOff: ({ mailboxId, workspaceId }, domain, untilMillis, limit) =>
    atomically(
      write(({ campaigns, leads }) => {
        const due = leads
          .filter((lead) => {
            const campaign = campaigns.get(keyOf(workspaceId, lead.campaignId))
            return (
              lead.workspaceId === workspaceId &&
              lead.mailboxId === mailboxId &&
              CampaignMachine.is.running(campaign?.state) &&
              lead.nextAtMillis !== null &&
              lead.nextAtMillis < untilMillis &&
              lead.approvalId !== null &&
              lead.stepsSent < (campaign?.sequence.length ?? 0) &&
              allows(LeadMachine, lead.state, "send") &&
              lead.email.split("@")[1] === domain
            )
          })
          .sort(byDue)
          .slice(0, limit)
        for (const { campaignLeadId } of due) {
          leads.update(keyOf(workspaceId, campaignLeadId), (lead) => ({ ...lead, nextAtMillis: untilMillis }))
        }
      })
    ),
  endMessage: (message, addressHash, handover) =>
    write((tables) => {
      const { campaignId, messageId, sentAtMillis, state, workspaceId } = message
      tables.messages.update(keyOf(workspaceId, messageId), (before) => movedMessage(before, message))
      handIn(tables, message, handover)
      if (!MessageMachine.is.left(state) || sentAtMillis === null) return
      tables.contacts.set(keyOf(workspaceId, messageId), {
        workspaceId,
        addressHash,
        campaignId,
        atMillis: sentAtMillis
      })
    }),
  staleClaimsOf: (workspaceId, mailboxId, beforeMillis, limit) =>
    read(({ messages }) =>
      messages
        .where("workspace", workspaceId)
        .filter(
          (message) => isClaim(message) && message.mailboxId === mailboxId && message.claimedAtMillis < beforeMillis
        )
        .sort(byClaim)
        .slice(0, limit)
    ),
  lockStaleClaims: (beforeMillis, ownBeforeMillis, limit) =>
    read(({ mailboxes, messages }) =>
      messages
        .filter((message) => {
          const isOwn = mailboxes.get(keyOf(message.workspaceId, message.mailboxId))?.kind === "own"
          return isClaim(message) && message.claimedAtMillis < (isOwn ? ownBeforeMillis : beforeMillis)
        })
        .sort(byClaim)
        .slice(0, limit)
    ),
  lockWaitedOut: (nowMillis, limit) =>
    read(({ campaigns, leads }) =>
      leads
        .filter((lead) => {
          if (!LeadMachine.is.writtenTo(lead.state) || lead.nextAtMillis === null || lead.nextAtMillis > nowMillis)
            return false
          const campaign = campaigns.get(keyOf(lead.workspaceId, lead.campaignId))
          return campaign !== undefined && lead.stepsSent >= campaign.sequence.length
        })
        .sort(byDue)
        .slice(0, limit)
    )
}))

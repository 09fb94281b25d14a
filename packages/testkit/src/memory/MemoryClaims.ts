import type { CampaignLead } from "@outbound/domain/outreach/campaigns/Campaign.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { statesAllowing } from "@outbound/domain/kernel/machine.js"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { messageIdOf } from "@outbound/domain/outreach/sending/compose.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import type {
  ClaimedMessage,
  ClaimOneOptions,
  ClaimOptions,
  Message,
  OwnCandidate,
  OwnCandidateOptions
} from "@outbound/domain/outreach/sending/SendingStore.js"
import { Array as Arr, Option } from "effect"
import { forbidden } from "./MemorySuppressionStore.js"
import { ascending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

const SENDABLE_LEAD_STATES = statesAllowing(LeadMachine, "send")

/** Whether the lead's next step is due, in a campaign that runs, under an executed approval, and not begun yet. */
export const isDue = (tables: Tables, lead: CampaignLead, nowMillis: number): boolean => {
  const { approvalId, campaignId, campaignLeadId, nextAtMillis, stepsSent, workspaceId } = lead
  if (nextAtMillis === null || nextAtMillis > nowMillis || !SENDABLE_LEAD_STATES.includes(lead.state)) return false
  const campaign = tables.campaigns.get(keyOf(workspaceId, campaignId))
  if (campaign?.state !== "active" || stepsSent >= campaign.sequence.length) return false
  if (approvalId === null || tables.approvals.get(keyOf(workspaceId, approvalId))?.state !== "used") return false
  return !tables.messages
    .where("lead", keyOf(workspaceId, campaignLeadId))
    .some(({ state, stepIndex }) => state === "claimed" || (stepIndex === stepsSent && state !== "failed"))
}

export const isLeftAlone = (tables: Tables, lead: CampaignLead, sinceMillis: number) =>
  forbidden(tables, {
    workspaceId: lead.workspaceId,
    addressHash: lead.addressHash,
    campaignId: lead.campaignId,
    sinceMillis
  })

/** Whether another campaign is writing to this person, or may have: a claim or an unknown outcome is no proof of not. */
const isBeingContacted = (
  tables: Tables,
  { addressHash, campaignId, workspaceId }: CampaignLead,
  sinceMillis: number
): boolean =>
  tables.leads
    .where("person", keyOf(workspaceId, addressHash))
    .filter((lead) => lead.campaignId !== campaignId)
    .flatMap((lead) => tables.messages.where("lead", keyOf(workspaceId, lead.campaignLeadId)))
    .some(
      ({ claimedAtMillis, state }) => (state === "claimed" || state === "unknown") && claimedAtMillis >= sinceMillis
    )

/** Whether something from this person has arrived that nobody applied yet. */
const hasWritten = (tables: Tables, lead: CampaignLead, nowMillis: number): boolean =>
  tables.inbox.some(({ event, taken }) => {
    if (taken || event.workspaceId !== lead.workspaceId || event.receivedAtMillis > nowMillis) return false
    const answered = tables.messages.get(keyOf(event.workspaceId, messageIdOf(event.inReplyTo) ?? ""))
    return usableEmail(event.fromEmail) === lead.email || answered?.campaignLeadId === lead.campaignLeadId
  })

/** Counts for a cap of the day: it left, may have left, or is about to. */
const countsSince =
  (dayStartMillis: number) =>
  ({ claimedAtMillis, state }: Message): boolean =>
    state !== "failed" && claimedAtMillis >= dayStartMillis

/** Whether the campaign may send now. One without windows always may. */
const isOpen = (tables: Tables, { campaignId, workspaceId }: CampaignLead, nowMillis: number): boolean => {
  const window = tables.windows.get(keyOf(workspaceId, campaignId))
  return window === undefined || (window.opensAtMillis <= nowMillis && nowMillis < window.closesAtMillis)
}

type Look = Pick<ClaimOptions, "nowMillis" | "dayStartMillis" | "contactedSinceMillis"> & {
  readonly rampCap?: number | null
}

/** What the lead's next message is written from, and how much its mailbox may still send; null where it may not go. */
const lookAt = (tables: Tables, lead: CampaignLead, options: Look): OwnCandidate | null => {
  const { campaignId, campaignLeadId, stepsSent, workspaceId } = lead
  if (!isDue(tables, lead, options.nowMillis) || !isOpen(tables, lead, options.nowMillis)) return null
  const workspace = tables.workspaces.get(workspaceId)
  const campaign = tables.campaigns.get(keyOf(workspaceId, campaignId))
  const mailbox = tables.mailboxes.get(keyOf(workspaceId, lead.mailboxId ?? ""))
  if (workspace === undefined || campaign === undefined || mailbox?.state !== "active") return null
  if (typeof tables.sending.get(workspaceId)?.suspendedAtMillis === "number") return null
  const { contactedSinceMillis } = options
  if (isLeftAlone(tables, lead, contactedSinceMillis) !== null) return null
  if (isBeingContacted(tables, lead, contactedSinceMillis)) return null
  if (hasWritten(tables, lead, options.nowMillis)) return null

  const today = tables.messages.where("workspace", workspaceId).filter(countsSince(options.dayStartMillis))
  const ofMailbox = today.filter((message) => message.mailboxId === mailbox.mailboxId)
  const { dailySends, mailboxDailySends } = workspace.caps
  const cap = Math.min(mailboxDailySends, options.rampCap ?? mailboxDailySends)
  const left = Math.min(dailySends - today.length, cap - ofMailbox.length)
  if (left <= 0) return null

  const messages = tables.messages.where("lead", keyOf(workspaceId, campaignLeadId))
  const thread = messages
    .filter((message) => message.state === "sent")
    .sort(ascending((message) => message.stepIndex))
    .map((message) => message.messageId)
  const failedTries = messages.filter(({ state, stepIndex }) => state === "failed" && stepIndex === stepsSent).length
  const { kind: workspaceKind, postalAddress } = workspace
  return { lead, campaign, mailbox, workspaceKind, postalAddress, thread, failedTries, left }
}

const insertClaim = (tables: Tables, { lead, mailbox }: OwnCandidate, messageId: string, nowMillis: number) => {
  const { campaignId, campaignLeadId, stepsSent, workspaceId } = lead
  const message: Message = {
    workspaceId,
    messageId,
    campaignId,
    campaignLeadId,
    mailboxId: mailbox.mailboxId,
    stepIndex: stepsSent,
    state: MessageMachine.initial,
    claimedAtMillis: nowMillis,
    sentAtMillis: null
  }
  tables.messages.insert(keyOf(workspaceId, messageId), message)
  return message
}

/** Claims one message for the lead, if nothing forbids it. */
const claim = (tables: Tables, lead: CampaignLead, options: ClaimOptions): ClaimedMessage | null => {
  const found = lookAt(tables, lead, options)
  if (found === null || found.mailbox.kind !== "purchased") return null
  const { left: _left, ...known } = found
  return { message: insertClaim(tables, found, options.nextMessageId(), options.nowMillis), ...known }
}

const rests = ({ mailbox }: OwnCandidate, nowMillis: number): boolean =>
  mailbox.restsUntilMillis !== null && mailbox.restsUntilMillis > nowMillis

export const nextOfOwn = (tables: Tables, options: OwnCandidateOptions): Option.Option<OwnCandidate> => {
  const { mailboxId, nowMillis, workspaceId } = options
  const due = tables.leads
    .filter((lead) => lead.workspaceId === workspaceId && lead.mailboxId === mailboxId)
    .sort(
      ascending(
        (lead) => lead.nextAtMillis ?? 0,
        (lead) => lead.campaignLeadId
      )
    )
  for (const lead of due) {
    const found = lookAt(tables, lead, options)
    if (found !== null && found.mailbox.kind === "own" && !rests(found, nowMillis)) return Option.some(found)
  }
  return Option.none()
}

export const claimOne = (tables: Tables, options: ClaimOneOptions, hostNowMillis: number): boolean => {
  const { campaignLeadId, hostId, mailboxId, messageId, nowMillis, stepIndex, workspaceId } = options
  const hold = tables.ownMailboxes.get(keyOf(workspaceId, mailboxId))?.hold
  if (hold?.hostId !== hostId || hold.untilMillis <= hostNowMillis) return false
  const lead = tables.leads.get(keyOf(workspaceId, campaignLeadId))
  if (lead === undefined || lead.mailboxId !== mailboxId || lead.stepsSent !== stepIndex) return false
  const found = lookAt(tables, lead, options)
  if (found === null || found.mailbox.kind !== "own" || rests(found, nowMillis)) return false
  insertClaim(tables, found, messageId, nowMillis)
  return true
}

/** Takes of every list in turn, so that nobody waits behind another's backlog. */
const byTurns = <A>(lists: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<A> => {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat()
}

export const claimDue = (tables: Tables, options: ClaimOptions): ReadonlyArray<ClaimedMessage> => {
  const due = tables.leads
    .filter((lead) => isDue(tables, lead, options.nowMillis))
    .sort(
      ascending(
        (lead) => lead.nextAtMillis ?? 0,
        (lead) => lead.campaignLeadId
      )
    )
  const ofWorkspaces = Arr.groupBy(due, (lead) => lead.workspaceId)
  const claimed: Array<ClaimedMessage> = []
  for (const lead of byTurns(Object.values(ofWorkspaces))) {
    if (claimed.length >= options.limit) break
    const one = claim(tables, lead, options)
    if (one !== null) claimed.push(one)
  }
  return claimed
}

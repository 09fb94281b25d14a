import type { CampaignLead } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { allows } from "@outbound/domain/kernel/machine.js"
import { type CompanyRules, NO_COMPANY_RULES } from "@outbound/domain/outreach/campaigns/companyRules.js"
import { companyOf } from "@outbound/domain/kernel/people/companyOf.js"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { messageIdOf } from "@outbound/domain/outreach/sending/compose.js"
import { type MailboxKind, MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import type {
  CampaignWindow,
  ClaimedMessage,
  ClaimOneOptions,
  DueOfOwn,
  DueOfOwnOptions,
  ClaimOptions,
  Message,
  OwnCandidate,
  OwnCandidateOptions,
  ReceiverRoom
} from "@outbound/domain/outreach/sending/SendingStore.js"
import { nextVariant } from "@outbound/domain/kernel/sequences/variants.js"
import {
  chooseClaims,
  type ClaimCandidate,
  historyOf,
  messageOf
} from "@outbound/domain/outreach/sending/chooseClaims.js"
import { leastOf, leftToday, receiverLeft } from "@outbound/domain/outreach/sending/planner.js"
import { type SendFacts, windowFor } from "@outbound/domain/outreach/sending/sendRule.js"
import { DEFAULT_CAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Array as Arr, Option } from "effect"
import { isCrmUnread } from "./keptOut.js"
import { useBook } from "./ownUse.js"
import { barsOf, overlapOf } from "./MemorySuppressionStore.js"
import { ascending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

/** What has arrived that nobody applied yet, with the message of a campaign that it answers. */
const waiting = (tables: Tables, workspaceId: string, nowMillis: number) =>
  tables.inbox
    .filter(({ event, taken }) => !taken && event.workspaceId === workspaceId && event.receivedAtMillis <= nowMillis)
    .map(({ event }) => ({
      event,
      answered: tables.messages.get(keyOf(workspaceId, messageIdOf(event.inReplyTo) ?? ""))
    }))

/** Whether something from this person has arrived that nobody applied yet. */
const hasWritten = (tables: Tables, lead: CampaignLead, nowMillis: number): boolean =>
  waiting(tables, lead.workspaceId, nowMillis).some(
    ({ answered, event }) =>
      usableEmail(event.fromEmail) === lead.email || answered?.campaignLeadId === lead.campaignLeadId
  )

export interface Moment extends Pick<ClaimOptions, "nowMillis" | "dayStartMillis" | "contactedSinceMillis"> {
  /** Who receives the next message of an own mailbox, if that is known. */
  readonly receiver?: string
}

const sentToday = (tables: Tables, { mailboxId, workspaceId }: CampaignLead, { dayStartMillis }: Moment) => {
  const today = tables.messages
    .where("workspace", workspaceId)
    .filter(({ claimedAtMillis, state }) => !MessageMachine.is.unsent(state) && claimedAtMillis >= dayStartMillis)
  return { workspace: today.length, mailbox: today.filter((message) => message.mailboxId === mailboxId).length }
}

const companyFacts = (
  tables: Tables,
  lead: CampaignLead,
  rules: CompanyRules,
  { dayStartMillis, nowMillis }: Moment
): SendFacts["company"] => {
  const { campaignId, campaignLeadId, workspaceId } = lead
  const companyIs = (leadId: string | undefined) => tables.companies.get(keyOf(workspaceId, leadId ?? "")) ?? null
  const company = companyIs(campaignLeadId)
  if (company === null) return null
  const { maxPerCompanyPerDay: max, stopForCompany } = rules
  const sentToday = () =>
    tables.messages
      .where("workspace", workspaceId)
      .filter(
        (message) =>
          message.campaignId === campaignId &&
          !MessageMachine.is.unsent(message.state) &&
          message.claimedAtMillis >= dayStartMillis &&
          companyIs(message.campaignLeadId) === company
      ).length
  return {
    isStopped: tables.stoppedCompanies.get(keyOf(workspaceId, campaignId))?.has(company) ?? false,
    hasWritten:
      stopForCompany &&
      waiting(tables, workspaceId, nowMillis).some(
        ({ answered, event }) =>
          companyOf(event.fromEmail) === company || companyIs(answered?.campaignLeadId) === company
      ),
    left: max === null ? null : max - sentToday()
  }
}

export const windowKey = ({
  campaignId,
  hours,
  workspaceId
}: Pick<CampaignWindow, "workspaceId" | "campaignId" | "hours">) => keyOf(workspaceId, campaignId, hours ?? "")

export const factsOf = (tables: Tables, lead: CampaignLead, moment: Moment): SendFacts => {
  const { addressHash, approvalId, campaignId, email, mailboxId, workspaceId } = lead
  const { contactedSinceMillis: sinceMillis, nowMillis } = moment
  const messagesOf = ({ campaignLeadId }: CampaignLead) =>
    tables.messages.where("lead", keyOf(workspaceId, campaignLeadId))
  const campaign = tables.campaigns.get(keyOf(workspaceId, campaignId))
  const mailbox = tables.mailboxes.get(keyOf(workspaceId, mailboxId ?? "")) ?? null
  const { caps = DEFAULT_CAPS } = tables.workspaces.get(workspaceId) ?? {}
  const window = (hours: string | null) => tables.windows.get(windowKey({ ...lead, hours })) ?? null
  return {
    nowMillis,
    lead,
    steps: campaign?.sequence.length ?? 0,
    approval: tables.approvals.get(keyOf(workspaceId, approvalId ?? ""))?.state ?? null,
    campaign: campaign?.state ?? "draft",
    window: windowFor(window(null), lead.hours, window(lead.hours)),
    isSuspended: typeof tables.sending.get(workspaceId)?.suspendedAtMillis === "number",
    mailbox,
    isBound: tables.campaignMailboxes.get(keyOf(workspaceId, campaignId))?.has(mailboxId ?? "") ?? false,
    messages: messagesOf(lead),
    elsewhere: tables.leads
      .where("person", keyOf(workspaceId, addressHash))
      .filter((other) => other.campaignId !== campaignId)
      .flatMap(messagesOf)
      .filter(({ claimedAtMillis }) => claimedAtMillis >= sinceMillis),
    bars: barsOf(tables, { workspaceId, addressHash, email, campaignId, sinceMillis }),
    isCrmUnread: isCrmUnread(tables, workspaceId, nowMillis),
    overlap: overlapOf(tables, workspaceId),
    company: companyFacts(tables, lead, campaign ?? NO_COMPANY_RULES, moment),
    hasWritten: hasWritten(tables, lead, nowMillis),
    left: leftToday(
      caps,
      mailbox?.kind === "own" ? useBook(tables, workspaceId, nowMillis).of(mailbox.mailboxId, moment.receiver) : null,
      sentToday(tables, lead, moment),
      nowMillis
    )
  }
}

/** A lead with what decides, what its next message is written from, and how much its mailbox may still send. */
interface Found extends ClaimCandidate, Omit<OwnCandidate, "lead"> {
  readonly lead: CampaignLead
}

const lookAt = (tables: Tables, lead: CampaignLead, moment: Moment, kind: MailboxKind): ReadonlyArray<Found> => {
  const { campaignId, campaignLeadId, stepsSent, workspaceId } = lead
  const workspace = tables.workspaces.get(workspaceId)
  const campaign = tables.campaigns.get(keyOf(workspaceId, campaignId))
  const mailbox = tables.mailboxes.get(keyOf(workspaceId, lead.mailboxId ?? ""))
  if (workspace === undefined || campaign === undefined || mailbox?.kind !== kind) return []
  const facts = factsOf(tables, lead, moment)
  const company = tables.companies.get(keyOf(workspaceId, campaignLeadId)) ?? null
  const messages = tables.messages
    .where("lead", keyOf(workspaceId, campaignLeadId))
    .sort(ascending(({ stepIndex }) => stepIndex))
  const history = historyOf(messages, stepsSent)
  const { kind: workspaceKind, postalAddress } = workspace
  const left = leastOf(facts.left)
  return [{ lead, company, facts, campaign, mailbox, workspaceKind, postalAddress, ...history, left }]
}

/** Leads in the order in which they are due. */
export const byDue = ascending(
  (lead: CampaignLead) => lead.nextAtMillis ?? 0,
  (lead: CampaignLead) => lead.campaignLeadId
)

/** As they are asked for, because each look costs. */
function* lookAtEach(tables: Tables, leads: ReadonlyArray<CampaignLead>, moment: Moment, kind: MailboxKind) {
  for (const lead of leads) yield* lookAt(tables, lead, moment, kind)
}

const insertClaim = (tables: Tables, message: Message) => {
  tables.messages.insert(keyOf(message.workspaceId, message.messageId), message)
  return message
}

export const nextOfOwn = (tables: Tables, options: OwnCandidateOptions): Option.Option<OwnCandidate> => {
  const { mailboxId, workspaceId } = options
  const due = tables.leads
    .filter((lead) => lead.workspaceId === workspaceId && lead.mailboxId === mailboxId)
    .sort(byDue)
  return Option.map(Arr.head(chooseClaims(lookAtEach(tables, due, options, "own"), 1)), candidateOf)
}

const candidateOf = ({ company: _company, facts: _facts, ...candidate }: Found): OwnCandidate => candidate

export const claimOne = (tables: Tables, options: ClaimOneOptions, hostNowMillis: number): boolean => {
  const { campaignLeadId, hostId, mailboxId, messageId, nowMillis, receiver, stepIndex, variant, workspaceId } = options
  const hold = tables.ownMailboxes.get(keyOf(workspaceId, mailboxId))?.hold
  if (hold?.hostId !== hostId || hold.untilMillis <= hostNowMillis) return false
  const lead = tables.leads.get(keyOf(workspaceId, campaignLeadId))
  if (lead === undefined || lead.mailboxId !== mailboxId || lead.stepsSent !== stepIndex) return false
  const [found] = chooseClaims(lookAt(tables, lead, options, "own"), 1)
  if (found === undefined) return false
  insertClaim(tables, messageOf(lead, { messageId, mailboxId, variant, claimedAtMillis: nowMillis }))
  tables.receivers.set(keyOf(workspaceId, messageId), receiver)
  return true
}

/** Whether somebody may be written to at this moment, as far as the lead and its campaign say. */
const isDue = (tables: Tables, lead: CampaignLead, nowMillis: number): boolean => {
  const { campaignId, nextAtMillis, state, stepsSent, workspaceId } = lead
  const campaign = tables.campaigns.get(keyOf(workspaceId, campaignId))
  if (nextAtMillis === null || nextAtMillis > nowMillis || !CampaignMachine.is.running(campaign?.state)) return false
  if (!allows(LeadMachine, state, "send") || stepsSent >= (campaign?.sequence.length ?? 0)) return false
  const windows = tables.windows.filter((one) => one.workspaceId === workspaceId && one.campaignId === campaignId)
  const isOpen = windows.some(
    ({ closesAtMillis, opensAtMillis }) => opensAtMillis <= nowMillis && nowMillis < closesAtMillis
  )
  return isOpen || !windows.some(({ hours }) => hours === null)
}

/** Mailboxes that the host holds and that have a due lead, or a claim that nobody ended. */
export const dueOfOwn = (tables: Tables, { hostId, nowMillis, staleBeforeMillis }: DueOfOwnOptions): DueOfOwn => {
  const held = tables.ownMailboxes.filter(({ hold }) => hold?.hostId === hostId)
  const ids = (matches: (mailboxId: string, workspaceId: string) => boolean) =>
    new Set(
      held
        .map(({ own }) => own)
        .filter((own) => matches(own.mailboxId, own.workspaceId))
        .map((own) => own.mailboxId)
    )
  return {
    due: ids((mailboxId, workspaceId) => {
      const mailbox = tables.mailboxes.get(keyOf(workspaceId, mailboxId))
      if (!MailboxMachine.is.sending(mailbox?.state) || (mailbox?.restsUntilMillis ?? nowMillis) > nowMillis)
        return false
      return tables.leads
        .filter((lead) => lead.workspaceId === workspaceId && lead.mailboxId === mailboxId)
        .some((lead) => isDue(tables, lead, nowMillis))
    }),
    stale: ids((mailboxId, workspaceId) =>
      tables.messages
        .where("workspace", workspaceId)
        .some(
          (message) =>
            MessageMachine.is.inFlight(message.state) &&
            message.mailboxId === mailboxId &&
            message.claimedAtMillis < staleBeforeMillis
        )
    )
  }
}

export const roomAt = (
  tables: Tables,
  { mailboxId, nowMillis, workspaceId }: OwnCandidateOptions,
  receiver: string
): ReceiverRoom => {
  const use = useBook(tables, workspaceId, nowMillis).of(mailboxId, receiver)
  const rest = tables.receiverRests.get(keyOf(workspaceId, mailboxId, receiver))
  return {
    left: use === null ? 0 : receiverLeft(use, nowMillis),
    restsUntilMillis: rest?.restsUntilMillis ?? null
  }
}

/** Takes of every list in turn, so that nobody waits behind another's backlog. */
const byTurns = <A>(lists: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<A> => {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat()
}

export const claimDue = (tables: Tables, options: ClaimOptions): ReadonlyArray<ClaimedMessage> => {
  const due = tables.leads
    .filter(({ nextAtMillis }) => nextAtMillis !== null && nextAtMillis <= options.nowMillis)
    .sort(byDue)
  const inTurn = byTurns(Object.values(Arr.groupBy(due, (lead) => lead.workspaceId)))
  return chooseClaims(lookAtEach(tables, inTurn, options, "purchased"), options.limit).map((found) => {
    const { campaign, lead, mailbox } = found
    const { left: _left, ...known } = candidateOf(found)
    const message = messageOf(lead, {
      messageId: options.nextMessageId(),
      mailboxId: mailbox.mailboxId,
      variant: nextVariant(campaign.chosenVariants, lead.variants, lead.stepsSent),
      claimedAtMillis: options.nowMillis
    })
    return { message: insertClaim(tables, message), ...known }
  })
}

import type { CampaignLead } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { type CompanyRules, NO_COMPANY_RULES } from "@outbound/domain/outreach/campaigns/companyRules.js"
import { companyOf } from "@outbound/domain/kernel/people/companyOf.js"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { messageIdOf } from "@outbound/domain/outreach/sending/compose.js"
import type { MailboxKind } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import type {
  CampaignWindow,
  ClaimedMessage,
  ClaimOneOptions,
  ClaimOptions,
  Message,
  OwnCandidate,
  OwnCandidateOptions
} from "@outbound/domain/outreach/sending/SendingStore.js"
import { nextVariant } from "@outbound/domain/kernel/sequences/variants.js"
import { decideSend, type SendFacts } from "@outbound/domain/outreach/sending/sendRule.js"
import { DEFAULT_CAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Array as Arr, Option } from "effect"
import { isCrmUnread, keptOut } from "./keptOut.js"
import { forbidden, overlapOf } from "./MemorySuppressionStore.js"
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

export type Moment = Pick<ClaimOptions, "nowMillis" | "dayStartMillis" | "contactedSinceMillis"> & {
  readonly rampCap?: number | null
}

/** How many messages workspace and mailbox may still send today: what left, may have left, or is about to counts. */
const leftToday = (tables: Tables, { mailboxId, workspaceId }: CampaignLead, { dayStartMillis, rampCap }: Moment) => {
  const { dailySends, mailboxDailySends } = tables.workspaces.get(workspaceId)?.caps ?? DEFAULT_CAPS
  const today = tables.messages
    .where("workspace", workspaceId)
    .filter(({ claimedAtMillis, state }) => !MessageMachine.is.unsent(state) && claimedAtMillis >= dayStartMillis)
  const ofMailbox = today.filter((message) => message.mailboxId === mailboxId)
  const cap = Math.min(mailboxDailySends, rampCap ?? mailboxDailySends)
  return Math.min(dailySends - today.length, cap - ofMailbox.length)
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

/** It contains no time. */
const NEVER = { opensAtMillis: 0, closesAtMillis: 0 }

/** The window of the lead's own hours, or the campaign's. A campaign without windows has none for anybody. */
const windowOf = (tables: Tables, lead: CampaignLead): SendFacts["window"] => {
  if (tables.windows.get(windowKey({ ...lead, hours: null })) === undefined) return null
  return tables.windows.get(windowKey(lead)) ?? NEVER
}

export const factsOf = (tables: Tables, lead: CampaignLead, moment: Moment): SendFacts => {
  const { addressHash, approvalId, campaignId, email, mailboxId, workspaceId } = lead
  const { contactedSinceMillis: sinceMillis, nowMillis } = moment
  const messagesOf = ({ campaignLeadId }: CampaignLead) =>
    tables.messages.where("lead", keyOf(workspaceId, campaignLeadId))
  const campaign = tables.campaigns.get(keyOf(workspaceId, campaignId))
  return {
    nowMillis,
    lead,
    steps: campaign?.sequence.length ?? 0,
    approval: tables.approvals.get(keyOf(workspaceId, approvalId ?? ""))?.state ?? null,
    campaign: campaign?.state ?? "draft",
    window: windowOf(tables, lead),
    isSuspended: typeof tables.sending.get(workspaceId)?.suspendedAtMillis === "number",
    mailbox: tables.mailboxes.get(keyOf(workspaceId, mailboxId ?? "")) ?? null,
    isBound: tables.campaignMailboxes.get(keyOf(workspaceId, campaignId))?.has(mailboxId ?? "") ?? false,
    messages: messagesOf(lead),
    elsewhere: tables.leads
      .where("person", keyOf(workspaceId, addressHash))
      .filter((other) => other.campaignId !== campaignId)
      .flatMap(messagesOf)
      .filter(({ claimedAtMillis }) => claimedAtMillis >= sinceMillis),
    forbidden: forbidden(tables, { workspaceId, addressHash, email, campaignId, sinceMillis }),
    keptOut: keptOut(tables, { workspaceId, addressHash, email }),
    isCrmUnread: isCrmUnread(tables, workspaceId, nowMillis),
    overlap: overlapOf(tables, workspaceId),
    company: companyFacts(tables, lead, campaign ?? NO_COMPANY_RULES, moment),
    hasWritten: hasWritten(tables, lead, nowMillis),
    left: leftToday(tables, lead, moment)
  }
}

/** What the lead's next message is written from, and how much its mailbox may still send; null where it may not go. */
const lookAt = (tables: Tables, lead: CampaignLead, moment: Moment, kind: MailboxKind): OwnCandidate | null => {
  const { campaignId, campaignLeadId, stepsSent, workspaceId } = lead
  const workspace = tables.workspaces.get(workspaceId)
  const campaign = tables.campaigns.get(keyOf(workspaceId, campaignId))
  const mailbox = tables.mailboxes.get(keyOf(workspaceId, lead.mailboxId ?? ""))
  if (workspace === undefined || campaign === undefined || mailbox?.kind !== kind) return null
  const facts = factsOf(tables, lead, moment)
  if (decideSend(facts).may !== "send") return null

  const messages = tables.messages.where("lead", keyOf(workspaceId, campaignLeadId))
  const thread = messages
    .filter((message) => MessageMachine.is.left(message.state))
    .sort(ascending((message) => message.stepIndex))
    .map(({ messageId, variant }) => ({ messageId, variant }))
  const failedTries = messages.filter(
    ({ state, stepIndex }) => MessageMachine.is.unsent(state) && stepIndex === stepsSent
  ).length
  const { kind: workspaceKind, postalAddress } = workspace
  return { lead, campaign, mailbox, workspaceKind, postalAddress, thread, failedTries, left: facts.left }
}

/** Leads in the order in which they are due. */
export const byDue = ascending(
  (lead: CampaignLead) => lead.nextAtMillis ?? 0,
  (lead: CampaignLead) => lead.campaignLeadId
)

const insertClaim = (
  tables: Tables,
  { lead, mailbox }: OwnCandidate,
  { messageId, nowMillis, variant }: Pick<Message, "messageId" | "variant"> & { readonly nowMillis: number }
) => {
  const { campaignId, campaignLeadId, stepsSent, workspaceId } = lead
  const message: Message = {
    workspaceId,
    messageId,
    campaignId,
    campaignLeadId,
    mailboxId: mailbox.mailboxId,
    stepIndex: stepsSent,
    variant,
    state: MessageMachine.initial,
    claimedAtMillis: nowMillis,
    sentAtMillis: null
  }
  tables.messages.insert(keyOf(workspaceId, messageId), message)
  return message
}

/** Claims one message for the lead, if nothing forbids it. */
const claim = (tables: Tables, lead: CampaignLead, options: ClaimOptions): ClaimedMessage | null => {
  const found = lookAt(tables, lead, options, "purchased")
  if (found === null) return null
  const { left: _left, ...known } = found
  const variant = nextVariant(found.campaign.chosenVariants, lead.variants, lead.stepsSent)
  const message = insertClaim(tables, found, {
    messageId: options.nextMessageId(),
    nowMillis: options.nowMillis,
    variant
  })
  return { message, ...known }
}

export const nextOfOwn = (tables: Tables, options: OwnCandidateOptions): Option.Option<OwnCandidate> => {
  const { mailboxId, workspaceId } = options
  const due = tables.leads
    .filter((lead) => lead.workspaceId === workspaceId && lead.mailboxId === mailboxId)
    .sort(byDue)
  for (const lead of due) {
    const found = lookAt(tables, lead, options, "own")
    if (found !== null) return Option.some(found)
  }
  return Option.none()
}

export const claimOne = (tables: Tables, options: ClaimOneOptions, hostNowMillis: number): boolean => {
  const { campaignLeadId, hostId, mailboxId, messageId, nowMillis, stepIndex, variant, workspaceId } = options
  const hold = tables.ownMailboxes.get(keyOf(workspaceId, mailboxId))?.hold
  if (hold?.hostId !== hostId || hold.untilMillis <= hostNowMillis) return false
  const lead = tables.leads.get(keyOf(workspaceId, campaignLeadId))
  if (lead === undefined || lead.mailboxId !== mailboxId || lead.stepsSent !== stepIndex) return false
  const found = lookAt(tables, lead, options, "own")
  if (found === null) return false
  insertClaim(tables, found, { messageId, nowMillis, variant })
  return true
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
  const ofWorkspaces = Arr.groupBy(due, (lead) => lead.workspaceId)
  const claimed: Array<ClaimedMessage> = []
  for (const lead of byTurns(Object.values(ofWorkspaces))) {
    if (claimed.length >= options.limit) break
    const one = claim(tables, lead, options)
    if (one !== null) claimed.push(one)
  }
  return claimed
}

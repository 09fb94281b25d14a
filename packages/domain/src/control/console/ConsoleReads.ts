import type { LeftOutReads } from "../../outreach/campaigns/recipients/leftOut.js"
import { Context, type Option } from "effect"
import type { ApprovalSummary } from "../../calls/approvals/ApprovalStore.js"
import type { Campaign, CampaignLead } from "../../outreach/campaigns/CampaignStore.js"
import type { CampaignState } from "../../outreach/campaigns/CampaignMachine.js"
import type { LeadState } from "../../outreach/campaigns/LeadMachine.js"
import type { PeriodReads } from "./Periods.js"
import type { Conversation } from "./Conversation.js"
import type { LedgerKind } from "../../calls/credits/CreditStore.js"
import type { Credits } from "../../kernel/money/Credits.js"
import type { OperationItem } from "../../outreach/operations/OperationStore.js"
import type { OperationStatus } from "../../outreach/operations/OperationMachine.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { Classification } from "../../outreach/meaning/Classification.js"
import type { MailboxState } from "../../outreach/sending/MailboxMachine.js"
import type { Mailbox } from "../../outreach/sending/SendingStore.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"

/** The last row of the previous page. */
export interface After {
  readonly atMillis: number
  readonly id: string
}

/** One page: up to `limit` rows after a given row. */
export interface Part {
  readonly after: After | null
  readonly limit: number
}

/** How far open replies are counted. */
export const OPEN_REPLIES_MAX = 100

/** The counts at the top of every page. */
export interface Standing {
  /** Pending approvals that have not expired. */
  readonly approvalsPending: number
  /** Replies that people wrote, that ask for something and that nobody has handled, at most `OPEN_REPLIES_MAX`. */
  readonly repliesOpen: number
  /** Undecided change requests. */
  readonly changeRequestsOpen: number
  /** Open alerts among the newest `OPEN_ALERTS_MAX`. */
  readonly alertsOpen: number
  readonly suspendedAtMillis: number | null
}

/** A campaign in a list. */
export interface CampaignLine extends Pick<
  Campaign,
  "campaignId" | "name" | "state" | "pauseReason" | "createdAtMillis" | "launchedAtMillis"
> {
  readonly leads: number
  /** Leads that were sent at least one message. */
  readonly contacted: number
  /** Messages that left. */
  readonly sent: number
  /** Leads in these states. */
  readonly replied: number
  readonly bounced: number
  readonly unsubscribed: number
}

/** The most replies that are counted by class. */
export const REPLIES_COUNTED_MAX = 10_000

export interface ClassCount {
  /** Null: not read yet. */
  readonly classification: Classification | null
  readonly count: number
}

/** Which campaigns a list shows. */
export interface CampaignFilter {
  readonly state: CampaignState | null
  /** Created at this time or later. */
  readonly sinceMillis: number | null
}

export const EVERY_CAMPAIGN: CampaignFilter = { state: null, sinceMillis: null }

/** What became of one step's messages, and of the people for whom it was the last one they were sent. */
export interface StepCounts {
  readonly stepIndex: number
  /** Null: the step has one wording. */
  readonly variant: number | null
  readonly sent: number
  readonly claimed: number
  readonly failed: number
  readonly unknown: number
  readonly replied: number
  /** Of those who replied, who want to go on: by their status if somebody set one, otherwise by what they wrote. */
  readonly interested: number
  /** Of those who replied, with whom a meeting was booked, or more, by their status. */
  readonly meetings: number
  readonly bounced: number
  readonly unsubscribed: number
}

/** What became of a campaign on one day. People count once, by the state they are in. */
export interface CampaignDay {
  /** The midnight (UTC) that began the day. */
  readonly dayMillis: number
  /** Messages that left. */
  readonly sent: number
  /** People who replied, on the day of their first answer. */
  readonly replied: number
  /** People whose address bounced, on the day of the last notice. */
  readonly bounced: number
}

/** A mailbox that writes to people of a campaign. */
export interface WritingMailbox {
  readonly mailboxId: string
  readonly address: string
  readonly state: MailboxState
  /** Messages that left from it for this campaign. */
  readonly sent: number
}

export interface CampaignView {
  readonly campaign: Campaign
  /** Omits states with no leads. */
  readonly leads: Readonly<Partial<Record<LeadState, number>>>
  /** By step and variant. Omits those with no messages. */
  readonly steps: ReadonlyArray<StepCounts>
  /** By address. */
  readonly mailboxes: ReadonlyArray<WritingMailbox>
  /** Leads that may still be emailed and have a step left. */
  readonly waiting: {
    /** Covered by an executed approval. */
    readonly covered: number
    /** Not covered by an approval yet. */
    readonly uncovered: number
    /** Covered, but their mailbox is not active. */
    readonly withoutMailbox: number
    /** When the first covered lead falls due. */
    readonly nextAtMillis: number | null
  }
  /** Their own hours (null: the campaign's), each with how many have them and when the first who is covered falls due. */
  readonly hours: ReadonlyArray<{
    readonly hours: string | null
    readonly people: number
    readonly nextAtMillis: number | null
  }>
}

/** A lead in a list. */
export interface LeadLine extends Pick<
  CampaignLead,
  | "campaignLeadId"
  | "email"
  | "addressHash"
  | "companyName"
  | "state"
  | "interestStatus"
  | "approvalId"
  | "mailboxId"
  | "hours"
  | "stepsSent"
  | "nextAtMillis"
  | "origin"
> {
  readonly name: string | null
  /** Of the last message that they were sent. */
  readonly variant: number | null
  readonly lastSentAtMillis: number | null
}

/** Which leads of a campaign a list shows. */
export interface LeadFilter {
  /** A part of the address, name, company or a custom value, in either case. */
  readonly text: string | null
  /** The whole address. */
  readonly email?: string
  readonly state: LeadState | null
  /** The last id of the previous page. */
  readonly after: string | null
  readonly limit: number
}

/** Everything that decides whether the workspace can send today. */
export interface SendingView {
  readonly kind: WorkspaceKind
  readonly postalAddress: string | null
  readonly suspendedAtMillis: number | null
  readonly suspendedReason: string | null
  readonly dailySends: number
  readonly mailboxDailySends: number
  /** Messages claimed since midnight (UTC) that did not fail: what the caps count. */
  readonly sendsToday: number
  readonly mailboxes: Readonly<Record<MailboxState, number>>
  /** Active mailboxes below their own cap; a new mailbox has a lower cap. */
  readonly mailboxesWithRoom: number
  /** The workspace's CRM was last read too long ago to say whom it keeps out. */
  readonly isCrmUnread: boolean
}

export interface MailboxLine extends Omit<Mailbox, "workspaceId" | "operationId"> {
  readonly sendsToday: number
}

/** What became of the messages that a mailbox sent. */
export interface MailboxRecord {
  readonly mailboxId: string
  readonly sent: number
  /** Messages that their lead answered next. */
  readonly replied: number
  /** Addresses that proved not to exist. */
  readonly bounced: number
  readonly complained: number
}

export interface OperationLine {
  readonly operationId: string
  readonly kind: string
  readonly status: OperationStatus
  /** Of the purchase of sending capacity. */
  readonly brand: string | null
  readonly items: ReadonlyArray<OperationItem>
  /** Of a list: its rows. Null: it is no list. */
  readonly rows: { readonly ended: number; readonly failed: number; readonly total: number } | null
  readonly error: string | null
  readonly createdAtMillis: number
  readonly finishedAtMillis: number | null
}

export interface DayUsage {
  /** The midnight (UTC) that began the day. */
  readonly dayMillis: number
  readonly calls: number
  readonly charged: Credits
}

export interface KeyUsageLine {
  readonly keyId: string
  readonly name: string
  readonly prefix: string
  readonly calls: number
  readonly charged: Credits
}

export interface LedgerLine {
  readonly entryId: string
  readonly kind: LedgerKind
  /** Signed micro-credits. */
  readonly micros: bigint
  readonly atMillis: number
  readonly requestId: string | null
  /** The verb of the call that was charged or refunded. */
  readonly verb: string | null
  /** The key that the call was made with. */
  readonly key: { readonly keyId: string; readonly name: string } | null
  /** The address of the person who approved the purchase, or who started the list. */
  readonly person: string | null
}

/** Which entries of the ledger are shown. */
export interface LedgerFilter {
  /** The midnight (UTC) that began the day. */
  readonly dayMillis: number | null
  readonly keyId: string | null
  readonly verb: string | null
  readonly requestId: string | null
  /** Of calls about its people, as a campaign's outcomes count them. */
  readonly campaignId: string | null
}

export const EVERY_ENTRY: LedgerFilter = {
  dayMillis: null,
  keyId: null,
  verb: null,
  requestId: null,
  campaignId: null
}

/** The last entry of the previous page. */
export interface LedgerAfter {
  readonly entryId: string
  readonly kind: LedgerKind
}

/** What the calls of a key to a verb cost on one day. */
export interface DayKeyUsage extends KeyUsageLine {
  readonly verb: string
}

/** Most leads that a search returns. */
export const PEOPLE_FOUND_MAX = 50

type PartReads = LeftOutReads & PeriodReads

/**
 * What the console's pages and the reading verbs show. A page takes a fixed number of reads, however long its list. Every read covers one
 * workspace; another workspace's ids find nothing. Lists are newest first and continue after the last row of the
 * previous page.
 */
export class ConsoleReads extends Context.Service<
  ConsoleReads,
  PartReads & {
    readonly standing: (workspaceId: string, nowMillis: number) => FromStore<Standing>
    readonly approvals: (
      workspaceId: string,
      which: "pending" | "closed",
      part: Part
    ) => FromStore<ReadonlyArray<ApprovalSummary>>
    /** Those of these approvals that the person has approved. */
    readonly approvedBy: (
      workspaceId: string,
      userId: string,
      approvalIds: ReadonlyArray<string>
    ) => FromStore<ReadonlyArray<string>>
    /** How many of the newest `REPLIES_COUNTED_MAX` replies are of each class; of one campaign, if it is named. */
    readonly repliesByClass: (workspaceId: string, campaignId: string | null) => FromStore<ReadonlyArray<ClassCount>>
    /** The newest earlier request for the same thing. */
    readonly earlierApproval: (workspaceId: string, approvalId: string) => FromStore<Option.Option<ApprovalSummary>>
    readonly campaigns: (
      workspaceId: string,
      part: Part,
      filter: CampaignFilter
    ) => FromStore<ReadonlyArray<CampaignLine>>
    readonly campaign: (workspaceId: string, campaignId: string) => FromStore<Option.Option<CampaignView>>
    /**
     * The newest `limit` days on which anything became of the campaign, newest first. Who replied or bounced without a
     * notice that is kept counts on the day of the last message to them.
     */
    readonly campaignDays: (
      workspaceId: string,
      campaignId: string,
      limit: number
    ) => FromStore<ReadonlyArray<CampaignDay>>
    /** Names of these campaigns and of the newest ones, newest first. Ids of other workspaces are left out. */
    readonly campaignNames: (
      workspaceId: string,
      campaignIds: ReadonlyArray<string>,
      newest: number
    ) => FromStore<ReadonlyArray<{ readonly campaignId: string; readonly name: string }>>
    /** Leads of a campaign in order of arrival. */
    readonly leads: (workspaceId: string, campaignId: string, which: LeadFilter) => FromStore<ReadonlyArray<LeadLine>>
    /** `dayStartMillis`: the midnight (UTC) that began the day of `nowMillis`. */
    readonly sending: (workspaceId: string, dayStartMillis: number, nowMillis: number) => FromStore<SendingView>
    /** By id, oldest first. `after`: the last id of the previous page. */
    readonly mailboxes: (
      workspaceId: string,
      dayStartMillis: number,
      after: string | null,
      limit: number,
      state?: MailboxState | null
    ) => FromStore<ReadonlyArray<MailboxLine>>
    /** Of messages sent since then. Mailboxes that sent none are left out. */
    readonly mailboxRecords: (workspaceId: string, sinceMillis: number) => FromStore<ReadonlyArray<MailboxRecord>>
    readonly operations: (workspaceId: string, part: Part) => FromStore<ReadonlyArray<OperationLine>>
    readonly operation: (workspaceId: string, operationId: string) => FromStore<Option.Option<OperationLine>>
    readonly conversation: (workspaceId: string, campaignLeadId: string) => FromStore<Option.Option<Conversation>>
    /** Days with usage, oldest first, since the midnight `fromDayMillis`. Includes upkeep. */
    readonly usageByDay: (workspaceId: string, fromDayMillis: number) => FromStore<ReadonlyArray<DayUsage>>
    /**
     * Finished calls in mode `act` since the start of a day (UTC), by key. The `limit` most expensive keys, most
     * expensive first; keys without calls are left out.
     */
    readonly usageByKey: (
      workspaceId: string,
      fromDayMillis: number,
      limit: number
    ) => FromStore<ReadonlyArray<KeyUsageLine>>
    /** Of one day (UTC), by key and verb, as `usageByKey`. */
    readonly usageOfDay: (
      workspaceId: string,
      dayMillis: number,
      limit: number
    ) => FromStore<ReadonlyArray<DayKeyUsage>>
    /** The key of each of these calls, by request id. Calls that are kept no more are left out. */
    readonly keysOfCalls: (
      workspaceId: string,
      requestIds: ReadonlyArray<string>
    ) => FromStore<ReadonlyMap<string, string>>
    /** By entry. Without a day or a campaign, the entries of one key or verb are those of the last 40 days. */
    readonly ledger: (
      workspaceId: string,
      which: LedgerFilter,
      after: LedgerAfter | null,
      limit: number
    ) => FromStore<ReadonlyArray<LedgerLine>>
  }
>()("@outbound/domain/control/console/ConsoleReads") {}

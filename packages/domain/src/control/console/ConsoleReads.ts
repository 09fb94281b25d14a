import { Context, type Effect, type Option } from "effect"
import type { ApprovalSummary } from "../../calls/approvals/ApprovalStore.js"
import type { Campaign, CampaignLead } from "../../outreach/campaigns/Campaign.js"
import type { CampaignState, PauseReason } from "../../outreach/campaigns/CampaignMachine.js"
import type { LeadState } from "../../outreach/campaigns/LeadMachine.js"
import type { LedgerKind } from "../../calls/credits/CreditStore.js"
import type { Credits } from "../../kernel/money/Credits.js"
import type { OperationItem } from "../../outreach/operations/OperationStore.js"
import type { OperationStatus } from "../../outreach/operations/OperationMachine.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { SentReplyState } from "../../outreach/replies/SentReplyMachine.js"
import type { Classification } from "../../outreach/replies/ReplyStore.js"
import type { MailboxKind, MailboxPauseReason, MailboxState } from "../../outreach/sending/MailboxMachine.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"

/** The last row of the page before. */
export interface After {
  readonly atMillis: number
  readonly id: string
}

/** Which part of a list: what comes after a row, at most so many. */
export interface Part {
  readonly after: After | null
  readonly limit: number
}

/** What every page says at its top. */
export interface Standing {
  /** Approvals that wait for a decision and are not over yet. */
  readonly approvalsPending: number
  /** Loosenings that keys asked for and nobody decided on. */
  readonly changeRequestsOpen: number
  /** Alerts that are open, of the newest `OPEN_ALERTS_MAX`. */
  readonly alertsOpen: number
  readonly suspendedAtMillis: number | null
}

/** A campaign as a list shows it. */
export interface CampaignLine {
  readonly campaignId: string
  readonly name: string
  readonly state: CampaignState
  readonly pauseReason: PauseReason | null
  readonly createdAtMillis: number
  readonly launchedAtMillis: number | null
  readonly leads: number
  /** Those who were sent at least one message. */
  readonly contacted: number
  /** Those in state `replied`. */
  readonly replied: number
}

/** What became of the messages of one step. */
export interface StepCounts {
  readonly stepIndex: number
  readonly sent: number
  readonly claimed: number
  readonly failed: number
  readonly unknown: number
}

export interface CampaignView {
  readonly campaign: Campaign
  /** Only the states that some lead is in. */
  readonly leads: Readonly<Partial<Record<LeadState, number>>>
  /** Only the steps of which there is a message. */
  readonly steps: ReadonlyArray<StepCounts>
  /** Those who may still be written to and have a step left. */
  readonly waiting: {
    /** Covered by an executed approval. */
    readonly covered: number
    /** Nobody approved writing to them yet. */
    readonly uncovered: number
    /** Covered, and their mailbox is not active. */
    readonly withoutMailbox: number
    /** When the first of the covered falls due. */
    readonly nextAtMillis: number | null
  }
}

/** A person within a campaign, as a list shows them. */
export interface LeadLine {
  readonly campaignLeadId: string
  readonly email: string
  readonly name: string | null
  readonly companyName: string | null
  readonly state: LeadState
  readonly stepsSent: number
  readonly nextAtMillis: number | null
}

/** All that decides whether the workspace can send today. */
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
  /** Active ones below their own cap, which is lower while one is new. */
  readonly mailboxesWithRoom: number
}

export interface MailboxLine {
  readonly mailboxId: string
  readonly kind: MailboxKind
  readonly domain: string
  readonly address: string
  readonly displayName: string
  readonly state: MailboxState
  readonly pauseReason: MailboxPauseReason | null
  readonly createdAtMillis: number
  readonly activeAtMillis: number | null
  readonly upkeepPaidUntilMillis: number | null
  readonly sendsToday: number
}

export interface OperationLine {
  readonly operationId: string
  readonly kind: string
  readonly status: OperationStatus
  /** Of a purchase of sending capacity. */
  readonly brand: string | null
  readonly items: ReadonlyArray<OperationItem>
  readonly error: string | null
  readonly createdAtMillis: number
  readonly finishedAtMillis: number | null
}

/** The most characters of each other message that a conversation holds. */
export const CONVERSATION_TEXT_CHARS = 4_000

/** The most answers of one conversation, the newest. */
export const CONVERSATION_ANSWERS_MAX = 30

/** A message of ours in a conversation; its text is made from the campaign and the lead. */
export interface SentLine {
  readonly stepIndex: number
  readonly sentAtMillis: number
  readonly fromAddress: string
}

/** A message of theirs. Third-party text. */
export interface AnswerLine {
  readonly replyId: string
  readonly fromEmail: string
  readonly subject: string
  /** At most `CONVERSATION_TEXT_CHARS`. */
  readonly text: string
  readonly isCut: boolean
  readonly classification: Classification | null
  readonly receivedAtMillis: number
}

/** An answer of ours in a thread, by an agent and with a human's approval. */
export interface OurAnswerLine {
  readonly sentReplyId: string
  readonly fromEmail: string
  readonly subject: string
  /** At most `CONVERSATION_TEXT_CHARS`. */
  readonly text: string
  readonly isCut: boolean
  readonly state: SentReplyState
  /** When it was sent; until then when it was decided on. */
  readonly atMillis: number
}

/** All that went between a campaign and one person. */
export interface Conversation {
  readonly campaign: Campaign
  readonly lead: CampaignLead
  /** In the order of their steps. */
  readonly sent: ReadonlyArray<SentLine>
  /** Oldest first. */
  readonly answers: ReadonlyArray<AnswerLine>
  /** Oldest first. */
  readonly ours: ReadonlyArray<OurAnswerLine>
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
  /** Of the call that was charged or given back for. */
  readonly verb: string | null
}

/** The most people that a search among a campaign's leads names. */
export const PEOPLE_FOUND_MAX = 50

/**
 * What the console's pages show, read in sets: a page takes a fixed number of reads, however long its list. Every read
 * is of one workspace; another's id finds nothing. Lists run newest first and go on after the last row of the page
 * before.
 */
export class ConsoleReads extends Context.Tag("@outbound/domain/control/console/ConsoleReads")<
  ConsoleReads,
  {
    readonly standing: (workspaceId: string, nowMillis: number) => Effect.Effect<Standing, StoreUnavailable>
    readonly approvals: (
      workspaceId: string,
      which: "pending" | "closed",
      part: Part
    ) => Effect.Effect<ReadonlyArray<ApprovalSummary>, StoreUnavailable>
    /** The newest request for the same thing that was made before this one. */
    readonly earlierApproval: (
      workspaceId: string,
      approvalId: string
    ) => Effect.Effect<Option.Option<ApprovalSummary>, StoreUnavailable>
    readonly campaigns: (
      workspaceId: string,
      part: Part
    ) => Effect.Effect<ReadonlyArray<CampaignLine>, StoreUnavailable>
    readonly campaign: (
      workspaceId: string,
      campaignId: string
    ) => Effect.Effect<Option.Option<CampaignView>, StoreUnavailable>
    /** The names of these campaigns and of the newest ones, newest first; ids that are not the workspace's are left out. */
    readonly campaignNames: (
      workspaceId: string,
      campaignIds: ReadonlyArray<string>,
      newest: number
    ) => Effect.Effect<ReadonlyArray<{ readonly campaignId: string; readonly name: string }>, StoreUnavailable>
    /**
     * People of a campaign, in the order in which they came in; with `text` those whose address, name or company holds
     * it, in whatever case. `after`: the id of the last one of the page before.
     */
    readonly leads: (
      workspaceId: string,
      campaignId: string,
      which: {
        readonly text: string | null
        readonly state: LeadState | null
        readonly after: string | null
        readonly limit: number
      }
    ) => Effect.Effect<ReadonlyArray<LeadLine>, StoreUnavailable>
    /** `dayStartMillis`: the midnight (UTC) that began the day of `nowMillis`. */
    readonly sending: (
      workspaceId: string,
      dayStartMillis: number,
      nowMillis: number
    ) => Effect.Effect<SendingView, StoreUnavailable>
    /** By id, oldest first. `after`: the id of the last one of the page before. */
    readonly mailboxes: (
      workspaceId: string,
      dayStartMillis: number,
      after: string | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<MailboxLine>, StoreUnavailable>
    readonly operations: (
      workspaceId: string,
      part: Part
    ) => Effect.Effect<ReadonlyArray<OperationLine>, StoreUnavailable>
    readonly conversation: (
      workspaceId: string,
      campaignLeadId: string
    ) => Effect.Effect<Option.Option<Conversation>, StoreUnavailable>
    /** Days on which something was used, oldest first, since the midnight `fromDayMillis`; upkeep counts. */
    readonly usageByDay: (
      workspaceId: string,
      fromDayMillis: number
    ) => Effect.Effect<ReadonlyArray<DayUsage>, StoreUnavailable>
    /**
     * Finished calls in mode `act` since the beginning of a day (UTC), by the key that made them: the dearest `limit`,
     * dearest first. Keys that made none are left out.
     */
    readonly usageByKey: (
      workspaceId: string,
      fromDayMillis: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<KeyUsageLine>, StoreUnavailable>
    /** By entry. `after`: the last entry of the page before. */
    readonly ledger: (
      workspaceId: string,
      after: { readonly entryId: string; readonly kind: LedgerKind } | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<LedgerLine>, StoreUnavailable>
  }
>() {}

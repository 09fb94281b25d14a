import { Context, type Option } from "effect"
import type { Campaign, CampaignLead } from "../campaigns/CampaignStore.js"
import type { Schedule } from "../../kernel/sequences/Sequence.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { Barred } from "../suppression/SuppressionStore.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"
import type { MailboxKind, MailboxPauseReason, MailboxState } from "./MailboxMachine.js"
import type { MessageOutcome, MessageState } from "./MessageMachine.js"
import type { DeclaredUse } from "./ramp.js"
import type { RefusalCounts } from "./refusals.js"
import type { UseBook } from "./UseBook.js"

export interface Mailbox extends DeclaredUse {
  readonly workspaceId: string
  readonly mailboxId: string
  readonly kind: MailboxKind
  /** The purchase that ordered it; null for own and adopted mailboxes. */
  readonly operationId: string | null
  readonly domain: string
  readonly address: string
  readonly displayName: string
  readonly state: MailboxState
  /** Why it is paused; null in all other states. */
  readonly pauseReason: MailboxPauseReason | null
  readonly activeAtMillis: number | null
  /** Until when its upkeep is paid; null before it was first active, and for mailboxes without upkeep (not ordered). */
  readonly upkeepPaidUntilMillis: number | null
  /** An own mailbox sends nothing before this; null: no rest. */
  readonly restsUntilMillis: number | null
  readonly createdAtMillis: number
}

export type MailboxRef = Pick<Mailbox, "workspaceId" | "mailboxId">

/** One message, stored from its claim on. The claim is the permission to send it once. */
export interface Message {
  readonly workspaceId: string
  /** Also the local part of its RFC 5322 `Message-ID`. */
  readonly messageId: string
  readonly campaignId: string
  readonly campaignLeadId: string
  readonly mailboxId: string
  readonly stepIndex: number
  /** The variant of the step. Null: the step has one wording. */
  readonly variant: number | null
  readonly state: MessageState
  readonly claimedAtMillis: number
  readonly sentAtMillis: number | null
}

/** Everything to write a claimed message, read with the claim. */
export interface ClaimedMessage {
  readonly message: Message
  readonly lead: CampaignLead
  readonly campaign: Campaign
  readonly mailbox: Mailbox
  readonly workspaceKind: WorkspaceKind
  readonly postalAddress: string | null
  /** The messages already sent to this person in this campaign, oldest first. */
  readonly thread: ReadonlyArray<Pick<Message, "messageId" | "variant">>
  /** Earlier tries of this step that provably sent nothing. */
  readonly failedTries: number
}

/** The probable next recipient of an own mailbox; the claim decides. */
export interface OwnCandidate extends Omit<ClaimedMessage, "message"> {
  /** How many messages the mailbox may still send today. */
  readonly left: number
}

export interface OwnCandidateOptions {
  readonly workspaceId: string
  readonly mailboxId: string
  readonly nowMillis: number
  readonly dayStartMillis: number
  readonly contactedSinceMillis: number
}

export interface ClaimOneOptions extends OwnCandidateOptions {
  readonly campaignLeadId: string
  /** The composed step. A lead that is at another step by now is not claimed. */
  readonly stepIndex: number
  readonly variant: number | null
  readonly messageId: string
  /** The host that must hold the mailbox, by the database's clock. */
  readonly hostId: string
  /** The organisation that receives the recipient's mail. */
  readonly receiver: string
}

/** A current or next sending window. */
export interface CampaignWindow {
  readonly workspaceId: string
  readonly campaignId: string
  /** Of the campaign's people who have these hours; null: of everybody else, the campaign's own. */
  readonly hours: string | null
  readonly opensAtMillis: number
  readonly closesAtMillis: number
}

/** Where a message was handed in, and whether its sender was refused there. */
export interface Handover {
  /** The organisation that receives the recipient's mail. */
  readonly receiver: string
  readonly isRefused: boolean
}

/** A mailbox writes to nobody at this organisation until then. */
export interface ReceiverRest {
  readonly workspaceId: string
  readonly mailboxId: string
  readonly receiver: string
  readonly restsUntilMillis: number
  /** How often in succession it rested. */
  readonly times: number
  readonly status: string
  /** The server's own words (`evidenceOf`). Third-party text. */
  readonly says: string
}

/** What an organisation still takes of a mailbox. */
export interface ReceiverRoom {
  /** How many messages today. */
  readonly left: number
  /** Until when the mailbox writes to nobody there; null, or a time that is over: it does now. */
  readonly restsUntilMillis: number | null
}

/** Outcomes of a mailbox's last messages. */
export interface MailboxHealth {
  readonly sent: number
  readonly hardBounces: number
  readonly complaints: number
}

/** Most domains whose receivers are read at once. */
export const KNOWN_RECEIVERS_MAX = 50_000

export interface ClaimOptions {
  readonly nowMillis: number
  /** Today's midnight (UTC); caps count from there. */
  readonly dayStartMillis: number
  readonly limit: number
  /** Creates a message id. */
  readonly nextMessageId: () => string
  /** A person contacted by another campaign since then is skipped (`capped`). */
  readonly contactedSinceMillis: number
}

export interface DueOfOwnOptions {
  readonly hostId: string
  readonly nowMillis: number
  readonly staleBeforeMillis: number
}

/** Ids of mailboxes. */
export interface DueOfOwn {
  readonly due: ReadonlySet<string>
  readonly stale: ReadonlySet<string>
}

/**
 * Rows that several hosts change are locked in this order everywhere, so that hosts can't deadlock:
 *
 * 1. the inbox event, or a workspace's turn;
 * 2. messages;
 * 3. leads of one person or of many, by id; if several may change, all are locked at once (`lockPerson`);
 * 4. mailboxes, by workspace and id;
 * 5. a workspace's credits;
 * 6. active campaigns, by id;
 * 7. the windows of their people;
 * 8. campaigns at vendors.
 *
 * An answer that stops its company waits for the workspace's turn while it holds leads: whoever holds a turn waits for
 * nothing.
 *
 * Code that can't keep the order skips locked rows (`SKIP LOCKED`), as claims and sweeps do. A verb that begins with a
 * campaign holds one that is not active, which no one else locks, or waits for no lead. Other rows about a person are
 * written only by the holder of their leads, or for many people in one statement, by address.
 */
export class SendingStore extends Context.Service<
  SendingStore,
  {
    readonly insertMailboxes: (mailboxes: ReadonlyArray<Mailbox>) => InTx<void>
    /** Locks them by address. */
    readonly lockMailboxesOfOperation: (workspaceId: string, operationId: string) => InTx<ReadonlyArray<Mailbox>>
    /**
     * Every delivered mailbox of these addresses, in all workspaces. Other callers wait until the transaction ends, so
     * that two workspaces can't adopt the same mailbox.
     */
    readonly lockAddresses: (addresses: ReadonlyArray<string>) => InTx<ReadonlyArray<Mailbox>>
    readonly updateMailboxes: (mailboxes: ReadonlyArray<Mailbox>) => InTx<void>
    /** Every sending domain that the workspace has ordered. */
    readonly domains: (workspaceId: string) => FromStore<ReadonlyArray<string>>
    /**
     * Locks active mailboxes whose upkeep period has ended, by workspace and id, after the given one. Skips rows locked
     * by other hosts.
     */
    readonly lockUpkeepDue: (nowMillis: number, limit: number, after: MailboxRef | null) => InTx<ReadonlyArray<Mailbox>>
    readonly activeMailboxes: (workspaceId: string) => FromStore<ReadonlyArray<Mailbox>>
    readonly mailbox: (workspaceId: string, mailboxId: string) => FromStore<Option.Option<Mailbox>>
    /**
     * Claims due messages of purchased mailboxes. Locks leads, campaigns and mailboxes, reads all that decides
     * (`SendFacts`), and asks `decideSend`. A lead has at most one claim at a time, and a step at most one message that
     * may have been sent.
     */
    readonly claimDue: (options: ClaimOptions) => FromStore<ReadonlyArray<ClaimedMessage>>
    /**
     * Of the own mailboxes that a host holds: those that may have somebody to write to now, and those with unfinished
     * claims of before `staleBeforeMillis`. One look for all of them; `nextOfOwn` decides.
     */
    readonly dueOfOwn: (options: DueOfOwnOptions) => FromStore<DueOfOwn>
    /** An own mailbox's next recipient, by all checks of `claimOne` except the hold; none while it rests. */
    readonly nextOfOwn: (options: OwnCandidateOptions) => FromStore<Option.Option<OwnCandidate>>
    /**
     * Claims one message of an own mailbox after its server accepted the recipient: as `claimDue`, and the host must
     * still hold the mailbox. True: it may be sent once.
     */
    readonly claimOne: (options: ClaimOneOptions) => FromStore<boolean>
    /** Records a try that ended before its claim: nothing was sent. It counts as a try of its step. */
    readonly insertFailed: (message: Message, addressHash: string, handover: Handover | null) => InTx<void>
    /** What an organisation still takes of an own mailbox, as `claimOne` would count. */
    readonly roomAt: (options: OwnCandidateOptions, receiver: string) => FromStore<ReceiverRoom>
    /** What own mailboxes sent in the days that count for what they may send; `receiver`: also to whom. */
    readonly uses: (workspaceId: string, nowMillis: number, by: "day" | "receiver") => FromStore<UseBook>
    /** Name servers said that this organisation receives a domain's mail. */
    readonly noteReceiver: (workspaceId: string, mailDomain: string, receiver: string) => FromStore<void>
    /** Who receives the mail of which domain, as far as it is known; the newest first. */
    readonly knownReceivers: (workspaceId: string) => FromStore<ReadonlyMap<string, string>>
    /** An own mailbox's unfinished claims older than `beforeMillis`, oldest first. Not locked. */
    readonly staleClaimsOf: (
      workspaceId: string,
      mailboxId: string,
      beforeMillis: number,
      limit: number
    ) => FromStore<ReadonlyArray<Message>>
    /** Lets the mailbox rest until then. Never shortens a rest. */
    readonly restMailbox: (workspaceId: string, mailboxId: string, untilMillis: number) => InTx<void>
    /** The same of several, in the order of their ids. */
    readonly restMailboxes: (mailboxes: ReadonlyArray<MailboxRef>, untilMillis: number) => InTx<void>
    /** Since when too many of the mailbox's messages bounce: the first such time stays. Null: not too many. */
    readonly noteBounces: (workspaceId: string, mailboxId: string, sinceMillis: number | null) => InTx<void>
    readonly lockMailbox: (workspaceId: string, mailboxId: string) => InTx<Option.Option<Mailbox>>
    /** Mailboxes of the campaign's leads that are still to be emailed. */
    readonly mailboxesOfCampaign: (workspaceId: string, campaignId: string) => FromStore<ReadonlyArray<Mailbox>>
    /** Locks mailboxes that are paused for unpaid upkeep, in the same order. */
    readonly lockUpkeepPaused: (limit: number, after: MailboxRef | null) => InTx<ReadonlyArray<Mailbox>>
    /** Sets sending windows. The campaigns' own come before those of their people. */
    readonly setWindows: (windows: ReadonlyArray<CampaignWindow>) => InTx<void>
    /** Locks windows of active campaigns that have closed. Skips rows locked by other hosts. */
    readonly lockClosedWindows: (
      nowMillis: number,
      limit: number
    ) => InTx<
      ReadonlyArray<Pick<CampaignWindow, "workspaceId" | "campaignId" | "hours"> & { readonly schedule: Schedule }>
    >
    /** Refusals of the mailbox since then, and those by one organisation since its own rest ended. */
    readonly refusals: (
      workspaceId: string,
      mailboxId: string,
      receiver: string,
      sinceMillis: number
    ) => FromStore<RefusalCounts>
    /** The organisation where a message was handed in; none: unknown. */
    readonly receiverOf: (workspaceId: string, messageId: string) => FromStore<Option.Option<string>>
    /** The mailbox's newest rest at this organisation, which may be over. */
    readonly receiverRest: (
      workspaceId: string,
      mailboxId: string,
      receiver: string
    ) => FromStore<Option.Option<ReceiverRest>>
    readonly setReceiverRest: (rest: ReceiverRest) => InTx<void>
    /** Puts off the mailbox's due leads of one domain. Skips leads that others lock. */
    readonly putOff: (mailbox: MailboxRef, domain: string, untilMillis: number, limit: number) => FromStore<void>
    /** Records a message's outcome. A complaint outweighs a bounce, and both outweigh a refusal. */
    readonly setOutcome: (workspaceId: string, messageId: string, outcome: MessageOutcome) => InTx<void>
    /** How many bounces this person has caused in all campaigns of the workspace. */
    readonly bouncesOf: (workspaceId: string, addressHash: string) => FromStore<number>
    /** Health over the mailbox's last `last` messages. A person who reports several of them counts once. */
    readonly health: (workspaceId: string, mailboxId: string, last: number) => FromStore<MailboxHealth>
    /** How many messages of the campaign are claimed and unfinished: a mail server may have them. */
    readonly inFlight: (workspaceId: string, campaignId: string) => FromStore<number>
    /** How many messages of the campaign left, or may have left, to each company since then, where rules hold for it. */
    readonly sentToCompanies: (
      workspaceId: string,
      campaignId: string,
      sinceMillis: number
    ) => FromStore<ReadonlyMap<string, number>>
    /**
     * Of due leads whom another campaign wrote to since then, in workspaces where they wait: puts the next message off until
     * so long after the last one. Returns how many.
     */
    readonly putOffContacted: (nowMillis: number, contactedSinceMillis: number, limit: number) => InTx<number>
    /** Locks due leads whom the campaign may never email any more, so that they are removed. */
    readonly lockForbiddenDue: (
      nowMillis: number,
      contactedSinceMillis: number,
      limit: number
    ) => InTx<
      ReadonlyArray<{
        readonly lead: CampaignLead
        readonly reason: Barred | "company_answered"
      }>
    >
    readonly lockMessage: (workspaceId: string, messageId: string) => InTx<Option.Option<Message>>
    /**
     * Writes the message's end, and where it was handed in. `sent` also adds to the contact history and counts towards
     * the caps.
     */
    readonly endMessage: (message: Message, addressHash: string, handover: Handover | null) => InTx<void>
    /**
     * Locks unfinished claims whose host died or lost the answer: of purchased mailboxes older than `beforeMillis`; of
     * own ones, which their host looks up first, older than `ownBeforeMillis`.
     */
    readonly lockStaleClaims: (
      beforeMillis: number,
      ownBeforeMillis: number,
      limit: number
    ) => InTx<ReadonlyArray<Message>>
    /** Locks leads whose last step was sent and whose wait for a reply is over. */
    readonly lockWaitedOut: (nowMillis: number, limit: number) => InTx<ReadonlyArray<CampaignLead>>
  }
>()("@outbound/domain/outreach/sending/SendingStore") {}

import { Context, type Effect, type Option } from "effect"
import type { Campaign, CampaignLead } from "../campaigns/Campaign.js"
import type { Schedule } from "../../kernel/sequences/Sequence.js"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"
import type { MailboxKind, MailboxPauseReason, MailboxState } from "./MailboxMachine.js"
import type { MessageState } from "./MessageMachine.js"

export interface Mailbox {
  readonly workspaceId: string
  readonly mailboxId: string
  readonly kind: MailboxKind
  /** The purchase that ordered it; null where nothing did: for an own mailbox, and one taken over at the vendor. */
  readonly operationId: string | null
  readonly domain: string
  readonly address: string
  readonly displayName: string
  readonly state: MailboxState
  /** Why it is paused; null in every other state. */
  readonly pauseReason: MailboxPauseReason | null
  readonly activeAtMillis: number | null
  /** Up to when its upkeep is paid; null before it was ever active, and where nothing ordered it: then it costs none. */
  readonly upkeepPaidUntilMillis: number | null
  /** Nothing is claimed for an own mailbox before this; null: it need not rest. */
  readonly restsUntilMillis: number | null
  /** Its age decides how much it may send while it is new. */
  readonly createdAtMillis: number
}

export type MailboxRef = Pick<Mailbox, "workspaceId" | "mailboxId">

/** One message, from the moment it was claimed. Its claim is the permission to send it, once. */
export interface Message {
  readonly workspaceId: string
  /** Also the local part of its RFC 5322 `Message-ID`. */
  readonly messageId: string
  readonly campaignId: string
  readonly campaignLeadId: string
  readonly mailboxId: string
  readonly stepIndex: number
  readonly state: MessageState
  readonly claimedAtMillis: number
  readonly sentAtMillis: number | null
}

/** What is needed to write a claimed message, read with the claim. */
export interface ClaimedMessage {
  readonly message: Message
  readonly lead: CampaignLead
  readonly campaign: Campaign
  readonly mailbox: Mailbox
  readonly workspaceKind: WorkspaceKind
  readonly postalAddress: string | null
  /** Message ids already sent to this person in this campaign, oldest first. */
  readonly thread: ReadonlyArray<string>
  /** How often this step was tried before, and provably did not leave. */
  readonly failedTries: number
}

/** A person whom an own mailbox writes to next, as far as could be seen: the claim decides. */
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
  /** What the mailbox may send on a day while it is new; null: the workspace's cap alone holds. */
  readonly rampCap: number | null
}

export interface ClaimOneOptions extends OwnCandidateOptions {
  readonly campaignLeadId: string
  /** The step that was composed: a lead that stands elsewhere by now is not claimed. */
  readonly stepIndex: number
  readonly messageId: string
  /** Who must hold the mailbox, by the database's clock. */
  readonly hostId: string
}

/** A campaign's sending window: the one that is open, or that comes next. */
export interface CampaignWindow {
  readonly workspaceId: string
  readonly campaignId: string
  readonly opensAtMillis: number
  readonly closesAtMillis: number
}

/** What a message brought upon its mailbox. */
export const MESSAGE_OUTCOMES = ["hard_bounce", "complaint"] as const
export type MessageOutcome = (typeof MESSAGE_OUTCOMES)[number]

/** What became of the last messages of a mailbox. */
export interface MailboxHealth {
  readonly sent: number
  readonly hardBounces: number
  readonly complaints: number
}

export interface ClaimOptions {
  readonly nowMillis: number
  /** Midnight UTC of today: the caps count from there. */
  readonly dayStartMillis: number
  readonly limit: number
  /** Makes the message's id. */
  readonly nextMessageId: () => string
  /** A person contacted by another campaign since then is left alone (`capped`). */
  readonly contactedSinceMillis: number
}

/**
 * Rows that several hosts change are locked in one order everywhere, so that no two of them wait for each other:
 *
 * 1. the event of the inbox, or a workspace's turn;
 * 2. messages;
 * 3. leads: of one person or of many, by id; where more than one may be changed, all are locked at once (`lockPerson`);
 * 4. mailboxes, by workspace and id;
 * 5. a workspace's credits;
 * 6. active campaigns, by id;
 * 7. what stands of campaigns at vendors.
 *
 * Who can't keep to it passes over what others hold (`SKIP LOCKED`), as claims and sweeps do. A verb that begins with a
 * campaign holds one that is not active, which nobody else locks, or waits for no lead. What else is written of a person
 * is written by whoever holds their leads, or of many people in one statement, by address.
 */
export class SendingStore extends Context.Tag("@outbound/domain/outreach/sending/SendingStore")<
  SendingStore,
  {
    readonly insertMailboxes: (mailboxes: ReadonlyArray<Mailbox>) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Locked, by address. */
    readonly lockMailboxesOfOperation: (
      workspaceId: string,
      operationId: string
    ) => Effect.Effect<ReadonlyArray<Mailbox>, StoreUnavailable, Tx>
    /**
     * Every mailbox of these addresses, of all workspaces, but those that never came to be. Until the transaction ends
     * nobody else who asks is answered, so that two can't take over the same.
     */
    readonly lockAddresses: (
      addresses: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Mailbox>, StoreUnavailable, Tx>
    readonly updateMailboxes: (mailboxes: ReadonlyArray<Mailbox>) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Every sending domain that the workspace ever ordered. */
    readonly domains: (workspaceId: string) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /**
     * Locks active mailboxes whose upkeep is paid up to now at the latest, by workspace and id, after one of them where
     * that is given, skipping those others hold.
     */
    readonly lockUpkeepDue: (
      nowMillis: number,
      limit: number,
      after: MailboxRef | null
    ) => Effect.Effect<ReadonlyArray<Mailbox>, StoreUnavailable, Tx>
    readonly activeMailboxes: (workspaceId: string) => Effect.Effect<ReadonlyArray<Mailbox>, StoreUnavailable>
    readonly mailbox: (
      workspaceId: string,
      mailboxId: string
    ) => Effect.Effect<Option.Option<Mailbox>, StoreUnavailable>
    /**
     * Claims due messages of purchased mailboxes, in one statement that checks all that could forbid them: workspace
     * not suspended (its sending row is held shared), campaign active and its window open, lead due and covered by an
     * executed approval, not suppressed, not contacted by another campaign lately, nothing from them waiting in the
     * inbox, mailbox active, daily caps of mailbox and workspace. A lead has at most one claim at a time, and a step at
     * most one message that may have left.
     */
    readonly claimDue: (options: ClaimOptions) => Effect.Effect<ReadonlyArray<ClaimedMessage>, StoreUnavailable>
    /** Whom an own mailbox writes to next, by all that `claimOne` checks but the hold; none while it rests. */
    readonly nextOfOwn: (options: OwnCandidateOptions) => Effect.Effect<Option.Option<OwnCandidate>, StoreUnavailable>
    /**
     * Claims one message of an own mailbox, for a server that has accepted its recipient: checks all that `claimDue`
     * does, and that the host still holds the mailbox, which need not rest and has not reached its ramp's cap. True: it
     * may be sent, once.
     */
    readonly claimOne: (options: ClaimOneOptions) => Effect.Effect<boolean, StoreUnavailable>
    /** Records a try that ended before its claim: the message never left. It counts for the tries of its step. */
    readonly insertFailed: (message: Message, addressHash: string) => Effect.Effect<void, StoreUnavailable, Tx>
    /** An own mailbox's claims older than `beforeMillis` that nobody ended, oldest first. Not locked. */
    readonly staleClaimsOf: (
      workspaceId: string,
      mailboxId: string,
      beforeMillis: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /** The mailbox claims nothing before then. Never shortens a rest. */
    readonly restMailbox: (
      workspaceId: string,
      mailboxId: string,
      untilMillis: number
    ) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly lockMailbox: (
      workspaceId: string,
      mailboxId: string
    ) => Effect.Effect<Option.Option<Mailbox>, StoreUnavailable, Tx>
    /** The mailboxes that write to people of the campaign who are still to be written to. */
    readonly mailboxesOfCampaign: (
      workspaceId: string,
      campaignId: string
    ) => Effect.Effect<ReadonlyArray<Mailbox>, StoreUnavailable>
    /** Locks mailboxes that are paused for their upkeep, in the same order. */
    readonly lockUpkeepPaused: (
      limit: number,
      after: MailboxRef | null
    ) => Effect.Effect<ReadonlyArray<Mailbox>, StoreUnavailable, Tx>
    /** From now on the campaigns send within these windows. */
    readonly setWindows: (windows: ReadonlyArray<CampaignWindow>) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Locks active campaigns whose window has closed, skipping those others hold. */
    readonly lockClosedWindows: (
      nowMillis: number,
      limit: number
    ) => Effect.Effect<
      ReadonlyArray<{ readonly workspaceId: string; readonly campaignId: string; readonly schedule: Schedule }>,
      StoreUnavailable,
      Tx
    >
    /** What a message came to. A complaint outweighs a bounce. */
    readonly setOutcome: (
      workspaceId: string,
      messageId: string,
      outcome: MessageOutcome
    ) => Effect.Effect<void, StoreUnavailable, Tx>
    /** How many bounces have come back from this person, in all campaigns of the workspace. */
    readonly bouncesOf: (workspaceId: string, addressHash: string) => Effect.Effect<number, StoreUnavailable>
    /** Of the last `last` messages that the mailbox sent. */
    readonly health: (
      workspaceId: string,
      mailboxId: string,
      last: number
    ) => Effect.Effect<MailboxHealth, StoreUnavailable>
    /** Claims of leads that are suppressed or capped by now and can therefore never be sent: to be taken out. */
    readonly lockForbiddenDue: (
      nowMillis: number,
      contactedSinceMillis: number,
      limit: number
    ) => Effect.Effect<
      ReadonlyArray<{ readonly lead: CampaignLead; readonly reason: "opted_out" | "platform_blocked" | "capped" }>,
      StoreUnavailable,
      Tx
    >
    readonly lockMessage: (
      workspaceId: string,
      messageId: string
    ) => Effect.Effect<Option.Option<Message>, StoreUnavailable, Tx>
    /** Writes the message's end; `sent` also enters the contact history and counts for the caps. */
    readonly endMessage: (message: Message, addressHash: string) => Effect.Effect<void, StoreUnavailable, Tx>
    /**
     * Locks claims that nobody ended: their host died, or lost the answer. Those of purchased mailboxes older than
     * `beforeMillis`; those of own ones, which their host looks up first, older than `ownBeforeMillis`.
     */
    readonly lockStaleClaims: (
      beforeMillis: number,
      ownBeforeMillis: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable, Tx>
    /** Locks leads whose last step is sent and whose wait for an answer is over. */
    readonly lockWaitedOut: (
      nowMillis: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CampaignLead>, StoreUnavailable, Tx>
  }
>() {}

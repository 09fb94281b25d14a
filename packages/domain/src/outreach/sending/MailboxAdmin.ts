import { Context, type Effect, type Redacted } from "effect"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import type { ProbeReport } from "../mail/MailProbe.js"
import type { MailAuth, MailServer } from "../mail/MailTransport.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { TrailSource } from "../../kernel/trail/TrailEvent.js"
import type { MailboxPauseReason, MailboxState } from "./MailboxMachine.js"
import type { Vital } from "./vitals.js"

/** How many own mailboxes a workspace may have. */
export const OWN_MAILBOXES_MAX = 500

/** A mailbox that an owner puts in. */
export interface MailboxConnection {
  readonly address: string
  /** Whom its messages are from, beside the address. */
  readonly displayName: string
  readonly smtp: MailServer
  readonly imap: MailServer
  readonly username: string
  readonly auth: MailAuth
  /** The password, the access token, or the grant (`grantSecret`). */
  readonly secret: Redacted.Redacted
  /** Under which selectors its domain publishes DKIM keys. Empty: the usual ones are looked through. */
  readonly dkimSelectors: ReadonlyArray<string>
}

/** An own mailbox, without its secret. */
export interface MailboxSummary {
  readonly mailboxId: string
  readonly address: string
  readonly displayName: string
  readonly state: MailboxState
  readonly pauseReason: MailboxPauseReason | null
  readonly smtp: MailServer
  readonly imap: MailServer
  readonly username: string
  readonly auth: MailAuth
  readonly sentFolder: string | null
  readonly keepsSent: boolean
  /** How many messages in it could not be looked at, and were passed over: answers may be among them. */
  readonly skipped: number
  readonly createdAtMillis: number
}

/** Everything that adding found out, whether the mailbox was added or not. */
export interface AddReport {
  /** What was stored; null: nothing was, for the mailbox can't sign in, send or be read. */
  readonly mailbox: MailboxSummary | null
  readonly probe: Omit<ProbeReport, "secret">
  /** What its domain has in DNS. It never keeps a mailbox from being added. */
  readonly vitals: ReadonlyArray<Vital>
  /** What is wrong or missing, and how to mend it: one sentence or two each, most pressing first. */
  readonly advice: ReadonlyArray<string>
}

/** Who does it: `console` for an owner who is signed in, `system` for the operator's program. */
type By = Extract<TrailSource, "console" | "system">

type Answer<A> = Effect.Effect<A, AnyWireError | StoreUnavailable>

/**
 * What a workspace's owner, or the operator for them, does with own mailboxes. Only a live workspace has any: a test
 * list never becomes real mail. Which of its members may, the surface decides.
 */
export class MailboxAdmin extends Context.Tag("@outbound/domain/outreach/sending/MailboxAdmin")<
  MailboxAdmin,
  {
    /**
     * Tries the mailbox out, looks at its domain, and stores it where it works. A mailbox that is there already gets the
     * new connection, keeps its history and age, and goes on where its login, its owner, or an unreachable server had
     * paused it. It takes up to two minutes: the message that it sends to itself is waited for.
     */
    readonly add: (workspaceId: string, connection: MailboxConnection, by: By) => Answer<AddReport>
    /** By address. */
    readonly list: (workspaceId: string) => Answer<ReadonlyArray<MailboxSummary>>
    /** Nothing more is sent from it; what comes in is still read. Whom it writes to wait until it goes on. */
    readonly pause: (workspaceId: string, mailboxId: string, by: By) => Answer<MailboxSummary>
    /** Lets it go on, whatever it was paused for. */
    readonly resume: (workspaceId: string, mailboxId: string, by: By) => Answer<MailboxSummary>
    /**
     * Forgets its connection and secret, for good. It sends and reads no more; what it did stays in the trail. Campaigns
     * that no other mailbox writes for are paused for want of capacity.
     */
    readonly remove: (workspaceId: string, mailboxId: string, by: By) => Answer<void>
  }
>() {}

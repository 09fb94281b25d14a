import { Context } from "effect"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import type { ProbeReport } from "../mail/MailProbe.js"
import type { MailAccount } from "../mail/MailTransport.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { TrailSource } from "../../kernel/trail/TrailEvent.js"
import type { MailboxPauseReason, MailboxState } from "./MailboxMachine.js"
import type { Vital } from "./vitals.js"

/** Most own mailboxes of a workspace. */
export const OWN_MAILBOXES_MAX = 500

/** A mailbox that an owner adds. */
export interface MailboxConnection extends Pick<
  MailAccount,
  "address" | "displayName" | "smtp" | "imap" | "username" | "auth" | "secret"
> {
  /** Selectors under which its domain publishes DKIM keys. Empty: we try the common ones. */
  readonly dkimSelectors: ReadonlyArray<string>
}

/** An own mailbox, without its secret. */
export interface MailboxSummary extends Omit<MailAccount, "workspaceId" | "secret" | "keepsMessageIds" | "isSandbox"> {
  readonly state: MailboxState
  readonly pauseReason: MailboxPauseReason | null
  /** How many messages in it could not be read and were skipped; they may include replies. */
  readonly skipped: number
  readonly createdAtMillis: number
}

/** Everything that adding a mailbox found out, whether or not it was added. */
export interface AddReport {
  /** The stored mailbox; null: not stored, because it can't sign in, send or be read. */
  readonly mailbox: MailboxSummary | null
  readonly probe: Omit<ProbeReport, "secret">
  /** Its domain's DNS records. They never prevent adding a mailbox. */
  readonly vitals: ReadonlyArray<Vital>
  /** What is wrong or missing and how to fix it: one or two sentences each, most urgent first. */
  readonly advice: ReadonlyArray<string>
}

/** The actor: `console` for a signed-in owner, `system` for the operator's program. */
type By = Extract<TrailSource, "console" | "system">

type Answer<A> = FromStore<A, AnyWireError>

/**
 * Own mailboxes, managed by a workspace's owner or by the operator for them. Only live workspaces have any: a test list
 * must never become real mail. The surface checks the member's permission.
 */
export class MailboxAdmin extends Context.Tag("@outbound/domain/outreach/sending/MailboxAdmin")<
  MailboxAdmin,
  {
    /**
     * Tests the mailbox, checks its domain, and stores it if it works. An existing mailbox gets the new connection and
     * keeps its history and age. It resumes if its sign-in, its owner or an unreachable server had paused it. Takes up
     * to two minutes, because it waits for a message to itself.
     */
    readonly add: (workspaceId: string, connection: MailboxConnection, by: By) => Answer<AddReport>
    /** By address. */
    readonly list: (workspaceId: string) => Answer<ReadonlyArray<MailboxSummary>>
    /** Stops sending; incoming mail is still read. Its leads wait until it resumes. */
    readonly pause: (workspaceId: string, mailboxId: string, by: By) => Answer<MailboxSummary>
    /** Resumes it, whatever the reason of its pause. */
    readonly resume: (workspaceId: string, mailboxId: string, by: By) => Answer<MailboxSummary>
    /**
     * Permanently deletes its connection and secret. It stops sending and reading; its history stays in the trail.
     * Campaigns without another mailbox are paused for lack of capacity.
     */
    readonly remove: (workspaceId: string, mailboxId: string, by: By) => Answer<void>
  }
>() {}

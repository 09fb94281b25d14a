import { Context, type Effect, type Option } from "effect"
import type { MailAuth, MailServer } from "../mail/MailTransport.js"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"
import type { Mailbox } from "./SendingStore.js"

/** How long a host holds an own mailbox without renewing its hold, by the database's clock. */
export const HOLD_MILLIS = 30_000

/** What a mailbox rests that was just taken, or could not be read: nothing leaves it before its answers are read. */
export const UNREAD_REST_MILLIS = 15_000

/** How an own mailbox is reached, as it is stored: with its secret sealed. */
export interface OwnMailbox {
  readonly workspaceId: string
  readonly mailboxId: string
  readonly smtp: MailServer
  readonly imap: MailServer
  readonly username: string
  readonly auth: MailAuth
  /** The password, access token or grant, sealed for `mailbox_secret` and bound to this workspace and mailbox. */
  readonly sealedSecret: string
  /** The folder of sent mail, as the server names it; null where none was found. */
  readonly sentFolder: string | null
  readonly keepsSent: boolean
  readonly keepsMessageIds: boolean
}

/** An own mailbox with its connection. */
export interface ConnectedMailbox {
  readonly mailbox: Mailbox
  readonly own: OwnMailbox
  /** How many messages in it could not be looked at, and were passed over: answers may be among them. */
  readonly skipped: number
}

/** How far a folder has been read. */
export interface FolderCursor {
  /** As the server names it. */
  readonly folder: string
  /** UIDs mean something only under this; a changed one begins the folder anew. */
  readonly uidValidity: number
  readonly lastUid: number
}

export interface HoldOptions {
  /** This process, once: a host that starts again is another. */
  readonly hostId: string
  /** How many mailboxes it holds at most. */
  readonly limit: number
  /** How long the hold lasts, by the database's clock: `HOLD_MILLIS`. */
  readonly millis: number
}

/**
 * Own mailboxes: how they are reached, who works on them, and how far they are read. One host at a time sends from a
 * mailbox and reads it: the one that holds it. A host that dies lets go of its mailboxes when its holds run out.
 */
export class OwnMailboxStore extends Context.Tag("@outbound/domain/outreach/sending/OwnMailboxes")<
  OwnMailboxStore,
  {
    /** Stores how a mailbox is reached, in place of what was known before. Takes it from the host that holds it. */
    readonly put: (own: OwnMailbox) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly get: (
      workspaceId: string,
      mailboxId: string
    ) => Effect.Effect<Option.Option<ConnectedMailbox>, StoreUnavailable>
    /** Every own mailbox of the workspace that has a connection, by address. */
    readonly list: (workspaceId: string) => Effect.Effect<ReadonlyArray<ConnectedMailbox>, StoreUnavailable>
    /** Locks the workspace's own mailbox of this address, also one whose connection was removed. */
    readonly lockAddress: (
      workspaceId: string,
      address: string
    ) => Effect.Effect<Option.Option<Mailbox>, StoreUnavailable, Tx>
    /** Forgets how it is reached, its secret and its cursors. What it sent stays. */
    readonly remove: (workspaceId: string, mailboxId: string) => Effect.Effect<void, StoreUnavailable, Tx>
    /** What was last kept by `keepRenewed` since the connection was stored, sealed; null: nothing. */
    readonly renewedSecret: (workspaceId: string, mailboxId: string) => Effect.Effect<string | null, StoreUnavailable>
    /** Keeps what came in place of a part of its secret, sealed. The connection, and who holds it, stay as they are. */
    readonly keepRenewed: (
      workspaceId: string,
      mailboxId: string,
      sealedSecret: string
    ) => Effect.Effect<void, StoreUnavailable>
    /** How far each folder of it is read, by folder. */
    readonly cursors: (
      workspaceId: string,
      mailboxId: string
    ) => Effect.Effect<ReadonlyArray<FolderCursor>, StoreUnavailable>
    /**
     * Moves the cursor of a folder on, over so many `skipped` messages that could not be looked at, which are counted.
     * Under one `uidValidity` it never goes back; a changed one starts anew.
     */
    readonly moveCursor: (
      workspaceId: string,
      mailboxId: string,
      cursor: FolderCursor,
      skipped: number
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Renews this host's holds and takes free mailboxes up to its limit, those first that were free the longest. Paused
     * ones are held too, for they are read: a server for sending that lets nobody in may still be read from.
     */
    readonly hold: (options: HoldOptions) => Effect.Effect<ReadonlyArray<ConnectedMailbox>, StoreUnavailable>
    /** Which of the mailboxes the host still holds. */
    readonly holds: (
      hostId: string,
      mailboxIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Lets go of these mailboxes, as far as the host holds them: others may take them at once. */
    readonly release: (hostId: string, mailboxIds: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>
  }
>() {}

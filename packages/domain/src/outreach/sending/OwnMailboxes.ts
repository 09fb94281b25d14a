import { Context, type Option, Redacted } from "effect"
import type { FolderCursor } from "../mail/MailReader.js"
import type { MailAccount } from "../mail/MailTransport.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { Mailbox } from "./SendingStore.js"
import type { Crypto } from "../../kernel/ports/Crypto.js"

/** The provider's name in events and failures of own mailboxes. */
export const OWN_MAILBOX = "own_mailbox"

/** How long a hold lasts without renewal, by the database's clock: after a host died, others wait this long. */
export const HOLD_MILLIS = 6_000

/**
 * How long a mailbox rests when it was just taken or could not be read: it must not send before its replies are read.
 */
export const UNREAD_REST_MILLIS = 4_000

/** An own mailbox's connection as stored, with the secret sealed. */
export interface OwnMailbox extends Omit<MailAccount, "address" | "displayName" | "secret" | "isSandbox"> {
  /** The password, access token or grant, sealed for `mailbox_secret` and bound to this workspace and mailbox. */
  readonly sealedSecret: string
}

/** An own mailbox with its connection. */
export interface ConnectedMailbox {
  readonly mailbox: Mailbox
  readonly own: OwnMailbox
  /** How many messages in it could not be read and were skipped; they may include replies. */
  readonly skipped: number
}

export interface HoldOptions {
  /** Identifies this process; a restarted host is another. */
  readonly hostId: string
  /** Most mailboxes that it holds. */
  readonly limit: number
  /** How long the hold lasts, by the database's clock: `HOLD_MILLIS`. */
  readonly millis: number
}

/**
 * Own mailboxes: their connections, the hosts that hold them, and how far they are read. Only the host that holds a
 * mailbox sends from it and reads it. A dead host's holds expire.
 */
export class OwnMailboxStore extends Context.Service<
  OwnMailboxStore,
  {
    /** Stores or replaces a mailbox's connection, and ends another host's hold. */
    readonly put: (own: OwnMailbox) => InTx<void>
    readonly get: (workspaceId: string, mailboxId: string) => FromStore<Option.Option<ConnectedMailbox>>
    /** The workspace's own mailboxes that have a connection, by address. */
    readonly list: (workspaceId: string) => FromStore<ReadonlyArray<ConnectedMailbox>>
    /** Locks the workspace's own mailbox of this address, even if its connection was removed. */
    readonly lockAddress: (workspaceId: string, address: string) => InTx<Option.Option<Mailbox>>
    /** Deletes its connection, secret and cursors. Its sent messages stay. */
    readonly remove: (workspaceId: string, mailboxId: string) => InTx<void>
    /** What `keepRenewed` last stored for the current connection, sealed; null: nothing. */
    readonly renewedSecret: (workspaceId: string, mailboxId: string) => FromStore<string | null>
    /** Stores a sealed replacement for a part of its secret. The connection and the hold don't change. */
    readonly keepRenewed: (workspaceId: string, mailboxId: string, sealedSecret: string) => FromStore<void>
    /** The cursors of its folders, by folder. */
    readonly cursors: (workspaceId: string, mailboxId: string) => FromStore<ReadonlyArray<FolderCursor>>
    /**
     * Advances a folder's cursor past `skipped` unreadable messages, which are counted. Within one `uidValidity` it
     * never goes back; a changed one starts over.
     */
    readonly moveCursor: (
      workspaceId: string,
      mailboxId: string,
      cursor: FolderCursor,
      skipped: number
    ) => FromStore<void>
    /**
     * Renews this host's holds and takes free mailboxes up to its limit, those free the longest first. Paused mailboxes
     * are held too, because they are still read: a refused sign-in for sending may still allow reading.
     */
    readonly hold: (options: HoldOptions) => FromStore<ReadonlyArray<ConnectedMailbox>>
    /** Which of these mailboxes the host still holds. */
    readonly holds: (hostId: string, mailboxIds: ReadonlyArray<string>) => FromStore<ReadonlyArray<string>>
    /** Releases those of these mailboxes that the host holds; other hosts may take them at once. */
    readonly release: (hostId: string, mailboxIds: ReadonlyArray<string>) => FromStore<void>
  }
>()("@outbound/domain/outreach/sending/OwnMailboxes") {}

type Sealing = Pick<Crypto["Service"], "seal" | "open">

/** Binds a sealed secret to its mailbox. */
const boundTo = ({ mailboxId, workspaceId }: Pick<OwnMailbox, "workspaceId" | "mailboxId">): string =>
  `${workspaceId}\n${mailboxId}`

/** The account for storage, with its secret sealed. */
export const sealAccount = (crypto: Sealing, account: MailAccount): OwnMailbox => {
  const { address: _address, displayName: _displayName, secret, ...own } = account
  return { ...own, sealedSecret: crypto.seal("mailbox_secret", Redacted.value(secret), boundTo(account)) }
}

/** The account with its secret opened; null: sealed with another server secret. */
export const openAccount = (crypto: Sealing, { mailbox, own }: ConnectedMailbox): MailAccount | null => {
  const { sealedSecret, ...rest } = own
  const secret = crypto.open("mailbox_secret", sealedSecret, boundTo(own))
  return secret === null
    ? null
    : { ...rest, address: mailbox.address, displayName: mailbox.displayName, secret: Redacted.make(secret) }
}

import { Context, type Effect, type Scope } from "effect"
import type { MailContent, MailHead } from "./mail.js"

import type { MailAccount } from "./MailTransport.js"
import type { ProviderFailure } from "../../sources/ports/Source.js"

/** How far a folder has been read. */
export interface FolderCursor {
  /** The server's name of the folder. */
  readonly folder: string
  /** The validity of the UIDs; if it changes, the folder is read from the start. */
  readonly uidValidity: number
  readonly lastUid: number
}

/** A message in a folder, as its header describes it. */
export interface ArrivedMail extends MailHead {
  readonly folder: string
  readonly uidValidity: number
  readonly uid: number
  /** When it arrived, by the server's clock, in epoch milliseconds. */
  readonly arrivedAtMillis: number
  /** The size in octets that the server claims; it may be wrong. */
  readonly size: number
}

export interface Arrivals {
  /** In the order of their UIDs. */
  readonly mails: ReadonlyArray<ArrivedMail>
  /** The folder's cursor after these messages. */
  readonly cursor: FolderCursor
  /** Whether more messages follow. */
  readonly more: boolean
}

export interface ArrivalsQuery {
  readonly folder: string
  /** Where to continue. Null, or another `uidValidity`: start over at `sinceMillis`. */
  readonly cursor: FolderCursor | null
  /** Where to start without a usable cursor: approximate, up to a day early, never late. */
  readonly sinceMillis: number
  readonly limit: number
  /** UIDs of messages to skip because their headers can't be fetched. The cursor still passes them. */
  readonly without?: ReadonlyArray<number>
}

/** Why `arrivals` failed, if the folder opened but headers could not be fetched. */
export interface HeadsUnfetched {
  readonly _tag: "HeadsUnfetched"
  readonly uidValidity: number
  /** The requested messages, in order. */
  readonly uids: ReadonlyArray<number>
  readonly cause: unknown
}

/** The unfetched headers behind a failure, if that is its cause. */
export const unfetchedOf = ({ cause }: ProviderFailure): HeadsUnfetched | null =>
  typeof cause === "object" && cause !== null && "_tag" in cause && cause._tag === "HeadsUnfetched"
    ? (cause as HeadsUnfetched)
    : null

/** A signed-in connection to one mailbox. Its operations run one at a time. */
export interface MailboxSession {
  /** The folders where answers arrive: the inbox, and junk if the server names it. */
  readonly folders: ReadonlyArray<string>
  /** New messages in a folder since the last read. Read-only: nothing is marked as seen. */
  readonly arrivals: (query: ArrivalsQuery) => Effect.Effect<Arrivals, ProviderFailure>
  /** The message's content up to a size limit, its header alone if it was moved away; null: the folder was numbered anew. */
  readonly content: (mail: ArrivedMail) => Effect.Effect<MailContent | null, ProviderFailure>
  /** Takes a message out of its folder: into the bin, or for good if the server has none. False: it was gone. */
  readonly discard?: (mail: ArrivedMail) => Effect.Effect<boolean, ProviderFailure>
  /**
   * The header of the message that left under this `Message-ID`, as the folder of sent mail keeps it; null: it keeps
   * none. Absent: the server keeps our ids, or no copies of its own.
   */
  readonly sentAs?: (rfcId: string) => Effect.Effect<MailHead | null, ProviderFailure>
  /** Waits until the server reports new mail in the inbox, or for `maxMillis`. Only a hint: always look afterwards. */
  readonly waitForMail: (maxMillis: number) => Effect.Effect<void, ProviderFailure>
}

/**
 * Reads own mailboxes by IMAP (RFC 3501, RFC 2177). Failures: `account`: the server refuses this secret;
 * `rate_limited`: it wants fewer connections; `transient`: everything else. A session can't be used after a failure.
 */
export class MailReader extends Context.Service<
  MailReader,
  {
    /** Connects and signs in; the connection closes with the scope. */
    readonly session: (account: MailAccount) => Effect.Effect<MailboxSession, ProviderFailure, Scope.Scope>
    /**
     * Looks for a message of ours in the folder of sent mail, by its `Message-ID`. `found` proves that it was sent.
     * `absent` alone proves nothing. `unknowable`: there is no such folder, or the server changes ids.
     */
    readonly findInSent: (
      account: MailAccount,
      messageId: string
    ) => Effect.Effect<"found" | "absent" | "unknowable", ProviderFailure>
  }
>()("@outbound/domain/outreach/mail/MailReader") {}

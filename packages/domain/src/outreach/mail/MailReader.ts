import { Context, type Effect, type Scope } from "effect"
import type { MailContent, MailHead } from "./mail.js"
import type { FolderCursor } from "../sending/OwnMailboxes.js"
import type { MailAccount } from "./MailTransport.js"
import type { ProviderFailure } from "../../sources/ports/ProviderFailure.js"

/** A message that lies in a folder, as far as its head tells. */
export interface ArrivedMail extends MailHead {
  readonly folder: string
  readonly uidValidity: number
  readonly uid: number
  /** When it came in, by the server's clock, epoch milliseconds. */
  readonly arrivedAtMillis: number
  /** The size in octets that the server states. It need not be true. */
  readonly size: number
}

export interface Arrivals {
  /** In the order of their UIDs. */
  readonly mails: ReadonlyArray<ArrivedMail>
  /** How far the folder is read once these are. */
  readonly cursor: FolderCursor
  /** Whether more lies behind them. */
  readonly more: boolean
}

export interface ArrivalsQuery {
  readonly folder: string
  /** How far the folder is read. Null, or one of another `uidValidity`: it is begun anew, at `sinceMillis`. */
  readonly cursor: FolderCursor | null
  /** From about this time on where there is no cursor to go by: a day early rather than late. */
  readonly sinceMillis: number
  readonly limit: number
  /** The UIDs of messages that are passed over: their heads could not be had. They count for the cursor. */
  readonly without?: ReadonlyArray<number>
}

/** Why `arrivals` failed, where the folder could be looked into and the heads of its next messages could not be had. */
export interface HeadsUnfetched {
  readonly _tag: "HeadsUnfetched"
  readonly uidValidity: number
  /** The messages that were asked for, in their order. */
  readonly uids: ReadonlyArray<number>
  readonly cause: unknown
}

/** The heads behind a failure, where it was theirs. */
export const unfetchedOf = ({ cause }: ProviderFailure): HeadsUnfetched | null =>
  typeof cause === "object" && cause !== null && "_tag" in cause && cause._tag === "HeadsUnfetched"
    ? (cause as HeadsUnfetched)
    : null

/** A signed-in connection to one mailbox. Its operations run one after the other. */
export interface MailboxSession {
  /** The folders in which answers arrive: the inbox, then junk where the server names one. */
  readonly folders: ReadonlyArray<string>
  /** What has come into a folder since it was last read. Changes nothing there: nothing is marked as seen. */
  readonly arrivals: (query: ArrivalsQuery) => Effect.Effect<Arrivals, ProviderFailure>
  /** The message itself, up to a bound; null where it is gone. */
  readonly content: (mail: ArrivedMail) => Effect.Effect<MailContent | null, ProviderFailure>
  /** Waits until the server tells that something came into the inbox, or for so long. A hint: looking is what counts. */
  readonly waitForMail: (maxMillis: number) => Effect.Effect<void, ProviderFailure>
}

/**
 * Reads own mailboxes, by IMAP (RFC 3501, RFC 2177). Failures: `account`: the server lets nobody in with this secret;
 * `rate_limited`: it wants fewer connections; `transient`: everything else. A session that failed is over.
 */
export class MailReader extends Context.Tag("@outbound/domain/outreach/mail/MailReader")<
  MailReader,
  {
    /** Connects and signs in; the connection closes with the scope. */
    readonly session: (account: MailAccount) => Effect.Effect<MailboxSession, ProviderFailure, Scope.Scope>
    /**
     * Looks for a message of ours, by its `Message-ID`, in the folder of sent mail. `found` proves that it was sent.
     * `absent` proves nothing by itself. `unknowable`: there is no such folder, or the server keeps no such ids.
     */
    readonly findInSent: (
      account: MailAccount,
      messageId: string
    ) => Effect.Effect<"found" | "absent" | "unknowable", ProviderFailure>
  }
>() {}

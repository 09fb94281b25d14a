import { Context, type Option } from "effect"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { Classification } from "../meaning/Classification.js"
import type { Sides } from "./ownSide.js"
import type { Reply } from "./ReplyStore.js"

/** Finds the message that a reply without a reference may answer. */
export interface SentTo {
  readonly workspaceId: string
  /** Where the reply came in. Its own messages go first; people also write to another mailbox of the workspace. */
  readonly mailboxId: string
  /** Keyed hash of its sender's address. */
  readonly addressHash: string
  /** Earlier messages are too old to be answered. */
  readonly sinceMillis: number
  /** Later messages did not exist yet when it was written. */
  readonly untilMillis: number
}

/** An unclassified reply. */
export type OpenReply = Pick<
  Reply,
  "workspaceId" | "replyId" | "campaignId" | "campaignLeadId" | "fromEmail" | "bodyText"
>

export type OpenReplyRef = Pick<Reply, "workspaceId" | "replyId">

/** Queries for reading mail: which of our messages are answered, and which replies are unclassified. */
export class ReadingStore extends Context.Service<
  ReadingStore,
  {
    /**
     * Which of these ids belong to messages of the workspace that were or may have been sent: first messages and
     * replies in threads.
     */
    readonly ours: (workspaceId: string, messageIds: ReadonlyArray<string>) => FromStore<ReadonlyArray<string>>
    /** The newest message of the workspace to this address that was or may have been sent, from the mailbox if it sent one. */
    readonly newestTo: (sentTo: SentTo) => FromStore<Option.Option<string>>
    /** The newest message to this lead, up to then, that was or may have been sent. */
    readonly newestOfLead: (
      workspaceId: string,
      campaignLeadId: string,
      untilMillis: number
    ) => FromStore<Option.Option<string>>
    /** Of a mail from this address that answers the message; none: there is no such message. */
    readonly sides: (workspaceId: string, messageId: string, address: string) => FromStore<Option.Option<Sides>>
    /** The messages of the workspace that left under these ids, by the ids' hashes, as far as that was learned. */
    readonly leftUnder: (workspaceId: string, idHashes: ReadonlyArray<string>) => FromStore<ReadonlyMap<string, string>>
    /** Learns under which id a message left. Learned before, it stays; at most `LEARNED_MAX` of a message. */
    readonly learn: (workspaceId: string, idHash: string, messageId: string) => InTx<void>
    /** Unclassified replies of live workspaces since then, oldest first. Not locked. */
    readonly unclassified: (sinceMillis: number, limit: number) => FromStore<ReadonlyArray<OpenReplyRef>>
    /** The reply's text; none: it has been classified. */
    readonly openReply: (reply: OpenReplyRef) => FromStore<Option.Option<OpenReply>>
    /** Classifies a reply. False: it already had a classification, which stays. */
    readonly classify: (workspaceId: string, replyId: string, classification: Classification) => InTx<boolean>
  }
>()("@outbound/domain/outreach/replies/ReadingStore") {}

import { Context, type Effect, type Option } from "effect"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"
import type { Classification, Reply } from "./ReplyStore.js"

/** Whom a message may be answering, where it does not name one of ours. */
export interface SentTo {
  readonly workspaceId: string
  readonly mailboxId: string
  /** Keyed hash of the address that it is from. */
  readonly addressHash: string
  /** What was sent before is answered no more. */
  readonly sinceMillis: number
  /** What was sent later was not there yet to be answered. */
  readonly untilMillis: number
}

/** A reply that nobody has understood yet. */
export type OpenReply = Pick<
  Reply,
  "workspaceId" | "replyId" | "campaignId" | "campaignLeadId" | "fromEmail" | "bodyText"
>

export type OpenReplyRef = Pick<Reply, "workspaceId" | "replyId">

/** What reading of mail asks: which messages of ours are answered, and which answers are still to be understood. */
export class ReadingStore extends Context.Tag("@outbound/domain/outreach/replies/ReadingStore")<
  ReadingStore,
  {
    /** Of these ids those of messages that left the workspace, or may have: first messages and answers in a thread. */
    readonly ours: (
      workspaceId: string,
      messageIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** The newest message that left the mailbox for this address, or may have. */
    readonly newestTo: (sentTo: SentTo) => Effect.Effect<Option.Option<string>, StoreUnavailable>
    /** Replies of live workspaces without a classification that came in since, oldest first. Not locked. */
    readonly unclassified: (
      sinceMillis: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OpenReplyRef>, StoreUnavailable>
    /** What is to be understood of one; none where somebody has understood it by now. */
    readonly openReply: (reply: OpenReplyRef) => Effect.Effect<Option.Option<OpenReply>, StoreUnavailable>
    /** Gives a reply its classification. False: it had one by then, and keeps it. */
    readonly classify: (
      workspaceId: string,
      replyId: string,
      classification: Classification
    ) => Effect.Effect<boolean, StoreUnavailable, Tx>
  }
>() {}

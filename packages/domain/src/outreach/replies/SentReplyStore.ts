import { Context, type Effect, type Option } from "effect"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"
import type { SentReplyState } from "./SentReplyMachine.js"

/** An answer of ours, from the moment it was decided on. Kept as long as the workspace exists. */
export interface SentReply {
  readonly workspaceId: string
  /** Also the local part of its RFC 5322 `Message-ID`. */
  readonly sentReplyId: string
  /** The inbound message that it answers. */
  readonly replyId: string
  readonly campaignId: string
  readonly campaignLeadId: string
  readonly threadId: string | null
  /** The call that sends it, which is the id of its operation too. */
  readonly requestId: string
  readonly approvalId: string
  readonly mailboxId: string
  /** Keyed hash of the recipient's address. */
  readonly addressHash: string
  readonly fromEmail: string
  readonly toEmail: string
  readonly subject: string
  readonly bodyText: string
  /** Message-IDs of the thread so far, without angle brackets, oldest first. */
  readonly references: ReadonlyArray<string>
  readonly state: SentReplyState
  /** It counts for the caps of this day. */
  readonly createdAtMillis: number
  /** When the provider was about to be asked; null: it never was. */
  readonly askedAtMillis: number | null
  /** Set with `sent`. */
  readonly sentAtMillis: number | null
  /** How often the provider was asked what became of it. */
  readonly lookUps: number
}

/** What counts for the caps of a day: whatever was sent, or may have been. */
export interface RepliesOfDay {
  readonly workspace: number
  readonly mailbox: number
}

export class SentReplyStore extends Context.Tag("@outbound/domain/outreach/replies/SentReplyStore")<
  SentReplyStore,
  {
    /** The answer that stands against another to the same inbound message: any that did not fail. */
    readonly answering: (
      workspaceId: string,
      replyId: string
    ) => Effect.Effect<Option.Option<SentReply>, StoreUnavailable>
    /** The same, with the inbound message locked, so that one at a time answers it. */
    readonly lockAnswering: (
      workspaceId: string,
      replyId: string
    ) => Effect.Effect<Option.Option<SentReply>, StoreUnavailable, Tx>
    /** Since that midnight (UTC). `mailboxId` null: of no mailbox. */
    readonly ofDay: (
      workspaceId: string,
      mailboxId: string | null,
      dayStartMillis: number
    ) => Effect.Effect<RepliesOfDay, StoreUnavailable>
    /** The same; whoever else counts for the workspace waits for this transaction's end. */
    readonly lockDay: (
      workspaceId: string,
      mailboxId: string | null,
      dayStartMillis: number
    ) => Effect.Effect<RepliesOfDay, StoreUnavailable, Tx>
    /** A second one to an inbound message that has one is a defect. */
    readonly insert: (sent: SentReply) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly get: (
      workspaceId: string,
      sentReplyId: string
    ) => Effect.Effect<Option.Option<SentReply>, StoreUnavailable>
    readonly ofRequest: (
      workspaceId: string,
      requestId: string
    ) => Effect.Effect<Option.Option<SentReply>, StoreUnavailable>
    readonly lock: (
      workspaceId: string,
      sentReplyId: string
    ) => Effect.Effect<Option.Option<SentReply>, StoreUnavailable, Tx>
    /** Writes its state, its times and its look-ups. */
    readonly update: (sent: SentReply) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Those to a person within their campaign that were sent or may have been, oldest first, at most `limit`. */
    readonly ofLead: (
      workspaceId: string,
      campaignLeadId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SentReply>, StoreUnavailable>
  }
>() {}

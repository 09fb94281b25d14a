import { Context, type Option } from "effect"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { SentReplyState } from "./SentReplyMachine.js"

/** A reply of ours, stored from the decision to send it. Kept as long as the workspace exists. */
export interface SentReply {
  readonly workspaceId: string
  /** Also the local part of its RFC 5322 `Message-ID`. */
  readonly sentReplyId: string
  /** The inbound message that it answers. */
  readonly replyId: string
  readonly campaignId: string
  readonly campaignLeadId: string
  readonly threadId: string | null
  /** The call that sends it; also the id of its operation. */
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
  /** It counts towards the caps of this day. */
  readonly createdAtMillis: number
  /** When we were about to ask the provider; null: never asked. */
  readonly askedAtMillis: number | null
  /** Set with `sent`. */
  readonly sentAtMillis: number | null
  /** How often we asked the provider for its outcome. */
  readonly lookUps: number
}

/** What counts towards a day's caps: every reply that was or may have been sent. */
export interface RepliesOfDay {
  readonly workspace: number
  readonly mailbox: number
}

export class SentReplyStore extends Context.Service<
  SentReplyStore,
  {
    /** The reply that prevents another one to the same inbound message: any that did not fail. */
    readonly answering: (workspaceId: string, replyId: string) => FromStore<Option.Option<SentReply>>
    /** The same with the inbound message locked, so that replies to it run one at a time. */
    readonly lockAnswering: (workspaceId: string, replyId: string) => InTx<Option.Option<SentReply>>
    /** Since that midnight (UTC). `mailboxId` null: counts no mailbox. */
    readonly ofDay: (workspaceId: string, mailboxId: string | null, dayStartMillis: number) => FromStore<RepliesOfDay>
    /** The same under a lock: other counts of the workspace wait for this transaction. */
    readonly lockDay: (workspaceId: string, mailboxId: string | null, dayStartMillis: number) => InTx<RepliesOfDay>
    /** A second reply to the same inbound message is a defect. */
    readonly insert: (sent: SentReply) => InTx<void>
    readonly get: (workspaceId: string, sentReplyId: string) => FromStore<Option.Option<SentReply>>
    readonly ofRequest: (workspaceId: string, requestId: string) => FromStore<Option.Option<SentReply>>
    readonly lock: (workspaceId: string, sentReplyId: string) => InTx<Option.Option<SentReply>>
    /** Writes its state, times and look-up count. */
    readonly update: (sent: SentReply) => InTx<void>
    /** Replies to a lead that were or may have been sent, oldest first, at most `limit`. */
    readonly ofLead: (workspaceId: string, campaignLeadId: string, limit: number) => FromStore<ReadonlyArray<SentReply>>
  }
>()("@outbound/domain/outreach/replies/SentReplyStore") {}

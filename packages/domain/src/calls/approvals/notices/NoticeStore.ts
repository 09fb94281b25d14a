import { Context } from "effect"
import type { FromStore, InTx } from "../../../kernel/ports/UnitOfWork.js"
import type { WorkspaceKind } from "../../../kernel/workspaces/WorkspaceStore.js"
import type { ApprovalSummary } from "../ApprovalStore.js"
import type { NoticeState } from "./NoticeMachine.js"

/** When a notice is for: the request, or the approaching end of its time. */
export const NOTICE_KINDS = ["asked", "reminder"] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** The chat products whose incoming webhooks we speak. A workspace has at most one channel of each. */
export const CHAT_KINDS = ["slack", "teams"] as const
export type ChatKind = (typeof CHAT_KINDS)[number]

export const NOTICE_CHANNELS = ["mail", ...CHAT_KINDS] as const
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number]

/** What an approval is about, as far as members choose by it. */
export const NOTICE_TOPICS = ["launch", "purchase", "reply"] as const
export type NoticeTopic = (typeof NOTICE_TOPICS)[number]

/** What a member may turn off: letters about a topic, and reminders. */
export const MUTABLE = [...NOTICE_TOPICS, "reminder"] as const
export type Muted = (typeof MUTABLE)[number]

/**
 * Why a notice did not arrive, or may not have.
 *
 * - `status`, `redirect`, `timeout`, `unreachable`, `forbidden_address`: as of a webhook;
 * - `refused`: the mail server refused the letter; `no_mail_server`: this service has none;
 * - `sealed`: the channel's address was sealed with another server secret;
 * - `too_many`: its recipient was told of too many approvals within an hour;
 * - `interrupted`: the host died while it sent.
 */
export const NOTICE_FAILURES = [
  "status",
  "redirect",
  "timeout",
  "unreachable",
  "forbidden_address",
  "refused",
  "no_mail_server",
  "sealed",
  "too_many",
  "interrupted"
] as const
export type NoticeFailure = (typeof NOTICE_FAILURES)[number]

/** A recipient is told of at most so many approvals an hour. The rest are listed in the console only. */
export const NOTICES_PER_HOUR_MAX = 60

/** How long a recipient's next notice waits for the one being sent. Its host may have died, so it must not wait longer. */
export const TURN_MILLIS_MAX = 3_000

/** The most notices being sent to one recipient, so that a slow one does not occupy every place of a host. */
export const SENDING_MAX = 2

/** Identifies a notice. `recipient`: the member's id, or the chat channel's kind. */
export interface NoticeKey {
  readonly workspaceId: string
  readonly approvalId: string
  readonly kind: NoticeKind
  readonly recipient: string
}

/** A new approval that its approvers are to be told of. */
export interface Announcement {
  readonly workspaceId: string
  readonly approvalId: string
  readonly topic: NoticeTopic
  readonly nowMillis: number
  readonly remindAtMillis: number
}

/** A notice to send now. Everything that it says is read with the claim. */
export interface ClaimedNotice extends NoticeKey {
  readonly claimId: string
  readonly channel: NoticeChannel
  /** This one included. */
  readonly attempts: number
  /** The member's email, or the sealed address of the channel. */
  readonly address: string
  readonly of: ApprovalSummary
  readonly workspaceName: string
  readonly workspaceKind: WorkspaceKind
}

/** What became of an attempt. `dueAtMillis` counts if it waits for another one. */
export interface NoticeAttempt {
  readonly state: NoticeState
  readonly failure: NoticeFailure | null
  /** The HTTP status; null: none. */
  readonly status: number | null
  readonly atMillis: number
  readonly dueAtMillis: number
}

/** A notice as the console lists it. */
export interface ListedNotice {
  readonly kind: NoticeKind
  readonly channel: NoticeChannel
  /** The member's email; null for a chat channel, or if they have left. */
  readonly email: string | null
  readonly state: NoticeState
  readonly failure: NoticeFailure | null
  readonly status: number | null
  readonly attempts: number
  readonly dueAtMillis: number
  readonly attemptedAtMillis: number | null
}

/** A chat channel of a workspace. Its address is a secret. */
export interface ChatChannel {
  readonly workspaceId: string
  readonly kind: ChatKind
  /** Sealed for `chat_channel`, bound to the workspace and the kind. */
  readonly sealedUrl: string
  /** The host of the address, for people to recognise it by. */
  readonly host: string
  readonly setAtMillis: number
}

/** A channel and how its last notice fared; null: it had none yet. */
export interface ChannelStanding {
  readonly channel: ChatChannel
  readonly last: Pick<ListedNotice, "state" | "failure" | "status" | "attemptedAtMillis"> | null
}

/**
 * The outbox of notices, members' choices and chat channels. A notice is wanted while its approval is pending and in
 * time, its member is one who has not turned it off, or its channel is set. `claim` looks at these rows themselves, so
 * nobody who decides, supersedes, cancels or removes has to know of notices.
 */
export class NoticeStore extends Context.Service<
  NoticeStore,
  {
    /**
     * Writes the notices of a new approval, in its transaction: for each member who wants them and each channel, one for
     * now and a reminder.
     */
    readonly announce: (of: Announcement) => InTx<void>
    /**
     * Ends up to `limit` due notices that nobody wants any more, and claims that have lapsed. Returns those ended. Skips
     * rows locked by other hosts.
     */
    readonly end: (nowMillis: number, limit: number) => InTx<ReadonlyArray<NoticeKey>>
    /**
     * Claims up to `limit` due notices that are wanted, the longest due first: at most one per recipient, whose turn it
     * is (`TURN_MILLIS_MAX`, `SENDING_MAX`).
     */
    readonly claim: (options: {
      readonly claimId: string
      readonly nowMillis: number
      readonly leaseMillis: number
      readonly limit: number
    }) => InTx<ReadonlyArray<ClaimedNotice>>
    /** Records an attempt. False, without changes: the claim had lapsed. */
    readonly record: (claimed: ClaimedNotice, attempt: NoticeAttempt) => InTx<boolean>
    /** Those of an approval, requests before reminders; letters before channels. At most `limit`. */
    readonly ofApproval: (
      workspaceId: string,
      approvalId: string,
      limit: number
    ) => FromStore<ReadonlyArray<ListedNotice>>
    /** Deletes up to `limit` notices written before then. Returns how many. */
    readonly purge: (beforeMillis: number, limit: number) => InTx<number>

    /** What a member has turned off. */
    readonly muted: (workspaceId: string, userId: string) => FromStore<ReadonlyArray<Muted>>
    readonly setMuted: (workspaceId: string, userId: string, muted: ReadonlyArray<Muted>) => InTx<void>
    /** By kind. */
    readonly channels: (workspaceId: string) => FromStore<ReadonlyArray<ChannelStanding>>
    readonly setChannel: (channel: ChatChannel) => InTx<void>
    readonly removeChannel: (workspaceId: string, kind: ChatKind) => InTx<boolean>
  }
>()("@outbound/domain/calls/approvals/notices/NoticeStore") {}

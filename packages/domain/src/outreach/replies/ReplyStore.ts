import { Context, type Option } from "effect"
import type { InboundEvent } from "../mail/Inbound.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { Classification } from "../meaning/Classification.js"
import type { LeadState, ProviderSyncStatus } from "../campaigns/LeadMachine.js"
import type { InterestStatus } from "../../kernel/sequences/Sequence.js"

export const SNIPPET_CHARS_MAX = 200

/** How long an unreadable inbox event is left alone. Another release of this program may read it. */
export const SET_ASIDE_MILLIS = 10 * 60_000

/** A message from a recipient's side, kept as long as the workspace exists. Third-party text. */
export interface Reply {
  readonly workspaceId: string
  readonly replyId: string
  readonly campaignId: string
  readonly campaignLeadId: string
  /** The same for all replies of one conversation. */
  readonly threadId: string | null
  readonly fromEmail: string
  readonly toEmail: string | null
  readonly subject: string
  readonly snippet: string
  readonly bodyText: string
  readonly bodyHtml: string | null
  readonly bodyTruncated: boolean
  readonly classification: Classification | null
  /** Its own RFC 5322 `Message-ID` without angle brackets; null: the provider did not give it. */
  readonly messageId: string | null
  /** The `Message-ID` of our message that it answers, without angle brackets. */
  readonly inReplyTo: string | null
  readonly receivedAtMillis: number
}

/** What a person said to the colleague whom a reply names: to write to them, or not. */
export const REFERRAL_STATES = ["open", "approved", "declined"] as const
export type ReferralState = (typeof REFERRAL_STATES)[number]

/** How far people are with a reply, in the console. Agents neither see nor need it. */
export interface Handling {
  readonly readAtMillis: number | null
  /** When it was answered, or a person said that nothing is left to do. */
  readonly handledAtMillis: number | null
  /** The member who takes care of it. */
  readonly ownerUserId: string | null
  /** Null: it names nobody to write to instead. */
  readonly referral: ReferralState | null
}

export const NOT_HANDLED: Handling = { readAtMillis: null, handledAtMillis: null, ownerUserId: null, referral: null }

/** A search looks through the newest replies of these many. */
export const REPLIES_SEARCHED_MAX = 20_000

export interface ReplyFilter {
  readonly workspaceId: string
  readonly sinceMillis: number | null
  readonly campaignId: string | null
  /** `people`: all but what programs write; null: every reply. */
  readonly classification: Classification | "people" | null
  /** A part of the sender, the subject or the first words, in either case, among the newest `REPLIES_SEARCHED_MAX`. */
  readonly text?: string
  /** Only those that nobody has handled. */
  readonly isOpen?: true
  readonly ownerUserId?: string
  /** Only those that name somebody to write to instead; `open`: and nobody has decided on that. */
  readonly referral?: "open" | "any"
  readonly limit: number
  readonly after: { readonly receivedAtMillis: number; readonly replyId: string } | null
}

export interface ReplyWithLead {
  readonly reply: Reply
  readonly lead: {
    readonly campaignLeadId: string
    /** Keyed hash of their address. */
    readonly addressHash: string
    /** Empty once it is erased. */
    readonly email: string
    readonly state: LeadState
    readonly interestStatus: InterestStatus | null
    readonly providerSyncStatus: ProviderSyncStatus | null
  }
}

export class ReplyStore extends Context.Service<
  ReplyStore,
  {
    readonly insert: (reply: Reply) => InTx<void>
    /** Newest first by `receivedAtMillis`, then by id. Bodies are cut after `READ_CHARS_MAX` characters, HTML parts after `HTML_READ_CHARS_MAX`. */
    readonly page: (filter: ReplyFilter) => FromStore<ReadonlyArray<Reply>>
    readonly get: (workspaceId: string, replyId: string) => FromStore<Option.Option<ReplyWithLead>>
    /** Of these replies. Unknown ones are left out. */
    readonly handling: (
      workspaceId: string,
      replyIds: ReadonlyArray<string>
    ) => FromStore<ReadonlyMap<string, Handling>>
    /** Whether there is such a reply. Reading it twice keeps the first time. */
    readonly handle: (workspaceId: string, replyId: string, change: Partial<Handling>) => InTx<boolean>
    /**
     * Locks up to `limit` inbox events that have taken effect, oldest first. Skips rows locked by other hosts. An event
     * that this program can't read is set aside and tried again after `SET_ASIDE_MILLIS`; later events don't wait for
     * it.
     */
    readonly lockInbox: (nowMillis: number, limit: number) => InTx<ReadonlyArray<InboundEvent>>
    /** Removes an event from the inbox. Its id is kept, so that a late duplicate is dropped. */
    readonly takeFromInbox: (event: InboundEvent) => InTx<void>
    /** Keeps these keys of an event for ever, beside its own. False: one of them is another's, so that this is a copy. */
    readonly keepKeys: (event: InboundEvent, keys: ReadonlyArray<string>) => InTx<boolean>
  }
>()("@outbound/domain/outreach/replies/ReplyStore") {}

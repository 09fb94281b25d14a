import { Context, type Option } from "effect"
import type { LeadState } from "../../outreach/campaigns/LeadMachine.js"
import type { InboundEvent } from "../../outreach/mail/Inbound.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"

/** A request to erase a person. It holds no address; a repeat supplies it again. */
export interface ErasureRequest {
  readonly workspaceId: string
  readonly erasureId: string
  /** Keyed hash of the address. */
  readonly addressHash: string
  /** Null: the operator. */
  readonly requestedByUserId: string | null
  readonly requestedAtMillis: number
  /** Of contacts that were revealed with the address. Kept until the erasure finishes. */
  readonly fingerprints: ReadonlyArray<string>
  /** Whether the trail has recorded it. */
  readonly told: boolean
  readonly finishedAtMillis: number | null
}

/** Tables whose text may name someone other than its own person. */
export const WORDS_OF = [
  "campaign_leads",
  "replies",
  "sent_replies",
  "approvals",
  "approval_people",
  "campaign_left_out",
  "list_rows",
  "saved_answers"
] as const
export type WordsOf = (typeof WORDS_OF)[number]

/** A row's text that contains an address, as one JSON text. */
export interface Words {
  readonly id: string
  readonly text: string
}

export interface WordsPage {
  readonly found: ReadonlyArray<Words>
  /** The last row scanned; null at the end. */
  readonly next: string | null
}

export interface ErasedLead {
  readonly campaignId: string
  readonly campaignLeadId: string
}

/** A call's stored outcome and whom it names. */
export interface NamedOutcome {
  readonly requestId: string
  readonly body: string
}

/** A person, identified by address and keyed hash. */
export interface ErasedPerson {
  readonly workspaceId: string
  /** Normalised. */
  readonly email: string
  readonly addressHash: string
}

/**
 * Removes a person from all stored data. Each operation is one bounded statement and is idempotent, so an interrupted
 * erasure can continue. Suppressions, contact history and trail events are never deleted.
 */
export class ErasureStore extends Context.Service<
  ErasureStore,
  {
    /** Locks the unfinished request about the same person, or inserts this one. Returns the stored one. */
    readonly open: (request: ErasureRequest) => InTx<ErasureRequest>
    /** Stores the fingerprints to follow, and that the trail recorded the erasure. */
    readonly update: (request: ErasureRequest) => InTx<void>
    readonly finish: (request: ErasureRequest, nowMillis: number) => InTx<void>
    readonly get: (workspaceId: string, erasureId: string) => FromStore<Option.Option<ErasureRequest>>
    /** Blanks up to `limit` leads of the person; those in a `leaving` state become `removed`. */
    readonly eraseLeads: (
      person: ErasedPerson,
      leaving: ReadonlyArray<LeadState>,
      limit: number
    ) => InTx<ReadonlyArray<ErasedLead>>
    /** Blanks up to `limit` replies of the person's leads. Returns how many there were. */
    readonly eraseReplies: (person: ErasedPerson, limit: number) => InTx<number>
    /** Blanks up to `limit` of our replies to the person or in their threads. Returns how many there were. */
    readonly eraseAnswers: (person: ErasedPerson, limit: number) => InTx<number>
    /** Deletes the person from up to `limit` approvals that showed them. Returns how many there were. */
    readonly forgetShown: (person: ErasedPerson, limit: number) => InTx<number>
    /** Deletes up to `limit` notes that the person was left out of a campaign. Returns how many there were. */
    readonly forgetLeftOut: (person: ErasedPerson, limit: number) => InTx<number>
    /** Deletes the verdict on the person's address. Returns how many there were. */
    readonly forgetVerdict: (person: ErasedPerson) => InTx<number>
    /** Removes up to `limit` events of the person from the inbox. */
    readonly takeWaiting: (person: ErasedPerson, limit: number) => InTx<ReadonlyArray<InboundEvent>>
    /** Makes the trail omit the address. False: the trail doesn't know it. */
    readonly forgetSubject: (person: ErasedPerson, nowMillis: number) => InTx<boolean>
    /** Scans the next `limit` rows by id. Returns those whose text contains the address. */
    readonly words: (
      of: WordsOf,
      person: ErasedPerson,
      page: { readonly after: string | null; readonly limit: number }
    ) => FromStore<WordsPage>
    /** Replaces a row's text. */
    readonly rewrite: (of: WordsOf, workspaceId: string, words: Words) => InTx<void>
    /** Stored outcomes that name one of these subjects, after a call id. */
    readonly outcomes: (
      workspaceId: string,
      subjects: ReadonlyArray<string>,
      page: { readonly after: string | null; readonly limit: number }
    ) => FromStore<ReadonlyArray<NamedOutcome>>
    readonly rewriteOutcome: (workspaceId: string, outcome: NamedOutcome) => InTx<void>
    /** Cached contacts of these subjects, at most `limit`. */
    readonly contacts: (
      workspaceId: string,
      subjects: ReadonlyArray<string>,
      limit: number
    ) => FromStore<ReadonlyArray<string>>
    /** Deletes up to `limit` cached contacts of these subjects. Returns how many there were. */
    readonly forgetContacts: (workspaceId: string, subjects: ReadonlyArray<string>, limit: number) => InTx<number>
    /** Deletes up to `limit` late lookups that name one of these subjects. */
    readonly forgetFollowUps: (workspaceId: string, subjects: ReadonlyArray<string>, limit: number) => InTx<number>
    /**
     * Deletes the person from the workspace's directory: their row, and rows without an address that have the same
     * profile, or the same name and company. Returns how many there were.
     */
    readonly forgetPerson: (person: ErasedPerson) => InTx<number>
    /** Removes these fingerprints from premium offers. */
    readonly forgetOffered: (workspaceId: string, fingerprints: ReadonlyArray<string>) => InTx<void>
    /** Removes these subjects from the outcomes' index. */
    readonly forgetSubjects: (
      workspaceId: string,
      subjects: ReadonlyArray<string>,
      requestIds: ReadonlyArray<string>
    ) => InTx<void>
    /**
     * Deletes up to `limit` of these subjects of calls that store no outcome: rows of lists, and calls whose outcome is
     * forgotten. Returns how many there were.
     */
    readonly forgetNamed: (workspaceId: string, subjects: ReadonlyArray<string>, limit: number) => InTx<number>
  }
>()("@outbound/domain/control/erasure/ErasureStore") {}

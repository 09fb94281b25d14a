import { Context, type Effect, type Option } from "effect"
import type { LeadState } from "../../outreach/campaigns/LeadMachine.js"
import type { InboundEvent } from "../../outreach/mail/Inbound.js"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"

/** That a person is to be erased. It holds no address: whoever repeats it brings that along. */
export interface ErasureRequest {
  readonly workspaceId: string
  readonly erasureId: string
  /** Keyed hash of the address. */
  readonly addressHash: string
  /** Null: the operator. */
  readonly requestedByUserId: string | null
  readonly requestedAtMillis: number
  /** Of contacts that were revealed with the address, as long as it is not finished. */
  readonly fingerprints: ReadonlyArray<string>
  /** Whether the trail has an event of it. */
  readonly told: boolean
  readonly finishedAtMillis: number | null
}

/** Where words stand that may name somebody else than the person they belong to. */
export const WORDS_OF = ["campaign_leads", "replies", "sent_replies", "approvals"] as const
export type WordsOf = (typeof WORDS_OF)[number]

/** Words of a row that name an address, as one JSON text. */
export interface Words {
  readonly id: string
  readonly text: string
}

export interface WordsPage {
  readonly found: ReadonlyArray<Words>
  /** The last row that was looked at, where more come behind it. */
  readonly next: string | null
}

export interface ErasedLead {
  readonly campaignId: string
  readonly campaignLeadId: string
}

/** What a call is remembered by, and whom it names. */
export interface NamedOutcome {
  readonly requestId: string
  readonly body: string
}

/** A person, as far as an address and a keyed hash tell. */
export interface ErasedPerson {
  readonly workspaceId: string
  /** Normalised. */
  readonly email: string
  readonly addressHash: string
}

/**
 * Takes a person out of everything that is stored. Each operation is one statement of bounded work and does nothing the
 * second time, so that an erasure which broke off goes on where it was. Suppressions, contact history and the events
 * of the trail are nobody's to take.
 */
export class ErasureStore extends Context.Tag("@outbound/domain/control/erasure/ErasureStore")<
  ErasureStore,
  {
    /** Locks the unfinished request about the same person, or inserts this one: what stands then. */
    readonly open: (request: ErasureRequest) => Effect.Effect<ErasureRequest, StoreUnavailable, Tx>
    /** Writes down which fingerprints are followed, and that it was told. */
    readonly update: (request: ErasureRequest) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly finish: (request: ErasureRequest, nowMillis: number) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly get: (
      workspaceId: string,
      erasureId: string
    ) => Effect.Effect<Option.Option<ErasureRequest>, StoreUnavailable>
    /** Blanks up to `limit` leads of the person; those in the states of `leaving` become `removed`. */
    readonly eraseLeads: (
      person: ErasedPerson,
      leaving: ReadonlyArray<LeadState>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ErasedLead>, StoreUnavailable, Tx>
    /** Blanks up to `limit` replies of the person's leads. How many there were. */
    readonly eraseReplies: (person: ErasedPerson, limit: number) => Effect.Effect<number, StoreUnavailable, Tx>
    /** Blanks up to `limit` answers to the person, or in their threads. How many there were. */
    readonly eraseAnswers: (person: ErasedPerson, limit: number) => Effect.Effect<number, StoreUnavailable, Tx>
    /** Takes up to `limit` events of the person that wait in the inbox out of it. */
    readonly takeWaiting: (
      person: ErasedPerson,
      limit: number
    ) => Effect.Effect<ReadonlyArray<InboundEvent>, StoreUnavailable, Tx>
    /** The trail omits the address from now on. False: it does not know it. */
    readonly forgetSubject: (person: ErasedPerson, nowMillis: number) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /** The next `limit` rows after a row, by id, and those among them in whose words the address stands. */
    readonly words: (
      of: WordsOf,
      person: ErasedPerson,
      page: { readonly after: string | null; readonly limit: number }
    ) => Effect.Effect<WordsPage, StoreUnavailable>
    /** Replaces the words of a row. */
    readonly rewrite: (of: WordsOf, workspaceId: string, words: Words) => Effect.Effect<void, StoreUnavailable, Tx>
    /** The outcomes that calls are remembered by which name one of these, after a call, by its id. */
    readonly outcomes: (
      workspaceId: string,
      subjects: ReadonlyArray<string>,
      page: { readonly after: string | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<NamedOutcome>, StoreUnavailable>
    readonly rewriteOutcome: (workspaceId: string, outcome: NamedOutcome) => Effect.Effect<void, StoreUnavailable, Tx>
    /** What the cache of contacts holds of these, at most `limit`. */
    readonly contacts: (
      workspaceId: string,
      subjects: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Forgets up to `limit` cached contacts of these. How many there were. */
    readonly forgetContacts: (
      workspaceId: string,
      subjects: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<number, StoreUnavailable, Tx>
    /** Forgets up to `limit` of what sources were asked for, or answered, after a call, that names one of these. */
    readonly forgetFollowUps: (
      workspaceId: string,
      subjects: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<number, StoreUnavailable, Tx>
    /**
     * Takes the person out of the workspace's directory: their row, and those without an address that have its profile,
     * or its name at its company. How many rows there were.
     */
    readonly forgetPerson: (person: ErasedPerson) => Effect.Effect<number, StoreUnavailable, Tx>
    /** Premium offers know these fingerprints no more. */
    readonly forgetOffered: (
      workspaceId: string,
      fingerprints: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreUnavailable, Tx>
    /** These outcomes are to be found by these no more. */
    readonly forgetSubjects: (
      workspaceId: string,
      subjects: ReadonlyArray<string>,
      requestIds: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreUnavailable, Tx>
  }
>() {}

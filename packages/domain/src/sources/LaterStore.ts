import { Context, type Effect, type Option } from "effect"
import type { StoreUnavailable, Tx } from "../kernel/ports/UnitOfWork.js"
import type { WorkspaceKind } from "../kernel/workspaces/WorkspaceStore.js"

/** What a follow-up is found by. */
export interface FollowUpKey {
  readonly workspaceId: string
  readonly source: string
  /** Keyed hash of what it is about. */
  readonly subjectHash: string
}

export interface NewFollowUp extends FollowUpKey {
  readonly followUpId: string
  /** The call that asked for it; null: none did. */
  readonly requestId: string | null
  /** The request, sealed. */
  readonly sealed: string
  /** Keyed hashes of the addresses that it names. */
  readonly addressHashes: ReadonlyArray<string>
  readonly afterMillis: number
  /** For how long it is pending at most. */
  readonly keepMillis: number
}

/** A follow-up whose time is not over. */
export interface StandingFollowUp {
  /** The request while it is pending, the answer from then on; sealed. */
  readonly sealed: string
  /** Null: it is pending. */
  readonly answeredAtMillis: number | null
  /** Whether it is over without anybody knowing what came of it. */
  readonly isUnknown: boolean
}

/** How many follow-ups of one source are claimed at once. */
export interface Lane {
  readonly source: string
  readonly limit: number
}

/**
 * A follow-up that is one host's to ask, until its lease ends. Then it is due again, and what this host came to counts no
 * more: by its id and the count of its tries, the store tells the claim from later ones.
 */
export interface ClaimedFollowUp extends FollowUpKey {
  readonly followUpId: string
  readonly workspaceKind: WorkspaceKind
  readonly sealed: string
  readonly addressHashes: ReadonlyArray<string>
  /** How often it was claimed, this time included. */
  readonly tries: number
}

export interface KeptAnswer {
  /** The answer, sealed. */
  readonly sealed: string
  readonly addressHashes: ReadonlyArray<string>
  readonly keepMillis: number
  /** It is none: what came of it is unknown. */
  readonly isUnknown: boolean
}

/** Keeps what is asked for again later, and what came of it. Times are the store's own. */
export class LaterStore extends Context.Tag("@outbound/domain/sources/LaterStore")<
  LaterStore,
  {
    readonly find: (key: FollowUpKey) => Effect.Effect<Option.Option<StandingFollowUp>, StoreUnavailable>
    /** One that stands already stays. False: it does. */
    readonly insert: (followUp: NewFollowUp) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /**
     * Takes what is due of these sources, up to the limit of each and up to `limit` in all, those first that are due
     * longest, and skips what another host is about to take.
     */
    readonly claim: (options: {
      readonly leaseMillis: number
      readonly lanes: ReadonlyArray<Lane>
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ClaimedFollowUp>, StoreUnavailable, Tx>
    /** To be asked again after so long, with this. False: it is not this host's any more. */
    readonly again: (
      claimed: ClaimedFollowUp,
      next: {
        readonly sealed: string
        readonly addressHashes: ReadonlyArray<string>
        readonly afterMillis: number
      }
    ) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /** Answered, and kept for so long from now. False: it is not this host's any more. */
    readonly answer: (claimed: ClaimedFollowUp, answer: KeptAnswer) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /**
     * Ends one that is pending, whoever has claimed it: with its answer, which names these people beside those of the
     * request; null: without one. False: none is pending.
     */
    readonly settle: (key: FollowUpKey, answer: KeptAnswer | null) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /**
     * Puts another request, sealed, in the place of one that is pending; claims of it hold no more. False: it is not that
     * one any more.
     */
    readonly revise: (
      key: FollowUpKey,
      before: string,
      next: {
        readonly sealed: string
        readonly addressHashes: ReadonlyArray<string>
        readonly afterMillis: number
      }
    ) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /** Puts one answer in the place of another, both sealed. False: it is not that one any more. */
    readonly amend: (key: FollowUpKey, before: string, after: string) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /** Forgets it. False: it is not this host's any more. */
    readonly drop: (claimed: ClaimedFollowUp) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /** Forgets up to `limit` whose time is over. How many there were. */
    readonly purge: (limit: number) => Effect.Effect<number, StoreUnavailable, Tx>
  }
>() {}

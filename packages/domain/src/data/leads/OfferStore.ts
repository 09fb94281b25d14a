import { Context, type Effect, type Option } from "effect"
import type { OfferReason } from "../../verbs/FindLeads.js"
import type { Credits } from "../../kernel/money/Credits.js"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"

/** A premium step that a caller may accept once, by repeating the call it was made for (contract: data, premium). */
export interface Offer {
  readonly offerId: string
  readonly workspaceId: string
  readonly keyId: string
  /** The canonical request without its token, hashed: the accepting call must be the same. */
  readonly baseFingerprint: string
  readonly tokenHash: string
  readonly reason: OfferReason
  readonly maxResults: number
  readonly maxCredits: Credits
  /** The fingerprints of whom the call has returned: the step adds others. */
  readonly known: ReadonlyArray<string>
  /** The call that carries it. */
  readonly requestId: string
  readonly createdAtMillis: number
  readonly expiresAtMillis: number
  /** The call that accepted it last. It counts while it runs: where that ended without a result, it is free again. */
  readonly takenByRequestId: string | null
  readonly usedAtMillis: number | null
}

export interface FoundOffer {
  readonly offer: Offer
  /** The call that accepted it still runs. */
  readonly isTaken: boolean
}

export class OfferStore extends Context.Tag("@outbound/domain/data/leads/OfferStore")<
  OfferStore,
  {
    readonly insert: (offer: Offer) => Effect.Effect<void, StoreUnavailable, Tx>
    /** By the SHA-256 of its token. */
    readonly find: (
      workspaceId: string,
      tokenHash: string
    ) => Effect.Effect<Option.Option<FoundOffer>, StoreUnavailable>
    /** The same, locked. */
    readonly lock: (
      workspaceId: string,
      tokenHash: string
    ) => Effect.Effect<Option.Option<FoundOffer>, StoreUnavailable, Tx>
    /** Notes which call accepts a locked offer. */
    readonly take: (
      workspaceId: string,
      offerId: string,
      requestId: string
    ) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Uses an offer up. False, and nothing changed, where another call took it since, or used it. */
    readonly use: (
      workspaceId: string,
      offerId: string,
      requestId: string,
      nowMillis: number
    ) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /** Forgets up to `limit` of the offers that expired before then. How many there were. */
    readonly purge: (beforeMillis: number, limit: number) => Effect.Effect<number, StoreUnavailable, Tx>
  }
>() {}

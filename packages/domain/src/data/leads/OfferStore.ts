import { Context, type Option } from "effect"
import type { OfferReason } from "../../verbs/FindLeads.js"
import type { Credits } from "../../kernel/money/Credits.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"

/** A premium step that a caller may accept once, by repeating the call it was made for (contract: data, premium). */
export interface Offer {
  readonly offerId: string
  readonly workspaceId: string
  readonly keyId: string
  /** Hash of the canonical request without its token. The accepting call must match. */
  readonly baseFingerprint: string
  readonly tokenHash: string
  readonly reason: OfferReason
  readonly maxResults: number
  readonly maxCredits: Credits
  /** Fingerprints of the people already returned. The step adds others. */
  readonly known: ReadonlyArray<string>
  /** The call that made the offer. */
  readonly requestId: string
  readonly createdAtMillis: number
  readonly expiresAtMillis: number
  /** The last call that accepted it. If that call ends without a result, the offer is free again. */
  readonly takenByRequestId: string | null
  readonly usedAtMillis: number | null
}

export interface FoundOffer {
  readonly offer: Offer
  /** Whether the accepting call still runs. */
  readonly isTaken: boolean
}

export class OfferStore extends Context.Service<
  OfferStore,
  {
    readonly insert: (offer: Offer) => InTx<void>
    /** By the SHA-256 of its token. */
    readonly find: (workspaceId: string, tokenHash: string) => FromStore<Option.Option<FoundOffer>>
    /** As `find`, with a lock. */
    readonly lock: (workspaceId: string, tokenHash: string) => InTx<Option.Option<FoundOffer>>
    /** Records which call accepts a locked offer. */
    readonly take: (workspaceId: string, offerId: string, requestId: string) => InTx<void>
    /** Uses the offer up. False, without a change, if another call has taken or used it. */
    readonly use: (workspaceId: string, offerId: string, requestId: string, nowMillis: number) => InTx<boolean>
    /** Deletes up to `limit` offers that expired before then. Returns the number. */
    readonly purge: (beforeMillis: number, limit: number) => InTx<number>
  }
>()("@outbound/domain/data/leads/OfferStore") {}

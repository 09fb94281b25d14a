import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Effect, Option } from "effect"
import type { SubjectCheck } from "../../calls/Attempt.js"
import type { CallScope } from "../../calls/Handler.js"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { KeyStore } from "../../calls/keys/KeyStore.js"
import { type Credits, format } from "../../kernel/money/Credits.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { type FoundOffer, type Offer, OfferStore } from "./OfferStore.js"
import { offerToken } from "../../verbs/FindLeads.js"

/** How long an offer can be accepted (contract: data, premium). */
export const OFFER_MILLIS = 15 * 60_000

const invalidOffer = (message: string): AnyWireError => refuse("invalid_request", { reason: "offer_invalid" }, message)

const AGAIN = "Repeat the call without offer_token; its answer contains a new offer if there is one."

const UNKNOWN = invalidOffer(`Offer not found in this workspace. ${AGAIN}`)

/** The first reason, in this order, against accepting the offer. */
const refusalOf = ({ isTaken, offer }: FoundOffer, scope: CallScope): AnyWireError | null => {
  if (offer.keyId !== scope.keyId) {
    return invalidOffer("This offer belongs to another API key. Accept it with the key that made the call.")
  }
  if (offer.baseFingerprint !== scope.baseFingerprint) {
    return invalidOffer("This offer belongs to another request. Repeat the original call unchanged, with offer_token.")
  }
  if (offer.usedAtMillis !== null) return invalidOffer(`This offer was already used. ${AGAIN}`)
  if (offer.expiresAtMillis <= scope.nowMillis) {
    return invalidOffer(`This offer expired at ${new Date(offer.expiresAtMillis).toISOString()}. ${AGAIN}`)
  }
  return isTaken ? invalidOffer("Another call with this offer is still running. Try again after it ends.") : null
}

const beyondAllowance = (offer: Offer, allowance: Credits): AnyWireError | null =>
  offer.maxCredits <= allowance
    ? null
    : invalidOffer(
        `This offer can cost ${format(offer.maxCredits)} credits, more than this key's premium allowance of ` +
          `${format(allowance)}. Lower limit, or ask an owner to raise the allowance.`
      )

/** Makes, checks and spends premium offers. */
export const makeOffers = Effect.gen(function* () {
  const store = yield* OfferStore
  const keys = yield* KeyStore
  const crypto = yield* Crypto
  const ids = yield* Ids
  const { atomically } = yield* UnitOfWork

  return {
    /** An offer of this call. It counts once inserted. */
    made: (scope: CallScope, given: Pick<Offer, "reason" | "maxResults" | "maxCredits" | "known">): Offer => {
      const offerId = ids.next(scope.nowMillis)
      return {
        ...given,
        offerId,
        workspaceId: scope.workspaceId,
        keyId: scope.keyId,
        baseFingerprint: scope.baseFingerprint,
        tokenHash: crypto.sha256Hex(offerToken(crypto, offerId)),
        requestId: scope.requestId,
        createdAtMillis: scope.nowMillis,
        expiresAtMillis: scope.nowMillis + OFFER_MILLIS,
        takenByRequestId: null,
        usedAtMillis: null
      }
    },

    insert: store.insert,

    /** The maximum charge of a call that accepts an offer, and any reason against it. */
    look: (scope: CallScope) =>
      Effect.gen(function* () {
        const check = (refusal: AnyWireError | null, more: Pick<SubjectCheck, "maximum"> = {}): SubjectCheck => ({
          missing: null,
          refusal,
          wouldExceed: [],
          ...more
        })
        if (scope.tokenHash === null) return check(null)
        const found = yield* store.find(scope.workspaceId, scope.tokenHash)
        if (Option.isNone(found)) return check(UNKNOWN)
        const { offer } = found.value
        const refusal = refusalOf(found.value, scope)
        if (refusal !== null) return check(refusal)
        const key = yield* keys.get(scope.keyId)
        const beyond = Option.match(key, {
          onNone: () => null,
          onSome: ({ premiumAllowance }) => beyondAllowance(offer, premiumAllowance)
        })
        return check(beyond, { maximum: offer.maxCredits })
      }),

    /** Reserves the offer for this call while it runs. */
    take: (scope: CallScope, tokenHash: string) =>
      Effect.gen(function* () {
        const found = yield* store.lock(scope.workspaceId, tokenHash).pipe(orFail(UNKNOWN))
        const refusal = refusalOf(found, scope)
        if (refusal !== null) return yield* Effect.fail(refusal)
        yield* store.take(scope.workspaceId, found.offer.offerId, scope.requestId)
        return found.offer
      }).pipe(atomically),

    /** Spends the offer taken by this call, in the transaction that settles it. */
    use: (scope: CallScope, offer: Offer) =>
      Effect.flatMap(store.use(scope.workspaceId, offer.offerId, scope.requestId, scope.nowMillis), (used) =>
        // Only a call that was presumed dead can find its offer gone. It is fenced and charges nothing.
        used ? Effect.void : Effect.fail<AnyWireError>(refuse("internal", {}))
      )
  }
})

export type Offers = Effect.Success<typeof makeOffers>

/** How long an expired offer is kept, so that a late caller learns its state. */
export const OFFER_KEPT_MILLIS = DAY_MILLIS

/** The most offers that one round deletes. */
export const OFFER_PURGE_MAX = 500

/** Deletes offers that can't be accepted any more. Returns the number. */
export const makeOfferPurge = Effect.gen(function* () {
  const offers = yield* OfferStore
  const { atomically } = yield* UnitOfWork
  return Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    atomically(offers.purge(nowMillis - OFFER_KEPT_MILLIS, OFFER_PURGE_MAX))
  )
})

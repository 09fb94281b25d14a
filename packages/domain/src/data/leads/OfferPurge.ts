import { Clock, Effect } from "effect"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { OfferStore } from "./OfferStore.js"

/** How long an expired offer is kept, so that a late caller learns its state. */
export const OFFER_KEPT_MILLIS = 24 * 60 * 60_000

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

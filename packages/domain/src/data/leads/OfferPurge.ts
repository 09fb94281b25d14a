import { Clock, Effect } from "effect"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { OfferStore } from "./OfferStore.js"

/** How long an offer is remembered after its end, so that a late caller is told what became of it. */
export const OFFER_KEPT_MILLIS = 24 * 60 * 60_000

/** How many offers one round forgets. */
export const OFFER_PURGE_MAX = 500

/** Forgets offers that nobody can accept any more. How many there were. */
export const makeOfferPurge = Effect.gen(function* () {
  const offers = yield* OfferStore
  const { atomically } = yield* UnitOfWork
  return Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    atomically(offers.purge(nowMillis - OFFER_KEPT_MILLIS, OFFER_PURGE_MAX))
  )
})

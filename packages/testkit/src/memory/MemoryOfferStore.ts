import { type Offer, OfferStore } from "@outbound/domain/data/leads/OfferStore.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"

export const layer = memoryStore(OfferStore, "OfferStore", ({ read, write }) => {
  const find = (workspaceId: string, tokenHash: string) =>
    read(({ calls, offers }) =>
      Option.map(Option.fromNullishOr(offers.where("token", keyOf(workspaceId, tokenHash))[0]), (offer) => ({
        offer,
        isTaken: offer.takenByRequestId !== null && calls.get(offer.takenByRequestId)?.record.status === "pending"
      }))
    )
  return {
    insert: (offer: Offer) =>
      write(({ offers }) => {
        if (offers.where("token", keyOf(offer.workspaceId, offer.tokenHash)).length > 0) {
          throw new Error("another offer has this token")
        }
        offers.insert(keyOf(offer.workspaceId, offer.offerId), offer)
      }),
    find,
    lock: find,
    take: (workspaceId, offerId, requestId) =>
      write(({ offers }) =>
        offers.update(keyOf(workspaceId, offerId), (offer) => ({ ...offer, takenByRequestId: requestId }))
      ),
    use: (workspaceId, offerId, requestId, nowMillis) =>
      write(({ offers }) => {
        const offer = offers.get(keyOf(workspaceId, offerId))
        if (offer?.takenByRequestId !== requestId || offer.usedAtMillis !== null) return false
        offers.set(keyOf(workspaceId, offerId), { ...offer, usedAtMillis: nowMillis })
        return true
      }),
    purge: (beforeMillis, limit) =>
      write(({ offers }) =>
        offers.deleteFirst(
          limit,
          ({ expiresAtMillis }) => expiresAtMillis < beforeMillis,
          ascending(({ expiresAtMillis }) => expiresAtMillis)
        )
      )
  }
})

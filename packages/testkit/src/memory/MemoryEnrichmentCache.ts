import { EnrichmentCache } from "@outbound/domain/data/enrichment/EnrichmentCache.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { keyOf } from "./Table.js"

export const layer = memoryStore(EnrichmentCache, "EnrichmentCache", ({ read }) => ({
  find: (workspaceId, personKey, nowMillis) =>
    read(({ cache }) => {
      const row = cache.get(keyOf(workspaceId, personKey))
      if (row === undefined || row.expiresAtMillis <= nowMillis) return Option.none()
      const { contact, emailLookedUp, mobileSearched } = row
      return Option.some({ contact, emailLookedUp, mobileSearched })
    })
}))

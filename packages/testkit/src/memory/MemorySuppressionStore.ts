import {
  suppressionReason,
  SuppressionStore,
  SUPPRESSION_SOURCES
} from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { memoryStore } from "./MemoryStore.js"
import { keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

const sourcesOf = ({ suppressions }: Tables, workspaceId: string, addressHash: string) =>
  SUPPRESSION_SOURCES.filter((source) => suppressions.has(keyOf(workspaceId, addressHash, source)))

export interface Contacted {
  readonly workspaceId: string
  readonly addressHash: string
  /** Whose own messages do not count. */
  readonly campaignId: string
  readonly sinceMillis: number
}

/** Why the person must not be written to; null: they may. */
export const forbidden = (
  tables: Tables,
  { addressHash, campaignId, sinceMillis, workspaceId }: Contacted
): "opted_out" | "platform_blocked" | "capped" | null =>
  suppressionReason(sourcesOf(tables, workspaceId, addressHash)) ??
  (tables.contacts
    .where("person", keyOf(workspaceId, addressHash))
    .some((contact) => contact.campaignId !== campaignId && contact.atMillis >= sinceMillis)
    ? "capped"
    : null)

export const layer = memoryStore(SuppressionStore, "SuppressionStore", ({ read, write }) => ({
  add: (suppression) =>
    write((tables) => {
      const { addressHash, source, workspaceId } = suppression
      const isFirst = sourcesOf(tables, workspaceId, addressHash).length === 0
      const key = keyOf(workspaceId, addressHash, source)
      if (!tables.suppressions.has(key)) tables.suppressions.insert(key, suppression)
      return isFirst
    }),
  addAll: ({ addressHashes, ...suppression }) =>
    write((tables) => {
      let added = 0
      for (const addressHash of addressHashes) {
        const key = keyOf(suppression.workspaceId, addressHash, suppression.source)
        if (tables.suppressions.has(key)) continue
        tables.suppressions.insert(key, { ...suppression, addressHash })
        added += 1
      }
      return added
    }),
  countOf: (workspaceId, source, addressHashes) =>
    read(
      ({ suppressions }) =>
        Array.from(new Set(addressHashes)).filter((hash) => suppressions.has(keyOf(workspaceId, hash, source))).length
    ),
  check: ({ addressHashes, campaignId, contactedSinceMillis, workspaceId }) =>
    read(
      (tables) =>
        new Map(
          addressHashes.flatMap((addressHash) => {
            const reason = forbidden(tables, {
              workspaceId,
              addressHash,
              campaignId,
              sinceMillis: contactedSinceMillis
            })
            return reason === null ? [] : [[addressHash, reason] as const]
          })
        )
    ),
  sourcesOf: (workspaceId, addressHash) => read((tables) => sourcesOf(tables, workspaceId, addressHash))
}))

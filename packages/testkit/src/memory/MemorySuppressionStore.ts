import type { Overlap } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import {
  barredBy,
  type Bars,
  domainsAbove,
  SuppressionStore,
  SUPPRESSION_SOURCES
} from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { keptOut } from "./keptOut.js"
import { memoryStore } from "./MemoryStore.js"
import { keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

/** Without `email`, the suppression of its domain doesn't count. */
export const sourcesOf = (
  { suppressedDomains, suppressions }: Tables,
  workspaceId: string,
  addressHash: string,
  email = ""
) =>
  SUPPRESSION_SOURCES.filter(
    (source) =>
      suppressions.has(keyOf(workspaceId, addressHash, source)) ||
      (source === "added" && domainsAbove(email).some((domain) => suppressedDomains.has(keyOf(workspaceId, domain))))
  )

export interface Contacted {
  readonly workspaceId: string
  readonly addressHash: string
  readonly email: string
  /** Whose own messages do not count. */
  readonly campaignId: string
  readonly sinceMillis: number
}

/** What becomes of people whom another campaign wrote to. */
export const overlapOf = ({ queuedOverlaps }: Tables, workspaceId: string): Overlap =>
  queuedOverlaps.has(workspaceId) ? "queue" : "refuse"

/** What may forbid writing to the person. */
export const barsOf = (
  tables: Tables,
  { addressHash, campaignId, email, sinceMillis, workspaceId }: Contacted
): Bars => ({
  sources: sourcesOf(tables, workspaceId, addressHash, email),
  isContacted: tables.contacts
    .where("person", keyOf(workspaceId, addressHash))
    .some((contact) => contact.campaignId !== campaignId && contact.atMillis >= sinceMillis),
  keptOut: keptOut(tables, { workspaceId, addressHash, email })
})

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
      const added: Array<string> = []
      for (const addressHash of addressHashes) {
        const key = keyOf(suppression.workspaceId, addressHash, suppression.source)
        if (tables.suppressions.has(key)) continue
        tables.suppressions.insert(key, { ...suppression, addressHash })
        added.push(addressHash)
      }
      return added
    }),
  addDomains: ({ atMillis, domains, workspaceId }) =>
    write((tables) => {
      const added: Array<string> = []
      for (const domain of domains) {
        const key = keyOf(workspaceId, domain)
        if (tables.suppressedDomains.has(key)) continue
        tables.suppressedDomains.insert(key, { workspaceId, domain, atMillis })
        added.push(domain)
      }
      return added
    }),
  among: (workspaceId, source, addressHashes) =>
    read(({ suppressions }) =>
      Array.from(new Set(addressHashes)).filter((hash) => suppressions.has(keyOf(workspaceId, hash, source)))
    ),
  domainsAmong: (workspaceId, domains) =>
    read(({ suppressedDomains }) =>
      Array.from(new Set(domains)).filter((domain) => suppressedDomains.has(keyOf(workspaceId, domain)))
    ),
  contactedElsewhere: ({ addressHashes, campaignId, sinceMillis, workspaceId }) =>
    read(
      ({ contacts }) =>
        new Map(
          addressHashes.flatMap((addressHash) => {
            const times = contacts
              .where("person", keyOf(workspaceId, addressHash))
              .filter((contact) => contact.campaignId !== campaignId && contact.atMillis >= sinceMillis)
              .map(({ atMillis }) => atMillis)
            return times.length === 0 ? [] : [[addressHash, Math.max(...times)] as const]
          })
        )
    ),
  check: ({ people, campaignId, contactedSinceMillis, mayWait, workspaceId }) =>
    read(
      (tables) =>
        new Map(
          people.flatMap(({ addressHash, email }) => {
            const whom = { workspaceId, addressHash, email, campaignId, sinceMillis: contactedSinceMillis }
            const barred = barredBy(barsOf(tables, whom), mayWait && overlapOf(tables, workspaceId) === "queue")
            return barred === null ? [] : [[addressHash, barred] as const]
          })
        )
    ),
  sourcesOf: (workspaceId, addressHash, email) => read((tables) => sourcesOf(tables, workspaceId, addressHash, email))
}))

import { SendingDomainMachine } from "@outbound/domain/outreach/domains/SendingDomainMachine.js"
import { SendingDomainStore } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"

export const layer = memoryStore(SendingDomainStore, "SendingDomainStore", ({ read, write }) => ({
  insert: (domain) =>
    write(({ sendingDomains }) => {
      const isKnown = sendingDomains.some(
        (one) => one.workspaceId === domain.workspaceId && one.domain === domain.domain
      )
      if (!isKnown) sendingDomains.set(keyOf(domain.workspaceId, domain.domainId), domain)
      return !isKnown
    }),
  get: (workspaceId, domainId) => read(({ sendingDomains }) => sendingDomains.find(keyOf(workspaceId, domainId))),
  lock: (workspaceId, domainId) => write(({ sendingDomains }) => sendingDomains.find(keyOf(workspaceId, domainId))),
  update: (domain) =>
    write(({ sendingDomains }) => {
      const key = keyOf(domain.workspaceId, domain.domainId)
      if (sendingDomains.has(key)) sendingDomains.set(key, domain)
    }),
  list: (workspaceId) =>
    read(({ sendingDomains }) =>
      sendingDomains.filter((one) => one.workspaceId === workspaceId).sort(ascending(({ domain }) => domain))
    ),
  remove: (workspaceId, domainId) =>
    write(({ dmarcCounts, domainWatches, sendingDomains }) => {
      const found = sendingDomains.has(keyOf(workspaceId, domainId))
      if (!found) return false
      sendingDomains.delete(keyOf(workspaceId, domainId))
      domainWatches.delete(keyOf(workspaceId, domainId))
      for (const key of dmarcCounts.keysWhere((one) => one.workspaceId === workspaceId && one.domainId === domainId)) {
        dmarcCounts.delete(key)
      }
      return found
    }),
  underWay: (limit) =>
    read(({ sendingDomains }) =>
      sendingDomains
        .filter(({ state }) => SendingDomainMachine.is.underWay(state))
        .sort(ascending(({ sinceMillis }) => sinceMillis))
        .slice(0, limit)
        .map(({ domainId, workspaceId }) => ({ domainId, workspaceId }))
    )
}))

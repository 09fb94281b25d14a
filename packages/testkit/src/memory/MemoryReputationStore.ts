import { DEFAULT_RULE, type DomainWatch, type SourceDay } from "@outbound/domain/outreach/reputation/DomainWatch.js"
import {
  type ReportKey,
  ReputationStore,
  SOURCE_DAYS_MAX
} from "@outbound/domain/outreach/reputation/ReputationStore.js"
import { memoryStore } from "./MemoryStore.js"
import { keyOf } from "./Table.js"

const reportKey = ({ domain, isProven, organisation, reportId, workspaceId }: ReportKey): string =>
  keyOf(workspaceId, domain, organisation, reportId, String(isProven))

/** Newest day first, then by address. */
const inOrder = (a: SourceDay, b: SourceDay): number => {
  if (a.day !== b.day) return a.day > b.day ? -1 : 1
  return a.ip === b.ip ? Number(a.isProven) - Number(b.isProven) : a.ip < b.ip ? -1 : 1
}

export const layer = memoryStore(ReputationStore, "ReputationStore", ({ read, write }) => ({
  rule: (workspaceId) => read(({ reputationRules }) => reputationRules.get(workspaceId) ?? DEFAULT_RULE),
  setRule: (workspaceId, rule) => write(({ reputationRules }) => reputationRules.set(workspaceId, rule)),
  watch: (workspaceId, domainId) =>
    read(({ domainWatches }) => domainWatches.get(keyOf(workspaceId, domainId)) ?? null),
  lockWatch: (workspaceId, domainId, nowMillis) =>
    write(({ domainWatches, sendingDomains }) => {
      const key = keyOf(workspaceId, domainId)
      if (!sendingDomains.has(key)) return null
      const made: DomainWatch = {
        workspaceId,
        domainId,
        lookedAtMillis: null,
        nextLookAtMillis: nowMillis,
        missing: null,
        lists: [],
        failing: null
      }
      const found = domainWatches.get(key) ?? made
      domainWatches.set(key, found)
      return found
    }),
  updateWatch: (watch) =>
    write(({ domainWatches }) => {
      const key = keyOf(watch.workspaceId, watch.domainId)
      if (domainWatches.has(key)) domainWatches.set(key, watch)
    }),
  unwatched: (beforeMillis, limit) =>
    read(({ domainWatches, sendingDomains }) =>
      sendingDomains
        .filter(() => true)
        .map(({ domainId, workspaceId }) => ({
          ref: { workspaceId, domainId },
          dueMillis: domainWatches.get(keyOf(workspaceId, domainId))?.nextLookAtMillis ?? -Infinity
        }))
        .filter(({ dueMillis }) => dueMillis < beforeMillis)
        .sort((a, b) => (a.dueMillis === b.dueMillis ? 0 : a.dueMillis < b.dueMillis ? -1 : 1))
        .slice(0, limit)
        .map(({ ref }) => ref)
    ),
  addReport: (key, receivedAtMillis) =>
    write(({ dmarcReports }) => {
      if (dmarcReports.has(reportKey(key)) || dmarcReports.has(reportKey({ ...key, isProven: true }))) return false
      dmarcReports.set(reportKey(key), { ...key, receivedAtMillis })
      return true
    }),
  unprovenSince: (workspaceId, domain, sinceMillis) =>
    read(
      ({ dmarcReports }) =>
        dmarcReports.filter(
          (one) =>
            one.workspaceId === workspaceId &&
            one.domain === domain &&
            !one.isProven &&
            one.receivedAtMillis > sinceMillis
        ).length
    ),
  addCounts: (workspaceId, domainId, days) =>
    write(({ dmarcCounts }) => {
      for (const one of days) {
        const key = keyOf(workspaceId, domainId, one.day, one.ip, String(one.isProven))
        const sum = dmarcCounts.get(key)
        dmarcCounts.set(key, {
          ...one,
          workspaceId,
          domainId,
          messages: (sum?.messages ?? 0) + one.messages,
          dkim: (sum?.dkim ?? 0) + one.dkim,
          spf: (sum?.spf ?? 0) + one.spf,
          aligned: (sum?.aligned ?? 0) + one.aligned,
          quarantined: (sum?.quarantined ?? 0) + one.quarantined,
          rejected: (sum?.rejected ?? 0) + one.rejected
        })
      }
    }),
  sourceDays: (workspaceId, domainId, sinceDay) =>
    read(({ dmarcCounts }) =>
      dmarcCounts
        .filter((one) => one.workspaceId === workspaceId && one.domainId === domainId && one.day >= sinceDay)
        .map(({ domainId: _domain, workspaceId: _workspace, ...one }): SourceDay => one)
        .sort(inOrder)
        .slice(0, SOURCE_DAYS_MAX)
    ),
  forget: ({ domainId, workspaceId }, beforeDay, beforeMillis) =>
    write(({ dmarcCounts, dmarcReports }) => {
      const counts = dmarcCounts.keysWhere(
        (one) => one.workspaceId === workspaceId && one.domainId === domainId && one.day < beforeDay
      )
      for (const key of counts) dmarcCounts.delete(key)
      const reports = dmarcReports.keysWhere(
        (one) => one.workspaceId === workspaceId && one.receivedAtMillis < beforeMillis
      )
      for (const key of reports) dmarcReports.delete(key)
    })
}))

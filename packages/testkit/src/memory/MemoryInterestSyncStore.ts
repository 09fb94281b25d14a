import { type InterestSync, InterestSyncStore } from "@outbound/domain/outreach/interest/InterestSyncStore.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"

const keyOfSync = ({ campaignLeadId, workspaceId }: InterestSync): string => keyOf(workspaceId, campaignLeadId)

export const layer = memoryStore(InterestSyncStore, "InterestSyncStore", ({ read, write }) => ({
  put: (sync) => write(({ interestSyncs }) => interestSyncs.set(keyOfSync(sync), sync)),
  lockDue: (nowMillis, limit) =>
    read(({ interestSyncs }) =>
      interestSyncs
        .filter(({ dueAtMillis }) => dueAtMillis <= nowMillis)
        .sort(
          ascending(
            ({ dueAtMillis }) => dueAtMillis,
            ({ campaignLeadId }) => campaignLeadId
          )
        )
        .slice(0, limit)
    ),
  end: (sync) =>
    write(({ interestSyncs }) => {
      if (interestSyncs.get(keyOfSync(sync))?.requestId !== sync.requestId) return false
      interestSyncs.delete(keyOfSync(sync))
      return true
    })
}))

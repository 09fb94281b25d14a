import type { LeftOutReads, LeftOutWrites } from "@outbound/domain/outreach/campaigns/recipients/leftOut.js"
import type { RemovalReason } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import type { Memory } from "./Memory.js"
import { ascending, keyOf } from "./Table.js"

export const leftOutWrites = ({ write }: Pick<Memory["Service"], "write">): LeftOutWrites => ({
  leaveOut: (workspaceId, campaignId, people) =>
    write(({ leftOut }) => {
      for (const person of people)
        leftOut.insert(keyOf(workspaceId, person.leftOutId), { workspaceId, campaignId, person })
    })
})

export const leftOutReads = ({ read }: Pick<Memory["Service"], "read">): LeftOutReads => ({
  leftOut: (workspaceId, campaignId, { after, limit }) =>
    read(({ leftOut }) =>
      leftOut
        .where("campaign", keyOf(workspaceId, campaignId))
        .map(({ person }) => person)
        .sort(ascending(({ leftOutId }) => leftOutId))
        .filter(({ leftOutId }) => after === null || leftOutId > after)
        .slice(0, limit)
    ),
  leftOutCounts: (workspaceId, campaignId) =>
    read(({ leftOut }) => {
      const counts = new Map<RemovalReason, number>()
      for (const { person } of leftOut.where("campaign", keyOf(workspaceId, campaignId))) {
        counts.set(person.reason, (counts.get(person.reason) ?? 0) + 1)
      }
      return counts
    })
})

import { HoldoutStore, type OutcomeRow } from "@outbound/domain/outreach/launching/holdout/HoldoutStore.js"
import { keptOut } from "./keptOut.js"
import { memoryStore } from "./MemoryStore.js"
import { keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

/** The people whose outcomes count, and whether each is held out. */
const countedOf = ({ arms, holdouts, leads }: Tables, workspaceId: string, campaignId: string) => {
  const isDrawn = holdouts.has(keyOf(workspaceId, campaignId))
  return leads.where("campaign", keyOf(workspaceId, campaignId)).flatMap((lead) => {
    const isHeldOut = arms.get(keyOf(workspaceId, lead.campaignLeadId))
    if (isDrawn) return isHeldOut === undefined ? [] : [{ lead, isHeldOut }]
    return lead.stepsSent > 0 ? [{ lead, isHeldOut: false }] : []
  })
}

export const layer = memoryStore(HoldoutStore, "HoldoutStore", ({ read, write }) => ({
  keep: (workspaceId, campaignId, holdout, drawn) =>
    write(({ arms, holdouts }) => {
      holdouts.insert(keyOf(workspaceId, campaignId), holdout)
      for (const { campaignLeadId, isHeldOut } of drawn) arms.insert(keyOf(workspaceId, campaignLeadId), isHeldOut)
    }),
  get: (workspaceId, campaignId) => read(({ holdouts }) => holdouts.find(keyOf(workspaceId, campaignId))),
  outcomes: (workspaceId, campaignId) =>
    read((tables) => {
      const { callSubjects, calls, leads } = tables
      const people = leads.where("campaign", keyOf(workspaceId, campaignId))
      const named = new Set(
        people.flatMap(({ addressHash }) =>
          callSubjects.where("person", keyOf(workspaceId, addressHash)).map(({ ref }) => ref)
        )
      )
      const costs = (ref: string): ReadonlyArray<{ readonly micros: number }> =>
        JSON.parse(calls.get(ref)?.notes?.costs ?? "[]")
      return {
        rows: countedOf(tables, workspaceId, campaignId).map(({ isHeldOut, lead }): OutcomeRow => {
          const { addressHash, email, interestStatus } = lead
          const whom = { workspaceId, addressHash, email, campaignId }
          return { isHeldOut, interestStatus, keptOut: keptOut(tables, whom), people: 1 }
        }),
        chargedMicros: [...named].reduce((sum, ref) => sum + (calls.get(ref)?.record.charged ?? 0n), 0n),
        costMicros: [...named].flatMap(costs).reduce((sum, { micros }) => sum + micros, 0)
      }
    })
}))

import { HoldoutStore, type OutcomeRow } from "@outbound/domain/outreach/launching/holdout/HoldoutStore.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { wantsMore } from "./console/campaignReads.js"
import { dealing } from "./keptOut.js"
import { memoryStore } from "./MemoryStore.js"
import { keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

/** The people whose outcomes count, and what was drawn for each. */
const countedOf = ({ arms, leads }: Tables, workspaceId: string, campaignId: string) =>
  leads.where("campaign", keyOf(workspaceId, campaignId)).flatMap((lead) => {
    const isHeldOut = arms.get(keyOf(workspaceId, lead.campaignLeadId))
    const arm = isHeldOut === undefined ? null : isHeldOut ? ("held_out" as const) : ("written" as const)
    return arm !== null || lead.stepsSent > 0 ? [{ lead, arm }] : []
  })

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
        rows: countedOf(tables, workspaceId, campaignId).map(({ arm, lead }): OutcomeRow => {
          const { addressHash, email, interestStatus } = lead
          const isWritten = lead.stepsSent > 0
          const hasReplied = isWritten && LeadMachine.is.replied(lead.state)
          const whom = { workspaceId, addressHash, email, campaignId }
          const saidInterested = hasReplied && interestStatus === null && wantsMore(tables, lead)
          return {
            arm,
            isWritten,
            hasReplied,
            saidInterested,
            interestStatus,
            dealing: dealing(tables, whom),
            people: 1
          }
        }),
        chargedMicros: [...named].reduce((sum, ref) => sum + (calls.get(ref)?.record.charged ?? 0n), 0n),
        costMicros: [...named].flatMap(costs).reduce((sum, { micros }) => sum + micros, 0)
      }
    })
}))

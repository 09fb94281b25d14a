import { ownValue } from "@outbound/domain/kernel/sequences/template.js"
import { EvidenceStore, type KeptAnswer } from "@outbound/domain/outreach/evidence/EvidenceStore.js"
import { RowMachine } from "@outbound/domain/outreach/operations/lists/RowMachine.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

/** What is kept of an answer: under the call's Idempotency-Key, or with the rows of a list. */
const bodiesOf = (tables: Tables, workspaceId: string, requestId: string): ReadonlyArray<string> => {
  const outcomes = tables.records
    .where("request", requestId)
    .flatMap(({ outcome }) =>
      outcome !== null && outcome.httpStatus >= 200 && outcome.httpStatus < 300 ? [outcome.body] : []
    )
  const listed = tables.listRows
    .filter((row) => row.workspaceId === workspaceId && (row.listRequestId === requestId || row.rowId === requestId))
    .filter(({ state }) => RowMachine.is.done(state))
    .sort(ascending(({ index }) => index))
    .flatMap(({ body }) => body ?? [])
  return [...outcomes, ...listed]
}

export const layer = memoryStore(EvidenceStore, "EvidenceStore", ({ read, write }) => ({
  answers: (workspaceId, requestIds) =>
    read((tables) =>
      requestIds.flatMap((requestId): ReadonlyArray<KeptAnswer> => {
        const call = tables.calls.get(requestId)
        if (call?.workspaceId !== workspaceId || call.record.status === "pending") return []
        return [
          {
            requestId,
            verb: call.record.verb,
            isOk: call.record.status === "succeeded",
            bodies: bodiesOf(tables, workspaceId, requestId),
            atMillis: call.record.createdAtMillis
          }
        ]
      })
    ),
  keep: (workspaceId, leads) =>
    write((tables) => {
      for (const { campaignLeadId, evidence } of leads) {
        const key = keyOf(workspaceId, campaignLeadId)
        const lead = tables.leads.get(key)
        if ((lead?.evidence ?? null) !== null) tables.leads.update(key, (one) => ({ ...one, evidence }))
      }
    }),
  isGiven: (workspaceId, campaignId) =>
    read(({ leads }) =>
      leads.where("campaign", keyOf(workspaceId, campaignId)).some(({ evidence }) => (evidence ?? null) !== null)
    ),
  ofCampaign: (workspaceId, campaignId, variables) =>
    read(({ leads }) =>
      leads.where("campaign", keyOf(workspaceId, campaignId)).flatMap((lead) =>
        variables.flatMap((variable) => {
          if (ownValue(lead, variable) === null) return []
          const evidence = (lead.evidence ?? []).find((one) => one.variable === variable) ?? null
          return [{ variable, evidence, people: 1 }]
        })
      )
    ),
  valuesOf: (workspaceId, campaignLeadIds) =>
    read(({ leads }) =>
      campaignLeadIds.flatMap((campaignLeadId) => leads.get(keyOf(workspaceId, campaignLeadId)) ?? [])
    ),
  shown: (workspaceId, approvalId) =>
    read(
      ({ shownPeople }) =>
        new Map(
          shownPeople
            .where("approval", keyOf(workspaceId, approvalId))
            .flatMap(({ person: { addressHash, evidence } }) =>
              evidence === null ? [] : [[addressHash, evidence] as const]
            )
        )
    )
}))

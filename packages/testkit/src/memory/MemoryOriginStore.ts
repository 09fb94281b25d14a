import { originKindOf } from "@outbound/domain/kernel/people/origins.js"
import {
  type NamingCall,
  type OriginFacts,
  OriginStore
} from "@outbound/domain/outreach/campaigns/recipients/OriginStore.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

const iso = (millis: number): string => new Date(millis).toISOString()

/** Vendors in the costs that a call kept (`CallNotes`). */
const vendorsIn = (costs: string | null): ReadonlyArray<string> => [
  ...new Set(
    (JSON.parse(costs ?? "[]") as ReadonlyArray<{ readonly vendor?: string }>).flatMap(({ vendor }) => vendor ?? [])
  )
]

const callsOf = (
  { callSubjects, calls, keys, listRows }: Tables,
  workspaceId: string,
  hash: string
): ReadonlyArray<NamingCall> =>
  callSubjects
    .where("person", keyOf(workspaceId, hash))
    .flatMap(({ ref }): ReadonlyArray<NamingCall> => {
      const call = calls.get(ref)
      if (call === undefined || call.workspaceId !== workspaceId || originKindOf(call.record.verb) === null) return []
      const { createdAtMillis, verb } = call.record
      return [
        {
          verb,
          at: iso(createdAtMillis),
          by: keys.get(call.keyId)?.key.name ?? null,
          request_id: ref,
          line: listRows.get(keyOf(workspaceId, ref))?.uploaded?.line ?? null,
          file: listRows.get(keyOf(workspaceId, ref))?.uploaded?.file ?? null,
          sources: vendorsIn(call.notes?.costs ?? null)
        }
      ]
    })
    .toSorted(
      ascending(
        ({ at }) => at,
        ({ request_id }) => request_id
      )
    )
    .slice(0, 1)

/** The first row of an uploaded list that names them: by its list's call, which came before the row's own. */
const rowsOf = ({ calls, keys, listRows }: Tables, workspaceId: string, hash: string): ReadonlyArray<NamingCall> =>
  listRows
    .where("person", keyOf(workspaceId, hash))
    .flatMap(({ listRequestId, rowId, uploaded }) => {
      const call = calls.get(listRequestId)
      if (uploaded === null || call === undefined) return []
      const { createdAtMillis, verb } = call.record
      return [{ verb, keyId: call.keyId, at: iso(createdAtMillis), request_id: listRequestId, rowId, uploaded }]
    })
    .toSorted(
      ascending(
        ({ at }) => at,
        ({ rowId }) => rowId
      )
    )
    .slice(0, 1)
    .map(({ at, keyId, request_id, uploaded, verb }) => ({
      verb,
      at,
      by: keys.get(keyId)?.key.name ?? null,
      request_id,
      line: uploaded.line,
      file: uploaded.file ?? null,
      sources: []
    }))

const factsOf = (tables: Tables, workspaceId: string, hash: string): OriginFacts => {
  const kept = tables.directoryPeople.get(keyOf(workspaceId, hash))?.kept
  const [first] = tables.leads
    .where("person", keyOf(workspaceId, hash))
    .filter(({ origin }) => origin !== null)
    .sort(ascending(({ campaignLeadId }) => campaignLeadId))
  return {
    calls: [...callsOf(tables, workspaceId, hash), ...rowsOf(tables, workspaceId, hash)],
    directory:
      kept === undefined
        ? null
        : {
            imported_at: iso(kept.importedAtMillis),
            country: kept.country,
            file: kept.listFile,
            line: kept.listLine
          },
    lead: first?.origin ?? null
  }
}

export const layer = memoryStore(OriginStore, "OriginStore", ({ read }) => ({
  facts: (workspaceId, addressHashes) =>
    read((tables) => new Map(addressHashes.map((hash) => [hash, factsOf(tables, workspaceId, hash)] as const)))
}))

import { fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import type { NotedCost } from "@outbound/domain/sources/CallNotes.js"
import { MarginStore, type VendorMargin, type VerbMargin } from "@outbound/domain/calls/MarginStore.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending } from "./Table.js"
import type { CallRow } from "./Tables.js"

const listed = <A>(text: string | null | undefined): ReadonlyArray<A> =>
  text == null ? [] : (JSON.parse(text) as ReadonlyArray<A>)

const costsOf = ({ notes }: CallRow) => listed<NotedCost>(notes?.costs)

const plus = <M extends VerbMargin>(margins: Map<string, M>, key: string, row: M, add: (a: M, b: M) => M): void => {
  const before = margins.get(key)
  margins.set(key, before === undefined ? row : add(before, row))
}

const counted = (a: VerbMargin, b: VerbMargin) => ({
  calls: a.calls + b.calls,
  charged: fromMicros(a.charged + b.charged)
})

const inOrder = <M extends VerbMargin>(margins: Map<string, M>): ReadonlyArray<M> =>
  [...margins].sort(ascending(([key]) => key)).map(([, margin]) => margin)

export const layer = memoryStore(MarginStore, "MarginStore", ({ read }) => ({
  margins: ({ sinceMillis, workspaceId }) =>
    read(({ calls, followUps, workspaces }) => {
      const verbs = new Map<string, VerbMargin>()
      const vendors = new Map<string, VendorMargin>()
      const ended = calls.filter(
        (row) =>
          workspaces.get(row.workspaceId)?.kind === "live" &&
          (workspaceId === null || row.workspaceId === workspaceId) &&
          row.admitted &&
          row.record.mode === "act" &&
          (row.record.finishedAtMillis ?? 0) >= sinceMillis
      )
      for (const row of ended) {
        const { charged, verb } = row.record
        plus(verbs, verb, { verb, calls: 1, charged }, (a, b) => ({ verb, ...counted(a, b) }))
        for (const { amount, micros, unit, vendor } of costsOf(row)) {
          plus(
            vendors,
            `${verb} ${vendor} ${unit}`,
            { verb, vendor, unit, calls: 1, charged, amount, micros },
            (a, b) => ({ ...a, ...counted(a, b), amount: a.amount + b.amount, micros: a.micros + b.micros })
          )
        }
      }
      const unknown = followUps.filter(
        (row) =>
          row.isUnknown &&
          (row.answeredAtMillis ?? 0) >= sinceMillis &&
          workspaces.get(row.workspaceId)?.kind === "live" &&
          (workspaceId === null || row.workspaceId === workspaceId)
      )
      const sources = [...new Set(unknown.map(({ source }) => source))].sort(ascending((source) => source))
      const unknownJobs = sources.map((source) => ({
        source,
        jobs: unknown.filter((row) => row.source === source).length
      }))
      return { verbs: inOrder(verbs), vendors: inOrder(vendors), unknownJobs }
    })
}))

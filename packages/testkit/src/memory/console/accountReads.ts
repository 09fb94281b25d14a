import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import type { ConsoleReads, DayUsage, KeyUsageLine } from "@outbound/domain/control/console/ConsoleReads.js"
import { type Credits, fromMicros, zero } from "@outbound/domain/kernel/money/Credits.js"
import type { Memory } from "../Memory.js"
import { ascending, descending } from "../Table.js"
import type { LedgerRow, Tables } from "../Tables.js"

/** Finished, admitted calls in mode `act` that ended since then. */
const callsSince = (tables: Tables, workspaceId: string, sinceMillis: number) =>
  tables.calls.where("workspace", workspaceId).flatMap(({ admitted, keyId, record }) => {
    const endedAtMillis = record.finishedAtMillis
    return admitted && record.mode === "act" && endedAtMillis !== null && endedAtMillis >= sinceMillis
      ? [{ keyId, charged: record.charged, atMillis: endedAtMillis }]
      : []
  })

const plusMicros = (a: Credits, b: bigint): Credits => fromMicros(a + b)

const usageByDay = (tables: Tables, workspaceId: string, fromDayMillis: number): ReadonlyArray<DayUsage> => {
  const upkeep = tables.ledger
    .filter((row) => row.workspaceId === workspaceId && row.kind === "upkeep" && row.atMillis >= fromDayMillis)
    .map(({ atMillis, micros }) => ({ atMillis, charged: -micros }))
  const days = new Map<number, DayUsage>()
  for (const { atMillis, charged } of [...callsSince(tables, workspaceId, fromDayMillis), ...upkeep]) {
    const dayMillis = atMillis - (atMillis % DAY_MILLIS)
    const day = days.get(dayMillis) ?? { dayMillis, calls: 0, charged: zero }
    days.set(dayMillis, { dayMillis, calls: day.calls + 1, charged: plusMicros(day.charged, charged) })
  }
  return [...days.values()].sort(ascending(({ dayMillis }) => dayMillis))
}

const usageByKey = (tables: Tables, workspaceId: string, sinceMillis: number): ReadonlyArray<KeyUsageLine> => {
  const lines = new Map<string, KeyUsageLine>()
  for (const { charged, keyId } of callsSince(tables, workspaceId, sinceMillis)) {
    const key = tables.keys.get(keyId)?.key
    if (key === undefined) continue
    const line = lines.get(keyId) ?? { keyId, name: key.name, prefix: key.prefix, calls: 0, charged: zero }
    lines.set(keyId, { ...line, calls: line.calls + 1, charged: plusMicros(line.charged, charged) })
  }
  const dearestFirst = (a: KeyUsageLine, b: KeyUsageLine): number =>
    a.charged === b.charged ? b.calls - a.calls || (a.keyId < b.keyId ? -1 : 1) : a.charged > b.charged ? -1 : 1
  return [...lines.values()].sort(dearestFirst)
}

const newestEntryFirst = descending(
  (row: LedgerRow) => row.entryId,
  (row: LedgerRow) => row.kind
)

/** What the pages about credits and usage show. */
export const accountReads = ({
  read
}: Memory["Service"]): Pick<ConsoleReads["Service"], "usageByDay" | "usageByKey" | "ledger"> => ({
  usageByDay: (workspaceId, fromDayMillis) => read((tables) => usageByDay(tables, workspaceId, fromDayMillis)),

  usageByKey: (workspaceId, fromDayMillis, limit) =>
    read((tables) => usageByKey(tables, workspaceId, fromDayMillis).slice(0, limit)),

  ledger: (workspaceId, after, limit) =>
    read(({ calls, ledger }) =>
      ledger
        .filter((row) => row.workspaceId === workspaceId)
        .filter(
          ({ entryId, kind }) =>
            after === null || entryId < after.entryId || (entryId === after.entryId && kind < after.kind)
        )
        .sort(newestEntryFirst)
        .slice(0, limit)
        .map(({ atMillis, entryId, kind, micros, requestId }) => ({
          entryId,
          kind,
          micros,
          atMillis,
          requestId,
          verb: requestId === null ? null : (calls.get(requestId)?.record.verb ?? null)
        }))
    )
})

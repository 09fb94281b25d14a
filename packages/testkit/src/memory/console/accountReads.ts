import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import type {
  ConsoleReads,
  DayKeyUsage,
  DayUsage,
  KeyUsageLine
} from "@outbound/domain/control/console/ConsoleReads.js"
import { type Credits, fromMicros, zero } from "@outbound/domain/kernel/money/Credits.js"
import type { Memory } from "../Memory.js"
import { Clock, Effect } from "effect"
import { ascending, descending, keyOf } from "../Table.js"
import type { LedgerRow, Tables } from "../Tables.js"

/** The entries of one key or verb reach so far back. */
const RECENT_MILLIS = 40 * DAY_MILLIS

/** Finished, admitted calls in mode `act` that ended since then. */
const callsSince = (tables: Tables, workspaceId: string, sinceMillis: number) =>
  tables.calls.where("workspace", workspaceId).flatMap(({ admitted, keyId, record }) => {
    const endedAtMillis = record.finishedAtMillis
    return admitted && record.mode === "act" && endedAtMillis !== null && endedAtMillis >= sinceMillis
      ? [{ keyId, verb: record.verb, charged: record.charged, atMillis: endedAtMillis }]
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

const usageOfDay = (tables: Tables, workspaceId: string, dayMillis: number): ReadonlyArray<DayKeyUsage> => {
  const lines = new Map<string, DayKeyUsage>()
  for (const { atMillis, charged, keyId, verb } of callsSince(tables, workspaceId, dayMillis)) {
    const key = tables.keys.get(keyId)?.key
    if (key === undefined || atMillis >= dayMillis + DAY_MILLIS) continue
    const { name, prefix } = key
    const line = lines.get(`${keyId} ${verb}`) ?? { keyId, name, prefix, verb, calls: 0, charged: zero }
    lines.set(`${keyId} ${verb}`, { ...line, calls: line.calls + 1, charged: plusMicros(line.charged, charged) })
  }
  return [...lines.values()].sort(
    ascending(
      ({ charged }) => -Number(charged),
      ({ calls }) => -calls,
      ({ keyId }) => keyId,
      ({ verb }) => verb
    )
  )
}

/** Who approved the purchase, or started the list, that a call carried out. */
const personOf = (tables: Tables, workspaceId: string, requestId: string): string | null => {
  const purchase = tables.trail
    .where("workspace", workspaceId)
    .find((event) => event.kind === "purchased" && event.requestId === requestId)
  const approval = tables.approvals.get(keyOf(workspaceId, String(purchase?.detail["approval_id"])))
  const [decided] = tables.users.filter(({ userId }) => userId === approval?.decidedByUserId)
  if (decided !== undefined) return decided.email
  const started = tables.controlLog.filter(
    ({ action, after, workspaceId: of }) =>
      of === workspaceId && action === "start_list" && after["request_id"] === requestId
  )
  const [by] = started.map(({ actor }) => (actor.kind === "user" ? actor.email : null))
  return by ?? null
}

const newestEntryFirst = descending(
  (row: LedgerRow) => row.entryId,
  (row: LedgerRow) => row.kind
)

/** What the pages about credits and usage show. */
export const accountReads = ({
  read
}: Memory["Service"]): Pick<
  ConsoleReads["Service"],
  "usageByDay" | "usageByKey" | "usageOfDay" | "keysOfCalls" | "ledger"
> => ({
  usageByDay: (workspaceId, fromDayMillis) => read((tables) => usageByDay(tables, workspaceId, fromDayMillis)),

  usageByKey: (workspaceId, fromDayMillis, limit) =>
    read((tables) => usageByKey(tables, workspaceId, fromDayMillis).slice(0, limit)),

  usageOfDay: (workspaceId, dayMillis, limit) =>
    read((tables) => usageOfDay(tables, workspaceId, dayMillis).slice(0, limit)),

  keysOfCalls: (workspaceId, requestIds) =>
    read(
      ({ calls }) =>
        new Map(
          requestIds.flatMap((requestId) => {
            const call = calls.get(requestId)
            return call?.workspaceId === workspaceId ? [[requestId, call.keyId] as const] : []
          })
        )
    ),

  ledger: (workspaceId, which, after, limit) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      read((tables) => {
        const callOf = (requestId: string | null) => (requestId === null ? undefined : tables.calls.get(requestId))
        const { campaignId, dayMillis } = which
        const about =
          campaignId === null
            ? null
            : new Set(
                tables.leads
                  .where("campaign", keyOf(workspaceId, campaignId))
                  .flatMap(({ addressHash }) => tables.callSubjects.where("person", keyOf(workspaceId, addressHash)))
                  .map(({ ref }) => ref)
              )
        return tables.ledger
          .filter((row) => row.workspaceId === workspaceId)
          .filter(({ atMillis, entryId, kind, requestId }) => {
            const call = callOf(requestId)
            const isOfKey = which.keyId === null || call?.keyId === which.keyId
            const isOfVerb = which.verb === null || call?.record.verb === which.verb
            const isAny = which.keyId === null && which.verb === null
            const isRecent = dayMillis !== null || isAny || about !== null || atMillis >= nowMillis - RECENT_MILLIS
            return (
              (after === null || entryId < after.entryId || (entryId === after.entryId && kind < after.kind)) &&
              (dayMillis === null || (atMillis >= dayMillis && atMillis < dayMillis + DAY_MILLIS)) &&
              (which.requestId === null || requestId === which.requestId) &&
              (about === null || about.has(entryId)) &&
              isOfKey &&
              isOfVerb &&
              (isRecent || which.requestId !== null)
            )
          })
          .sort(newestEntryFirst)
          .slice(0, limit)
          .map(({ atMillis, entryId, kind, micros, requestId }) => {
            const call = callOf(requestId)
            const key = tables.keys.get(call?.keyId ?? "")?.key
            return {
              entryId,
              kind,
              micros,
              atMillis,
              requestId,
              verb: call?.record.verb ?? null,
              key: key === undefined ? null : { keyId: key.keyId, name: key.name },
              person: requestId === null ? null : personOf(tables, workspaceId, requestId)
            }
          })
      })
    )
})

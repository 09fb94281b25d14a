import type { AdmittedCall, RequestRecord, Settled, StoredOutcome } from "@outbound/domain/calls/Attempt.js"
import { type CallRef, type Held, OPERATIONS_HOST } from "@outbound/domain/calls/CallJournal.js"
import { available } from "@outbound/domain/calls/decideAdmission.js"
import { type Credits, minusOrZero, plus, zero } from "@outbound/domain/kernel/money/Credits.js"
import { accountOf } from "./MemoryCreditStore.js"
import { keyOf } from "./Table.js"
import type { CallRow, Tables } from "./Tables.js"

/** What an accepted call, or one that was split off it, holds. */
const openRow = ({ calls }: Tables, { requestId, workspaceId }: CallRef): CallRow | undefined => {
  const row = calls.get(requestId)
  const isOpen = row?.workspaceId === workspaceId && row.hostId === OPERATIONS_HOST && row.record.status === "pending"
  return isOpen ? row : undefined
}

const holding = (row: CallRow, reserved: Credits): CallRow => ({ ...row, record: { ...row.record, reserved } })

/** Answers a call whose work goes on as an operation. */
export const acceptRow = (tables: Tables, hostId: string, call: AdmittedCall, outcome: StoredOutcome): Settled => {
  const row = tables.calls.get(call.requestId)
  if (row === undefined || row.hostId !== hostId || row.record.status !== "pending") return { _tag: "Fenced" }
  if (row.idempotency !== null) {
    const key = keyOf(row.keyId, row.idempotency.key, row.idempotency.phase)
    tables.records.update(key, (record) => ({ ...record, outcome }))
  }
  tables.calls.set(call.requestId, { ...row, hostId: OPERATIONS_HOST })
  return { _tag: "Settled", available: available(accountOf(tables, row.workspaceId)) }
}

export const heldBy = (tables: Tables, ref: CallRef): Held | undefined => {
  const row = openRow(tables, ref)
  return row && { keyId: row.keyId, runId: row.runId, month: row.month, reserved: row.record.reserved }
}

/** Opens calls with parts of what the accepted one holds. */
export const splitRow = (
  tables: Tables,
  from: CallRef,
  calls: ReadonlyArray<{ readonly requestId: string; readonly verb: string; readonly reserved: Credits }>,
  nowMillis: number
): ReadonlyArray<string> => {
  const covered: Array<string> = []
  for (const { requestId, reserved, verb } of calls) {
    const row = openRow(tables, from)
    if (row === undefined || row.record.reserved < reserved) break
    tables.calls.set(from.requestId, holding(row, minusOrZero(row.record.reserved, reserved)))
    tables.calls.insert(requestId, {
      ...row,
      idempotency: null,
      record: { ...row.record, requestId, verb, reserved, createdAtMillis: nowMillis }
    })
    covered.push(requestId)
  }
  return covered
}

/** Gives a part back. */
export const mergeRow = (tables: Tables, into: CallRef, requestId: string, amount: Credits): boolean => {
  const list = openRow(tables, into)
  const row = openRow(tables, { workspaceId: into.workspaceId, requestId })
  if (list === undefined || row === undefined || row.record.reserved < amount) return false
  tables.calls.set(into.requestId, holding(list, plus(list.record.reserved, amount)))
  tables.calls.set(requestId, holding(row, minusOrZero(row.record.reserved, amount)))
  return true
}

/** The record of a list is that of its rows too: what they hold, and what they cost. */
export const withRows = (tables: Tables, record: RequestRecord): RequestRecord => {
  const rows = tables.listRows.where("request", record.requestId)
  if (rows.length === 0) return record
  const open = rows.map(({ rowId, workspaceId }) => openRow(tables, { workspaceId, requestId: rowId })?.record.reserved)
  return {
    ...record,
    reserved: open.reduce<Credits>((sum, reserved) => plus(sum, reserved ?? zero), record.reserved),
    charged: rows.reduce<Credits>((sum, { charged }) => plus(sum, charged), record.charged)
  }
}

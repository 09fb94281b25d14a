import { step } from "@outbound/domain/kernel/machine.js"
import {
  type ListRow,
  ListStore,
  OUTCOME_MEMBERS,
  OUTCOMES_MAX,
  type RowCounts,
  type RowOutcome
} from "@outbound/domain/outreach/operations/lists/ListStore.js"
import { RowMachine } from "@outbound/domain/outreach/operations/lists/RowMachine.js"
import type { OperationRef } from "@outbound/domain/outreach/operations/OperationStore.js"
import { plus, zero } from "@outbound/domain/kernel/money/Credits.js"
import { Result } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

type Event = (typeof RowMachine.events)[number]

const rowsOf = ({ listRows }: Tables, { operationId, workspaceId }: OperationRef): ReadonlyArray<ListRow> =>
  [...listRows.where("list", keyOf(workspaceId, operationId))].sort(ascending((row) => row.index))

/** What the row's result, or its error, names as its outcome. */
const outcomeOf = ({ body }: ListRow): string | null => {
  const said = (body === null ? {} : JSON.parse(body)) as Readonly<Record<string, unknown>>
  const named = OUTCOME_MEMBERS.map((member) => said[member]).find((value) => value !== undefined && value !== null)
  return named === undefined ? null : String(named)
}

export const layer = memoryStore(ListStore, "ListStore", ({ read, write }) => {
  /** Moves a row, if its state allows it. */
  const move = (tables: Tables, row: ListRow, event: Event, to: Partial<ListRow>): boolean => {
    const state = step(RowMachine, row.state, event)
    if (Result.isFailure(state) || state.success === row.state) return false
    tables.listRows.set(keyOf(row.workspaceId, row.rowId), { ...row, ...to, state: state.success })
    return true
  }

  return {
    insert: (rows) =>
      write(({ listRows }) => {
        for (const row of rows) listRows.insert(keyOf(row.workspaceId, row.rowId), row)
      }),
    inState: (ref, state, limit) =>
      read((tables) =>
        rowsOf(tables, ref)
          .filter((row) => row.state === state)
          .slice(0, limit)
      ),
    begin: (workspaceId, rowIds) =>
      write((tables) => {
        for (const rowId of rowIds) {
          const row = tables.listRows.get(keyOf(workspaceId, rowId))
          if (row !== undefined) move(tables, row, "begin", {})
        }
      }),
    end: ({ body, charged, rowId, workspaceId }, state, nowMillis) =>
      write((tables) => {
        const row = tables.listRows.get(keyOf(workspaceId, rowId))
        if (row === undefined || !RowMachine.is.underWay(row.state)) return false
        const event = RowMachine.is.done(state) ? "succeed" : "fail"
        return move(tables, row, event, { body, charged, endedAtMillis: nowMillis })
      }),
    endWaiting: (ref, state, body, nowMillis) =>
      write((tables) => {
        const event = RowMachine.is.failed(state) ? "fail" : "cancel"
        return rowsOf(tables, ref)
          .filter((row) => !RowMachine.is.underWay(row.state))
          .filter((row) => move(tables, row, event, { body, endedAtMillis: nowMillis })).length
      }),
    counts: (ref) =>
      read((tables) => {
        const counts = Object.fromEntries(RowMachine.states.map((state) => [state, 0])) as Record<
          ListRow["state"],
          number
        >
        for (const { state } of rowsOf(tables, ref)) counts[state] += 1
        return counts satisfies RowCounts
      }),
    outcomes: (ref) =>
      read((tables) => {
        const found = new Map<string, RowOutcome>()
        for (const row of rowsOf(tables, ref)) {
          const { charged, state } = row
          if (!RowMachine.is.done(state) && !RowMachine.is.failed(state)) continue
          const outcome = outcomeOf(row)
          const known = found.get(keyOf(state, outcome ?? ""))
          found.set(keyOf(state, outcome ?? ""), {
            state,
            outcome,
            rows: (known?.rows ?? 0) + 1,
            charged: plus(known?.charged ?? zero, charged)
          })
        }
        return [...found.values()]
          .sort(
            ascending(
              ({ rows }) => -rows,
              ({ state }) => state,
              ({ outcome }) => outcome ?? "\uffff"
            )
          )
          .slice(0, OUTCOMES_MAX)
      }),
    page: (ref, after, limit) =>
      read((tables) =>
        rowsOf(tables, ref)
          .filter(({ index }) => index > after)
          .slice(0, limit)
      ),
    get: (workspaceId, rowId) => read(({ listRows }) => listRows.find(keyOf(workspaceId, rowId)))
  }
})

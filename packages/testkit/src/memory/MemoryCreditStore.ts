import { available } from "@outbound/domain/calls/decideAdmission.js"
import { CreditStore, type UsageRow } from "@outbound/domain/calls/credits/CreditStore.js"
import { fromMicros, plus, zero } from "@outbound/domain/kernel/money/Credits.js"
import { memoryStore } from "./MemoryStore.js"
import type { LedgerRow, Tables } from "./Tables.js"

/** The account of a workspace; one that was never made is a defect. */
export const accountOf = ({ accounts }: Tables, workspaceId: string) => {
  const account = accounts.get(workspaceId)
  if (account === undefined) throw new Error(`the workspace ${workspaceId} has no account`)
  return account
}

/** As a row's primary key: one id may stand in several workspaces, and for several kinds. */
const keyOf = ({ entryId, kind, workspaceId }: Pick<LedgerRow, "entryId" | "kind" | "workspaceId">) =>
  `${workspaceId} ${kind} ${entryId}`

export const layer = memoryStore(CreditStore, "CreditStore", ({ read, write }) => ({
  balance: (workspaceId) =>
    read((tables) => {
      const { balance, reserved } = accountOf(tables, workspaceId)
      return { balance, reserved }
    }),
  add: ({ amount, atMillis, countsAsPaymentMethod, entryId, kind, requestId, workspaceId }) =>
    write((tables) => {
      const account = accountOf(tables, workspaceId)
      const balance = plus(account.balance, amount)
      const row = { entryId, workspaceId, kind, micros: amount, requestId, atMillis }
      tables.ledger.insert(keyOf(row), row)
      tables.accounts.set(workspaceId, {
        ...account,
        balance,
        hasPaymentMethod: account.hasPaymentMethod || countsAsPaymentMethod
      })
      return { balance, reserved: account.reserved }
    }),
  take: ({ amount, atMillis, entryId, kind, workspaceId }) =>
    write((tables) => {
      const row = { entryId, workspaceId, kind, micros: -amount, requestId: null, atMillis }
      if (tables.ledger.has(keyOf(row))) return true
      const account = accountOf(tables, workspaceId)
      if (available(account) < amount) return false
      tables.ledger.insert(keyOf(row), row)
      tables.accounts.set(workspaceId, { ...account, balance: fromMicros(account.balance - amount) })
      return true
    }),
  takeUpTo: ({ amount, atMillis, entryId, kind, workspaceId }) =>
    write((tables) => {
      const account = accountOf(tables, workspaceId)
      const taken = fromMicros(available(account) < amount ? available(account) : amount)
      if (taken === 0n) return taken
      const row = { entryId, workspaceId, kind, micros: -taken, requestId: null, atMillis }
      tables.ledger.insert(keyOf(row), row)
      tables.accounts.set(workspaceId, { ...account, balance: fromMicros(account.balance - taken) })
      return taken
    }),
  usageSince: (workspaceId, sinceMillis) =>
    read(({ calls, ledger }) => {
      const rows = new Map<string, UsageRow>()
      const addUp = (verb: string, micros: bigint) => {
        const row = rows.get(verb) ?? { verb, calls: 0, charged: zero }
        rows.set(verb, { verb, calls: row.calls + 1, charged: fromMicros(row.charged + micros) })
      }
      const finished = calls
        .where("workspace", workspaceId)
        .filter(
          ({ admitted, record }) =>
            admitted &&
            record.mode === "act" &&
            record.finishedAtMillis !== null &&
            record.finishedAtMillis >= sinceMillis
        )
      for (const { record } of finished) addUp(record.verb, record.charged)
      const upkeep = ledger.filter(
        ({ atMillis, kind, workspaceId: owner }) =>
          owner === workspaceId && kind === "upkeep" && atMillis >= sinceMillis
      )
      for (const { micros } of upkeep) addUp("upkeep", -micros)
      return [...rows.values()].sort((a, b) => (a.verb < b.verb ? -1 : 1))
    })
}))

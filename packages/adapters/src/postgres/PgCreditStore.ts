import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { type Balance, CreditStore, type LedgerKind } from "@outbound/domain/calls/credits/CreditStore.js"
import { type Credits, fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import { Effect } from "effect"
import { date } from "./Columns.js"
import { orUnavailable } from "./PgErrors.js"
import { storeLayer } from "./Table.js"

interface BalanceRow {
  readonly balance: bigint
  readonly reserved: bigint
}

const fromBalanceRow = (rows: ReadonlyArray<BalanceRow>): Effect.Effect<Balance> => {
  const [row] = rows
  return row === undefined
    ? Effect.die(new Error("the workspace has no account"))
    : Effect.succeed({ balance: fromMicros(row.balance), reserved: fromMicros(row.reserved) })
}

interface Entry {
  readonly entryId: string
  readonly workspaceId: string
  readonly kind: LedgerKind
  /** Signed micro-credits. */
  readonly micros: bigint
  readonly requestId: string | null
  readonly countsAsPaymentMethod: boolean
  readonly atMillis: number
}

export const layer = storeLayer(CreditStore, (sql) => {
  /** One statement, so one snapshot: calls that open or end change the available and the reserved amount together. */
  const balance = (workspaceId: string) =>
    sql<BalanceRow>`
      SELECT a.available + o.reserved AS balance, o.reserved
      FROM accounts a CROSS JOIN LATERAL (
        SELECT coalesce(sum(c.reserved), 0)::bigint AS reserved FROM open_calls c
        WHERE c.workspace_id = a.workspace_id
      ) o
      WHERE a.workspace_id = ${workspaceId}
    `.pipe(Effect.flatMap(fromBalanceRow))

  const lockAvailable = (workspaceId: string) =>
    sql<{ readonly available: bigint }>`
      SELECT available FROM accounts WHERE workspace_id = ${workspaceId} FOR NO KEY UPDATE
    `.pipe(
      Effect.flatMap(([row]) =>
        row === undefined ? Effect.die(new Error("the workspace has no account")) : Effect.succeed(row.available)
      )
    )

  const isEntered = ({ entryId, kind, workspaceId }: Pick<Entry, "entryId" | "kind" | "workspaceId">) =>
    sql`
      SELECT 1 FROM ledger_entries WHERE workspace_id = ${workspaceId} AND entry_id = ${entryId} AND kind = ${kind}
    `.pipe(Effect.map((rows) => rows.length > 0))

  /** Changes the available amount and writes the ledger entry in one statement. */
  const enter = (entry: Entry) => sql`
    WITH moved AS (
      UPDATE accounts SET available = available + ${entry.micros},
        has_payment_method = has_payment_method OR ${entry.countsAsPaymentMethod}
      WHERE workspace_id = ${entry.workspaceId}
    )
    INSERT INTO ledger_entries (workspace_id, entry_id, kind, amount, request_id, at)
    VALUES (${entry.workspaceId}, ${entry.entryId}, ${entry.kind}, ${entry.micros}, ${entry.requestId},
      ${date(entry.atMillis)})
  `

  return {
    balance: (workspaceId) => balance(workspaceId).pipe(orUnavailable("CreditStore.balance")),
    // The balance is read after the account is locked, so it includes every earlier reservation.
    add: ({ amount, ...entry }) =>
      enter({ ...entry, micros: amount }).pipe(
        Effect.andThen(balance(entry.workspaceId)),
        orUnavailable("CreditStore.add")
      ),
    take: Effect.fnUntraced(function* (entry) {
      const available = yield* lockAvailable(entry.workspaceId)
      // Checked under the lock in its own statement, so that it sees an entry committed just before.
      if (yield* isEntered(entry)) return true
      if (available < entry.amount) return false
      yield* enter({ ...entry, micros: -entry.amount, requestId: null, countsAsPaymentMethod: false })
      return true
    }, orUnavailable("CreditStore.take")),
    takeUpTo: Effect.fnUntraced(function* (entry) {
      const available = yield* lockAvailable(entry.workspaceId)
      const taken = fromMicros(available < entry.amount ? available : entry.amount)
      if (taken > 0n) yield* enter({ ...entry, micros: -taken, requestId: null, countsAsPaymentMethod: false })
      return taken
    }, orUnavailable("CreditStore.takeUpTo")),
    usageSince: (workspaceId, sinceMillis) => {
      const nextDayMillis = Math.ceil(sinceMillis / DAY_MILLIS) * DAY_MILLIS
      const nextDay = date(nextDayMillis)
      return sql<{ readonly verb: string; readonly calls: bigint; readonly charged: bigint }>`
        SELECT verb, sum(calls)::bigint AS calls, sum(charged)::bigint AS charged FROM (
          SELECT verb, calls, charged FROM usage_counted
          WHERE workspace_id = ${workspaceId} AND day >= (${nextDay}::timestamptz AT TIME ZONE 'UTC')::date
          UNION ALL
          SELECT verb, 1, charged FROM requests
          WHERE workspace_id = ${workspaceId} AND finished_at >= ${date(sinceMillis)} AND finished_at < ${nextDay}
            AND mode = 'act' AND admitted
          UNION ALL
          SELECT 'upkeep', 1, -amount FROM ledger_entries
          WHERE workspace_id = ${workspaceId} AND at >= ${date(sinceMillis)} AND kind = 'upkeep'
        ) used
        GROUP BY verb ORDER BY verb COLLATE "C"
      `.pipe(
        Effect.map((rows) =>
          rows.map(({ calls, charged, verb }) => ({
            verb,
            calls: Number(calls),
            charged: fromMicros(charged) satisfies Credits
          }))
        ),
        orUnavailable("CreditStore.usageSince")
      )
    }
  }
})

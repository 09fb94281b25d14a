import { SqlClient } from "@effect/sql"
import { available } from "@outbound/domain/calls/decideAdmission.js"
import { type Balance, CreditStore, type LedgerKind } from "@outbound/domain/credits/CreditStore.js"
import { type Credits, fromMicros } from "@outbound/domain/money/Credits.js"
import { Effect, Layer } from "effect"
import { date } from "./Columns.js"
import { orUnavailable } from "./PgErrors.js"

const DAY_MILLIS = 86_400_000

interface BalanceRow {
  readonly balance: bigint
  readonly reserved: bigint
}

const fromBalanceRow = (rows: ReadonlyArray<BalanceRow>): Effect.Effect<Balance> => {
  const [row] = rows
  return row === undefined
    ? Effect.dieMessage("the workspace has no account")
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

export const layer = Layer.effect(
  CreditStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const lock = (workspaceId: string) =>
      sql<BalanceRow>`
        SELECT balance, reserved FROM accounts WHERE workspace_id = ${workspaceId} FOR NO KEY UPDATE
      `.pipe(Effect.flatMap(fromBalanceRow))

    const isEntered = ({ entryId, workspaceId }: Pick<Entry, "entryId" | "workspaceId">) =>
      sql`
        SELECT 1 FROM ledger_entries WHERE workspace_id = ${workspaceId} AND entry_id = ${entryId} AND kind <> 'charge'
      `.pipe(Effect.map((rows) => rows.length > 0))

    /** Moves the balance and writes why, in one statement. */
    const enter = (entry: Entry) =>
      sql<BalanceRow>`
        WITH moved AS (
          UPDATE accounts SET balance = balance + ${entry.micros}, version = version + 1,
            has_payment_method = has_payment_method OR ${entry.countsAsPaymentMethod}
          WHERE workspace_id = ${entry.workspaceId} RETURNING workspace_id, balance, reserved, version
        ), entered AS (
          INSERT INTO ledger_entries (workspace_id, version, entry_id, kind, amount, balance_after, request_id, at)
          SELECT workspace_id, version, ${entry.entryId}::uuid, ${entry.kind}, ${entry.micros}, balance,
            ${entry.requestId}::uuid, ${date(entry.atMillis)}::timestamptz
          FROM moved
        )
        SELECT balance, reserved FROM moved
      `.pipe(Effect.flatMap(fromBalanceRow))

    return CreditStore.of({
      balance: (workspaceId) =>
        sql<BalanceRow>`SELECT balance, reserved FROM accounts WHERE workspace_id = ${workspaceId}`.pipe(
          Effect.flatMap(fromBalanceRow),
          orUnavailable("CreditStore.balance")
        ),
      add: ({ amount, ...entry }) => enter({ ...entry, micros: amount }).pipe(orUnavailable("CreditStore.add")),
      take: Effect.fn("CreditStore.take")(function* (entry) {
        const balance = yield* lock(entry.workspaceId)
        // Asked under the lock, and in a statement of its own: a taking that has just been committed is seen.
        if (yield* isEntered(entry)) return true
        if (available(balance) < entry.amount) return false
        yield* enter({ ...entry, micros: -entry.amount, requestId: null, countsAsPaymentMethod: false })
        return true
      }, orUnavailable("CreditStore.take")),
      usageSince: (workspaceId, sinceMillis) => {
        const nextDayMillis = Math.ceil(sinceMillis / DAY_MILLIS) * DAY_MILLIS
        const nextDay = date(nextDayMillis)
        return sql<{ readonly verb: string; readonly calls: bigint; readonly charged: bigint }>`
          SELECT verb, sum(calls)::bigint AS calls, sum(charged)::bigint AS charged FROM (
            SELECT verb, calls, charged FROM usage_daily
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
    })
  })
)

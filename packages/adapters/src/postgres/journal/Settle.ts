import type { Settled, Settlement } from "@outbound/domain/calls/Attempt.js"
import { endOfAbandoned } from "@outbound/domain/calls/abandonedCall.js"
import { fromMicros, zero } from "@outbound/domain/kernel/money/Credits.js"
import type pg from "pg"
import { isConnectionLost, isLockNotAvailable, isPassing, isStaleStatement, orUnavailable } from "../PgErrors.js"
import type { SqlClient, SqlError } from "../Sql.js"
import { givesBack, type SettleItem, settleItem, type SettlementEnd } from "./Items.js"
import type { Lane } from "./Lane.js"
import { plainArray as plain, textArray as texts, timestampArray as times } from "./Literals.js"
import { type Bound, FATES, type Prepared, type Row, SETTLE_ANY, SETTLE_BACK, SETTLE_WHOLE } from "./Statements.js"
import { type StoreUnavailable, Tx } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"

export interface EndedItem {
  readonly item: SettleItem
  readonly settled: Settled
}

/** The result of a batch of settlements. */
export type SettleEnd =
  | {
      readonly _tag: "Committed"
      readonly ended: ReadonlyArray<EndedItem>
      /** They were not settled: see `endsOfMissing`. */
      readonly missing: ReadonlyArray<SettleItem>
    }
  /** A retry may succeed. It also finds out whether this try was done. */
  | { readonly _tag: "Retry"; readonly cause: unknown }
  /** Nothing was done: another transaction holds a row that an item needs. */
  | { readonly _tag: "Held"; readonly cause: unknown }
  /** Nothing was done, and a retry would fail again: one of the items is bad. */
  | { readonly _tag: "Rejected"; readonly cause: unknown }

/** One way for a call to end. A swept call's depends on how far it had come. */
interface Ending {
  readonly item: SettleItem
  readonly end: SettlementEnd
  /** Whether its effect must have begun (true), must not have (false), or may have (null). */
  readonly started: boolean | null
}

const endingsOf = (item: SettleItem): ReadonlyArray<Ending> =>
  item.end === "sweep"
    ? [false, true].map((started) => ({
        item,
        end: { ...endOfAbandoned({ requestId: item.requestId, effectStarted: started }), charge: zero, cache: null },
        started
      }))
    : [{ item, end: item.end, started: null }]

const returns = ({ end, item }: Ending): boolean => givesBack(item, end.charge)

/** Whether nothing is stored but the call itself, with its notes. */
const isBare = ({ end, item, started }: Ending): boolean =>
  !item.claimed && end.cache === null && end.subjects === undefined && end.verdict === undefined && started === null

const isWhole = (ending: Ending): boolean => !returns(ending) && ending.end.notes === undefined

const compared = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** A fixed order, so that no two batches deadlock. */
const byName = (a: SettleItem, b: SettleItem): number =>
  compared(a.workspaceId, b.workspaceId) || compared(a.requestId, b.requestId)

const callValues = (endings: ReadonlyArray<Ending>): ReadonlyArray<string> => [
  plain(endings.map(({ item }) => item.workspaceId)),
  plain(endings.map(({ item }) => item.requestId)),
  plain(endings.map(({ end }) => end.status)),
  plain(endings.map(({ end }) => end.httpStatus)),
  plain(endings.map(({ end }) => end.errorCode)),
  plain(endings.map(({ end }) => end.charge)),
  plain(endings.map(({ end }) => end.interrupted === true)),
  times(endings.map(({ item }) => item.atMillis))
]

const notesOf = (endings: ReadonlyArray<Ending>): ReadonlyArray<string> => [
  texts(endings.map(({ end }) => end.notes?.costs ?? null)),
  texts(endings.map(({ end }) => end.notes?.evidence ?? null))
]

const otherValues = (endings: ReadonlyArray<Ending>): ReadonlyArray<string> => [
  plain(endings.map(returns)),
  plain(endings.map(({ started }) => started)),
  plain(endings.map(({ end }) => end.outcome?.httpStatus ?? null)),
  texts(endings.map(({ end }) => end.outcome?.body ?? null)),
  plain(endings.map(({ end }) => end.outcome?.charged ?? null)),
  plain(endings.map(({ end }) => end.outcome?.approvalId ?? null)),
  texts(endings.map(({ end }) => end.cache?.personKey ?? null)),
  texts(endings.map(({ end }) => end.cache?.contact ?? null)),
  plain(endings.map(({ end }) => end.cache?.emailLookedUp ?? null)),
  plain(endings.map(({ end }) => end.cache?.mobileSearched ?? null)),
  plain(endings.map(({ end }) => (end.cache === null ? null : new Date(end.cache.expiresAtMillis).toISOString()))),
  texts(endings.map(({ end }) => end.subjects?.join(" ") ?? null)),
  plain(endings.map(({ end }) => end.isListed === true)),
  texts(endings.map(({ end }) => end.verdict?.addressHash ?? null)),
  texts(endings.map(({ end }) => end.verdict?.status ?? null)),
  ...notesOf(endings)
]

/** The statement with the fewest parts: each part that writes nothing still costs its start. */
const boundTo = (
  endings: ReadonlyArray<Ending>,
  locks: keyof typeof SETTLE_ANY
): { readonly statement: Prepared; readonly values: ReadonlyArray<string> } => {
  const values = callValues(endings)
  if (!endings.every(isBare)) return { statement: SETTLE_ANY[locks], values: [...values, ...otherValues(endings)] }
  if (endings.every(isWhole)) return { statement: SETTLE_WHOLE, values }
  return { statement: SETTLE_BACK[locks], values: [...values, plain(endings.map(returns)), ...notesOf(endings)] }
}

export interface SettleStatement extends Bound {
  /** Reads the settled calls from the statement's rows. */
  readonly decode: (rows: ReadonlyArray<Row>) => ReadonlyMap<SettleItem, Settled>
}

/** The statement that settles the items. Items that it could not settle are missing from the decoded result. */
export const settleStatement = (items: ReadonlyArray<SettleItem>, locks: keyof typeof SETTLE_ANY): SettleStatement => {
  const endings = items.toSorted(byName).flatMap(endingsOf)
  return {
    ...boundTo(endings, locks),
    decode: (rows) => {
      // The statement reads an account's available amount before anything is returned to it.
      const rests = new Map<string, bigint>()
      const settled = rows.flatMap(([n, available, rest]) => {
        const item = endings[Number(n) - 1]?.item
        if (item === undefined) return []
        const { workspaceId } = item
        rests.set(workspaceId, (rests.get(workspaceId) ?? 0n) + BigInt(rest ?? 0))
        return [{ item, available: BigInt(available ?? 0) }]
      })
      return new Map(
        settled.map(({ available, item }) => [
          item,
          { _tag: "Settled", available: fromMicros(available + (rests.get(item.workspaceId) ?? 0n)) }
        ])
      )
    }
  }
}

const chargedOf = ({ end, item }: Ending): bigint =>
  item.reserved !== null && end.charge > item.reserved ? item.reserved : end.charge

/** `ours`: an earlier try, whose answer was lost, settled it. */
type Fate = "open" | "ours" | "ended"

const fatesOf = async (
  pool: pg.Pool,
  items: ReadonlyArray<SettleItem>
): Promise<ReadonlyMap<SettleItem, { readonly fate: Fate; readonly available: bigint }>> => {
  const endings = items.flatMap(endingsOf)
  const { rows } = await pool.query<{ n: string; open: boolean; same: boolean; available: bigint }>(FATES, [
    plain(endings.map(({ item }) => item.workspaceId)),
    plain(endings.map(({ item }) => item.requestId)),
    plain(endings.map(({ end }) => end.status)),
    plain(endings.map(chargedOf)),
    times(endings.map(({ item }) => item.atMillis))
  ])
  const fates = new Map<SettleItem, { readonly fate: Fate; readonly available: bigint }>()
  for (const { available, n, open, same } of rows) {
    const item = endings[Number(n) - 1]?.item
    if (item === undefined || fates.get(item)?.fate === "ours") continue
    fates.set(item, { fate: open ? "open" : same && item.unanswered ? "ours" : "ended", available })
  }
  return fates
}

const failed = (cause: unknown): SettleEnd => {
  if (isLockNotAvailable(cause)) return { _tag: "Held", cause }
  return { _tag: isPassing(cause) ? "Retry" : "Rejected", cause }
}

/**
 * Runs one batch of settlements: one statement, which is its own transaction. If its answer is lost, its items are
 * marked and retried: the retry waits for the first try to end and then finds the calls open or ended.
 */
export const runSettlements = async (
  items: ReadonlyArray<SettleItem>,
  { connection, locks }: Pick<Lane, "connection" | "locks">
): Promise<SettleEnd> => {
  const { session } = connection
  try {
    const statement = settleStatement(items, locks)
    const [rows] = await session.roundTrip([statement])
    const settled = statement.decode(rows ?? [])
    return {
      _tag: "Committed",
      ended: Array.from(settled, ([item, answer]) => ({ item, settled: answer })),
      missing: items.filter((item) => !settled.has(item))
    }
  } catch (cause) {
    if (isConnectionLost(cause)) for (const item of items) item.unanswered = true
    // Otherwise the session is as it was: a statement that failed is its own transaction.
    if (isConnectionLost(cause) || isStaleStatement(cause)) session.close()
    return failed(cause)
  }
}

/** Why a batch did not settle the items: they had ended before, or other transactions hold their accounts. */
export const endsOfMissing = async (
  items: ReadonlyArray<SettleItem>,
  { locks, pool }: Pick<Lane, "locks" | "pool">
): Promise<{ readonly ended: ReadonlyArray<EndedItem>; readonly passedOver: ReadonlyArray<SettleItem> }> => {
  const fates = await fatesOf(pool, items)
  const ended: Array<EndedItem> = []
  const passedOver: Array<SettleItem> = []
  for (const item of items) {
    const found = fates.get(item)
    if (found?.fate === "open" || (locks === "skipping" && item.mayStillOpen)) passedOver.push(item)
    else if (found?.fate !== "ours") ended.push({ item, settled: { _tag: "Fenced" } })
    else ended.push({ item, settled: { _tag: "Settled", available: fromMicros(found.available) } })
  }
  return { ended, passedOver }
}

/** Settles in the caller's transaction with the batches' statement; waits for the account. */
export const settleIn =
  (sql: SqlClient) =>
  (settlement: Settlement): Effect.Effect<Settled, StoreUnavailable, Tx> =>
    Effect.gen(function* () {
      yield* Tx
      const item = settleItem(settlement, 0, () => {})
      const { decode, statement, values } = settleStatement([item], "waiting")
      const rows = yield* sql.unsafe(statement.text, values).values as Effect.Effect<ReadonlyArray<Row>, SqlError>
      return decode(rows).get(item) ?? ({ _tag: "Fenced" } as const)
    }).pipe(orUnavailable("CallJournal.settleIn"), Effect.uninterruptible)

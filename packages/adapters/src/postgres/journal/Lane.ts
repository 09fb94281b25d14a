import type pg from "pg"
import { Connection } from "./Connection.js"
import type { AdmitItem, Item, SettleItem } from "./Items.js"
import { BATCH_ITEMS_MAX, LOCK_WAIT_MILLIS, SHARDS, SHARED_LOCK_WAIT_MILLIS } from "./limits.js"

/** Items waiting for a batch, settlements before admissions. */
class Queue {
  #settlements: Array<SettleItem> = []
  #admissions: Array<AdmitItem> = []

  get size(): number {
    return this.#settlements.length + this.#admissions.length
  }

  get hasSettlements(): boolean {
    return this.#settlements.length > 0
  }

  push(item: Item): void {
    if (item._tag === "Settle") this.#settlements.push(item)
    else this.#admissions.push(item)
  }

  takeSettlements(): Array<SettleItem> {
    return this.#settlements.splice(0, BATCH_ITEMS_MAX)
  }

  takeAdmissions(): Array<AdmitItem> {
    return this.#admissions.splice(0, BATCH_ITEMS_MAX)
  }

  /** Removes and returns the admissions that have waited too long. */
  expired(before: number): ReadonlyArray<AdmitItem> {
    if (this.#admissions[0] === undefined || this.#admissions[0].enqueuedAt > before) return []
    const old = this.#admissions.filter(({ enqueuedAt }) => enqueuedAt <= before)
    this.#admissions = this.#admissions.filter(({ enqueuedAt }) => enqueuedAt > before)
    return old
  }
}

/** A queue with its own connection and one batch running at a time. */
export interface Lane {
  readonly queue: Queue
  readonly pool: pg.Pool
  readonly connection: Connection
  /** Null: a shared lane of admissions or of settlements. */
  readonly workspaceId: string | null
  /** What a batch does about accounts that another transaction holds. */
  readonly locks: "skipping" | "waiting"
  running: boolean
}

export const laneOf = (pool: pg.Pool, workspaceId: string | null): Lane => ({
  queue: new Queue(),
  pool,
  connection: new Connection(pool, workspaceId === null ? SHARED_LOCK_WAIT_MILLIS : LOCK_WAIT_MILLIS),
  workspaceId,
  locks: workspaceId === null ? "skipping" : "waiting",
  running: false
})

/** One lane per share of the workspaces. */
export const lanesOf = (pool: pg.Pool): ReadonlyArray<Lane> => Array.from({ length: SHARDS }, () => laneOf(pool, null))

import { ADMISSION_WAIT_MILLIS } from "@outbound/domain/calls/CallJournal.js"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Result } from "effect"
import type pg from "pg"
import { Answers } from "./Answers.js"
import { type BatchEnd, type OpenBatch, openBatch, sleep } from "./Batch.js"
import { type AdmitItem, type Item, needsAccount, releaseItem, type SettleItem } from "./Items.js"
import { type Lane, laneOf, lanesOf } from "./Lane.js"
import {
  ADMISSION_TRIES_MAX,
  DRAIN_MILLIS_MAX,
  HELD_LANES_MAX,
  pauseMillis,
  QUEUE_ITEMS_MAX,
  SHARDS,
  SETTLEMENT_ANSWER_MILLIS,
  SETTLEMENT_TRIES_MAX
} from "./limits.js"
import { Policies } from "./Policies.js"
import { operationOf, storeRefusal, tooLate, UNKNOWN_KEY } from "./refusals.js"
import { type EndedItem, endsOfMissing, runSettlements, type SettleEnd } from "./Settle.js"

/** How often waiting items are checked for expiry. */
const EXPIRY_MILLIS = 100

export interface BatcherOptions {
  readonly pool: pg.Pool
  /** The host's current incarnation. */
  readonly incarnation: () => string
  /** Called when the database reports an expired lease; resolves once there is a new one. */
  readonly renew: () => Promise<void>
  /** Makes the lease last for a while. */
  readonly useLease: () => Promise<void>
  /** Called when an admission got no answer in time. */
  readonly unanswered: () => void
  /** Called after a settlement of this host is committed. */
  readonly settled: (workspaceId: string, requestId: string) => void
}

/** A lane's settlements and the admissions behind them, on their way. */
interface Turn {
  readonly settlements: ReadonlyArray<SettleItem>
  readonly settled: Promise<SettleEnd> | undefined
  readonly admissions: ReadonlyArray<AdmitItem>
  readonly opened: Promise<OpenBatch | BatchEnd> | undefined
}

const isDone = (end: SettleEnd): boolean => end._tag === "Committed" && end.missing.length === 0

const now = (): number => performance.now()

/**
 * Commits admissions and settlements in groups: what arrives during one batch forms the next. There is no timer: an
 * item that finds no batch running starts one. A settlement that gives nothing back needs no account, so it runs beside
 * the admissions. One that does (a chat's, a shorter list's) is in their lane, because each would find the other holding
 * the account.
 *
 * If another transaction holds a workspace's rows, the workspace's items move to a lane of their own. That lane waits
 * for the rows in PostgreSQL's order, so that no other workspace stalls and two hosts take turns.
 */
export class Batcher {
  readonly #options: BatcherOptions
  readonly #policies = new Policies()
  readonly #admissions: ReadonlyArray<Lane>
  readonly #settlements: ReadonlyArray<Lane>
  readonly #held = new Map<string, Lane>()
  #waiting = 0
  #pending = 0
  #committedAt = now()
  readonly #answers = new Answers()
  #expiry: NodeJS.Timeout | undefined

  constructor(options: BatcherOptions) {
    this.#options = options
    this.#admissions = lanesOf(options.pool)
    this.#settlements = lanesOf(options.pool)
  }

  /** Whether the database has committed a batch within the time that an admission may wait. */
  get isAnswered(): boolean {
    return now() - this.#committedAt < ADMISSION_WAIT_MILLIS
  }

  /** False: the queue is full; nothing was done. */
  admit(item: AdmitItem): boolean {
    if (this.#waiting >= QUEUE_ITEMS_MAX) return false
    this.#waiting += 1
    this.#pending += 1
    this.#offer(item)
    return true
  }

  settle(item: SettleItem): void {
    this.#pending += 1
    this.#offer(item)
  }

  /** Waits a bounded time for queued items, then releases the connections. */
  async close(): Promise<void> {
    const until = now() + DRAIN_MILLIS_MAX
    while (this.#pending > 0 && now() < until) await sleep(10)
    clearInterval(this.#expiry)
    for (const lane of this.#lanes()) lane.connection.close()
  }

  #lanes(): ReadonlyArray<Lane> {
    return [...this.#admissions, ...this.#settlements, ...this.#held.values()]
  }

  /** The last digits of ids are random. */
  #shardOf(item: Item): Lane {
    const { workspaceId } = item
    const lanes = needsAccount(item) ? this.#admissions : this.#settlements
    const shard = lanes[Number.parseInt(workspaceId.slice(-6), 16) % SHARDS]
    if (shard === undefined) throw new Error(`${workspaceId} is no id of a workspace`)
    return shard
  }

  #offer(item: Item): void {
    const lane = this.#held.get(item.workspaceId) ?? this.#shardOf(item)
    lane.queue.push(item)
    this.#expiry ??= setInterval(() => this.#expire(), EXPIRY_MILLIS)
    void this.#run(lane)
  }

  async #run(lane: Lane): Promise<void> {
    if (lane.running) return
    lane.running = true
    while (lane.queue.size > 0) {
      // Lets other arrivals of this event-loop turn join the batch.
      await new Promise(setImmediate)
      await this.#runTurns(lane)
    }
    lane.running = false
    if (lane.workspaceId !== null) {
      this.#held.delete(lane.workspaceId)
      lane.connection.close()
    }
  }

  /** Drops admissions that have expired. */
  #fresh(items: ReadonlyArray<AdmitItem>): ReadonlyArray<AdmitItem> {
    const before = now() - ADMISSION_WAIT_MILLIS
    return items.filter((item) => {
      if (item.enqueuedAt > before) return true
      this.#late(item)
      return false
    })
  }

  /**
   * Runs turns for as long as each finds settlements waiting: the next one travels behind the writes of the one before.
   * What failed is mended after them, when no transaction is open.
   */
  async #runTurns(lane: Lane): Promise<void> {
    const mends: Array<() => Promise<void>> = []
    let next: Turn | undefined = this.#beginTurn(lane)
    while (next !== undefined) {
      const { admissions, opened, settled, settlements }: Turn = next
      next = undefined
      let end = await opened
      if (end?._tag === "Open") {
        const written = end.write()
        if (mends.length === 0 && lane.queue.hasSettlements) next = this.#beginTurn(lane)
        end = await written
      }
      const batchEnd = end
      if (batchEnd !== undefined && !this.#answerAdmitted(lane, batchEnd)) {
        mends.push(() => this.#unlessAdmitted(lane, admissions, batchEnd))
      }
      const settleEnd = await settled
      if (settleEnd !== undefined && !isDone(settleEnd)) {
        mends.push(() => this.#unlessSettled(lane, settlements, settleEnd))
      }
    }
    for (const mend of mends) await mend()
  }

  /** Sends the waiting settlements, and the reads of the waiting admissions behind them. */
  #beginTurn(lane: Lane): Turn {
    const settlements = lane.queue.takeSettlements()
    const admissions = this.#fresh(lane.queue.takeAdmissions())
    return {
      settlements,
      settled: settlements.length > 0 ? this.#trySettling(lane, settlements) : undefined,
      admissions,
      opened: admissions.length > 0 ? this.#open(lane, admissions) : undefined
    }
  }

  async #open(lane: Lane, items: ReadonlyArray<AdmitItem>): Promise<OpenBatch | BatchEnd> {
    const { incarnation, useLease } = this.#options
    // Where it fails, the batch finds the lease over.
    await useLease().catch(() => {})
    return openBatch(items, lane, { policies: this.#policies, incarnation: incarnation() }).catch(
      (cause: unknown): BatchEnd => ({ _tag: "Rejected", cause })
    )
  }

  async #admit(lane: Lane, items: ReadonlyArray<AdmitItem>): Promise<void> {
    const opened = await this.#open(lane, items)
    const end = opened._tag === "Open" ? await opened.write() : opened
    if (!this.#answerAdmitted(lane, end)) await this.#unlessAdmitted(lane, items, end)
  }

  /** False: not committed. */
  #answerAdmitted(lane: Lane, end: BatchEnd): boolean {
    if (end._tag !== "Committed") return false
    this.#committedAt = now()
    for (const { admission, item } of end.decided.admitted) this.#answered(item, Result.succeed(admission))
    for (const { cause, item } of end.decided.broken) this.#reject(item, cause)
    for (const item of end.decided.passedOver) this.#passOver(item, lane)
    return true
  }

  async #unlessAdmitted(lane: Lane, items: ReadonlyArray<AdmitItem>, end: BatchEnd): Promise<void> {
    switch (end._tag) {
      case "Committed":
        return
      case "Retry":
        await this.#again(items, end.cause)
        return
      case "LeaseOver":
        await this.#options.renew().catch(() => {})
        for (const item of items) this.#retry(item, new Error("the host's lease is over"))
        return
      case "Rejected":
        await this.#halved(
          items,
          (half) => this.#admit(lane, half),
          (item) => this.#reject(item, end.cause)
        )
        return
      case "Unknown":
        for (const item of items) this.#unknown(item, end.cause)
    }
  }

  async #settle(lane: Lane, items: ReadonlyArray<SettleItem>): Promise<void> {
    await this.#unlessSettled(lane, items, await this.#trySettling(lane, items))
  }

  /** Answers at once what is committed: the admissions behind it may have to wait for a lock. */
  async #trySettling(lane: Lane, items: ReadonlyArray<SettleItem>): Promise<SettleEnd> {
    const end = await runSettlements(items, lane)
    if (end._tag === "Committed") {
      this.#committedAt = now()
      this.#answerEnded(end.ended)
    }
    return end
  }

  #answerEnded(ended: ReadonlyArray<EndedItem>): void {
    this.#answers.add(
      ended.map(({ item, settled }) => () => {
        this.#answered(item, Result.succeed(settled))
        if (settled._tag === "Settled") this.#options.settled(item.workspaceId, item.requestId)
      })
    )
  }

  async #unlessSettled(lane: Lane, items: ReadonlyArray<SettleItem>, end: SettleEnd): Promise<void> {
    switch (end._tag) {
      case "Committed":
        if (!isDone(end)) await this.#missing(lane, end.missing)
        return
      case "Retry":
        await this.#again(items, end.cause)
        return
      case "Held":
        if (lane.workspaceId !== null) await this.#again(items, end.cause)
        else
          await this.#halved(
            items,
            (half) => this.#settle(lane, half),
            (item) => this.#passOver(item, lane)
          )
        return
      case "Rejected":
        await this.#halved(
          items,
          (half) => this.#settle(lane, half),
          (item) => this.#reject(item, end.cause)
        )
    }
  }

  async #missing(lane: Lane, items: ReadonlyArray<SettleItem>): Promise<void> {
    try {
      const { ended, passedOver } = await endsOfMissing(items, lane)
      this.#answerEnded(ended)
      for (const item of passedOver) this.#passOver(item, lane)
    } catch (cause) {
      await this.#again(items, cause)
    }
  }

  async #again(items: ReadonlyArray<Item>, cause: unknown): Promise<void> {
    for (const item of items) this.#retry(item, cause)
    // Pause, so that an unavailable database isn't asked in a tight loop.
    await sleep(pauseMillis(Math.min(...items.map(({ tries }) => tries))))
  }

  /** One bad item never fails its neighbours: a failed batch is halved until the item is found. */
  async #halved<I extends Item>(
    items: ReadonlyArray<I>,
    run: (half: ReadonlyArray<I>) => Promise<void>,
    alone: (item: I) => void
  ): Promise<void> {
    const [only] = items
    if (items.length === 1 && only !== undefined) {
      alone(only)
      return
    }
    const half = Math.ceil(items.length / 2)
    await run(items.slice(0, half))
    await run(items.slice(half))
  }

  /** Another transaction holds a row: from now on the workspace's items wait for it in their own lane. */
  #passOver(item: Item, lane: Lane): void {
    if (lane.workspaceId !== null) {
      if (item._tag === "Admit") this.#answered(item, Result.succeed(UNKNOWN_KEY))
      else this.#retry(item, new Error("a row that the call needs does not exist"))
      return
    }
    item.tries += 1
    if (item._tag === "Admit" && item.tries > ADMISSION_TRIES_MAX) {
      this.#late(item)
      return
    }
    if (this.#held.get(item.workspaceId) === undefined && this.#held.size < HELD_LANES_MAX) {
      this.#held.set(item.workspaceId, laneOf(this.#options.pool, item.workspaceId))
    }
    if (this.#held.has(item.workspaceId)) this.#offer(item)
    else setTimeout(() => this.#offer(item), pauseMillis(item.tries))
  }

  #retry(item: Item, cause: unknown): void {
    item.tries += 1
    const triesMax = item._tag === "Admit" ? ADMISSION_TRIES_MAX : SETTLEMENT_TRIES_MAX
    if (item.tries >= triesMax) this.#unavailable(item, cause)
    else if (item.tries === 1) this.#offer(item)
    else setTimeout(() => this.#offer(item), pauseMillis(item.tries))
    if (item._tag === "Settle" && now() - item.enqueuedAt > SETTLEMENT_ANSWER_MILLIS) {
      // Its caller need not wait. It stays queued, because nothing else would release the reservation.
      item.done(Result.fail(new StoreUnavailable({ operation: "CallJournal.settle", cause })))
    }
  }

  /** It can't be written as it is. A settlement's reservation must not remain, so the call ends as failed. */
  #reject(item: Item, cause: unknown): void {
    const refused = storeRefusal(operationOf(item), cause)
    if (item._tag === "Admit" || item.end === "sweep" || item.end.errorCode === "internal") {
      this.#answered(item, Result.fail(refused))
      return
    }
    // Answer the caller once nothing is reserved any more.
    this.#pending -= 1
    this.settle(releaseItem(item, now(), () => item.done(Result.fail(refused))))
  }

  /** We can't find out whether it was admitted, so release what may be reserved. */
  #unknown(item: AdmitItem, cause: unknown): void {
    this.#answered(item, Result.fail(storeRefusal(operationOf(item), cause)))
    this.settle(releaseItem(item, now(), () => {}))
  }

  #expire(): void {
    const before = now() - ADMISSION_WAIT_MILLIS
    for (const lane of this.#lanes()) {
      for (const item of lane.queue.expired(before)) this.#late(item)
    }
    if (this.#pending > 0) return
    clearInterval(this.#expiry)
    this.#expiry = undefined
  }

  /** A settlement waits for as long as it takes. */
  #late(item: Item): void {
    if (item._tag !== "Admit") return
    if (!this.isAnswered) this.#options.unanswered()
    this.#answered(item, Result.fail(tooLate("CallJournal.admit")))
  }

  #unavailable(item: Item, cause: unknown): void {
    this.#options.unanswered()
    this.#answered(item, Result.fail(new StoreUnavailable({ operation: operationOf(item), cause })))
  }

  #answered<I extends Item>(item: I, answer: Parameters<I["done"]>[0]): void {
    this.#pending -= 1
    if (item._tag === "Admit") this.#waiting -= 1
    ;(item.done as (answer: Parameters<I["done"]>[0]) => void)(answer)
  }
}

import type { Admission, Attempt, Reservation, Settled, Settlement } from "@outbound/domain/calls/Attempt.js"
import type { WireError } from "@outbound/domain/kernel/errors/Wire.js"
import { zero } from "@outbound/domain/kernel/money/Credits.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { Result } from "effect"

/** A waiting admission. */
export interface AdmitItem {
  readonly _tag: "Admit"
  readonly attempt: Attempt<Reservation>
  readonly workspaceId: string
  readonly keyId: string
  /** The run that the call names; null too if it can't be a run's id. */
  readonly runId: string | null
  /** By the host's monotonic clock. */
  readonly enqueuedAt: number
  tries: number
  readonly done: (answer: Result.Result<Admission<Reservation>, WireError<"rate_limited"> | StoreUnavailable>) => void
}

/** A settlement, by the call's own host or by a sweeper that found its host dead. */
export interface SettleItem {
  readonly _tag: "Settle"
  readonly workspaceId: string
  readonly requestId: string
  /** Null: unknown here. */
  readonly reserved: bigint | null
  /** Whether an Idempotency-Key may store it. */
  readonly claimed: boolean
  /** How the call ends. A swept call's end depends on how far it had come. */
  readonly end: SettlementEnd | "sweep"
  readonly atMillis: number
  readonly enqueuedAt: number
  tries: number
  /** Its admission may still be running. Only under the account's lock can we be sure that the call doesn't exist. */
  readonly mayStillOpen: boolean
  /** An earlier try got no answer, so it may have been done. */
  unanswered: boolean
  readonly done: (answer: Result.Result<Settled, StoreUnavailable>) => void
}

export type SettlementEnd = Pick<
  Settlement,
  | "status"
  | "httpStatus"
  | "errorCode"
  | "interrupted"
  | "charge"
  | "outcome"
  | "cache"
  | "subjects"
  | "isListed"
  | "verdict"
  | "notes"
>

export type Item = AdmitItem | SettleItem

/** Whether a part of the reservation returns to the account. Unknown reservations may. */
export const givesBack = ({ reserved }: SettleItem, charge: bigint): boolean => reserved === null || charge < reserved

/** Whether it needs the account's row: an admission reserves, and some settlements give back. */
export const needsAccount = (item: Item): boolean =>
  item._tag === "Admit" || givesBack(item, item.end === "sweep" ? zero : item.end.charge)

export const settleItem = (settlement: Settlement, enqueuedAt: number, done: SettleItem["done"]): SettleItem => {
  const { call, settledAtMillis, ...end } = settlement
  return {
    _tag: "Settle",
    workspaceId: call.workspaceId,
    requestId: call.requestId,
    reserved: call.reserved,
    claimed: call.idempotency !== null,
    end,
    atMillis: settledAtMillis,
    enqueuedAt,
    tries: 0,
    mayStillOpen: false,
    unanswered: false,
    done
  }
}

/** Ends the item's call, if it exists, without charge and without an outcome. */
export const releaseItem = (item: Item, enqueuedAt: number, done: SettleItem["done"]): SettleItem => ({
  _tag: "Settle",
  workspaceId: item.workspaceId,
  requestId: item._tag === "Settle" ? item.requestId : item.attempt.requestId,
  reserved: null,
  claimed: true,
  end: { status: "failed", httpStatus: 500, errorCode: "internal", charge: zero, outcome: null, cache: null },
  atMillis: item._tag === "Settle" ? item.atMillis : item.attempt.nowMillis,
  enqueuedAt,
  tries: 0,
  mayStillOpen: item._tag === "Admit",
  unanswered: false,
  done
})

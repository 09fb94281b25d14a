import type { Admission, Attempt, Reservation, Settled, Settlement } from "@outbound/domain/calls/Attempt.js"
import type { WireError } from "@outbound/domain/kernel/errors/Wire.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { Either } from "effect"

/** An admission that waits for its batch. */
export interface AdmitItem {
  readonly _tag: "Admit"
  readonly attempt: Attempt<Reservation>
  readonly workspaceId: string
  readonly keyId: string
  /** The run that the call names; null too where it cannot be the id of one. */
  readonly runId: string | null
  /** By the host's monotonic clock. */
  readonly enqueuedAt: number
  tries: number
  readonly done: (answer: Either.Either<Admission<Reservation>, WireError<"rate_limited"> | StoreUnavailable>) => void
}

/** A settlement: of the call's own host, or by a sweeper that found its host dead. */
export interface SettleItem {
  readonly _tag: "Settle"
  readonly workspaceId: string
  readonly requestId: string
  /** Null: not known here. */
  readonly reserved: bigint | null
  /** Whether it may be remembered under an Idempotency-Key. */
  readonly claimed: boolean
  /** What ends the call; of a swept one it depends on how far the call had come. */
  readonly end: SettlementEnd | "sweep"
  readonly atMillis: number
  readonly enqueuedAt: number
  tries: number
  /** Its admission may be under way still: only behind the account's lock is it certain that there is no such call. */
  readonly mayStillOpen: boolean
  /** A try of it had no answer: it may have been done. */
  unanswered: boolean
  readonly done: (answer: Either.Either<Settled, StoreUnavailable>) => void
}

export type SettlementEnd = Pick<
  Settlement,
  "status" | "httpStatus" | "errorCode" | "interrupted" | "charge" | "outcome" | "cache" | "subjects" | "notes"
>

export type Item = AdmitItem | SettleItem

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

import { Context } from "effect"
import type { Credits } from "../../kernel/money/Credits.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"

/**
 * Why a ledger entry was made. The balance is the sum of all entries. `reversal`: a payment went back to the payer, or came
 * again after a dispute was won.
 */
export const LEDGER_KINDS = ["grant", "top_up", "charge", "refund", "upkeep", "reversal"] as const
export type LedgerKind = (typeof LEDGER_KINDS)[number]

export interface Balance {
  readonly balance: Credits
  /** The sum of open reservations; never above the balance. */
  readonly reserved: Credits
}

export interface UsageRow {
  readonly verb: string
  readonly calls: number
  readonly charged: Credits
}

/**
 * Credit balances. Every change is a delta and writes a ledger entry in the same statement. Only `CallJournal` opens
 * and closes reservations.
 */
export class CreditStore extends Context.Service<
  CreditStore,
  {
    readonly balance: (workspaceId: string) => FromStore<Balance>
    /** Adds to the balance. `counts`: the workspace now has a payment method. */
    readonly add: (entry: {
      readonly entryId: string
      readonly workspaceId: string
      readonly kind: "grant" | "top_up" | "refund" | "reversal"
      readonly amount: Credits
      readonly countsAsPaymentMethod: boolean
      /** The refunded call, if any. */
      readonly requestId: string | null
      readonly atMillis: number
    }) => InTx<Balance>
    /**
     * Subtracts `amount` from what is available. False, without changes: not enough. Idempotent by `entryId`: a repeat
     * is true and changes nothing.
     */
    readonly take: (entry: {
      readonly entryId: string
      readonly workspaceId: string
      readonly kind: "upkeep"
      readonly amount: Credits
      readonly atMillis: number
    }) => InTx<boolean>
    /** Subtracts `amount`, or as much of it as is available. Returns how much. Nothing available: no entry. */
    readonly takeUpTo: (entry: {
      readonly entryId: string
      readonly workspaceId: string
      readonly kind: "reversal"
      readonly amount: Credits
      readonly atMillis: number
    }) => InTx<Credits>
    /** Finished calls in mode `act` and their cost since a time, by verb; upkeep is the verb `upkeep`. */
    readonly usageSince: (workspaceId: string, sinceMillis: number) => FromStore<ReadonlyArray<UsageRow>>
  }
>()("@outbound/domain/calls/credits/CreditStore") {}

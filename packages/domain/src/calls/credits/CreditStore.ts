import { Context, type Effect } from "effect"
import type { Credits } from "../../kernel/money/Credits.js"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"

/** What a ledger entry is for. The balance is the sum of all entries. */
export const LEDGER_KINDS = ["grant", "top_up", "charge", "refund", "upkeep"] as const
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
 * Where credits are kept. Balances move by deltas, and every move is an entry of the ledger in the same statement.
 * Reservations are opened and closed by `CallJournal` alone.
 */
export class CreditStore extends Context.Tag("@outbound/domain/calls/credits/CreditStore")<
  CreditStore,
  {
    readonly balance: (workspaceId: string) => Effect.Effect<Balance, StoreUnavailable>
    /** Adds to the balance. `counts`: it makes the workspace one that has added a payment method. */
    readonly add: (entry: {
      readonly entryId: string
      readonly workspaceId: string
      readonly kind: "grant" | "top_up" | "refund"
      readonly amount: Credits
      readonly countsAsPaymentMethod: boolean
      /** The call that it gives back for, if any. */
      readonly requestId: string | null
      readonly atMillis: number
    }) => Effect.Effect<Balance, StoreUnavailable, Tx>
    /**
     * Takes `amount` off what is available, if that covers it; false, and nothing changed, where it does not.
     * Idempotent by `entryId`: a second taking is true and changes nothing.
     */
    readonly take: (entry: {
      readonly entryId: string
      readonly workspaceId: string
      readonly kind: "upkeep"
      readonly amount: Credits
      readonly atMillis: number
    }) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /** Finished calls in mode `act` and what they cost, by verb, since a time; upkeep under the verb `upkeep`. */
    readonly usageSince: (
      workspaceId: string,
      sinceMillis: number
    ) => Effect.Effect<ReadonlyArray<UsageRow>, StoreUnavailable>
  }
>() {}

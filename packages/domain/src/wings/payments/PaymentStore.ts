import { Context, type Option } from "effect"
import type { Credits } from "../../kernel/money/Credits.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { PaymentState } from "../../control/payments/PaymentMachine.js"

/** A top-up. */
export interface Payment {
  readonly workspaceId: string
  readonly paymentId: string
  /** The owner who asked for it. */
  readonly userId: string
  readonly credits: Credits
  /** What is paid, in US cents. */
  readonly cents: number
  readonly state: PaymentState
  /** The provider's id of the payment; null before the provider answered. */
  readonly reference: string | null
  /** The provider's page for the owner; null if there is nothing to do. */
  readonly url: string | null
  /** The ledger entry, once paid. */
  readonly entryId: string | null
  /** US cents that went back to the payer. */
  readonly returnedCents: number
  /** The credits taken back for them so far. */
  readonly takenBack: Credits
  readonly createdAtMillis: number
  readonly changedAtMillis: number
  /** How often a round has asked the provider about it; begins anew when it is paid, and when money goes back. */
  readonly looks: number
  /** When to ask next; null: never again. */
  readonly nextLookAtMillis: number | null
}

export class PaymentStore extends Context.Service<
  PaymentStore,
  {
    /** False, without changes: the workspace already has a payment with this id. */
    readonly insert: (payment: Payment) => InTx<boolean>
    readonly find: (workspaceId: string, paymentId: string) => FromStore<Option.Option<Payment>>
    readonly lock: (workspaceId: string, paymentId: string) => InTx<Option.Option<Payment>>
    /** Requires the payment's lock. */
    readonly update: (payment: Payment) => InTx<void>
    /** Newest first. */
    readonly list: (workspaceId: string, limit: number) => FromStore<ReadonlyArray<Payment>>
    /** How many of the workspace's payments are neither paid nor failed. */
    readonly countOpen: (workspaceId: string) => FromStore<number>
    /**
     * Payments due for a check, the longest due first. Counts the check and postpones the next one to `untilMillis`, so
     * that no other host checks at the same time. Skips rows locked by other hosts.
     */
    readonly takeDue: (nowMillis: number, untilMillis: number, limit: number) => InTx<ReadonlyArray<Payment>>
    /** Stores which ledger entry took how many of the payment's credits back; below zero: gave them again. */
    readonly insertReturn: (entry: {
      readonly workspaceId: string
      readonly paymentId: string
      readonly entryId: string
      readonly micros: bigint
    }) => InTx<void>
    /** False: this event was already stored. */
    readonly insertEvent: (event: {
      readonly workspaceId: string
      readonly paymentId: string
      readonly eventId: string
      readonly kind: string
      readonly atMillis: number
    }) => InTx<boolean>
  }
>()("@outbound/domain/wings/payments/PaymentStore") {}

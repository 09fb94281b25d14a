import { Context, type Effect, type Option } from "effect"
import type { Credits } from "../../kernel/money/Credits.js"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"
import type { PaymentState } from "./PaymentMachine.js"

/** A top-up, from the owner's wish to its end. */
export interface Payment {
  readonly workspaceId: string
  readonly paymentId: string
  /** The owner who asked for it. */
  readonly userId: string
  readonly credits: Credits
  /** What is paid, in US cents. */
  readonly cents: number
  readonly state: PaymentState
  /** The provider's name for it; null before the provider answered. */
  readonly reference: string | null
  /** Where the owner acts; null where there is nothing to do. */
  readonly url: string | null
  /** The ledger's entry, once it is paid. */
  readonly entryId: string | null
  readonly createdAtMillis: number
  readonly changedAtMillis: number
  /** How often a round asked the provider what became of it. */
  readonly looks: number
  /** When it is asked again; null once nothing more is to be learnt. */
  readonly nextLookAtMillis: number | null
}

export class PaymentStore extends Context.Tag("@outbound/domain/control/payments/PaymentStore")<
  PaymentStore,
  {
    /** False, and nothing changed, where the workspace has a payment of this id. */
    readonly insert: (payment: Payment) => Effect.Effect<boolean, StoreUnavailable, Tx>
    readonly find: (workspaceId: string, paymentId: string) => Effect.Effect<Option.Option<Payment>, StoreUnavailable>
    readonly lock: (
      workspaceId: string,
      paymentId: string
    ) => Effect.Effect<Option.Option<Payment>, StoreUnavailable, Tx>
    /** Of a payment that was locked. */
    readonly update: (payment: Payment) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Newest first. */
    readonly list: (workspaceId: string, limit: number) => Effect.Effect<ReadonlyArray<Payment>, StoreUnavailable>
    /** How many of the workspace's are neither paid nor failed. */
    readonly countOpen: (workspaceId: string) => Effect.Effect<number, StoreUnavailable>
    /**
     * Those whose next look is due, the longest due first; the look is counted, and the next one put off to
     * `untilMillis`, so that no other host looks at the same time. Skips what another host holds.
     */
    readonly takeDue: (
      nowMillis: number,
      untilMillis: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Payment>, StoreUnavailable, Tx>
    /** False: this event of the provider was told before. */
    readonly insertEvent: (event: {
      readonly workspaceId: string
      readonly paymentId: string
      readonly eventId: string
      readonly kind: string
      readonly atMillis: number
    }) => Effect.Effect<boolean, StoreUnavailable, Tx>
  }
>() {}

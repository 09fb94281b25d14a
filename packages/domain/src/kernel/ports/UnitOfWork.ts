import { Context, Data, type Effect } from "effect"

/** Proof of being inside a transaction. Callers need no value from it. */
export class Tx extends Context.Service<Tx, { readonly depth: number }>()(
  "@outbound/domain/kernel/ports/UnitOfWork/Tx"
) {}

/**
 * The store failed. It has no schema, so it can't be sent to a caller. The call pipeline logs its cause; it answers
 * `provider_unavailable` (`store_unavailable`) to an outage where nothing was done, else `internal`.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly operation: string
  readonly cause: unknown
  /** False: the store answered and refused the operation, or the outcome is in doubt. A caller must not hear of an outage. */
  readonly isOutage?: false
}> {}

/** What an operation of a store gives; its errors beside the store's own are `E`. */
export type FromStore<A, E = never> = Effect.Effect<A, E | StoreUnavailable>

/** The same, in the caller's transaction. */
export type InTx<A, E = never> = Effect.Effect<A, E | StoreUnavailable, Tx>

/** Whether the store can't be reached, is full or answers too late, so that the same operation may succeed later. */
export const isOutage = (error: unknown): error is StoreUnavailable =>
  error instanceof StoreUnavailable && error.isOutage !== false

/**
 * Runs an effect as one transaction: all of its writes, or none. A failure, a defect or an interruption rolls back. The
 * body may run again after a serialisation conflict, so it must not call a provider or change memory. Inside another
 * transaction it joins as a savepoint.
 */
export class UnitOfWork extends Context.Service<
  UnitOfWork,
  {
    readonly atomically: <A, E, R>(
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StoreUnavailable, Exclude<R, Tx>>
  }
>()("@outbound/domain/kernel/ports/UnitOfWork") {}

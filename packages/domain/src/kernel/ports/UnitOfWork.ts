import { Context, Data, Effect } from "effect"

/** Proof of being inside a transaction. Callers need no value from it. */
export class Tx extends Context.Tag("@outbound/domain/kernel/ports/UnitOfWork/Tx")<Tx, { readonly depth: number }>() {}

/**
 * The store can't be reached, or gave up after its retries. It has no schema, so it can't be sent to a caller. The call
 * pipeline logs its cause and answers `internal`.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly operation: string
  readonly cause: unknown
}> {}

/**
 * Runs an effect as one transaction: all of its writes, or none. A failure, a defect or an interruption rolls back. The
 * body may run again after a serialisation conflict, so it must not call a provider or change memory. Inside another
 * transaction it joins as a savepoint.
 */
export class UnitOfWork extends Context.Tag("@outbound/domain/kernel/ports/UnitOfWork")<
  UnitOfWork,
  {
    readonly atomically: <A, E, R>(
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StoreUnavailable, Exclude<R, Tx>>
  }
>() {}

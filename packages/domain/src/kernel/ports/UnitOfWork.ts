import { Context, Data, Effect } from "effect"

/** Proof of being inside a transaction. Carries no value that a caller needs. */
export class Tx extends Context.Tag("@outbound/domain/kernel/ports/UnitOfWork/Tx")<Tx, { readonly depth: number }>() {}

/**
 * The store could not be reached, or gave up after its retries. Not a schema: it cannot be
 * sent anywhere. The call pipeline logs its cause and answers `internal`.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly operation: string
  readonly cause: unknown
}> {}

/**
 * Runs an effect as one transaction: all of its writes stand, or none. A failure, a defect and an interruption
 * roll back. The body may run again after a serialisation conflict, so it calls no provider and changes nothing
 * in memory. Inside another transaction it joins, with the semantics of a savepoint.
 */
export class UnitOfWork extends Context.Tag("@outbound/domain/kernel/ports/UnitOfWork")<
  UnitOfWork,
  {
    readonly atomically: <A, E, R>(
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StoreUnavailable, Exclude<R, Tx>>
  }
>() {}

import { StoreUnavailable, Tx, UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Cause, Effect, Layer, Option, Schedule } from "effect"
import { isConflict, storeFailure } from "./PgErrors.js"
import { SqlClient, SqlError } from "./Sql.js"

/** Most retries of a transaction after conflicts. */
export const CONFLICT_RETRIES_MAX = 3

/**
 * The SQL error behind a failure or a defect, raw or already mapped by a store. A failed ROLLBACK is a defect beside what
 * it was to undo, and says more about the connection.
 */
const sqlErrorIn = ({ reasons }: Cause.Cause<unknown>): Option.Option<SqlError> =>
  Option.fromNullishOr(
    [
      ...reasons.filter(Cause.isDieReason).map(({ defect }) => defect),
      ...reasons.filter(Cause.isFailReason).map(({ error }) => error)
    ]
      .map((error) => (error instanceof StoreUnavailable ? error.cause : error))
      .find((error): error is SqlError => error instanceof SqlError)
  )

/** A failed ROLLBACK is a defect; failed BEGIN, SAVEPOINT and COMMIT are typed. Handle all here. */
const refail = <E>(cause: Cause.Cause<E | SqlError>): Effect.Effect<never, E | StoreUnavailable> =>
  Option.match(sqlErrorIn(cause), {
    onNone: () => Effect.failCause(cause as Cause.Cause<E>),
    onSome: (error) => Effect.fail(storeFailure("transaction", error))
  })

export const layer = Layer.effect(
  UnitOfWork,
  Effect.gen(function* () {
    const sql = yield* SqlClient

    const atomically = <A, E, R>(
      effect: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | StoreUnavailable, Exclude<R, Tx>> =>
      Effect.flatMap(Effect.serviceOption(Tx), (outer) => {
        const depth = Option.match(outer, { onNone: () => 0, onSome: (tx) => tx.depth + 1 })
        const run = Effect.sandbox(sql.withTransaction(Effect.provideService(effect, Tx, { depth })))
        // Only the outermost transaction may run again: an inner one would repeat half of the work.
        const bounded =
          depth > 0
            ? run
            : Effect.retry(run, {
                while: (cause) => Option.exists(sqlErrorIn(cause), isConflict),
                times: CONFLICT_RETRIES_MAX,
                schedule: Schedule.jittered(Schedule.exponential("5 millis"))
              })
        return Effect.catch(bounded, refail<E>) as Effect.Effect<A, E | StoreUnavailable, Exclude<R, Tx>>
      })

    return UnitOfWork.of({ atomically })
  })
)

import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { Settled, Settlement } from "@outbound/domain/calls/Attempt.js"
import { type StoreUnavailable, Tx } from "@outbound/domain/ports/UnitOfWork.js"
import { Effect } from "effect"
import { orUnavailable } from "../PgErrors.js"
import { decide } from "./decide.js"
import { settleItem } from "./Items.js"
import { Policies } from "./Policies.js"
import { readsOf } from "./reads.js"
import { type Bound, LOCKS, type Row } from "./Statements.js"

/** No policy is read for a settlement. */
const noPolicies = new Policies()

/**
 * Settles in the caller's transaction: the same locks, waited for, in the same order, the same decision and the same
 * writes as in a batch.
 */
export const settleIn =
  (sql: SqlClient.SqlClient) =>
  (settlement: Settlement): Effect.Effect<Settled, StoreUnavailable, Tx> =>
    Effect.gen(function* () {
      yield* Tx
      const run = ({ statement, values }: Bound): Effect.Effect<ReadonlyArray<Row>, SqlError> =>
        sql.unsafe(statement.text, values).values as Effect.Effect<ReadonlyArray<Row>, SqlError>
      const item = settleItem(settlement, 0, () => {})
      const reads = readsOf([item], LOCKS.waiting, noPolicies)
      const state = reads.decode(yield* Effect.forEach(reads.statements, run))
      const { broken, changes, passedOver, settled } = decide([item], state, "")
      const [first] = broken
      if (first !== undefined) return yield* Effect.die(first.cause)
      const [end] = settled
      if (end === undefined) {
        return yield* Effect.dieMessage(`the call ${item.requestId} lacks a row: ${passedOver.length} passed over`)
      }
      yield* Effect.forEach(changes.statements(""), run, { discard: true })
      return end.settled
    }).pipe(orUnavailable("CallJournal.settleIn"), Effect.uninterruptible)

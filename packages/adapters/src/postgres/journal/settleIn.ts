import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { Settled, Settlement } from "@outbound/domain/calls/Attempt.js"
import { type StoreUnavailable, Tx } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import { orUnavailable } from "../PgErrors.js"
import { settleItem } from "./Items.js"
import { settleStatement } from "./Settle.js"
import type { Row } from "./Statements.js"

/** Settles in the caller's transaction with the batches' statement; waits for the account. */
export const settleIn =
  (sql: SqlClient.SqlClient) =>
  (settlement: Settlement): Effect.Effect<Settled, StoreUnavailable, Tx> =>
    Effect.gen(function* () {
      yield* Tx
      const item = settleItem(settlement, 0, () => {})
      const { decode, statement, values } = settleStatement([item], "waiting")
      const rows = yield* sql.unsafe(statement.text, values).values as Effect.Effect<ReadonlyArray<Row>, SqlError>
      return decode(rows).get(item) ?? ({ _tag: "Fenced" } as const)
    }).pipe(orUnavailable("CallJournal.settleIn"), Effect.uninterruptible)

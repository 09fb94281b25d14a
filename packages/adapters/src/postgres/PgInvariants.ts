import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import { controlInvariants } from "./invariants/control.js"
import { foundationInvariants } from "./invariants/foundation.js"
import { countInvariants } from "./invariants/counts.js"
import type { Invariant } from "./invariants/Invariant.js"
import { outboundInvariants } from "./invariants/outbound.js"
import { trailInvariants } from "./invariants/trail.js"
import { NIL } from "./Columns.js"
import { orUnavailable } from "./PgErrors.js"
import { SqlClient } from "./Sql.js"

export const invariants: ReadonlyArray<Invariant> = [
  ...foundationInvariants,
  ...outboundInvariants,
  ...countInvariants,
  ...controlInvariants,
  ...trailInvariants
]

/** Most breaches of one invariant that are listed; the rest are counted. */
export const BREACHES_NAMED_MAX = 20

export interface InvariantReport {
  readonly name: string
  readonly rule: string
  readonly count: number
  readonly breaches: ReadonlyArray<{ readonly workspaceId: string | null; readonly breach: string }>
}

interface BreachRow {
  readonly workspace_id: string | null
  readonly breach: string
  readonly total: bigint
}

/** The id before which sums stand for the rows. */
export const lastSealed = (sql: SqlClient, archived: boolean) => sql`
  COALESCE((
    SELECT m.until FROM sealed_months m WHERE m.archived_at IS NOT NULL OR NOT ${archived}::boolean
    ORDER BY m.until DESC LIMIT 1
  ), ${NIL}::uuid)
`

/** Where a check begins: after the months that are sealed, or after those whose rows are in an archive. */
export type CheckedFrom = "sealed" | "archived"

/** Checks all invariants in the snapshot of the caller's transaction. Returns one report per invariant. */
export const checkFrom = (
  from: CheckedFrom
): Effect.Effect<ReadonlyArray<InvariantReport>, StoreUnavailable, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`SELECT set_config('outbound.checked_from', ${lastSealed(sql, from === "archived")}::text, true)`
    // Checking a whole ledger takes longer than the limit for calls.
    yield* sql`SET LOCAL statement_timeout = 0`
    return yield* Effect.forEach(invariants, ({ name, rule, sql: query }) =>
      sql<BreachRow>`
        SELECT b.workspace_id::text, b.breach, count(*) OVER () AS total
        FROM (${sql.literal(query)}) b LIMIT ${BREACHES_NAMED_MAX}
      `.pipe(
        Effect.map((rows) => ({
          name,
          rule,
          count: Number(rows[0]?.total ?? 0),
          breaches: rows.map(({ breach, workspace_id }) => ({ workspaceId: workspace_id, breach }))
        }))
      )
    )
  }).pipe(orUnavailable("PgInvariants.check"))

/**
 * Checks all invariants of the stored data on one snapshot, so it may run beside a working service. Read-only. Returns
 * one report per invariant.
 */
export const check = (
  from: CheckedFrom = "sealed"
): Effect.Effect<ReadonlyArray<InvariantReport>, StoreUnavailable, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    return yield* sql.withTransaction(
      Effect.andThen(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`, checkFrom(from))
    )
  }).pipe(orUnavailable("PgInvariants.check"))

import { LEASE_MILLIS } from "@outbound/domain/calls/CallJournal.js"
import type { Settled } from "@outbound/domain/calls/Attempt.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Result } from "effect"
import type pg from "pg"
import type { Batcher } from "./Batcher.js"
import { SWEEP_CALLS_MAX } from "./limits.js"

/** Only the database's clock decides which hosts are dead. */
const BURY = `DELETE FROM hosts WHERE heartbeat_at < clock_timestamp() - make_interval(secs => $1)`

const ORPHANS = `
  SELECT workspace_id::text, request_id::text FROM open_calls o
  WHERE NOT EXISTS (SELECT 1 FROM hosts h WHERE h.incarnation = o.incarnation)
  ORDER BY workspace_id, request_id LIMIT ${SWEEP_CALLS_MAX}`

interface Orphan {
  readonly workspace_id: string
  readonly request_id: string
}

/**
 * Resolves calls of dead hosts. They go through the batches like any settlement, so under the same locks. Returns how
 * many were resolved here, excluding those that another sweeper or a late settlement resolved first.
 */
export const sweep = async (pool: pg.Pool, batcher: Batcher, nowMillis: number): Promise<number> => {
  await pool.query(BURY, [LEASE_MILLIS / 1_000])
  const { rows } = await pool.query<Orphan>(ORPHANS)
  const ends = await Promise.all(
    rows.map(
      (row) =>
        new Promise<Result.Result<Settled, StoreUnavailable>>((done) =>
          batcher.settle({
            _tag: "Settle",
            workspaceId: row.workspace_id,
            requestId: row.request_id,
            reserved: null,
            claimed: true,
            end: "sweep",
            atMillis: nowMillis,
            enqueuedAt: performance.now(),
            tries: 0,
            mayStillOpen: false,
            unanswered: false,
            done
          })
        )
    )
  )
  const failure = ends.find(Result.isFailure)
  if (failure !== undefined) throw failure.failure
  return ends.filter((end) => Result.isSuccess(end) && end.success._tag === "Settled").length
}

import type { Reconciled } from "@outbound/domain/calls/Attempt.js"
import { type StoreUnavailable, Tx } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import { orUnavailable } from "../PgErrors.js"
import type { SqlClient } from "../Sql.js"

/** Replaces the stored outcome of a call whose outcome was unknown. Such a call has ended without a charge. */
export const reconcileIn =
  (sql: SqlClient) =>
  ({
    body,
    errorCode,
    httpStatus,
    requestId,
    status,
    subjects = [],
    workspaceId
  }: Reconciled): Effect.Effect<void, StoreUnavailable, Tx> =>
    Effect.andThen(
      Tx,
      sql`
        WITH ended AS (
          UPDATE requests r SET status = ${status}, http_status = ${httpStatus}, error_code = ${errorCode}
          WHERE r.workspace_id = ${workspaceId} AND r.request_id = ${requestId} AND r.status = 'unknown'
          RETURNING r.workspace_id, r.request_id
        ), freed AS (
          DELETE FROM idempotency_records i USING ended e
          WHERE ${body}::text IS NULL AND i.workspace_id = e.workspace_id AND i.request_id = e.request_id
        ), named AS (
          INSERT INTO call_subjects (workspace_id, request_id, address_hash)
          SELECT i.workspace_id, i.request_id, s.address_hash
          FROM ended e JOIN idempotency_records i ON i.workspace_id = e.workspace_id AND i.request_id = e.request_id
          CROSS JOIN unnest(${subjects}::text[]) AS s (address_hash)
          WHERE ${body}::text IS NOT NULL
          ON CONFLICT DO NOTHING
        )
        UPDATE idempotency_records i SET http_status = ${httpStatus}, body = ${body}::text, charged = 0
        FROM ended e
        WHERE ${body}::text IS NOT NULL AND i.workspace_id = e.workspace_id AND i.request_id = e.request_id
      `.pipe(Effect.asVoid, orUnavailable("CallJournal.reconcileIn"), Effect.uninterruptible)
    )

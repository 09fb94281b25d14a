import { type CallJournal, OPERATIONS_HOST } from "@outbound/domain/calls/CallJournal.js"
import { fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import { Tx } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Option } from "effect"
import { date } from "../Columns.js"
import { orUnavailable } from "../PgErrors.js"
import type { SqlClient } from "../Sql.js"

/**
 * Calls whose work goes on as operations. Their rows of `open_calls` belong to a host that never dies. What moves between
 * a list and its rows is reserved before and after: no account, key or run changes.
 */
export const accepted = (
  sql: SqlClient
): Pick<CallJournal["Service"], "acceptIn" | "held" | "splitIn" | "mergeIn"> => ({
  acceptIn: ({ requestId, workspaceId }, { body, httpStatus }) =>
    Effect.andThen(
      Tx,
      sql<{ readonly available: bigint }>`
        WITH before AS MATERIALIZED (
          SELECT o.idempotency_key, o.idempotency_phase FROM open_calls o
          WHERE o.workspace_id = ${workspaceId} AND o.request_id = ${requestId}
          FOR UPDATE
        ), kept AS (
          UPDATE open_calls o
          SET incarnation = ${OPERATIONS_HOST}, idempotency_key = NULL, idempotency_phase = NULL
          FROM before
          WHERE o.workspace_id = ${workspaceId} AND o.request_id = ${requestId}
          RETURNING o.key_id
        ), answered AS (
          UPDATE idempotency_records r SET http_status = ${httpStatus}, body = ${body}, charged = 0
          FROM kept, before
          WHERE r.workspace_id = ${workspaceId} AND r.key_id = kept.key_id
            AND r.idempotency_key = before.idempotency_key AND r.phase = before.idempotency_phase
            AND r.request_id = ${requestId}
        )
        SELECT a.available FROM kept JOIN accounts a ON a.workspace_id = ${workspaceId}
      `.pipe(
        Effect.map(([row]) =>
          row === undefined
            ? ({ _tag: "Fenced" } as const)
            : ({ _tag: "Settled", available: fromMicros(row.available) } as const)
        ),
        orUnavailable("CallJournal.acceptIn"),
        Effect.uninterruptible
      )
    ),

  held: (workspaceId, requestId) =>
    sql<{
      readonly keyId: string
      readonly runId: string | null
      readonly month: string
      readonly reserved: bigint
    }>`
      SELECT o.key_id AS "keyId", o.run_id AS "runId", o.month, o.reserved FROM open_calls o
      WHERE o.workspace_id = ${workspaceId} AND o.request_id = ${requestId} AND o.incarnation = ${OPERATIONS_HOST}
    `.pipe(
      Effect.map(([row]) =>
        Option.map(Option.fromNullishOr(row), (found) => ({ ...found, reserved: fromMicros(found.reserved) }))
      ),
      orUnavailable("CallJournal.held")
    ),

  splitIn: ({ requestId, workspaceId }, calls, nowMillis) =>
    Effect.andThen(
      Tx,
      sql<{ readonly requestId: string }>`
        WITH list AS MATERIALIZED (
          SELECT o.key_id, o.run_id, o.mode, o.month, o.reserved FROM open_calls o
          WHERE o.workspace_id = ${workspaceId} AND o.request_id = ${requestId} AND o.incarnation = ${OPERATIONS_HOST}
          FOR UPDATE
        ), covered AS MATERIALIZED (
          SELECT i.request_id, i.verb, i.reserved, i.n FROM list, (
            SELECT g.request_id, g.verb, g.reserved, g.n, sum(g.reserved) OVER (ORDER BY g.n) AS upto
            FROM unnest(
              ${calls.map((call) => call.requestId)}::uuid[], ${calls.map(({ verb }) => verb)}::text[],
              ${calls.map(({ reserved }) => String(reserved))}::bigint[]
            ) WITH ORDINALITY AS g (request_id, verb, reserved, n)
          ) i
          WHERE i.upto <= list.reserved
        ), taken AS (
          UPDATE open_calls o SET reserved = o.reserved - (SELECT coalesce(sum(c.reserved), 0) FROM covered c)::bigint
          WHERE o.workspace_id = ${workspaceId} AND o.request_id = ${requestId} AND EXISTS (SELECT 1 FROM covered)
        ), opened AS (
          INSERT INTO open_calls (workspace_id, request_id, key_id, run_id, verb, mode, reserved, month, incarnation,
            created_at)
          SELECT ${workspaceId}, c.request_id, list.key_id, list.run_id, c.verb, list.mode, c.reserved, list.month,
            ${OPERATIONS_HOST}, ${date(nowMillis)}
          FROM covered c, list
        )
        SELECT c.request_id AS "requestId" FROM covered c ORDER BY c.n
      `.pipe(
        Effect.map((found) => found.map((row) => row.requestId)),
        orUnavailable("CallJournal.splitIn")
      )
    ),

  mergeIn: (into, requestId, amount) =>
    Effect.andThen(
      Tx,
      sql`
        WITH back AS (
          UPDATE open_calls o SET reserved = o.reserved + ${amount}
          WHERE o.workspace_id = ${into.workspaceId} AND o.request_id = ${into.requestId}
            AND o.incarnation = ${OPERATIONS_HOST} AND EXISTS (
              SELECT 1 FROM open_calls c WHERE c.workspace_id = ${into.workspaceId} AND c.request_id = ${requestId}
                AND c.incarnation = ${OPERATIONS_HOST} AND c.reserved >= ${amount}
            )
          RETURNING o.workspace_id
        )
        UPDATE open_calls c SET reserved = c.reserved - ${amount}
        FROM back
        WHERE c.workspace_id = back.workspace_id AND c.request_id = ${requestId}
        RETURNING c.request_id
      `.pipe(
        Effect.map((found) => found.length > 0),
        orUnavailable("CallJournal.mergeIn")
      )
    )
})

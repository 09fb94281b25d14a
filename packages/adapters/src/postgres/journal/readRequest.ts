import type { CallMode, RequestRecord } from "@outbound/domain/calls/Attempt.js"
import { fromMicros, zero } from "@outbound/domain/kernel/money/Credits.js"
import type pg from "pg"

/** The record of a list is that of its rows too: what they hold, and what they cost. */
const READ = `
  SELECT q.verb, q.mode, q.status, q.http_status, q.error_code, q.reserved + r.reserved AS reserved,
    q.charged + r.charged AS charged, q.replayed_count, q.interrupted, q.created_at, q.finished_at
  FROM (
    SELECT verb, mode, status, http_status, error_code, 0::bigint AS reserved, charged, replayed_count, interrupted,
      created_at, finished_at
    FROM requests WHERE workspace_id = $1 AND request_id = $2
    UNION ALL
    SELECT verb, mode, 'pending', NULL, NULL, reserved, 0, 0, false, created_at, NULL
    FROM open_calls WHERE workspace_id = $1 AND request_id = $2
  ) q
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(l.charged), 0)::bigint AS charged, coalesce(sum(o.reserved), 0)::bigint AS reserved
    FROM list_rows l
    LEFT JOIN open_calls o ON l.state = 'running' AND o.workspace_id = l.workspace_id AND o.request_id = l.row_id
    WHERE l.workspace_id = $1 AND l.list_request_id = $2
  ) r`

interface RequestRow {
  readonly verb: string
  readonly mode: CallMode
  readonly status: RequestRecord["status"]
  readonly http_status: number | null
  readonly error_code: string | null
  readonly reserved: bigint
  readonly charged: bigint
  readonly replayed_count: number
  readonly interrupted: boolean
  readonly created_at: Date
  readonly finished_at: Date | null
}

/** The record of a call, running or ended. One statement, so that it is found in exactly one place. */
export const readRequest = async (
  pool: pg.Pool,
  workspaceId: string,
  requestId: string
): Promise<RequestRecord | null> => {
  const { rows } = await pool.query<RequestRow>(READ, [workspaceId, requestId])
  const [row] = rows
  if (row === undefined) return null
  return {
    requestId,
    verb: row.verb,
    mode: row.mode,
    status: row.status,
    httpStatus: row.http_status,
    errorCode: row.error_code,
    reserved: row.reserved === 0n ? zero : fromMicros(row.reserved),
    charged: fromMicros(row.charged),
    replayedCount: row.replayed_count,
    interrupted: row.interrupted,
    createdAtMillis: row.created_at.getTime(),
    finishedAtMillis: row.finished_at?.getTime() ?? null
  }
}

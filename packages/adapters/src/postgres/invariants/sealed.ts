/**
 * Where a check begins, and what stands for the rows before. `checked_from()` is the id of the first row that is read;
 * of earlier ones the sums of sealed months tell, and the rows that came to those months later.
 */

/** Rows that are no longer here count in every check; those that are, where the check does not read them. */
const STANDS = "(s.archived OR checked_from() = (SELECT m.until FROM sealed_months m ORDER BY m.until DESC LIMIT 1))"

/** What the ledger's entries of a workspace amount to that are not read. */
export const amountBefore = (workspace: string): string => `(
        (SELECT coalesce(sum(s.amount), 0) FROM sealed_sums s WHERE s.workspace_id = ${workspace} AND ${STANDS})
        + (
          SELECT coalesce(sum(l.amount), 0) FROM late_rows l
          WHERE l.workspace_id = ${workspace} AND l.kind <> 'call' AND l.id < checked_from()
        )
      )`

/** What calls of each run cost that are not read: rows (`workspace_id`, `run_id`, `charged`). */
export const RUNS_BEFORE = `
          SELECT s.workspace_id, s.run_id, s.charged FROM sealed_runs s WHERE ${STANDS}
          UNION ALL
          SELECT l.workspace_id, l.run_id, l.amount FROM late_rows l
          WHERE l.kind = 'call' AND l.run_id IS NOT NULL AND l.id < checked_from()`

/**
 * For each workspace with calls that are not read: the last day (UTC) on which one of them ended, and its month. Only of
 * later days is every call read.
 */
export const LAST_DAYS = `(
        SELECT f.workspace_id, max((f.at AT TIME ZONE 'UTC')::date) AS day,
          max(to_char(f.at AT TIME ZONE 'UTC', 'YYYY-MM')) AS month
        FROM (
          SELECT s.workspace_id, s.last_ended_at AS at FROM sealed_sums s WHERE ${STANDS}
          UNION ALL
          SELECT l.workspace_id, l.ended_at FROM late_rows l WHERE l.kind = 'call' AND l.id < checked_from()
        ) f
        WHERE f.at IS NOT NULL GROUP BY f.workspace_id
      )`

/** Whether the rows of an id are read, where other rows name it. A workspace may have left its archive elsewhere. */
export const isRead = (workspace: string, id: string): string => `(
        ${id} >= checked_from() AND NOT EXISTS (
          SELECT FROM sealed_sums s WHERE s.workspace_id = ${workspace} AND s.archived AND ${id} < s.until
        )
      )`

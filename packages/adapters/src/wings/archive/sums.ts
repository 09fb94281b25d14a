import type pg from "pg"
import { BackupError } from "../../postgres/backup/Manifest.js"
import type { Partition } from "../../postgres/months/Partitions.js"

const nameIn = (month: ReadonlyArray<Partition>, table: Partition["table"]): string =>
  month.find((one) => one.table === table)?.name ?? table

/** What the rows of the partitions amount to, in the snapshot of the transaction, kept until the connection ends. */
export const TAKE_SUMS = (month: ReadonlyArray<Partition>): ReadonlyArray<string> => {
  const [requests, entries] = [nameIn(month, "requests"), nameIn(month, "ledger_entries")]
  return [
    "DROP TABLE IF EXISTS taken_sums, taken_runs, taken_late",
    `CREATE TEMP TABLE taken_sums AS
     SELECT f.workspace_id, sum(f.calls) AS calls, sum(f.charged) AS charged, sum(f.entries) AS entries,
       sum(f.amount) AS amount, max(f.at) AS last_ended_at
     FROM (
       SELECT r.workspace_id, 1 AS calls, r.charged, 0 AS entries, 0 AS amount, r.finished_at AS at FROM ${requests} r
       UNION ALL SELECT e.workspace_id, 0, 0, 1, e.amount, NULL FROM ${entries} e
     ) f GROUP BY f.workspace_id`,
    `CREATE TEMP TABLE taken_runs AS
     SELECT r.workspace_id, r.run_id, sum(r.charged) AS charged FROM ${requests} r
     WHERE r.run_id IS NOT NULL GROUP BY 1, 2`,
    // Rows that no sum stands for yet, though they are among those of the partitions.
    `CREATE TEMP TABLE taken_late AS
     SELECT l.* FROM late_rows l WHERE l.id < '${month[0]?.until}' AND (
       EXISTS (SELECT FROM ${requests} r WHERE l.kind = 'call' AND r.workspace_id = l.workspace_id AND r.request_id = l.id)
       OR EXISTS (
         SELECT FROM ${entries} e WHERE e.workspace_id = l.workspace_id AND e.entry_id = l.id AND e.kind = l.kind
       )
     )`
  ]
}

const LATE_SUMS = `
  SELECT l.workspace_id, count(*) FILTER (WHERE l.kind = 'call') AS calls,
    coalesce(sum(l.amount) FILTER (WHERE l.kind = 'call'), 0) AS charged, count(*) FILTER (WHERE l.kind <> 'call') AS entries,
    coalesce(sum(l.amount) FILTER (WHERE l.kind <> 'call'), 0) AS amount
  FROM taken_late l GROUP BY 1`

/**
 * Moves what was taken from the sums of rows that are here to those of rows that are not. Fails where a row came
 * meanwhile: then nothing has changed. The partitions are locked.
 */
export const foldSums = async (client: pg.ClientBase, month: ReadonlyArray<Partition>): Promise<void> => {
  const until = month[0]?.until
  const { rows } = await client.query<{ readonly same: boolean }>(
    `SELECT (SELECT count(*) FROM ${nameIn(month, "requests")}) = (SELECT coalesce(sum(calls), 0) FROM taken_sums)
       AND (SELECT count(*) FROM ${nameIn(month, "ledger_entries")}) = (SELECT coalesce(sum(entries), 0) FROM taken_sums)
       AS same`
  )
  if (rows[0]?.same !== true) {
    throw new BackupError({ message: "A row came to the month while it was archived. Nothing is lost. Repeat it." })
  }
  await client.query(
    `UPDATE sealed_sums s SET calls = s.calls - t.calls + coalesce(l.calls, 0),
       charged = s.charged - t.charged + coalesce(l.charged, 0), entries = s.entries - t.entries + coalesce(l.entries, 0),
       amount = s.amount - t.amount + coalesce(l.amount, 0)
     FROM taken_sums t LEFT JOIN (${LATE_SUMS}) l ON l.workspace_id = t.workspace_id
     WHERE s.workspace_id = t.workspace_id AND NOT s.archived`
  )
  await client.query(
    `INSERT INTO sealed_sums AS s (workspace_id, archived, until, last_ended_at, calls, charged, entries, amount)
     SELECT workspace_id, true, $1, last_ended_at, calls, charged, entries, amount FROM taken_sums
     ON CONFLICT (workspace_id, archived) DO UPDATE SET until = excluded.until,
       last_ended_at = greatest(s.last_ended_at, excluded.last_ended_at), calls = s.calls + excluded.calls,
       charged = s.charged + excluded.charged, entries = s.entries + excluded.entries, amount = s.amount + excluded.amount`,
    [until]
  )
  await client.query(
    `UPDATE sealed_runs s SET charged = s.charged - t.charged + coalesce(l.charged, 0)
     FROM taken_runs t LEFT JOIN (
       SELECT workspace_id, run_id, sum(amount) AS charged FROM taken_late WHERE run_id IS NOT NULL GROUP BY 1, 2
     ) l ON l.workspace_id = t.workspace_id AND l.run_id = t.run_id
     WHERE s.workspace_id = t.workspace_id AND s.run_id = t.run_id AND NOT s.archived`
  )
  await client.query(
    `INSERT INTO sealed_runs AS s (workspace_id, run_id, archived, charged)
     SELECT workspace_id, run_id, true, charged FROM taken_runs
     ON CONFLICT (workspace_id, run_id, archived) DO UPDATE SET charged = s.charged + excluded.charged`
  )
  await client.query(
    `DELETE FROM late_rows l USING taken_late t
     WHERE l.workspace_id = t.workspace_id AND l.id = t.id AND l.kind = t.kind`
  )
  await client.query(
    `INSERT INTO sealed_months AS m (until, sealed_at, archived_at)
     SELECT $1, min(sealed_at), clock_timestamp() FROM sealed_months WHERE until >= $1
     ON CONFLICT (until) DO UPDATE SET archived_at = excluded.archived_at`,
    [until]
  )
}

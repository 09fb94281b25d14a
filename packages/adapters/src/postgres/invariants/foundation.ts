/** Invariants of credits, keys, runs and calls (contract: credits, money). */
import { OPERATIONS_HOST } from "@outbound/domain/calls/CallJournal.js"
import { type Invariant, rule } from "./Invariant.js"

/**
 * Where a check begins, and what stands for the rows before. `checked_from()` is the id of the first row that is read;
 * of earlier ones the sums of sealed months tell, and the rows that came to those months later.
 */

/** Rows that are no longer here count in every check; those that are, where the check does not read them. */
const STANDS = "(s.archived OR checked_from() = (SELECT m.until FROM sealed_months m ORDER BY m.until DESC LIMIT 1))"

/** What the ledger's entries of a workspace amount to that are not read. */
const amountBefore = (workspace: string): string => `(
        (SELECT coalesce(sum(s.amount), 0) FROM sealed_sums s WHERE s.workspace_id = ${workspace} AND ${STANDS})
        + (
          SELECT coalesce(sum(l.amount), 0) FROM late_rows l
          WHERE l.workspace_id = ${workspace} AND l.kind <> 'call' AND l.id < checked_from()
        )
      )`

/** What calls of each run cost that are not read: rows (`workspace_id`, `run_id`, `charged`). */
const RUNS_BEFORE = `
          SELECT s.workspace_id, s.run_id, s.charged FROM sealed_runs s WHERE ${STANDS}
          UNION ALL
          SELECT l.workspace_id, l.run_id, l.amount FROM late_rows l
          WHERE l.kind = 'call' AND l.run_id IS NOT NULL AND l.id < checked_from()`

/**
 * For each workspace with calls that are not read: the last day (UTC) on which one of them ended, and its month. Only of
 * later days is every call read.
 */
const LAST_DAYS = `(
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
const isRead = (workspace: string, id: string): string => `(
        ${id} >= checked_from() AND NOT EXISTS (
          SELECT FROM sealed_sums s WHERE s.workspace_id = ${workspace} AND s.archived AND ${id} < s.until
        )
      )`

/** Reservations end within this time after their host's last heartbeat. */
const RESERVED_AFTER_DEATH = "interval '2 minutes'"
/** How long before its month a call may have begun that a host of before the months wrote. */
const CLOCK_BACK = "interval '1 hour'"

/** Days on which a table's usage, by one more column, differs from that of the calls. */
const usageUnlikeCalls = (table: string, by: string, named: string): string => `
  SELECT coalesce(u.workspace_id, q.workspace_id) AS workspace_id,
    coalesce(u.day, q.day) || ' ' || ${named} || ': ' || coalesce(u.calls, 0) || ' calls for '
    || coalesce(u.charged, 0) || ' instead of ' || coalesce(q.calls, 0) || ' for ' || coalesce(q.charged, 0) AS breach
  FROM (
    SELECT c.workspace_id, c.day, c.${by}, sum(c.calls) AS calls, sum(c.charged) AS charged
    FROM ${table} c LEFT JOIN ${LAST_DAYS} d ON d.workspace_id = c.workspace_id
    WHERE c.day > coalesce(d.day, '-infinity') GROUP BY 1, 2, 3
  ) u
  FULL JOIN (
    SELECT workspace_id, (finished_at AT TIME ZONE 'UTC')::date AS day, ${by}, count(*) AS calls,
      sum(charged) AS charged
    FROM requests
    WHERE admitted AND mode = 'act' AND request_id >= checked_from()
    GROUP BY 1, 2, 3
  ) q ON q.workspace_id = u.workspace_id AND q.day = u.day AND q.${by} = u.${by}
  LEFT JOIN ${LAST_DAYS} d ON d.workspace_id = coalesce(u.workspace_id, q.workspace_id)
  WHERE (u.calls IS DISTINCT FROM q.calls OR u.charged IS DISTINCT FROM q.charged)
    AND coalesce(u.day, q.day) > coalesce(d.day, '-infinity')`

export const foundationInvariants: ReadonlyArray<Invariant> = [
  rule(
    "balance_is_the_ledger",
    "What is available and what the open calls hold are together the sum of the ledger's entries."
  )(`
    SELECT a.workspace_id, 'available ' || a.available || ', open ' || o.reserved || ', ledger ' || l.amount AS breach
    FROM accounts a
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(c.reserved), 0) AS reserved FROM open_calls c WHERE c.workspace_id = a.workspace_id
    ) o
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(e.amount), 0) + ${amountBefore("a.workspace_id")} AS amount FROM ledger_entries e
      WHERE e.workspace_id = a.workspace_id AND e.entry_id >= checked_from()
    ) l
    WHERE a.available + o.reserved <> l.amount OR a.available < 0
  `),
  rule(
    "payments_are_booked_once",
    "A payment that arrived is one top-up of the ledger, of its credits, and every top-up is such a payment."
  )(`
    SELECT coalesce(p.workspace_id, e.workspace_id) AS workspace_id,
      coalesce('payment ' || p.payment_id, 'top-up ' || e.entry_id) AS breach
    FROM (
      SELECT workspace_id, payment_id, entry_id, credits FROM payments
      WHERE state = 'paid' AND (entry_id IS NULL OR ${isRead("workspace_id", "entry_id")})
    ) p
    FULL JOIN (
      SELECT workspace_id, entry_id, amount FROM ledger_entries WHERE kind = 'top_up' AND entry_id >= checked_from()
    ) e
      ON e.workspace_id = p.workspace_id AND e.entry_id = p.entry_id
    WHERE e.amount IS DISTINCT FROM p.credits
    UNION ALL
    SELECT workspace_id, 'top-up ' || entry_id || ' stands for ' || count(*) || ' payments' FROM payments
    WHERE entry_id IS NOT NULL GROUP BY workspace_id, entry_id HAVING count(*) > 1
  `),
  rule(
    "returned_payments_are_taken_back",
    "What a payment's reversals took is what the payment says, at most what went back, and each is in the ledger."
  )(`
    SELECT coalesce(r.workspace_id, e.workspace_id) AS workspace_id,
      coalesce('payment ' || r.payment_id, 'reversal ' || e.entry_id) AS breach
    FROM (
      SELECT workspace_id, payment_id, entry_id, amount FROM payment_returns WHERE ${isRead("workspace_id", "entry_id")}
    ) r
    FULL JOIN (
      SELECT workspace_id, entry_id, amount FROM ledger_entries WHERE kind = 'reversal' AND entry_id >= checked_from()
    ) e
      ON e.workspace_id = r.workspace_id AND e.entry_id = r.entry_id
    WHERE e.amount IS DISTINCT FROM -r.amount
    UNION ALL
    SELECT p.workspace_id, 'payment ' || p.payment_id || ': ' || p.taken_back || ' taken back, entries ' || r.amount
    FROM payments p CROSS JOIN LATERAL (
      SELECT coalesce(sum(r.amount), 0) AS amount FROM payment_returns r
      WHERE r.workspace_id = p.workspace_id AND r.payment_id = p.payment_id
    ) r
    WHERE p.taken_back <> r.amount OR p.taken_back > p.credits * p.returned_cents / p.cents
  `),
  // A call counts in the month that its reservation was counted in, whatever the clock said at its end. Calls of hosts
  // that wrote no month may have begun shortly before the month they count in.
  rule(
    "keys_count_their_calls",
    "What a key has committed in its month is what its calls of that month cost, and what the open ones hold."
  )(`
    WITH charged AS (
      SELECT c.workspace_id, c.key_id,
        sum(c.charged) FILTER (WHERE coalesce(c.month, to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM')) = u.month)
          AS surely,
        sum(c.charged) AS at_most
      FROM requests c JOIN key_usage u ON u.workspace_id = c.workspace_id AND u.key_id = c.key_id
      WHERE c.charged > 0 AND c.request_id >= checked_from() AND (
        c.month = u.month
        OR c.month IS NULL AND c.created_at >= (u.month || '-01')::timestamp AT TIME ZONE 'UTC' - ${CLOCK_BACK}
      )
      GROUP BY c.workspace_id, c.key_id
    )
    SELECT u.workspace_id, 'key ' || u.key_id || ': ' || u.committed || ', open ' || o.reserved || ', charged '
      || coalesce(q.surely, 0) AS breach
    FROM key_usage u
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(c.reserved), 0) AS reserved FROM open_calls c
      WHERE c.workspace_id = u.workspace_id AND c.key_id = u.key_id AND c.month = u.month
    ) o
    LEFT JOIN charged q ON q.workspace_id = u.workspace_id AND q.key_id = u.key_id
    LEFT JOIN ${LAST_DAYS} d ON d.workspace_id = u.workspace_id
    WHERE u.committed NOT BETWEEN o.reserved + coalesce(q.surely, 0) AND o.reserved + coalesce(q.at_most, 0)
      AND u.month > coalesce(d.month, '')
  `),
  rule(
    "runs_count_their_calls",
    "What a run has committed is what its calls cost, and what the open ones hold, within its budget."
  )(`
    SELECT r.workspace_id, 'run ' || r.run_id || ': ' || r.committed || ', open ' || r.reserved || ', charged '
      || r.charged AS breach
    FROM (
      SELECT r.workspace_id, r.run_id, r.committed, r.budget, coalesce(q.charged, 0) AS charged,
        (
          SELECT coalesce(sum(c.reserved), 0) FROM open_calls c
          WHERE c.workspace_id = r.workspace_id AND c.run_id = r.run_id
        ) AS reserved
      FROM runs r LEFT JOIN (
        SELECT f.workspace_id, f.run_id, sum(f.charged) AS charged FROM (
          SELECT c.workspace_id, c.run_id, c.charged FROM requests c
          WHERE c.run_id IS NOT NULL AND c.request_id >= checked_from()
          UNION ALL${RUNS_BEFORE}
        ) f GROUP BY 1, 2
      ) q ON q.workspace_id = r.workspace_id AND q.run_id = r.run_id
    ) r
    WHERE r.committed <> r.reserved + r.charged OR r.committed > r.budget
  `),
  rule(
    "charges_are_calls",
    "Every charge in the ledger is of one call that cost exactly this, and every cost of a call is in the ledger."
  )(`
    SELECT coalesce(e.workspace_id, q.workspace_id) AS workspace_id,
      'call ' || coalesce(e.request_id, q.request_id) || ': charged ' || coalesce(q.charged, 0) || ', ledger '
      || coalesce(-e.amount, 0) || ' in ' || coalesce(e.entries, 0) || ' entries' AS breach
    FROM (
      SELECT workspace_id, request_id, sum(amount) AS amount, count(*) AS entries FROM ledger_entries
      WHERE kind = 'charge' AND entry_id >= checked_from() GROUP BY workspace_id, request_id
    ) e
    FULL JOIN (
      SELECT workspace_id, request_id, charged FROM requests WHERE charged <> 0 AND request_id >= checked_from()
    ) q
      ON q.workspace_id = e.workspace_id AND q.request_id = e.request_id
    WHERE q.charged IS DISTINCT FROM -e.amount OR e.entries <> 1
  `),
  rule(
    "a_call_is_open_or_ended",
    "A call is under way or has ended, not both."
  )(`
    SELECT o.workspace_id, 'call ' || o.request_id AS breach FROM open_calls o
    JOIN requests r ON r.workspace_id = o.workspace_id AND r.request_id = o.request_id
  `),
  rule(
    "the_dead_hold_nothing",
    "Nothing stays reserved for longer than two minutes after the last sign of life of its host."
  )(`
    SELECT o.workspace_id, 'call ' || o.request_id || ' of host ' || o.incarnation AS breach
    FROM open_calls o LEFT JOIN hosts h ON h.incarnation = o.incarnation
    WHERE o.reserved > 0
      AND coalesce(h.heartbeat_at, o.created_at) < clock_timestamp() - ${RESERVED_AFTER_DEATH}
  `),
  rule(
    "operations_hold_for_rows",
    "What is held for an operation is held by the call of a list that has not ended, or by a row under way."
  )(`
    SELECT o.workspace_id, 'call ' || o.request_id || ' holds ' || o.reserved AS breach FROM open_calls o
    WHERE o.incarnation = '${OPERATIONS_HOST}'
      AND NOT EXISTS (
        SELECT 1 FROM operations p
        WHERE p.workspace_id = o.workspace_id AND p.request_id = o.request_id AND p.finished_at IS NULL
      )
      AND NOT EXISTS (
        SELECT 1 FROM list_rows r
        WHERE r.workspace_id = o.workspace_id AND r.row_id = o.request_id AND r.state = 'running'
      )
    UNION ALL
    SELECT r.workspace_id, 'row ' || r.row_id || ' cost ' || r.charged FROM list_rows r
    LEFT JOIN requests q ON q.workspace_id = r.workspace_id AND q.request_id = r.row_id
    WHERE ${isRead("r.workspace_id", "r.row_id")} AND (coalesce(q.charged, 0) <> r.charged
      OR (r.state = 'done' OR r.state = 'failed' AND r.charged > 0) AND q.request_id IS NULL)
  `),
  rule(
    "usage_is_the_calls",
    "The usage of a day is that of the calls that ended on it."
  )(usageUnlikeCalls("usage_counted", "verb", "coalesce(u.verb, q.verb)")),
  rule(
    "usage_of_keys_is_the_calls",
    "The usage of a key on a day is that of its calls that ended on it, but where a host of before knew no keys."
  )(
    `${usageUnlikeCalls("usage_of_keys", "key_id", "'key ' || coalesce(u.key_id, q.key_id)")} AND NOT EXISTS (
      SELECT 1 FROM usage_daily y WHERE y.workspace_id = q.workspace_id AND y.day = q.day
    )`
  ),
  rule(
    "claims_have_a_call",
    "What is remembered under an Idempotency-Key without an outcome is of a call under way."
  )(`
    SELECT r.workspace_id, 'call ' || r.request_id || ' of key ' || r.key_id AS breach FROM idempotency_records r
    WHERE r.http_status IS NULL AND NOT EXISTS (
      SELECT 1 FROM open_calls o WHERE o.workspace_id = r.workspace_id AND o.request_id = r.request_id
    )
  `),
  rule(
    "offers_are_used_once",
    "An offer that was used was used by a call that ended well, and that cost no more than the offer said."
  )(`
    SELECT f.workspace_id, 'offer ' || f.offer_id || ' of call ' || f.taken_by AS breach FROM offers f
    LEFT JOIN requests r ON r.workspace_id = f.workspace_id AND r.request_id = f.taken_by
    WHERE f.used_at IS NOT NULL AND ${isRead("f.workspace_id", "f.taken_by")} AND (r.status IS DISTINCT FROM 'succeeded' OR r.charged > f.max_credits)
  `),
  rule(
    "keys_are_whole",
    "Every key has a usage row and a place in the catalogue, every workspace an account and a sending row."
  )(`
    SELECT k.workspace_id, 'key ' || k.key_id AS breach FROM api_keys k
    WHERE NOT EXISTS (SELECT 1 FROM key_usage u WHERE u.workspace_id = k.workspace_id AND u.key_id = k.key_id)
      OR NOT EXISTS (SELECT 1 FROM key_catalogue c WHERE c.workspace_id = k.workspace_id AND c.key_id = k.key_id)
    UNION ALL
    SELECT w.workspace_id, 'workspace ' || w.name FROM workspaces w
    WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.workspace_id = w.workspace_id)
      OR NOT EXISTS (SELECT 1 FROM workspace_sending s WHERE s.workspace_id = w.workspace_id)
  `)
]

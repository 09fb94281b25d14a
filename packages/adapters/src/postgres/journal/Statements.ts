import { LEASE_MILLIS } from "@outbound/domain/calls/CallJournal.js"
import type { Value } from "./Literals.js"

/** A statement of the journal, prepared once per connection under its name. */
export interface Prepared {
  readonly name: string
  readonly text: string
}

/** A prepared statement with its parameters, in text form. */
export interface Bound {
  readonly statement: Prepared
  readonly values: ReadonlyArray<Value>
}

/** What a statement returned: columns by position, in text form. */
export type Row = ReadonlyArray<Value>

const all: Array<Prepared> = []

const prepared = (name: string, text: string): Prepared => {
  const statement = { name: `journal_${name}`, text }
  all.push(statement)
  return statement
}

export const BEGIN = prepared("begin", "BEGIN")
export const COMMIT = prepared("commit", "COMMIT")

const lockAccounts = `
  SELECT workspace_id::text, available::text, has_payment_method::text
  FROM accounts WHERE workspace_id = ANY($1::uuid[])
  ORDER BY workspace_id FOR NO KEY UPDATE`

/**
 * Locks in a fixed order. The account is its workspace's only lock: keys, their usage and runs change only under it, so
 * they need no lock of their own. `waiting` queues behind the holder of a row.
 */
export const LOCKS = {
  skipping: prepared("lock_accounts_skip", `${lockAccounts} SKIP LOCKED`),
  waiting: prepared("lock_accounts", lockAccounts)
} as const

/**
 * What a key was charged since a day began, by the time at which its calls ended, and what its open calls hold. One
 * statement sees each call either open or charged, so none is missed between the two.
 */
export const spentSince = (day: string): string => `(
    coalesce((SELECT sum(o.reserved) FROM open_calls o
      WHERE o.workspace_id = k.workspace_id AND o.key_id = k.key_id), 0)
    + coalesce((SELECT sum(d.charged) FROM usage_of_keys d
      WHERE d.workspace_id = k.workspace_id AND d.key_id = k.key_id AND d.day >= ${day}), 0)
  )::bigint`

/**
 * First, without a key: the transaction's id, to ask for its outcome later, and whether the host's lease is still valid.
 * Then usage, and policies as of the lock. `known` names the row version that the host has decoded; only another version
 * is returned.
 */
export const READ_KEYS = prepared(
  "read_keys",
  `SELECT NULL, pg_current_xact_id()::text, EXISTS (
    SELECT 1 FROM hosts WHERE incarnation = $4::uuid
      AND heartbeat_at >= clock_timestamp() - interval '${LEASE_MILLIS} ms'
  )::text, NULL, NULL, NULL, NULL, NULL
  UNION ALL
  SELECT u.key_id::text, u.month, u.committed::text, u.rate_second::text, u.rate_counts,
    k.xmin::text || k.ctid::text,
    CASE WHEN k.xmin::text || k.ctid::text = i.known THEN NULL ELSE json_build_object(
      'keyId', k.key_id, 'workspaceId', k.workspace_id, 'workspaceKind', k.workspace_kind, 'name', k.name,
      'prefix', k.prefix, 'state', k.state, 'pausedAtMillis', (extract(epoch FROM k.paused_at) * 1000)::bigint,
      'scopes', k.scopes, 'capabilitiesOff', k.capabilities_off,
      'autonomousExternalActions', k.autonomous_external_actions, 'monthlySpendCap', k.monthly_spend_cap::text,
      'dailySpendCap', k.daily_spend_cap::text,
      'premiumAllowance', k.premium_allowance::text, 'ratePerMinute', k.rate_per_minute,
      'runRequired', k.run_required, 'createdAtMillis', (extract(epoch FROM k.created_at) * 1000)::bigint
    )::text END,
    CASE WHEN k.daily_spend_cap IS NOT NULL THEN ${spentSince("$5::date")}::text END
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS i (workspace_id, key_id, known)
  JOIN key_usage u ON u.workspace_id = i.workspace_id AND u.key_id = i.key_id
  JOIN api_keys k ON k.workspace_id = i.workspace_id AND k.key_id = i.key_id`
)

export const READ_RUNS = prepared(
  "read_runs",
  `SELECT r.workspace_id::text, r.run_id::text, r.budget::text, r.committed::text,
    (extract(epoch FROM r.expires_at) * 1000)::bigint::text
  FROM unnest($1::uuid[], $2::uuid[]) AS i (workspace_id, run_id)
  JOIN runs r ON r.workspace_id = i.workspace_id AND r.run_id = i.run_id`
)

export const READ_RECORDS = prepared(
  "read_records",
  `SELECT r.key_id::text, r.idempotency_key, r.phase, r.verb, r.base_fingerprint, r.token_hash, r.request_id::text,
    r.http_status::text, r.charged::text, r.approval_id::text
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS i (workspace_id, key_id, idempotency_key)
  JOIN idempotency_records r ON r.workspace_id = i.workspace_id AND r.key_id = i.key_id
    AND r.idempotency_key = i.idempotency_key`
)

const USAGE_SET = `month = i.month, committed = i.committed, rate_second = i.rate_second, rate_counts = i.rate_counts`

const USAGE_COLUMNS = "(workspace_id, key_id, month, committed, rate_second, rate_counts)"

/** For a batch that opens no call. */
export const UPDATE_USAGE = prepared(
  "update_usage",
  `UPDATE key_usage u SET ${USAGE_SET}
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::text[]) AS i ${USAGE_COLUMNS}
  WHERE u.workspace_id = i.workspace_id AND u.key_id = i.key_id`
)

export const UPDATE_RUNS = prepared(
  "update_runs",
  `UPDATE runs r SET committed = r.committed + i.reserved
  FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS i (workspace_id, run_id, reserved)
  WHERE r.workspace_id = i.workspace_id AND r.run_id = i.run_id`
)

const OPEN_COLUMNS = `workspace_id, request_id, key_id, run_id, verb, mode, reserved, month, idempotency_key,
    idempotency_phase, created_at`

/** Opens calls: their reservations leave the accounts, and their keys' usage is what it became. One statement for three. */
export const OPEN_CALLS = prepared(
  "open_calls",
  `WITH reserved AS (
    UPDATE accounts a SET available = a.available - i.reserved
    FROM unnest($13::uuid[], $14::bigint[]) AS i (workspace_id, reserved)
    WHERE a.workspace_id = i.workspace_id
  ), counted AS (
    UPDATE key_usage u SET ${USAGE_SET}
    FROM unnest($15::uuid[], $16::uuid[], $17::text[], $18::bigint[], $19::bigint[], $20::text[]) AS i ${USAGE_COLUMNS}
    WHERE u.workspace_id = i.workspace_id AND u.key_id = i.key_id
  )
  INSERT INTO open_calls (${OPEN_COLUMNS}, incarnation)
  SELECT ${OPEN_COLUMNS}, $12::uuid
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::bigint[], $8::text[],
    $9::text[], $10::text[], $11::timestamptz[]) AS i (${OPEN_COLUMNS})`
)

export const INSERT_REQUESTS = prepared(
  "insert_requests",
  `INSERT INTO requests (workspace_id, request_id, key_id, run_id, verb, mode, status, admitted, http_status, error_code,
    charged, interrupted, created_at, finished_at)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[],
    $8::boolean[], $9::smallint[], $10::text[], $11::bigint[], $12::boolean[], $13::timestamptz[], $14::timestamptz[])`
)

export const COUNT_REPLAYS = prepared(
  "count_replays",
  `UPDATE requests r SET replayed_count = r.replayed_count + i.times
  FROM unnest($1::uuid[], $2::uuid[], $3::integer[]) AS i (workspace_id, request_id, times)
  WHERE r.workspace_id = i.workspace_id AND r.request_id = i.request_id`
)

export const INSERT_RECORDS = prepared(
  "insert_records",
  `INSERT INTO idempotency_records (workspace_id, key_id, idempotency_key, phase, verb, base_fingerprint, token_hash,
    request_id, created_at)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[],
    $9::timestamptz[])`
)

/** What a settlement charges, at most the reservation in the row. */
const CHARGED = "least(i.charge, o.reserved)"

const CALL_COLUMNS = `i.n, o.workspace_id, o.request_id, o.key_id, o.run_id, o.verb, o.mode, o.reserved, o.month,
      o.created_at, i.status, i.http_status, i.error_code, ${CHARGED} AS charged, i.interrupted, i.finished_at`

const CALL_PARAMETERS = `$1::uuid[], $2::uuid[], $3::text[], $4::smallint[], $5::text[], $6::bigint[], $7::boolean[],
      $8::timestamptz[]`

const CALL_NAMES = "workspace_id, request_id, status, http_status, error_code, charge, interrupted, finished_at"

/** Records closed calls: the request, the charge and the day's usage. `notes`: also their costs and sources. */
const recorded = (notes: boolean): string => `requested AS (
    INSERT INTO requests (workspace_id, request_id, key_id, run_id, verb, mode, status, admitted, http_status, error_code,
      charged, interrupted, created_at, finished_at, month${notes ? ", costs, evidence" : ""})
    SELECT workspace_id, request_id, key_id, run_id, verb, mode, status, true, http_status, error_code, charged,
      interrupted, created_at, finished_at, month${notes ? ", costs::jsonb, evidence::jsonb" : ""}
    FROM closed
  ), entered AS (
    INSERT INTO ledger_entries (workspace_id, entry_id, kind, amount, request_id, at)
    SELECT workspace_id, request_id, 'charge', -charged, request_id, finished_at FROM closed WHERE charged > 0
  ), counted AS (
    INSERT INTO usage_of_keys AS u (workspace_id, day, key_id, verb, calls, charged)
    SELECT workspace_id, (finished_at AT TIME ZONE 'UTC')::date, key_id, verb, count(*), sum(charged) FROM closed
    WHERE mode = 'act' GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, day, key_id, verb) DO UPDATE SET calls = u.calls + EXCLUDED.calls,
      charged = u.charged + EXCLUDED.charged
  )`

/** For each closed call: its number, the account's available amount and the amount returned to it. */
const CLOSED = "SELECT n::text, available::text, (reserved - charged)::text FROM closed"

/**
 * Settles calls that cost their whole reservation and store nothing under an Idempotency-Key. Nothing is returned, so
 * their accounts and keys stay untouched. Deleting its open row is what settles a call.
 */
export const SETTLE_WHOLE = prepared(
  "settle_whole",
  `WITH closed AS (
    DELETE FROM open_calls o USING unnest(${CALL_PARAMETERS}) WITH ORDINALITY AS i (${CALL_NAMES}, n)
    WHERE o.workspace_id = i.workspace_id AND o.request_id = i.request_id AND o.reserved <= i.charge
      AND o.idempotency_key IS NULL
    RETURNING ${CALL_COLUMNS},
      (SELECT a.available FROM accounts a WHERE a.workspace_id = o.workspace_id) AS available
  ), ${recorded(false)}
  ${CLOSED}`
)

/** Returns the unused part of closed calls' reservations. Their accounts are locked. */
const RETURNED = `of_runs AS (
    UPDATE runs r SET committed = r.committed - d.rest
    FROM (
      SELECT workspace_id, run_id, sum(reserved - charged)::bigint AS rest FROM closed
      WHERE reserved > charged AND run_id IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
    ) d
    WHERE r.workspace_id = d.workspace_id AND r.run_id = d.run_id
  ), of_keys AS (
    UPDATE key_usage u SET committed = u.committed - d.rest
    FROM (
      SELECT workspace_id, key_id, month, sum(reserved - charged)::bigint AS rest FROM closed
      WHERE reserved > charged GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ) d
    WHERE u.workspace_id = d.workspace_id AND u.key_id = d.key_id AND u.month = d.month
  ), of_accounts AS (
    UPDATE accounts a SET available = a.available + d.rest
    FROM (
      SELECT workspace_id, sum(reserved - charged)::bigint AS rest FROM closed
      WHERE reserved > charged GROUP BY 1 ORDER BY 1
    ) d
    WHERE a.workspace_id = d.workspace_id
  )`

/** Locks the account of a call that may return something, before the call is closed. */
const held = (lock: string): string => `LEFT JOIN LATERAL (
      SELECT a.available FROM accounts a WHERE i.gives_back AND a.workspace_id = i.workspace_id
      FOR NO KEY UPDATE ${lock}
    ) held ON true`

const IS_SETTLED = `o.workspace_id = i.workspace_id AND o.request_id = i.request_id
      AND (i.gives_back AND held.available IS NOT NULL OR NOT i.gives_back AND o.reserved <= i.charge)`

const AVAILABLE = `coalesce(held.available, (SELECT a.available FROM accounts a WHERE a.workspace_id = o.workspace_id))
        AS available`

/** Settles calls that may return something and store nothing, such as chats. */
const settleBack = (lock: string): string => `WITH closed AS (
    DELETE FROM open_calls o
    USING unnest(${CALL_PARAMETERS}, $9::boolean[], $10::text[], $11::text[])
      WITH ORDINALITY AS i (${CALL_NAMES}, gives_back, costs, evidence, n)
    ${held(lock)}
    WHERE ${IS_SETTLED} AND o.idempotency_key IS NULL
    RETURNING ${CALL_COLUMNS}, ${AVAILABLE}, i.costs, i.evidence
  ), ${recorded(true)}, ${RETURNED}
  ${CLOSED}`

/**
 * Settles any calls. The unused part of a reservation returns to its account, key and run under the account's lock,
 * which is taken first. `started`: settles a call only if its effect has, or has not, begun.
 */
const settleAny = (lock: string): string => `WITH closed AS (
    DELETE FROM open_calls o
    USING unnest(${CALL_PARAMETERS}, $9::boolean[], $10::boolean[], $11::smallint[], $12::text[], $13::bigint[],
      $14::uuid[], $15::text[], $16::text[], $17::boolean[], $18::boolean[], $19::timestamptz[], $20::text[],
      $21::boolean[], $22::text[], $23::text[], $24::text[], $25::text[])
      WITH ORDINALITY AS i (${CALL_NAMES}, gives_back, started, outcome_status, body, outcome_charged, approval_id,
        person_key, contact, email_looked_up, mobile_searched, expires_at, subjects, is_listed, judged_hash, verdict, costs,
        evidence, n)
    ${held(lock)}
    WHERE ${IS_SETTLED}
      AND (i.started IS NULL OR i.started = o.effect_started)
    RETURNING ${CALL_COLUMNS},
      ${AVAILABLE},
      o.idempotency_key, o.idempotency_phase, i.outcome_status, i.body, i.outcome_charged, i.approval_id,
      i.person_key, i.contact, i.email_looked_up, i.mobile_searched, i.expires_at, i.subjects,
      i.is_listed, i.judged_hash, i.verdict, i.costs, i.evidence
  ), ${recorded(true)}, named AS (
    INSERT INTO call_subjects (workspace_id, request_id, address_hash)
    SELECT c.workspace_id, c.request_id, s.address_hash
    FROM closed c CROSS JOIN LATERAL unnest(string_to_array(c.subjects, ' ')) AS s (address_hash)
    WHERE c.subjects IS NOT NULL AND (c.is_listed OR c.body IS NOT NULL AND c.idempotency_key IS NOT NULL)
    ON CONFLICT DO NOTHING
  ), known AS (
    INSERT INTO contact_subjects (workspace_id, person_key, address_hash)
    SELECT c.workspace_id, c.person_key, s.address_hash
    FROM closed c CROSS JOIN LATERAL unnest(string_to_array(c.subjects, ' ')) AS s (address_hash)
    WHERE c.subjects IS NOT NULL AND c.person_key IS NOT NULL
    ORDER BY 1, 3, 2
    ON CONFLICT DO NOTHING
  ), kept AS (
    INSERT INTO enrichment_cache (workspace_id, person_key, contact, email_looked_up, mobile_searched, expires_at)
    SELECT DISTINCT ON (workspace_id, person_key) workspace_id, person_key, contact, email_looked_up, mobile_searched,
      expires_at
    FROM closed WHERE person_key IS NOT NULL ORDER BY workspace_id, person_key, finished_at DESC
    ON CONFLICT (workspace_id, person_key) DO UPDATE SET contact = EXCLUDED.contact,
      email_looked_up = EXCLUDED.email_looked_up, mobile_searched = EXCLUDED.mobile_searched,
      expires_at = EXCLUDED.expires_at
  ), judged AS (
    INSERT INTO email_verdicts AS v (workspace_id, address_hash, status, checked_at)
    SELECT DISTINCT ON (workspace_id, judged_hash) workspace_id, judged_hash, verdict, finished_at
    FROM closed WHERE judged_hash IS NOT NULL
    ORDER BY workspace_id, judged_hash, verdict = 'unknown', finished_at DESC
    ON CONFLICT (workspace_id, address_hash) DO UPDATE SET status = EXCLUDED.status, checked_at = EXCLUDED.checked_at
    WHERE EXCLUDED.checked_at >= v.checked_at AND (EXCLUDED.status <> 'unknown' OR v.status = 'unknown')
  ), freed AS (
    DELETE FROM idempotency_records r USING closed c
    WHERE c.body IS NULL AND r.workspace_id = c.workspace_id AND r.key_id = c.key_id
      AND r.idempotency_key = c.idempotency_key AND r.phase = c.idempotency_phase AND r.request_id = c.request_id
  ), finished AS (
    UPDATE idempotency_records r SET http_status = c.outcome_status, body = c.body, charged = c.outcome_charged,
      approval_id = c.approval_id
    FROM closed c
    WHERE c.body IS NOT NULL AND r.workspace_id = c.workspace_id AND r.key_id = c.key_id
      AND r.idempotency_key = c.idempotency_key AND r.phase = c.idempotency_phase AND r.request_id = c.request_id
  ), ${RETURNED}
  ${CLOSED}`

/** `skipping` leaves open the calls whose rows are locked. */
export const SETTLE_BACK = {
  skipping: prepared("settle_back_skip", settleBack("SKIP LOCKED")),
  waiting: prepared("settle_back", settleBack(""))
} as const

export const SETTLE_ANY = {
  skipping: prepared("settle_skip", settleAny("SKIP LOCKED")),
  waiting: prepared("settle", settleAny(""))
} as const

/**
 * The state of calls that a settlement did not close: whether each is still open, and whether it ended at that time, in
 * that way and at that cost, that is, by that settlement.
 */
export const FATES = `
  SELECT i.n::text, o.request_id IS NOT NULL AS open, r.request_id IS NOT NULL AS same, a.available
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::timestamptz[])
    WITH ORDINALITY AS i (workspace_id, request_id, status, charge, finished_at, n)
  JOIN accounts a ON a.workspace_id = i.workspace_id
  LEFT JOIN open_calls o ON o.workspace_id = i.workspace_id AND o.request_id = i.request_id
  LEFT JOIN requests r ON r.workspace_id = i.workspace_id AND r.request_id = i.request_id AND r.status = i.status
    AND r.charged = i.charge AND r.finished_at = i.finished_at`

/** All statements above, for preparing on a new connection. */
export const STATEMENTS: ReadonlyArray<Prepared> = all

import { LEASE_MILLIS } from "@outbound/domain/calls/CallJournal.js"
import type { Value } from "./Literals.js"

/** A statement of the journal: prepared once on every connection of a journal, under its name. */
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
  SELECT workspace_id::text, balance::text, reserved::text, has_payment_method::text, version::text
  FROM accounts WHERE workspace_id = ANY($1::uuid[])
  ORDER BY workspace_id FOR NO KEY UPDATE`

/**
 * Locks what is decided on, sorted. The account is its workspace's one lock: keys, their usage and runs are changed only
 * under it, so that they need no lock of their own. `waiting` queues behind who holds a row.
 */
export const LOCKS = {
  skipping: prepared("lock_accounts_skip", `${lockAccounts} SKIP LOCKED`),
  waiting: prepared("lock_accounts", lockAccounts)
} as const

/**
 * Usage, and policies as they are under the lock. `known` names the row version whose decoded form the host has kept;
 * only another one is sent.
 */
export const READ_KEYS = prepared(
  "read_keys",
  `SELECT u.key_id::text, u.month, u.spent::text, u.reserved::text, u.rate_second::text, u.rate_counts,
    k.xmin::text || k.ctid::text,
    CASE WHEN k.xmin::text || k.ctid::text = i.known THEN NULL ELSE json_build_object(
      'keyId', k.key_id, 'workspaceId', k.workspace_id, 'workspaceKind', k.workspace_kind, 'name', k.name,
      'prefix', k.prefix, 'state', k.state, 'pausedAtMillis', (extract(epoch FROM k.paused_at) * 1000)::bigint,
      'scopes', k.scopes, 'capabilitiesOff', k.capabilities_off,
      'autonomousExternalActions', k.autonomous_external_actions, 'monthlySpendCap', k.monthly_spend_cap::text,
      'premiumAllowance', k.premium_allowance::text, 'ratePerMinute', k.rate_per_minute,
      'runRequired', k.run_required, 'createdAtMillis', (extract(epoch FROM k.created_at) * 1000)::bigint
    )::text END
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS i (workspace_id, key_id, known)
  JOIN key_usage u ON u.workspace_id = i.workspace_id AND u.key_id = i.key_id
  JOIN api_keys k ON k.workspace_id = i.workspace_id AND k.key_id = i.key_id`
)

export const READ_RUNS = prepared(
  "read_runs",
  `SELECT r.workspace_id::text, r.run_id::text, r.budget::text, r.spent::text, r.reserved::text,
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

const readOpen = `
  SELECT o.workspace_id::text, o.request_id::text, o.key_id::text, o.run_id::text, o.verb, o.mode, o.reserved::text,
    o.month, o.incarnation::text, o.effect_started::text, o.idempotency_key, o.idempotency_phase,
    (extract(epoch FROM o.created_at) * 1000)::bigint::text
  FROM unnest($1::uuid[], $2::uuid[]) AS i (workspace_id, request_id)
  JOIN open_calls o ON o.workspace_id = i.workspace_id AND o.request_id = i.request_id`

/** The calls to settle. Their rows come and go under the account's lock alone. */
export const READ_OPEN = prepared("read_open", readOpen)

/** The calls to sweep: also locked against `effectStarts`, which changes them without the account's lock. */
export const READ_OPEN_LOCKED = prepared("read_open_locked", `${readOpen} FOR UPDATE OF o`)

/** The transaction's id, to ask for its fate by, and whether the host's lease still stands. */
export const READ_SELF = prepared(
  "read_self",
  `SELECT pg_current_xact_id()::text, EXISTS (
    SELECT 1 FROM hosts WHERE incarnation = $1::uuid
      AND heartbeat_at >= clock_timestamp() - interval '${LEASE_MILLIS} ms'
  )::text`
)

export const UPDATE_ACCOUNTS = prepared(
  "update_accounts",
  `UPDATE accounts a SET balance = a.balance + i.balance, reserved = a.reserved + i.reserved,
    version = a.version + i.version
  FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[]) AS i (workspace_id, balance, reserved, version)
  WHERE a.workspace_id = i.workspace_id`
)

export const UPDATE_USAGE = prepared(
  "update_usage",
  `UPDATE key_usage u SET month = i.month, spent = i.spent, reserved = i.reserved, rate_second = i.rate_second,
    rate_counts = i.rate_counts
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[])
    AS i (workspace_id, key_id, month, spent, reserved, rate_second, rate_counts)
  WHERE u.workspace_id = i.workspace_id AND u.key_id = i.key_id`
)

export const UPDATE_RUNS = prepared(
  "update_runs",
  `UPDATE runs r SET spent = r.spent + i.spent, reserved = r.reserved + i.reserved
  FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[]) AS i (workspace_id, run_id, spent, reserved)
  WHERE r.workspace_id = i.workspace_id AND r.run_id = i.run_id`
)

export const INSERT_OPEN = prepared(
  "insert_open",
  `INSERT INTO open_calls (workspace_id, request_id, key_id, run_id, verb, mode, reserved, month, incarnation,
    idempotency_key, idempotency_phase, created_at)
  SELECT workspace_id, request_id, key_id, run_id, verb, mode, reserved, month, $12::uuid, idempotency_key,
    idempotency_phase, created_at
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::bigint[], $8::text[],
    $9::text[], $10::text[], $11::timestamptz[])
    AS i (workspace_id, request_id, key_id, run_id, verb, mode, reserved, month, idempotency_key, idempotency_phase,
      created_at)`
)

export const DELETE_OPEN = prepared(
  "delete_open",
  `DELETE FROM open_calls o USING unnest($1::uuid[], $2::uuid[]) AS i (workspace_id, request_id)
  WHERE o.workspace_id = i.workspace_id AND o.request_id = i.request_id`
)

export const INSERT_REQUESTS = prepared(
  "insert_requests",
  `INSERT INTO requests (workspace_id, request_id, key_id, run_id, verb, mode, status, admitted, http_status, error_code,
    charged, interrupted, created_at, finished_at)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[],
    $8::boolean[], $9::smallint[], $10::text[], $11::bigint[], $12::boolean[], $13::timestamptz[], $14::timestamptz[])`
)

export const INSERT_CHARGES = prepared(
  "insert_charges",
  `INSERT INTO ledger_entries (workspace_id, version, entry_id, kind, amount, balance_after, request_id, at)
  SELECT workspace_id, version, request_id, 'charge', amount, balance_after, request_id, at
  FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::bigint[], $5::bigint[], $6::timestamptz[])
    AS i (workspace_id, version, request_id, amount, balance_after, at)`
)

export const ADD_USAGE = prepared(
  "add_usage",
  `INSERT INTO usage_daily AS u (workspace_id, day, verb, calls, charged)
  SELECT * FROM unnest($1::uuid[], $2::date[], $3::text[], $4::bigint[], $5::bigint[])
  ON CONFLICT (workspace_id, day, verb) DO UPDATE SET calls = u.calls + EXCLUDED.calls,
    charged = u.charged + EXCLUDED.charged`
)

export const COUNT_REPLAYS = prepared(
  "count_replays",
  `UPDATE requests r SET replayed_count = r.replayed_count + i.times
  FROM unnest($1::uuid[], $2::uuid[], $3::integer[]) AS i (workspace_id, request_id, times)
  WHERE r.workspace_id = i.workspace_id AND r.request_id = i.request_id`
)

export const FREE_RECORDS = prepared(
  "free_records",
  `DELETE FROM idempotency_records r
  USING unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[])
    AS i (workspace_id, key_id, idempotency_key, phase, request_id)
  WHERE r.workspace_id = i.workspace_id AND r.key_id = i.key_id AND r.idempotency_key = i.idempotency_key
    AND r.phase = i.phase AND r.request_id = i.request_id`
)

export const FINISH_RECORDS = prepared(
  "finish_records",
  `UPDATE idempotency_records r SET http_status = i.http_status, body = i.body, charged = i.charged,
    approval_id = i.approval_id
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::smallint[], $7::text[], $8::bigint[],
    $9::uuid[])
    AS i (workspace_id, key_id, idempotency_key, phase, request_id, http_status, body, charged, approval_id)
  WHERE r.workspace_id = i.workspace_id AND r.key_id = i.key_id AND r.idempotency_key = i.idempotency_key
    AND r.phase = i.phase AND r.request_id = i.request_id`
)

export const INSERT_RECORDS = prepared(
  "insert_records",
  `INSERT INTO idempotency_records (workspace_id, key_id, idempotency_key, phase, verb, base_fingerprint, token_hash,
    request_id, created_at)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[],
    $9::timestamptz[])`
)

export const KEEP_CONTACTS = prepared(
  "keep_contacts",
  `INSERT INTO enrichment_cache (workspace_id, person_key, contact, email_looked_up, mobile_searched, expires_at)
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::boolean[], $5::boolean[], $6::timestamptz[])
  ON CONFLICT (workspace_id, person_key) DO UPDATE SET contact = EXCLUDED.contact,
    email_looked_up = EXCLUDED.email_looked_up, mobile_searched = EXCLUDED.mobile_searched,
    expires_at = EXCLUDED.expires_at`
)

/** Every statement above, to be prepared when a connection is made. */
export const STATEMENTS: ReadonlyArray<Prepared> = all

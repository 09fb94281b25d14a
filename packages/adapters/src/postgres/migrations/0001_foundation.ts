import type { Migration } from "./Migration.js"

/**
 * Workspaces, credits, keys, runs, the journal of calls, and sign-in.
 *
 * Every tenant table's primary key starts with `workspace_id`. `key_catalogue`, `hosts`, `service_meta`, `users`,
 * `sign_in_links` and `sessions` belong to no tenant. No foreign key points to `accounts` or `key_usage`, and none
 * leaves the tables of the hot path: checking one would lock rows out of the batches' order.
 *
 * Frequently updated rows leave room in their pages, so that a new version stays on the same page and touches no index.
 * `requests` and `ledger_entries` are append-only (a replay only increments a counter of its request).
 */
export const foundation: Migration = {
  id: 1,
  name: "foundation",
  note: "Workspaces, credits, keys, runs, calls and sessions.",
  sql: `
CREATE TABLE service_meta (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  secret_fingerprint text NOT NULL
);

CREATE TABLE workspaces (
  workspace_id uuid PRIMARY KEY,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('sandbox', 'live')),
  postal_address text,
  daily_sends integer NOT NULL CHECK (daily_sends >= 0),
  daily_replies integer NOT NULL CHECK (daily_replies >= 0),
  mailbox_daily_replies integer NOT NULL CHECK (mailbox_daily_replies >= 0),
  mailbox_daily_sends integer NOT NULL CHECK (mailbox_daily_sends >= 0),
  created_at timestamptz NOT NULL
);

-- Held shared by every claim of a message, exclusively by a kill.
CREATE TABLE workspace_sending (
  workspace_id uuid PRIMARY KEY,
  suspended_at timestamptz,
  suspended_reason text
);

-- Its row is the workspace's one lock for all that calls are decided on: whoever changes a key, its usage or a run locks
-- it first, so that a batch decides before or after the change.
CREATE TABLE accounts (
  workspace_id uuid PRIMARY KEY,
  -- What can still be reserved. The balance is this and what the open calls hold, so that a call which costs all that
  -- it reserved ends without a change here.
  available bigint NOT NULL DEFAULT 0 CHECK (available >= 0),
  has_payment_method boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);

CREATE TABLE ledger_entries (
  workspace_id uuid NOT NULL,
  -- Of a charge, the id of its call. Ids begin with their time, so that entries stand in the order of their making.
  entry_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('grant', 'top_up', 'charge', 'refund', 'upkeep')),
  amount bigint NOT NULL CHECK (CASE WHEN kind IN ('charge', 'upkeep') THEN amount <= 0 ELSE amount >= 0 END),
  -- The call that is charged, or given back for.
  request_id uuid,
  at timestamptz NOT NULL,
  -- A purchase is charged, and given back for, under one id.
  PRIMARY KEY (workspace_id, entry_id, kind)
);

CREATE INDEX ledger_entries_upkeep ON ledger_entries (workspace_id, at) WHERE kind = 'upkeep';

-- Global: which key a secret belongs to. Neither ever changes.
CREATE TABLE key_catalogue (
  secret_hash text PRIMARY KEY,
  workspace_id uuid NOT NULL,
  key_id uuid NOT NULL UNIQUE
);

CREATE TABLE api_keys (
  workspace_id uuid NOT NULL,
  key_id uuid NOT NULL,
  -- Its workspace's, which never changes.
  workspace_kind text NOT NULL CHECK (workspace_kind IN ('sandbox', 'live')),
  name text NOT NULL,
  prefix text NOT NULL,
  state text NOT NULL CHECK (state IN ('active', 'paused', 'revoked')),
  paused_at timestamptz,
  scopes text[] NOT NULL CHECK (scopes <@ ARRAY[
    'data:read', 'usage:read', 'campaign:write', 'campaign:launch', 'assets:purchase', 'reply:send', 'trail:read',
    'control:manage']),
  capabilities_off text[] NOT NULL CHECK (capabilities_off <@ ARRAY[
    'ceilings', 'previews', 'route_choice', 'modes', 'keywords', 'premium_offers', 'want_handling', 'goal_ordering']),
  autonomous_external_actions boolean NOT NULL,
  monthly_spend_cap bigint CHECK (monthly_spend_cap >= 0),
  premium_allowance bigint NOT NULL CHECK (premium_allowance >= 0),
  rate_per_minute integer NOT NULL CHECK (rate_per_minute > 0),
  run_required boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, key_id)
);

CREATE TABLE key_usage (
  workspace_id uuid NOT NULL,
  key_id uuid NOT NULL,
  month text NOT NULL CHECK (month ~ '^[0-9]{4}-[0-9]{2}$'),
  -- What the calls of the month cost, and what those under way hold.
  committed bigint NOT NULL DEFAULT 0 CHECK (committed >= 0),
  rate_second bigint NOT NULL DEFAULT 0,
  -- The requests of each of the last seconds, separated by commas: nothing in the database looks into it.
  rate_counts text NOT NULL DEFAULT '',
  PRIMARY KEY (workspace_id, key_id)
) WITH (fillfactor = 40);

CREATE TABLE runs (
  workspace_id uuid NOT NULL,
  run_id uuid NOT NULL,
  name text NOT NULL,
  budget bigint NOT NULL CHECK (budget >= 0),
  -- What its calls cost, and what those under way hold.
  committed bigint NOT NULL DEFAULT 0 CHECK (committed >= 0),
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, run_id),
  CHECK (committed <= budget)
) WITH (fillfactor = 50);

-- One row per running host. A host whose row is gone is dead, and its calls are anyone's to resolve.
CREATE TABLE hosts (
  incarnation uuid PRIMARY KEY,
  heartbeat_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Calls under way; their reservations are the open ones. Deleting a row is what settles its call.
CREATE TABLE open_calls (
  workspace_id uuid NOT NULL,
  request_id uuid NOT NULL,
  key_id uuid NOT NULL,
  run_id uuid,
  verb text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('read', 'act', 'dry_run')),
  reserved bigint NOT NULL CHECK (reserved >= 0),
  month text NOT NULL,
  incarnation uuid NOT NULL,
  effect_started boolean NOT NULL DEFAULT false,
  idempotency_key text,
  idempotency_phase text CHECK (idempotency_phase IN ('ask', 'act')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, request_id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- Calls that ended, those refused at their admission included.
CREATE TABLE requests (
  workspace_id uuid NOT NULL,
  request_id uuid NOT NULL,
  key_id uuid NOT NULL,
  run_id uuid,
  verb text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('read', 'act', 'dry_run')),
  status text NOT NULL CHECK (status IN ('succeeded', 'failed', 'unknown')),
  -- Refused ones are listed, and count as no usage.
  admitted boolean NOT NULL,
  http_status smallint NOT NULL,
  error_code text,
  charged bigint NOT NULL CHECK (charged >= 0),
  replayed_count integer NOT NULL DEFAULT 0,
  interrupted boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, request_id)
);

-- For the part of a day that usage_daily is too coarse for.
CREATE INDEX requests_by_end ON requests (workspace_id, finished_at);

-- Admitted calls in mode act, and what they cost, by the day (UTC) on which they ended.
CREATE TABLE usage_daily (
  workspace_id uuid NOT NULL,
  day date NOT NULL,
  verb text NOT NULL,
  calls bigint NOT NULL CHECK (calls >= 0),
  charged bigint NOT NULL CHECK (charged >= 0),
  PRIMARY KEY (workspace_id, day, verb)
) WITH (fillfactor = 50);

-- What is remembered under an Idempotency-Key. Without an outcome the call is under way, or its outcome unknown.
CREATE TABLE idempotency_records (
  workspace_id uuid NOT NULL,
  key_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  phase text NOT NULL CHECK (phase IN ('ask', 'act')),
  verb text NOT NULL,
  base_fingerprint text NOT NULL,
  token_hash text,
  request_id uuid NOT NULL,
  http_status smallint,
  body text,
  charged bigint,
  approval_id uuid,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, key_id, idempotency_key, phase),
  CHECK ((http_status IS NULL) = (body IS NULL) AND (http_status IS NULL) = (charged IS NULL))
) WITH (fillfactor = 70);

CREATE INDEX idempotency_records_by_request ON idempotency_records (workspace_id, request_id);

CREATE TABLE enrichment_cache (
  workspace_id uuid NOT NULL,
  person_key text NOT NULL,
  contact text NOT NULL,
  email_looked_up boolean NOT NULL,
  mobile_searched boolean NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, person_key)
);

CREATE TABLE users (
  user_id uuid PRIMARY KEY,
  email text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE UNIQUE INDEX users_by_email ON users (lower(email));

CREATE TABLE memberships (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  user_id uuid NOT NULL REFERENCES users,
  role text NOT NULL CHECK (role IN ('owner', 'member')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
);

CREATE INDEX memberships_by_user ON memberships (user_id, created_at);

CREATE TABLE sign_in_links (
  link_hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  spent_at timestamptz
);

CREATE TABLE sessions (
  session_hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  began_by text NOT NULL CHECK (began_by IN ('link', 'passkey')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz
);
`
}

import type { Migration } from "./Migration.js"

/**
 * Request counts, passkeys and challenges belong to users and visitors, so to no tenant, like sign-in links and
 * sessions.
 */
export const consoleTables: Migration = {
  id: 8,
  name: "console",
  note: "Asks for sign-in mail, passkeys and payments.",
  sql: `
-- How often a sign-in was begun for an address or by a client, named by a keyed digest.
CREATE TABLE sign_in_asks (
  subject text PRIMARY KEY,
  window_from timestamptz NOT NULL,
  asks integer NOT NULL CHECK (asks > 0)
);
CREATE INDEX sign_in_asks_by_time ON sign_in_asks (window_from);

CREATE TABLE passkeys (
  user_id uuid NOT NULL REFERENCES users,
  passkey_id uuid NOT NULL,
  credential_id text NOT NULL UNIQUE,
  public_key text NOT NULL,
  counter bigint NOT NULL CHECK (counter >= 0),
  transports json NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (user_id, passkey_id)
);

-- Each is taken by being deleted.
CREATE TABLE passkey_challenges (
  challenge_hash text PRIMARY KEY,
  purpose text NOT NULL CONSTRAINT passkey_challenges_purpose_check CHECK (
    purpose IN ('register', 'sign_in', 'confirm')
  ),
  -- The digest of what the browser holds: of its session, or of its visit to the sign-in page.
  bound_to text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_by_time ON passkey_challenges (expires_at);

CREATE TABLE payments (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  payment_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  credits bigint NOT NULL CHECK (credits > 0),
  cents integer NOT NULL CHECK (cents > 0),
  state text NOT NULL CONSTRAINT payments_state_check CHECK (
    state IN ('created', 'action_required', 'unknown', 'paid', 'failed')
  ),
  -- The provider's name for it; none before it answered.
  reference text,
  -- Where the owner acts.
  url text,
  -- The entry of the ledger that booked it.
  entry_id uuid,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  looks integer NOT NULL DEFAULT 0,
  -- When the provider is asked again; none once nothing more is to be learnt.
  next_look_at timestamptz,
  PRIMARY KEY (workspace_id, payment_id),
  CONSTRAINT payments_paid_are_booked CHECK ((state = 'paid') = (entry_id IS NOT NULL))
);
CREATE INDEX payments_due ON payments (next_look_at) WHERE next_look_at IS NOT NULL;

-- What the provider told, by its own id: told twice, it counts once.
CREATE TABLE payment_events (
  workspace_id uuid NOT NULL,
  payment_id uuid NOT NULL,
  event_id text NOT NULL,
  kind text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, payment_id, event_id),
  FOREIGN KEY (workspace_id, payment_id) REFERENCES payments
);
`
}

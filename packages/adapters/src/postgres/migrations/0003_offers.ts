import type { Migration } from "./Migration.js"

/** Premium offers, each accepted at most once. Tokens are derived from ids and never stored. */
export const offers: Migration = {
  id: 3,
  name: "offers",
  note: "Premium offers.",
  sql: `
-- taken_by: the call that accepted it last. It counts while that call is open.
CREATE TABLE offers (
  workspace_id uuid NOT NULL,
  offer_id uuid NOT NULL,
  key_id uuid NOT NULL,
  base_fingerprint text NOT NULL,
  token_hash text NOT NULL,
  reason text NOT NULL CONSTRAINT offers_reason_check CHECK (
    reason IN ('none_found_standard', 'partially_filled', 'filter_needs_premium')
  ),
  max_results integer NOT NULL CHECK (max_results > 0),
  max_credits bigint NOT NULL CHECK (max_credits > 0),
  known json NOT NULL,
  request_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  taken_by uuid,
  used_at timestamptz,
  PRIMARY KEY (workspace_id, offer_id),
  UNIQUE (workspace_id, token_hash),
  CONSTRAINT offers_taken_before_used CHECK (used_at IS NULL OR taken_by IS NOT NULL)
);
CREATE INDEX offers_expiring ON offers (expires_at);
`
}

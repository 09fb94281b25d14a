import type { Migration } from "./Migration.js"

/**
 * Lookups that continue after their call, and their results. A claim moves `due_at` and counts `tries`; together they
 * fence late hosts.
 */
export const later: Migration = {
  id: 13,
  name: "later",
  note: "What is asked for again after the call that wanted it has ended.",
  sql: `
CREATE TABLE follow_ups (
  workspace_id uuid NOT NULL,
  follow_up_id uuid NOT NULL,
  source text NOT NULL,
  subject_hash text NOT NULL,
  -- The request while it is pending, the answer from then on.
  sealed text NOT NULL,
  -- Of the addresses that it names, or * for more people than are listed.
  address_hashes text[] NOT NULL,
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  due_at timestamptz NOT NULL,
  answered_at timestamptz,
  -- From then on it is pending no more, and answers nobody.
  keep_until timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, source, subject_hash),
  UNIQUE (workspace_id, follow_up_id)
);
CREATE INDEX follow_ups_due ON follow_ups (due_at) WHERE answered_at IS NULL;
CREATE INDEX follow_ups_over ON follow_ups (keep_until);
`
}

import type { Migration } from "./Migration.js"

/** Lists of data calls: their rows, and a host that never dies for the reservations that operations hold. */
export const lists: Migration = {
  id: 29,
  name: "lists",
  note: "Lists of calls: their rows, and reservations that last as long as an operation.",
  sql: `
-- Whose calls no sweeper ends: an operation decides how long they stay open. Older code leaves them alone too.
INSERT INTO hosts (incarnation, heartbeat_at) VALUES ('00000000-0000-0000-0000-000000000001', 'infinity');

ALTER TABLE operations DROP CONSTRAINT operations_kind_check;
ALTER TABLE operations ADD CONSTRAINT operations_kind_check CHECK (
  kind IN ('setup_sending', 'reply', 'verify_emails', 'enrich_people', 'find_intent_of_list')
);

CREATE TABLE list_rows (
  workspace_id uuid NOT NULL,
  operation_id uuid NOT NULL,
  position integer NOT NULL CHECK (position >= 0),
  -- The id of its own call.
  row_id uuid NOT NULL,
  list_request_id uuid NOT NULL,
  state text NOT NULL CONSTRAINT list_rows_state_check CHECK (
    state IN ('pending', 'running', 'done', 'failed', 'cancelled')
  ),
  maximum bigint NOT NULL CHECK (maximum >= 0),
  charged bigint NOT NULL DEFAULT 0 CHECK (charged BETWEEN 0 AND maximum),
  input json,
  body json,
  ended_at timestamptz,
  PRIMARY KEY (workspace_id, row_id),
  FOREIGN KEY (workspace_id, operation_id) REFERENCES operations
) WITH (fillfactor = 70);

CREATE UNIQUE INDEX list_rows_in_order ON list_rows (workspace_id, operation_id, position);
CREATE INDEX list_rows_open ON list_rows (workspace_id, operation_id, position) WHERE state IN ('pending', 'running');
CREATE INDEX list_rows_of_request ON list_rows (workspace_id, list_request_id);
CREATE INDEX list_rows_kept ON list_rows (ended_at) WHERE input IS NOT NULL;
`
}

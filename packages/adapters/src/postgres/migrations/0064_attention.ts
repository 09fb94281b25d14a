import type { Migration } from "./Migration.js"

export const attention: Migration = {
  id: 64,
  name: "attention",
  note: "What each approver is asked to look at before they approve a large launch, and what they said. No addresses: ids of shown people, and faults.",
  sql: `
CREATE TABLE attention_plans (
  workspace_id uuid NOT NULL,
  approval_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  snapshot_digest text NOT NULL,
  seed text NOT NULL,
  people integer NOT NULL CHECK (people >= 0),
  items json NOT NULL,
  drawn_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, approval_id, user_id),
  FOREIGN KEY (workspace_id, approval_id) REFERENCES approvals (workspace_id, approval_id)
);
CREATE INDEX attention_plans_by_time ON attention_plans (workspace_id, drawn_at);

CREATE TABLE attention_looks (
  workspace_id uuid NOT NULL,
  approval_id uuid NOT NULL,
  user_id uuid NOT NULL,
  position integer NOT NULL CHECK (position >= 0),
  is_wrong boolean NOT NULL,
  looked_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, approval_id, user_id, position),
  FOREIGN KEY (workspace_id, approval_id, user_id) REFERENCES attention_plans (workspace_id, approval_id, user_id)
);
`
}

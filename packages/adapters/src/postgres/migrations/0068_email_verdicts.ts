import type { Migration } from "./Migration.js"

export const emailVerdicts: Migration = {
  id: 68,
  name: "email_verdicts",
  note: "The newest verdict on each address that a workspace verified, by the keyed hash of the person.",
  sql: `
CREATE TABLE email_verdicts (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  address_hash text NOT NULL,
  status text NOT NULL CONSTRAINT email_verdicts_status_check CHECK (
    status IN ('valid', 'invalid', 'catch_all_valid', 'catch_all_unknown', 'risky', 'unknown')
  ),
  checked_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, address_hash)
);
CREATE INDEX email_verdicts_by_time ON email_verdicts (checked_at);
`
}

import type { Migration } from "./Migration.js"

export const mailUse: Migration = {
  id: 74,
  name: "mail_use",
  note: "What an owner says that a mailbox sends elsewhere, and which organisation receives the mail of which domain.",
  sql: `
ALTER TABLE mailboxes
  ADD COLUMN declared_sends integer CHECK (declared_sends > 0),
  ADD COLUMN declared_since timestamptz,
  ADD COLUMN declared_at timestamptz,
  ADD CONSTRAINT mailboxes_declared_check CHECK (
    (declared_sends IS NULL) = (declared_at IS NULL) AND (declared_since IS NULL) = (declared_at IS NULL)
  );

-- Of domains that a workspace wrote to from mailboxes of its own.
CREATE TABLE mail_receivers (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  mail_domain text NOT NULL,
  receiver text NOT NULL,
  known_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, mail_domain)
);
`
}

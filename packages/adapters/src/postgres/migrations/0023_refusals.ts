import type { Migration } from "./Migration.js"

export const refusals: Migration = {
  id: 23,
  name: "refusals",
  note: "Where messages were handed in, whose sender was refused there, and how much of that a workspace tolerates.",
  sql: `
-- The organisation that receives the recipient's mail.
ALTER TABLE messages ADD COLUMN receiver text;
ALTER TABLE messages DROP CONSTRAINT messages_outcome_check;
ALTER TABLE messages ADD CONSTRAINT messages_outcome_check CHECK (outcome IN ('hard_bounce', 'complaint', 'refused'));

-- What refusals of a mailbox are a share of.
CREATE INDEX messages_handed_in ON messages (workspace_id, mailbox_id, claimed_at)
  WHERE state = 'sent' OR outcome = 'refused';

-- Until when a mailbox writes to nobody at an organisation that refused it.
CREATE TABLE receiver_rests (
  workspace_id uuid NOT NULL,
  mailbox_id uuid NOT NULL,
  receiver text NOT NULL,
  rests_until timestamptz NOT NULL,
  times integer NOT NULL CHECK (times > 0),
  status text NOT NULL,
  says text NOT NULL,
  PRIMARY KEY (workspace_id, mailbox_id, receiver),
  FOREIGN KEY (workspace_id, mailbox_id) REFERENCES mailboxes (workspace_id, mailbox_id)
);

ALTER TABLE workspaces
  ADD COLUMN refusals_min integer NOT NULL DEFAULT 5 CHECK (refusals_min >= 0),
  ADD COLUMN mailbox_refusals_percent integer NOT NULL DEFAULT 20 CHECK (mailbox_refusals_percent BETWEEN 0 AND 100),
  ADD COLUMN receiver_refusals_percent integer NOT NULL DEFAULT 40 CHECK (receiver_refusals_percent BETWEEN 0 AND 100);
`
}

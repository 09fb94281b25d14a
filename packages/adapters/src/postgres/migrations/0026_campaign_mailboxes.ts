import type { Migration } from "./Migration.js"

export const campaignMailboxes: Migration = {
  id: 26,
  name: "campaign_mailboxes",
  note: "From which mailboxes a launched campaign sends: those that its approval showed, and those an owner added.",
  sql: `
CREATE TABLE campaign_mailboxes (
  workspace_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  mailbox_id uuid NOT NULL,
  added_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, campaign_id, mailbox_id),
  FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns (workspace_id, campaign_id),
  FOREIGN KEY (workspace_id, mailbox_id) REFERENCES mailboxes (workspace_id, mailbox_id)
);

-- What was launched before keeps what it could use: every mailbox that its workspace had.
INSERT INTO campaign_mailboxes (workspace_id, campaign_id, mailbox_id, added_at)
SELECT c.workspace_id, c.campaign_id, b.mailbox_id, c.launched_at
FROM campaigns c JOIN mailboxes b ON b.workspace_id = c.workspace_id
WHERE c.launched_at IS NOT NULL AND c.state <> 'completed';

-- An added mailbox may send what waited for another one.
CREATE TRIGGER signals_added AFTER INSERT ON campaign_mailboxes
  FOR EACH STATEMENT EXECUTE FUNCTION work_signal('mail');
`
}

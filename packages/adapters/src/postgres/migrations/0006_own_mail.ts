import type { Migration } from "./Migration.js"

/**
 * A mailbox is purchased or the workspace's own. An own mailbox's servers and sealed secret are in a second row, which
 * goes when the owner removes the mailbox; the mailbox keeps its history. `held_by` names the host that sends from it
 * and reads it, until `held_until` by the database's clock.
 */
export const ownMail: Migration = {
  id: 6,
  name: "own_mail",
  note: "A workspace's own mailboxes, how they are reached, read and paced; sending windows.",
  sql: `
ALTER TABLE mailboxes
  ADD COLUMN kind text NOT NULL DEFAULT 'purchased' CONSTRAINT mailboxes_kind_check CHECK (kind IN ('purchased', 'own')),
  ADD COLUMN pause_reason text CONSTRAINT mailboxes_pause_reason_check CHECK (
    pause_reason IN ('upkeep', 'owner', 'bounces', 'complaints', 'login')
  ),
  ADD COLUMN rests_until timestamptz,
  ADD COLUMN created_at timestamptz NOT NULL DEFAULT now(),
  ALTER COLUMN operation_id DROP NOT NULL;
UPDATE mailboxes SET pause_reason = 'upkeep' WHERE state = 'paused';
ALTER TABLE mailboxes
  ADD CONSTRAINT mailboxes_paused_says_why CHECK ((state = 'paused') = (pause_reason IS NOT NULL)),
  ADD CONSTRAINT mailboxes_purchased_by_operation CHECK ((kind = 'purchased') = (operation_id IS NOT NULL));
CREATE UNIQUE INDEX mailboxes_own_address ON mailboxes (workspace_id, address) WHERE kind = 'own';

CREATE TABLE own_mailboxes (
  workspace_id uuid NOT NULL,
  mailbox_id uuid NOT NULL,
  smtp_host text NOT NULL,
  smtp_port integer NOT NULL CHECK (smtp_port BETWEEN 1 AND 65535),
  smtp_security text NOT NULL CONSTRAINT own_mailboxes_smtp_security_check CHECK (
    smtp_security IN ('tls', 'starttls', 'none')
  ),
  imap_host text NOT NULL,
  imap_port integer NOT NULL CHECK (imap_port BETWEEN 1 AND 65535),
  imap_security text NOT NULL CONSTRAINT own_mailboxes_imap_security_check CHECK (
    imap_security IN ('tls', 'starttls', 'none')
  ),
  username text NOT NULL,
  auth text NOT NULL CONSTRAINT own_mailboxes_auth_check CHECK (auth IN ('password', 'xoauth2')),
  secret text NOT NULL,
  sent_folder text,
  keeps_sent boolean NOT NULL,
  keeps_message_ids boolean NOT NULL,
  held_by text,
  held_until timestamptz,
  PRIMARY KEY (workspace_id, mailbox_id),
  FOREIGN KEY (workspace_id, mailbox_id) REFERENCES mailboxes (workspace_id, mailbox_id),
  CONSTRAINT own_mailboxes_held_for_a_time CHECK ((held_by IS NULL) = (held_until IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX own_mailboxes_free ON own_mailboxes (held_until NULLS FIRST);

-- How far each folder has been read.
CREATE TABLE mail_folders (
  workspace_id uuid NOT NULL,
  mailbox_id uuid NOT NULL,
  folder text NOT NULL,
  uid_validity bigint NOT NULL CHECK (uid_validity >= 0),
  last_uid bigint NOT NULL CHECK (last_uid >= 0),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, mailbox_id, folder),
  FOREIGN KEY (workspace_id, mailbox_id) REFERENCES own_mailboxes (workspace_id, mailbox_id) ON DELETE CASCADE
);

-- The last messages of a mailbox, of which bounces and complaints are a share.
ALTER TABLE messages
  ADD COLUMN outcome text CONSTRAINT messages_outcome_check CHECK (outcome IN ('hard_bounce', 'complaint'));
CREATE INDEX messages_of_mailbox ON messages (workspace_id, mailbox_id, sent_at) WHERE state = 'sent';

-- The sending window that is open or comes next. None: messages leave at any time.
ALTER TABLE campaigns
  ADD COLUMN window_opens_at timestamptz,
  ADD COLUMN window_closes_at timestamptz,
  ADD CONSTRAINT campaigns_window_opens_and_closes CHECK (
    (window_opens_at IS NULL) = (window_closes_at IS NULL) AND window_opens_at < window_closes_at
  );
CREATE INDEX campaigns_windows ON campaigns (window_closes_at) WHERE state = 'active' AND window_closes_at IS NOT NULL;

-- An own mailbox sends for itself alone: its next lead of a campaign.
CREATE INDEX campaign_leads_due_of_mailbox
  ON campaign_leads (workspace_id, campaign_id, mailbox_id, next_at, campaign_lead_id)
  WHERE state IN ('ready', 'active') AND steps_sent < steps AND approval_id IS NOT NULL;
CREATE INDEX mailboxes_unpaid ON mailboxes (mailbox_id) WHERE state = 'paused' AND pause_reason = 'upkeep';
`
}

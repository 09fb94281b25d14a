import type { Migration } from "./Migration.js"

/**
 * `set_aside_at`: since when this program has been unable to read the event; meanwhile its person is not emailed, and
 * other events don't wait. `skipped`: messages of a folder that could not be read after many tries. The indexes serve
 * the constant polling of all hosts.
 */
export const sandboxMail: Migration = {
  id: 16,
  name: "sandbox_mail",
  note: "What the sandbox's people still have to answer; what can't be read is set aside; idle hosts look shortly.",
  sql: `
ALTER TABLE inbound_events ADD COLUMN set_aside_at timestamptz;
CREATE INDEX inbound_events_set_aside ON inbound_events (set_aside_at) WHERE set_aside_at IS NOT NULL;

ALTER TABLE mail_folders
  ADD COLUMN skipped bigint NOT NULL DEFAULT 0 CHECK (skipped >= 0),
  ADD COLUMN skipped_at timestamptz,
  ADD CONSTRAINT mail_folders_skipped_says_when CHECK ((skipped = 0) = (skipped_at IS NULL));

ALTER TABLE mailboxes DROP CONSTRAINT mailboxes_pause_reason_check;
ALTER TABLE mailboxes ADD CONSTRAINT mailboxes_pause_reason_check CHECK (
  pause_reason IN ('upkeep', 'owner', 'bounces', 'complaints', 'login', 'unreachable')
);

-- What the sandbox's people write back, until it was read.
CREATE TABLE sandbox_letters (
  workspace_id uuid NOT NULL,
  message_id text NOT NULL,
  to_address text NOT NULL,
  persona text NOT NULL CONSTRAINT sandbox_letters_persona_check CHECK (
    persona IN ('interested', 'not_interested', 'out_of_office', 'unsubscribe', 'bounce', 'other')
  ),
  raw text NOT NULL,
  due_at timestamptz NOT NULL,
  held_until timestamptz,
  PRIMARY KEY (workspace_id, message_id)
);
CREATE INDEX sandbox_letters_due ON sandbox_letters (due_at);

-- Whether a workspace has anybody who is due at all.
CREATE INDEX campaign_leads_due_of_workspace ON campaign_leads (workspace_id, next_at)
  WHERE state IN ('ready', 'active') AND steps_sent < steps AND approval_id IS NOT NULL;
CREATE INDEX own_mailboxes_held ON own_mailboxes (held_by) WHERE held_by IS NOT NULL;
`
}

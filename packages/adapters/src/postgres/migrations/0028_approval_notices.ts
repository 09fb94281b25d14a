import type { Migration } from "./Migration.js"

export const approvalNotices: Migration = {
  id: 28,
  name: "approval_notices",
  note: "Whom an approval's request and its reminder are told to, what members turned off, and chat channels.",
  sql: `
-- A letter to a member, or a message to a chat channel. What it says is read from its approval when it is sent.
CREATE TABLE approval_notices (
  workspace_id uuid NOT NULL,
  approval_id uuid NOT NULL,
  kind text NOT NULL CONSTRAINT approval_notices_kind_check CHECK (kind IN ('asked', 'reminder')),
  -- The member's id, or the channel.
  recipient text NOT NULL,
  channel text NOT NULL CONSTRAINT approval_notices_channel_check CHECK (channel IN ('mail', 'slack', 'teams')),
  topic text NOT NULL CONSTRAINT approval_notices_topic_check CHECK (topic IN ('launch', 'purchase', 'reply')),
  state text NOT NULL CONSTRAINT approval_notices_state_check CHECK (
    state IN ('waiting', 'sending', 'sent', 'unknown', 'failed', 'cancelled')
  ),
  created_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  claim_id uuid,
  claimed_until timestamptz,
  attempted_at timestamptz,
  -- Of the last attempt.
  failure text CONSTRAINT approval_notices_failure_check CHECK (
    failure IN (
      'status', 'redirect', 'timeout', 'unreachable', 'forbidden_address', 'refused', 'no_mail_server', 'sealed',
      'too_many', 'interrupted'
    )
  ),
  status integer,
  PRIMARY KEY (workspace_id, approval_id, kind, recipient),
  FOREIGN KEY (workspace_id, approval_id) REFERENCES approvals (workspace_id, approval_id),
  CONSTRAINT approval_notices_claimed CHECK (
    (state = 'sending') = (claim_id IS NOT NULL) AND (state = 'sending') = (claimed_until IS NOT NULL)
  )
) WITH (fillfactor = 80);
CREATE INDEX approval_notices_waiting ON approval_notices (due_at) WHERE state = 'waiting';
CREATE INDEX approval_notices_sending ON approval_notices (workspace_id, recipient) WHERE state = 'sending';
CREATE INDEX approval_notices_of_recipient ON approval_notices (workspace_id, recipient, created_at);
CREATE INDEX approval_notices_old ON approval_notices (created_at);

CREATE TRIGGER signals_due AFTER INSERT OR UPDATE OF state, due_at ON approval_notices
  FOR EACH ROW WHEN (NEW.state = 'waiting' AND NEW.due_at < now() + interval '2 minutes')
  EXECUTE FUNCTION work_signal('notices');

-- Only where a member turned something off.
CREATE TABLE muted_notices (
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  muted text[] NOT NULL CONSTRAINT muted_notices_muted_check CHECK (
    muted <@ ARRAY['launch', 'purchase', 'reply', 'reminder']
  ),
  PRIMARY KEY (workspace_id, user_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES memberships (workspace_id, user_id) ON DELETE CASCADE
);

CREATE TABLE chat_channels (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  kind text NOT NULL CONSTRAINT chat_channels_kind_check CHECK (kind IN ('slack', 'teams')),
  sealed_url text NOT NULL,
  host text NOT NULL,
  set_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, kind)
);

ALTER TABLE control_log DROP CONSTRAINT control_log_action_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_action_check CHECK (
  action IN (
    'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
    'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member',
    'add_webhook', 'set_webhook', 'rotate_webhook_secret', 'set_alert_threshold', 'set_own_key', 'remove_own_key',
    'set_chat_channel', 'remove_chat_channel'
  )
);
`
}

import type { Migration } from "./Migration.js"

/** What was asked for before needs one person, as it did then. */
export const approvalVotes: Migration = {
  id: 31,
  name: "approval_votes",
  note: "Who approved, how many people must, and who may not.",
  sql: `
ALTER TABLE approvals ADD COLUMN approvers_needed integer NOT NULL DEFAULT 1 CHECK (approvers_needed >= 1);
ALTER TABLE approvals ADD COLUMN excluded_user_id uuid;

-- The key lets nobody approve twice.
CREATE TABLE approval_votes (
  workspace_id uuid NOT NULL,
  approval_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  began_by text NOT NULL CONSTRAINT approval_votes_began_by_check CHECK (began_by IN ('link', 'passkey')),
  voted_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, approval_id, user_id),
  FOREIGN KEY (workspace_id, approval_id) REFERENCES approvals (workspace_id, approval_id)
);

-- Only where other rules than the default were set.
CREATE TABLE approval_rules (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces,
  recipients_above integer CHECK (recipients_above >= 0),
  credits_above bigint CHECK (credits_above >= 0),
  excludes_key_owner boolean NOT NULL
);

ALTER TABLE control_log DROP CONSTRAINT control_log_action_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_action_check CHECK (
  action IN (
    'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
    'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member',
    'add_webhook', 'set_webhook', 'rotate_webhook_secret', 'set_alert_threshold', 'set_own_key', 'remove_own_key',
    'set_chat_channel', 'remove_chat_channel', 'set_approval_rules'
  )
);
`
}

import type { Migration } from "./Migration.js"

export const overlap: Migration = {
  id: 41,
  name: "overlap",
  note: "Whether people whom another campaign wrote to are left out, or wait.",
  sql: `
ALTER TABLE workspaces ADD COLUMN overlap text NOT NULL DEFAULT 'refuse' CONSTRAINT workspaces_overlap_check CHECK (
  overlap IN ('refuse', 'queue')
);
ALTER TABLE control_log DROP CONSTRAINT control_log_action_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_action_check CHECK (
  action IN (
    'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
    'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member',
    'add_webhook', 'set_webhook', 'rotate_webhook_secret', 'set_alert_threshold', 'set_own_key', 'remove_own_key',
    'set_chat_channel', 'remove_chat_channel', 'set_approval_rules', 'choose_variant', 'start_list', 'set_overlap'
  )
);
`
}

import type { Migration } from "./Migration.js"

export const variants: Migration = {
  id: 36,
  name: "variants",
  note: "Steps of a campaign may have variants. Those of earlier campaigns have one wording.",
  sql: `
ALTER TABLE campaigns ADD COLUMN chosen_variants smallint[];
ALTER TABLE campaign_leads ADD COLUMN variants smallint[];
ALTER TABLE messages ADD COLUMN variant smallint;

ALTER TABLE control_log DROP CONSTRAINT control_log_action_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_action_check CHECK (
  action IN (
    'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
    'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member',
    'add_webhook', 'set_webhook', 'rotate_webhook_secret', 'set_alert_threshold', 'set_own_key', 'remove_own_key',
    'set_chat_channel', 'remove_chat_channel', 'set_approval_rules', 'choose_variant'
  )
);
`
}

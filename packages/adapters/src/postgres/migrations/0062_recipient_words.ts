import type { Migration } from "./Migration.js"

export const recipientWords: Migration = {
  id: 62,
  name: "recipient_words",
  note: "Where each lead's address came from first, and what recipients are told by their country: as the workspace sets it, as an approval shows it, and as each lead's messages end.",
  sql: `
-- Null: nothing was set.
ALTER TABLE workspaces ADD COLUMN words json;
-- Null: they joined before this was kept. It names nobody but the key that called.
ALTER TABLE campaign_leads ADD COLUMN origin json;
-- Null: in English, without a notice. The notice's text is in the approval that covers the lead.
ALTER TABLE campaign_leads ADD COLUMN words json;
ALTER TABLE approval_people ADD COLUMN words json;

ALTER TABLE control_log DROP CONSTRAINT control_log_action_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_action_check CHECK (
  action IN (
    'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
    'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member',
    'add_webhook', 'set_webhook', 'rotate_webhook_secret', 'set_alert_threshold', 'set_own_key', 'remove_own_key',
    'set_chat_channel', 'remove_chat_channel', 'set_approval_rules', 'choose_variant', 'set_winner_rule', 'start_list',
    'set_overlap', 'set_crm', 'remove_crm', 'map_crm_owner', 'add_domain', 'remove_domain', 'set_dns_access',
    'remove_dns_access', 'approve_dns_records', 'check_domain', 'set_reputation_rule', 'export_person', 'set_rules',
    'set_words'
  )
);
`
}

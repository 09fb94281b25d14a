import type { Migration } from "./Migration.js"

export const savedAnswers: Migration = {
  id: 83,
  name: "saved_answers",
  note: "Texts that people save for their answers to replies.",
  sql: `
CREATE TABLE saved_answers (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  saved_answer_id uuid NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  saved_by text NOT NULL,
  saved_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, saved_answer_id)
);

ALTER TABLE control_log DROP CONSTRAINT control_log_action_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_action_check CHECK (
  action IN (
    'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
    'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member',
    'add_webhook', 'set_webhook', 'rotate_webhook_secret', 'set_alert_threshold', 'set_own_key', 'remove_own_key',
    'set_chat_channel', 'remove_chat_channel', 'set_approval_rules', 'choose_variant', 'set_winner_rule', 'start_list',
    'set_overlap', 'set_crm', 'remove_crm', 'map_crm_owner', 'add_domain', 'remove_domain', 'set_dns_access',
    'remove_dns_access', 'approve_dns_records', 'check_domain', 'set_reputation_rule', 'export_person', 'set_rules',
    'set_words', 'set_link_host', 'remove_link_host', 'set_canaries', 'set_postmaster',
    'save_answer', 'remove_saved_answer'
  )
);
`
}

import type { Migration } from "./Migration.js"

export const workspaceRules: Migration = {
  id: 61,
  name: "workspace_rules",
  note: "What a workspace asks of its launches. A workspace without a row has the default rules, as those made before.",
  sql: `
CREATE TABLE workspace_rules (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces,
  authentication text NOT NULL CONSTRAINT workspace_rules_authentication_check CHECK (
    authentication IN ('warn', 'require')
  ),
  unverified_max_percent integer CHECK (unverified_max_percent BETWEEN 0 AND 100),
  verification_max_age_days integer NOT NULL CHECK (verification_max_age_days BETWEEN 1 AND 365),
  role_addresses text NOT NULL CONSTRAINT workspace_rules_role_addresses_check CHECK (
    role_addresses IN ('allow', 'leave_out')
  ),
  evidence text NOT NULL CONSTRAINT workspace_rules_evidence_check CHECK (evidence IN ('none', 'mark', 'require')),
  attention_above integer CHECK (attention_above >= 0)
);

ALTER TABLE control_log DROP CONSTRAINT control_log_action_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_action_check CHECK (
  action IN (
    'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
    'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member',
    'add_webhook', 'set_webhook', 'rotate_webhook_secret', 'set_alert_threshold', 'set_own_key', 'remove_own_key',
    'set_chat_channel', 'remove_chat_channel', 'set_approval_rules', 'choose_variant', 'set_winner_rule', 'start_list',
    'set_overlap', 'set_crm', 'remove_crm', 'map_crm_owner', 'add_domain', 'remove_domain', 'set_dns_access',
    'remove_dns_access', 'approve_dns_records', 'check_domain', 'set_reputation_rule', 'export_person', 'set_rules'
  )
);
`
}

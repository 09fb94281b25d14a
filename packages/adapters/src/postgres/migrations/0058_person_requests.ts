import type { Migration } from "./Migration.js"

export const personRequests: Migration = {
  id: 58,
  name: "person_requests",
  note: "What people ask of a workspace that wrote to them: their data, or to be erased.",
  sql: `
CREATE TABLE person_requests (
  workspace_id uuid NOT NULL,
  campaign_lead_id uuid NOT NULL,
  ask text NOT NULL CONSTRAINT person_requests_ask_check CHECK (ask IN ('access', 'erasure')),
  asked_at timestamptz NOT NULL,
  met_at timestamptz,
  PRIMARY KEY (workspace_id, campaign_lead_id, ask),
  FOREIGN KEY (workspace_id, campaign_lead_id) REFERENCES campaign_leads (workspace_id, campaign_lead_id)
);
CREATE INDEX person_requests_open ON person_requests (workspace_id, asked_at) WHERE met_at IS NULL;

ALTER TABLE alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE alerts ADD CONSTRAINT alerts_kind_check CHECK (
  kind IN (
    'low_balance', 'key_cap', 'mailbox_paused', 'campaign_capacity', 'webhook_failing', 'payment_returned',
    'domain_records', 'records_missing', 'dmarc_failing', 'blocklisted', 'delisted', 'person_asked'
  )
);
ALTER TABLE control_log DROP CONSTRAINT control_log_action_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_action_check CHECK (
  action IN (
    'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
    'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member',
    'add_webhook', 'set_webhook', 'rotate_webhook_secret', 'set_alert_threshold', 'set_own_key', 'remove_own_key',
    'set_chat_channel', 'remove_chat_channel', 'set_approval_rules', 'choose_variant', 'set_winner_rule', 'start_list',
    'set_overlap', 'set_crm', 'remove_crm', 'map_crm_owner', 'add_domain', 'remove_domain', 'set_dns_access',
    'remove_dns_access', 'approve_dns_records', 'check_domain', 'set_reputation_rule', 'export_person'
  )
);
`
}

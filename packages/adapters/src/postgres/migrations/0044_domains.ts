import type { Migration } from "./Migration.js"

export const domains: Migration = {
  id: 44,
  name: "domains",
  note: "Sending domains, what shall stand in their DNS, and what an owner approved to be set there.",
  sql: `
CREATE TABLE sending_domains (
  workspace_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  domain text NOT NULL,
  wishes jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'applying', 'checking', 'good', 'late')),
  since timestamptz NOT NULL,
  -- Access to its DNS host: all or nothing.
  zone_vendor text CHECK (zone_vendor IN ('cloudflare', 'route53')),
  zone_secret text,
  zone_last4 text,
  zone_added_by text,
  approval jsonb,
  -- Why the last applying stopped.
  stopped text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, domain_id),
  CHECK (num_nulls(zone_vendor, zone_secret, zone_last4, zone_added_by) IN (0, 4)),
  CHECK (state <> 'applying' OR approval IS NOT NULL)
);
CREATE UNIQUE INDEX sending_domains_by_name ON sending_domains (workspace_id, domain);
CREATE INDEX sending_domains_under_way ON sending_domains (since) WHERE state IN ('applying', 'checking');

ALTER TABLE alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE alerts ADD CONSTRAINT alerts_kind_check CHECK (
  kind IN (
    'low_balance', 'key_cap', 'mailbox_paused', 'campaign_capacity', 'webhook_failing', 'payment_returned',
    'domain_records'
  )
);
ALTER TABLE control_log DROP CONSTRAINT control_log_action_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_action_check CHECK (
  action IN (
    'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
    'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member',
    'add_webhook', 'set_webhook', 'rotate_webhook_secret', 'set_alert_threshold', 'set_own_key', 'remove_own_key',
    'set_chat_channel', 'remove_chat_channel', 'set_approval_rules', 'choose_variant', 'start_list', 'set_overlap',
    'set_crm', 'remove_crm', 'map_crm_owner', 'add_domain', 'remove_domain', 'set_dns_access', 'remove_dns_access',
    'approve_dns_records', 'check_domain'
  )
);
`
}

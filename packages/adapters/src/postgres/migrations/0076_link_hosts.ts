import type { Migration } from "./Migration.js"

export const linkHosts: Migration = {
  id: 76,
  name: "link_hosts",
  note: "Hosts of senders' own for the links in their mail: whose they are, whether they answer, and what blocklists say of them.",
  sql: `
CREATE TABLE link_hosts (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  host text NOT NULL,
  -- Null: for mail from every domain.
  domain text,
  state text NOT NULL CONSTRAINT link_hosts_state_check CHECK (
    state IN ('waiting', 'proven', 'used', 'failing', 'retired')
  ),
  trouble text CONSTRAINT link_hosts_trouble_check CHECK (
    trouble IN (
      'no_proof', 'taken', 'dns_silent', 'no_address', 'private_address', 'unreachable', 'certificate', 'redirects',
      'answers_otherwise', 'host_hidden'
    )
  ),
  failures integer NOT NULL,
  added_by text NOT NULL,
  added_at timestamptz NOT NULL,
  proven_at timestamptz,
  answered_at timestamptz,
  checked_at timestamptz,
  next_check_at timestamptz NOT NULL,
  listed jsonb NOT NULL,
  lists_asked_at timestamptz,
  PRIMARY KEY (workspace_id, host)
);
-- A name belongs to one workspace.
CREATE UNIQUE INDEX link_hosts_held ON link_hosts (host) WHERE state IN ('proven', 'used', 'failing');
CREATE INDEX link_hosts_known ON link_hosts (host) WHERE proven_at IS NOT NULL;
CREATE INDEX link_hosts_due ON link_hosts (next_check_at) WHERE state <> 'retired';

ALTER TABLE control_log DROP CONSTRAINT control_log_action_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_action_check CHECK (
  action IN (
    'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
    'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member',
    'add_webhook', 'set_webhook', 'rotate_webhook_secret', 'set_alert_threshold', 'set_own_key', 'remove_own_key',
    'set_chat_channel', 'remove_chat_channel', 'set_approval_rules', 'choose_variant', 'set_winner_rule', 'start_list',
    'set_overlap', 'set_crm', 'remove_crm', 'map_crm_owner', 'add_domain', 'remove_domain', 'set_dns_access',
    'remove_dns_access', 'approve_dns_records', 'check_domain', 'set_reputation_rule', 'export_person', 'set_rules',
    'set_words', 'set_link_host', 'remove_link_host'
  )
);
ALTER TABLE alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE alerts ADD CONSTRAINT alerts_kind_check CHECK (
  kind IN (
    'low_balance', 'key_cap', 'mailbox_paused', 'campaign_capacity', 'webhook_failing', 'payment_returned',
    'domain_records', 'records_missing', 'dmarc_failing', 'blocklisted', 'delisted', 'person_asked',
    'domain_not_authenticated', 'bounces_high', 'link_host'
  )
);
`
}

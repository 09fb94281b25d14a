import type { Migration } from "./Migration.js"

export const reputation: Migration = {
  id: 48,
  name: "reputation",
  note: "What receivers' DMARC reports and blocklists say of sending domains, and what a workspace does about it.",
  sql: `
CREATE TABLE reputation_rules (
  workspace_id uuid PRIMARY KEY,
  failing_percent integer NOT NULL CHECK (failing_percent BETWEEN 1 AND 100),
  failing_messages integer NOT NULL CHECK (failing_messages BETWEEN 1 AND 100000),
  pauses_for_dmarc boolean NOT NULL,
  pauses_for_blocklists boolean NOT NULL,
  trusted_server text,
  CHECK (trusted_server IS NOT NULL OR NOT pauses_for_dmarc)
);

CREATE TABLE domain_watches (
  workspace_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  looked_at timestamptz,
  next_look_at timestamptz NOT NULL,
  -- Records that were green and are gone.
  missing jsonb,
  lists jsonb NOT NULL,
  -- Own mail that fails DMARC.
  failing jsonb,
  PRIMARY KEY (workspace_id, domain_id),
  FOREIGN KEY (workspace_id, domain_id) REFERENCES sending_domains ON DELETE CASCADE
);

CREATE TABLE dmarc_reports (
  workspace_id uuid NOT NULL,
  domain text NOT NULL,
  organisation text NOT NULL,
  report_id text NOT NULL,
  is_proven boolean NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, domain, organisation, report_id, is_proven)
);
CREATE INDEX dmarc_reports_by_time ON dmarc_reports (workspace_id, domain, received_at);

CREATE TABLE dmarc_counts (
  workspace_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  day date NOT NULL,
  -- An address, or all the others of a report.
  ip text NOT NULL,
  is_proven boolean NOT NULL,
  messages bigint NOT NULL CHECK (messages >= 0),
  dkim bigint NOT NULL,
  spf bigint NOT NULL,
  aligned bigint NOT NULL CHECK (aligned BETWEEN 0 AND messages),
  quarantined bigint NOT NULL,
  rejected bigint NOT NULL,
  PRIMARY KEY (workspace_id, domain_id, day, ip, is_proven),
  FOREIGN KEY (workspace_id, domain_id) REFERENCES sending_domains ON DELETE CASCADE
);

ALTER TABLE mailboxes DROP CONSTRAINT mailboxes_pause_reason_check;
ALTER TABLE mailboxes ADD CONSTRAINT mailboxes_pause_reason_check CHECK (
  pause_reason IN ('upkeep', 'owner', 'bounces', 'complaints', 'login', 'unreachable', 'dmarc', 'blocklist')
);
ALTER TABLE alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE alerts ADD CONSTRAINT alerts_kind_check CHECK (
  kind IN (
    'low_balance', 'key_cap', 'mailbox_paused', 'campaign_capacity', 'webhook_failing', 'payment_returned',
    'domain_records', 'records_missing', 'dmarc_failing', 'blocklisted', 'delisted'
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
    'approve_dns_records', 'check_domain', 'set_reputation_rule'
  )
);
`
}

import type { Migration } from "./Migration.js"

export const postmaster: Migration = {
  id: 80,
  name: "postmaster",
  note: "Owners' consents to read Google's Postmaster Tools, and what was last read of each sending domain.",
  sql: `
CREATE TABLE postmaster_connections (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces,
  sealed_grant text NOT NULL,
  connected_by text NOT NULL,
  connected_at timestamptz NOT NULL,
  -- Null: the consent holds.
  refused_at timestamptz,
  read_at timestamptz,
  next_at timestamptz NOT NULL,
  failures integer NOT NULL
);
CREATE INDEX postmaster_connections_next ON postmaster_connections (next_at) WHERE refused_at IS NULL;

CREATE TABLE postmaster_readings (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  domain text NOT NULL,
  read_at timestamptz NOT NULL,
  requirements jsonb NOT NULL,
  day text,
  spam_rate double precision,
  reject_rate double precision,
  temp_fail_rate double precision,
  PRIMARY KEY (workspace_id, domain)
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
    'set_words', 'set_link_host', 'remove_link_host', 'set_canaries', 'set_postmaster'
  )
);
`
}

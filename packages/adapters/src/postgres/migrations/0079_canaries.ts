import type { Migration } from "./Migration.js"

export const canaries: Migration = {
  id: 79,
  name: "canaries",
  note: "Letters between a workspace's own mailboxes that measure where mail arrives, and which workspaces send them.",
  sql: `
CREATE TABLE canary_settings (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces,
  is_on boolean NOT NULL,
  set_by text NOT NULL,
  set_at timestamptz NOT NULL,
  next_at timestamptz NOT NULL
);
CREATE INDEX canary_settings_next ON canary_settings (next_at);

CREATE TABLE canaries (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  canary_id uuid NOT NULL,
  from_mailbox_id uuid NOT NULL,
  to_mailbox_id uuid NOT NULL,
  domain text NOT NULL,
  organisation text NOT NULL,
  day integer NOT NULL,
  -- At most two a day of an ordered pair.
  nth integer NOT NULL CONSTRAINT canaries_nth_check CHECK (nth IN (0, 1)),
  campaign_id uuid NOT NULL,
  variant integer,
  state text NOT NULL CONSTRAINT canaries_state_check CHECK (
    state IN ('planned', 'sending', 'sent', 'inbox', 'junk', 'missing', 'unknown', 'dropped')
  ),
  planned_at timestamptz NOT NULL,
  claimed_at timestamptz,
  sent_at timestamptz,
  arrived_at timestamptz,
  looked_at timestamptz,
  next_at timestamptz,
  is_removed boolean NOT NULL,
  says text NOT NULL,
  spf text,
  dkim text,
  dmarc text,
  PRIMARY KEY (workspace_id, canary_id),
  CONSTRAINT canaries_pair_key UNIQUE (workspace_id, from_mailbox_id, to_mailbox_id, day, nth)
);
CREATE INDEX canaries_planned ON canaries (workspace_id, planned_at);
CREATE INDEX canaries_open ON canaries (workspace_id, next_at) WHERE state IN ('planned', 'sending', 'sent');
CREATE INDEX canaries_ended ON canaries (planned_at) WHERE state NOT IN ('planned', 'sending', 'sent');

ALTER TABLE control_log DROP CONSTRAINT control_log_action_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_action_check CHECK (
  action IN (
    'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
    'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member',
    'add_webhook', 'set_webhook', 'rotate_webhook_secret', 'set_alert_threshold', 'set_own_key', 'remove_own_key',
    'set_chat_channel', 'remove_chat_channel', 'set_approval_rules', 'choose_variant', 'set_winner_rule', 'start_list',
    'set_overlap', 'set_crm', 'remove_crm', 'map_crm_owner', 'add_domain', 'remove_domain', 'set_dns_access',
    'remove_dns_access', 'approve_dns_records', 'check_domain', 'set_reputation_rule', 'export_person', 'set_rules',
    'set_words', 'set_link_host', 'remove_link_host', 'set_canaries'
  )
);
`
}

import type { Migration } from "./Migration.js"

/** Endpoints, and a delivery per event and endpoint, written with the event so that none is missed. */
export const webhooks: Migration = {
  id: 10,
  name: "webhooks",
  note: "Webhook endpoints, their deliveries, and alerts.",
  sql: `
-- Nothing points to an endpoint, so that appending to the trail never waits for whoever holds its row.
CREATE TABLE webhook_endpoints (
  workspace_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  url text NOT NULL,
  -- Empty: every kind.
  kinds text[] NOT NULL,
  state text NOT NULL CONSTRAINT webhook_endpoints_state_check CHECK (state IN ('enabled', 'disabled', 'removed')),
  sealed_secret text NOT NULL,
  previous_secret text,
  previous_until timestamptz,
  created_at timestamptz NOT NULL,
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  failing_since timestamptz,
  -- When it last took something after an outage: what was tried before that is due again.
  recovered_at timestamptz,
  delivered_at timestamptz,
  rests_until timestamptz NOT NULL,
  claim_id uuid,
  claimed_until timestamptz,
  PRIMARY KEY (workspace_id, endpoint_id),
  CONSTRAINT webhook_endpoints_previous CHECK ((previous_secret IS NULL) = (previous_until IS NULL)),
  CONSTRAINT webhook_endpoints_claimed CHECK ((claim_id IS NULL) = (claimed_until IS NULL)),
  CONSTRAINT webhook_endpoints_failing CHECK ((failures = 0) = (failing_since IS NULL))
);
CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (workspace_id, endpoint_id) WHERE state = 'enabled';

CREATE TABLE webhook_deliveries (
  workspace_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  observed_at timestamptz NOT NULL,
  state text NOT NULL CONSTRAINT webhook_deliveries_state_check CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  created_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  attempted_at timestamptz,
  -- Of the last attempt.
  status integer,
  failure text CONSTRAINT webhook_deliveries_failure_check CHECK (
    failure IN ('status', 'redirect', 'timeout', 'unreachable', 'forbidden_address')
  ),
  took_millis integer,
  PRIMARY KEY (workspace_id, endpoint_id, event_id)
) WITH (fillfactor = 80);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (workspace_id, endpoint_id, observed_at, event_id)
  WHERE state = 'pending';
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (workspace_id, endpoint_id, event_id)
  WHERE state = 'failed';
CREATE INDEX webhook_deliveries_old ON webhook_deliveries (created_at);

-- What owners are told of: each time of each thing once, by the key over subject and period.
CREATE TABLE alerts (
  workspace_id uuid NOT NULL,
  alert_id uuid NOT NULL,
  kind text NOT NULL CONSTRAINT alerts_kind_check CHECK (
    kind IN ('low_balance', 'key_cap', 'mailbox_paused', 'campaign_capacity', 'webhook_failing')
  ),
  subject text NOT NULL,
  period text NOT NULL,
  name text NOT NULL,
  says text NOT NULL,
  raised_at timestamptz NOT NULL,
  mailed_at timestamptz,
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  mail_due_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, alert_id),
  UNIQUE (workspace_id, kind, subject, period)
);
CREATE INDEX alerts_unmailed ON alerts (mail_due_at) WHERE mailed_at IS NULL;
CREATE INDEX alerts_old ON alerts (raised_at);

-- Only where another threshold than the default was set.
CREATE TABLE alert_settings (
  workspace_id uuid PRIMARY KEY,
  low_balance bigint NOT NULL CHECK (low_balance >= 0)
);

CREATE INDEX ledger_entries_added ON ledger_entries (workspace_id, entry_id) WHERE kind IN ('grant', 'top_up');

ALTER TABLE control_log DROP CONSTRAINT control_log_action_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_action_check CHECK (
  action IN (
    'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
    'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member',
    'add_webhook', 'set_webhook', 'rotate_webhook_secret', 'set_alert_threshold'
  )
);
`
}

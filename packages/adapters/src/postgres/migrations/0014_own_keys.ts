import type { Migration } from "./Migration.js"

export const ownKeys: Migration = {
  id: 14,
  name: "own_keys",
  note: "Workspaces' own credentials with vendors, and what calls cost there.",
  sql: `
CREATE TABLE own_keys (
  workspace_id uuid NOT NULL,
  vendor text NOT NULL,
  sealed_secret text NOT NULL,
  last4 text NOT NULL,
  added_by text NOT NULL,
  added_at timestamptz NOT NULL,
  -- When the vendor last refused it.
  refused_at timestamptz,
  PRIMARY KEY (workspace_id, vendor)
);

-- What a call cost at vendors, and what its answer rests on. Of most calls there is neither.
ALTER TABLE requests ADD COLUMN costs jsonb;
ALTER TABLE requests ADD COLUMN evidence jsonb;
CREATE INDEX requests_with_costs ON requests (finished_at) WHERE costs IS NOT NULL;

ALTER TABLE control_log DROP CONSTRAINT control_log_action_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_action_check CHECK (
  action IN (
    'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
    'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member',
    'add_webhook', 'set_webhook', 'rotate_webhook_secret', 'set_alert_threshold', 'set_own_key', 'remove_own_key'
  )
);
`
}

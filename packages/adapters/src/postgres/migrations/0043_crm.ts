import type { Migration } from "./Migration.js"

export const crm: Migration = {
  id: 43,
  name: "crm",
  note: "Connections to CRMs, whom they keep out of campaigns, and what is written back to them.",
  sql: `
CREATE TABLE crm_connections (
  workspace_id uuid PRIMARY KEY,
  connection_id uuid NOT NULL,
  vendor text NOT NULL,
  sealed_secret text NOT NULL,
  last4 text NOT NULL,
  added_by text NOT NULL,
  added_at timestamptz NOT NULL,
  keeps_customers boolean NOT NULL,
  keeps_open_deals boolean NOT NULL,
  keeps_owned boolean NOT NULL,
  writes_replies boolean NOT NULL,
  writes_meetings boolean NOT NULL,
  creates_contacts boolean NOT NULL,
  pass text CONSTRAINT crm_connections_pass_check CHECK (pass IN ('full', 'changes', 'sweep')),
  cursor text,
  began_at timestamptz,
  generation integer NOT NULL,
  -- When the last readings that came to their end began.
  read_at timestamptz,
  read_all_at timestamptz,
  asked_at timestamptz,
  failures integer NOT NULL,
  trouble text,
  pause_millis bigint NOT NULL
);

-- What the records of a CRM say: of keyed hashes of addresses, and of domains.
CREATE TABLE crm_marks (
  workspace_id uuid NOT NULL,
  value text NOT NULL,
  standing text NOT NULL CONSTRAINT crm_marks_standing_check CHECK (standing IN ('customer', 'open_deal', 'owned')),
  ref text NOT NULL,
  owner_ref text,
  generation integer NOT NULL,
  PRIMARY KEY (workspace_id, value, standing, ref)
);
CREATE INDEX crm_marks_by_ref ON crm_marks (workspace_id, ref);
CREATE INDEX crm_marks_by_generation ON crm_marks (workspace_id, generation);

CREATE TABLE crm_owners (
  workspace_id uuid NOT NULL,
  owner_ref text NOT NULL,
  name text NOT NULL,
  email text,
  -- The member whom they are.
  user_id uuid,
  PRIMARY KEY (workspace_id, owner_ref)
);

-- The outbox. It names the rows that say what is written, and copies nothing of a person.
CREATE TABLE crm_writes (
  workspace_id uuid NOT NULL,
  write_id uuid NOT NULL,
  kind text NOT NULL CONSTRAINT crm_writes_kind_check CHECK (kind IN ('reply', 'meeting')),
  campaign_lead_id uuid NOT NULL,
  reply_id uuid,
  made_at timestamptz NOT NULL,
  state text NOT NULL CONSTRAINT crm_writes_state_check CHECK (
    state IN ('waiting', 'writing', 'unknown', 'written', 'failed', 'cancelled')
  ),
  attempts integer NOT NULL,
  due_at timestamptz NOT NULL,
  claim_id uuid,
  claimed_at timestamptz,
  trouble text,
  ended_at timestamptz,
  PRIMARY KEY (workspace_id, write_id)
);
-- A reply is written once, and a person's meeting of a campaign once.
CREATE UNIQUE INDEX crm_writes_once ON crm_writes (workspace_id, kind, campaign_lead_id, reply_id) NULLS NOT DISTINCT;
CREATE INDEX crm_writes_open ON crm_writes (workspace_id, due_at) WHERE state IN ('waiting', 'writing', 'unknown');
CREATE INDEX crm_writes_ended ON crm_writes (ended_at) WHERE ended_at IS NOT NULL;

ALTER TABLE control_log DROP CONSTRAINT control_log_action_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_action_check CHECK (
  action IN (
    'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
    'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member',
    'add_webhook', 'set_webhook', 'rotate_webhook_secret', 'set_alert_threshold', 'set_own_key', 'remove_own_key',
    'set_chat_channel', 'remove_chat_channel', 'set_approval_rules', 'choose_variant', 'start_list', 'set_overlap',
    'set_crm', 'remove_crm', 'map_crm_owner'
  )
);
`
}

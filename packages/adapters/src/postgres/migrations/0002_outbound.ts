import type { Migration } from "./Migration.js"

/**
 * Approvals, campaigns, sending, suppression, replies, operations and the trail.
 *
 * Every table's key starts with `workspace_id`. Queues for sweeps are partial indexes by due time. Foreign keys join a
 * campaign, its leads and their messages, and nothing else.
 */
export const outbound: Migration = {
  id: 2,
  name: "outbound",
  note: "Campaigns and their leads, mailboxes and messages, who said no, replies, approvals, operations and the trail.",
  sql: `
CREATE TABLE approvals (
  workspace_id uuid NOT NULL,
  approval_id uuid NOT NULL,
  key_id uuid NOT NULL,
  verb text NOT NULL,
  state text NOT NULL CONSTRAINT approvals_state_check CHECK (
    state IN ('pending', 'approved', 'declined', 'expired', 'superseded', 'cancelled', 'used')
  ),
  target text NOT NULL,
  base_fingerprint text NOT NULL,
  binding text NOT NULL,
  token_hash text NOT NULL,
  snapshot json NOT NULL,
  snapshot_digest text NOT NULL,
  request_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by_user_id uuid,
  decided_by_session text,
  used_by_idempotency_key text,
  PRIMARY KEY (workspace_id, approval_id),
  UNIQUE (workspace_id, token_hash)
);
CREATE INDEX approvals_open_of_target ON approvals (workspace_id, target) WHERE state IN ('pending', 'approved');
CREATE INDEX approvals_expiring ON approvals (expires_at) WHERE state IN ('pending', 'approved');
CREATE INDEX approvals_pending ON approvals (workspace_id, created_at, approval_id) WHERE state = 'pending';
CREATE INDEX approvals_closed ON approvals (workspace_id, created_at, approval_id) WHERE state <> 'pending';

CREATE TABLE campaigns (
  workspace_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  name text NOT NULL,
  state text NOT NULL CONSTRAINT campaigns_state_check CHECK (
    state IN ('draft', 'incomplete', 'active', 'paused', 'completed')
  ),
  pause_reason text CONSTRAINT campaigns_pause_reason_check CHECK (
    pause_reason IN ('awaiting_approval', 'killed', 'owner', 'capacity')
  ),
  sequence json NOT NULL,
  schedule json NOT NULL,
  recipients_version integer NOT NULL,
  created_at timestamptz NOT NULL,
  launched_at timestamptz,
  PRIMARY KEY (workspace_id, campaign_id),
  CONSTRAINT campaigns_paused_says_why CHECK (state <> 'paused' OR pause_reason IS NOT NULL)
);
CREATE INDEX campaigns_active ON campaigns (workspace_id, campaign_id) WHERE state = 'active';

-- steps is the length of the campaign's sequence, which never changes: it tells in an index whether a lead whose time
-- has come is due for a message or has waited long enough for an answer.
CREATE TABLE campaign_leads (
  workspace_id uuid NOT NULL,
  campaign_lead_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  email text NOT NULL,
  first_name text,
  last_name text,
  company_name text,
  custom json NOT NULL,
  state text NOT NULL CONSTRAINT campaign_leads_state_check CHECK (
    state IN ('pending', 'ready', 'active', 'replied', 'bounced', 'unsubscribed', 'removed', 'finished', 'failed')
  ),
  interest_status text CONSTRAINT campaign_leads_interest_status_check CHECK (
    interest_status IN ('interested', 'meeting_booked', 'won', 'not_interested', 'out_of_office', 'neutral')
  ),
  provider_sync_status text CONSTRAINT campaign_leads_provider_sync_status_check CHECK (
    provider_sync_status IN ('pending', 'synced', 'failed', 'unsupported')
  ),
  address_hash text NOT NULL,
  approval_id uuid,
  mailbox_id uuid,
  steps integer NOT NULL CHECK (steps >= 1),
  steps_sent integer NOT NULL CHECK (steps_sent BETWEEN 0 AND steps),
  next_at timestamptz,
  PRIMARY KEY (workspace_id, campaign_lead_id),
  UNIQUE (workspace_id, address_hash, campaign_id),
  FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns (workspace_id, campaign_id)
);
CREATE INDEX campaign_leads_of_campaign ON campaign_leads (workspace_id, campaign_id, campaign_lead_id);
CREATE INDEX campaign_leads_open ON campaign_leads (workspace_id, campaign_id)
  WHERE state IN ('pending', 'ready', 'active');
CREATE INDEX campaign_leads_due ON campaign_leads (workspace_id, campaign_id, next_at, campaign_lead_id)
  WHERE state IN ('ready', 'active') AND steps_sent < steps AND approval_id IS NOT NULL;
CREATE INDEX campaign_leads_waited_out ON campaign_leads (next_at) WHERE state = 'active' AND steps_sent >= steps;

CREATE TABLE mailboxes (
  workspace_id uuid NOT NULL,
  mailbox_id uuid NOT NULL,
  operation_id uuid NOT NULL,
  domain text NOT NULL,
  address text NOT NULL,
  display_name text NOT NULL,
  state text NOT NULL CONSTRAINT mailboxes_state_check CHECK (
    state IN ('provisioning', 'active', 'paused', 'failed')
  ),
  active_at timestamptz,
  upkeep_paid_until timestamptz,
  PRIMARY KEY (workspace_id, mailbox_id),
  UNIQUE (workspace_id, operation_id, address)
);
CREATE INDEX mailboxes_upkeep ON mailboxes (upkeep_paid_until) WHERE state = 'active';

-- Whose turn it is to have messages claimed: the lowest first. Whoever claims for a workspace holds its row, so that
-- its caps are counted by one at a time. It comes with the workspace's first mailbox, without which nothing is sent.
CREATE SEQUENCE sending_turns_turn;
CREATE TABLE sending_turns (
  workspace_id uuid PRIMARY KEY,
  turn bigint NOT NULL DEFAULT nextval('sending_turns_turn')
);
CREATE INDEX sending_turns_in_order ON sending_turns (turn, workspace_id);

-- message_id is text because what a recipient's side claims to answer is looked up by it.
CREATE TABLE messages (
  workspace_id uuid NOT NULL,
  message_id text NOT NULL,
  campaign_id uuid NOT NULL,
  campaign_lead_id uuid NOT NULL,
  mailbox_id uuid NOT NULL,
  address_hash text NOT NULL,
  step_index integer NOT NULL CHECK (step_index >= 0),
  state text NOT NULL CONSTRAINT messages_state_check CHECK (state IN ('claimed', 'sent', 'failed', 'unknown')),
  claimed_at timestamptz NOT NULL,
  sent_at timestamptz,
  PRIMARY KEY (workspace_id, message_id),
  FOREIGN KEY (workspace_id, campaign_lead_id) REFERENCES campaign_leads (workspace_id, campaign_lead_id),
  FOREIGN KEY (workspace_id, mailbox_id) REFERENCES mailboxes (workspace_id, mailbox_id),
  CONSTRAINT messages_sent_says_when CHECK (state <> 'sent' OR sent_at IS NOT NULL)
);
CREATE INDEX messages_of_lead ON messages (workspace_id, campaign_lead_id, step_index);
CREATE UNIQUE INDEX messages_one_of_step ON messages (workspace_id, campaign_lead_id, step_index)
  WHERE state <> 'failed';
CREATE UNIQUE INDEX messages_one_claim_of_lead ON messages (workspace_id, campaign_lead_id) WHERE state = 'claimed';
CREATE INDEX messages_claimed ON messages (claimed_at) WHERE state = 'claimed';
CREATE INDEX messages_unproven ON messages (workspace_id, address_hash) WHERE state IN ('claimed', 'unknown');
CREATE INDEX messages_of_day ON messages (workspace_id, claimed_at, mailbox_id) WHERE state <> 'failed';

CREATE TABLE contact_history (
  workspace_id uuid NOT NULL,
  address_hash text NOT NULL,
  campaign_id uuid NOT NULL,
  last_contacted_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, address_hash, campaign_id)
);

CREATE TABLE suppressions (
  workspace_id uuid NOT NULL,
  address_hash text NOT NULL,
  source text NOT NULL CONSTRAINT suppressions_source_check CHECK (
    source IN ('reply', 'unsubscribe', 'hard_bounce', 'complaint', 'not_interested', 'owner_import')
  ),
  suppressed_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, address_hash, source)
);
CREATE FUNCTION suppressions_are_permanent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a suppression is permanent' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER suppressions_keep_rows BEFORE UPDATE OR DELETE ON suppressions
  FOR EACH ROW EXECUTE FUNCTION suppressions_are_permanent();
CREATE TRIGGER suppressions_keep_all BEFORE TRUNCATE ON suppressions
  FOR EACH STATEMENT EXECUTE FUNCTION suppressions_are_permanent();

CREATE TABLE replies (
  workspace_id uuid NOT NULL,
  reply_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  campaign_lead_id uuid NOT NULL,
  thread_id text,
  from_email text NOT NULL,
  to_email text,
  subject text NOT NULL,
  snippet text NOT NULL,
  body_text text NOT NULL,
  body_html text,
  body_truncated boolean NOT NULL,
  classification text CONSTRAINT replies_classification_check CHECK (
    classification IN ('interested', 'not_interested', 'out_of_office', 'unsubscribe', 'bounce', 'other')
  ),
  received_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, reply_id)
);
CREATE INDEX replies_by_time ON replies (workspace_id, received_at, reply_id);
CREATE INDEX replies_of_campaign ON replies (workspace_id, campaign_id, received_at, reply_id);
CREATE INDEX replies_classified ON replies (workspace_id, classification, received_at, reply_id);

-- A taken event keeps its key for ever and nothing else: a late duplicate is dropped. While one waits, from_email and
-- answers (the message of ours that it names) tell whom not to write to.
CREATE TABLE inbound_events (
  workspace_id uuid NOT NULL,
  provider text NOT NULL,
  provider_event_id text NOT NULL,
  received_at timestamptz NOT NULL,
  from_email text,
  answers text,
  content json,
  PRIMARY KEY (workspace_id, provider, provider_event_id)
);
CREATE INDEX inbound_events_waiting ON inbound_events (received_at, provider_event_id) WHERE content IS NOT NULL;
CREATE INDEX inbound_events_from ON inbound_events (workspace_id, from_email) WHERE content IS NOT NULL;
CREATE INDEX inbound_events_answering ON inbound_events (workspace_id, answers) WHERE content IS NOT NULL;

CREATE TABLE operations (
  workspace_id uuid NOT NULL,
  operation_id uuid NOT NULL,
  kind text NOT NULL CONSTRAINT operations_kind_check CHECK (kind IN ('setup_sending')),
  status text NOT NULL CONSTRAINT operations_status_check CHECK (
    status IN ('queued', 'running', 'waiting_external', 'succeeded', 'partially_succeeded', 'failed')
  ),
  request_id uuid NOT NULL,
  capacity_order json NOT NULL,
  credits_per_domain bigint NOT NULL CHECK (credits_per_domain >= 0),
  items json NOT NULL,
  error text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  finished_at timestamptz,
  started_at timestamptz,
  PRIMARY KEY (workspace_id, operation_id)
);
CREATE INDEX operations_unstarted ON operations (created_at)
  WHERE started_at IS NULL AND status IN ('queued', 'running', 'waiting_external');

-- The person behind events. The address is taken out of the row when it is not retained any more; who is seen after
-- that is a new subject, since nothing is left by which the old one could be known.
CREATE TABLE subjects (
  workspace_id uuid NOT NULL,
  subject_id bigint GENERATED ALWAYS AS IDENTITY,
  email text,
  last_seen_at timestamptz NOT NULL,
  erased_at timestamptz,
  PRIMARY KEY (workspace_id, subject_id),
  CONSTRAINT subjects_erased_has_no_email CHECK (erased_at IS NULL OR email IS NULL)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX subjects_by_email ON subjects (workspace_id, email) WHERE email IS NOT NULL;

CREATE TABLE trail_events (
  workspace_id uuid NOT NULL,
  event_id uuid NOT NULL,
  kind text NOT NULL CONSTRAINT trail_events_kind_check CHECK (
    kind IN (
      'admitted', 'removed', 'launch_requested', 'launched', 'sent', 'reply', 'bounce', 'unsubscribe', 'complaint',
      'stop', 'status_set', 'suppressed', 'reply_requested', 'reply_sent', 'approval_requested', 'approved', 'declined',
      'approval_expired', 'approval_cancelled', 'purchase_requested', 'purchased', 'mailbox_active', 'mailbox_paused',
      'pause_requested', 'paused', 'resumed', 'completed', 'killed', 'suspension_cleared', 'erased'
    )
  ),
  source text NOT NULL CONSTRAINT trail_events_source_check CHECK (
    source IN ('api', 'console', 'provider_webhook', 'provider_poll', 'system')
  ),
  observed_at timestamptz NOT NULL,
  campaign_id uuid,
  campaign_lead_id uuid,
  reply_id uuid,
  request_id uuid,
  operation_id uuid,
  subject_id bigint,
  detail json NOT NULL,
  PRIMARY KEY (workspace_id, observed_at, event_id)
);
CREATE INDEX trail_events_of_kind ON trail_events (workspace_id, kind, observed_at, event_id);
CREATE INDEX trail_events_of_campaign ON trail_events (workspace_id, campaign_id, observed_at, event_id)
  WHERE campaign_id IS NOT NULL;
CREATE INDEX trail_events_of_subject ON trail_events (workspace_id, subject_id, observed_at, event_id)
  WHERE subject_id IS NOT NULL;
`
}

import type { Migration } from "./Migration.js"

export const control: Migration = {
  id: 7,
  name: "control",
  note: "Change requests, the control log and kills.",
  sql: `
-- Only ever appended to. Its ids begin with their time, so that entries stand in the order of their making.
CREATE TABLE control_log (
  workspace_id uuid NOT NULL,
  control_log_id uuid NOT NULL,
  at timestamptz NOT NULL,
  actor_kind text NOT NULL CONSTRAINT control_log_actor_kind_check CHECK (actor_kind IN ('key', 'user', 'operator')),
  actor_id uuid,
  actor_name text,
  action text NOT NULL CONSTRAINT control_log_action_check CHECK (
    action IN (
      'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
      'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member'
    )
  ),
  direction text NOT NULL CONSTRAINT control_log_direction_check CHECK (direction IN ('tighten', 'loosen', 'none')),
  key_id uuid,
  change_request_id uuid,
  before json NOT NULL,
  after json NOT NULL,
  PRIMARY KEY (workspace_id, control_log_id),
  CONSTRAINT control_log_says_who CHECK ((actor_kind = 'operator') = (actor_id IS NULL))
);
CREATE INDEX control_log_of_key ON control_log (workspace_id, key_id, control_log_id) WHERE key_id IS NOT NULL;

CREATE TABLE change_requests (
  workspace_id uuid NOT NULL,
  change_request_id uuid NOT NULL,
  key_id uuid NOT NULL,
  requested_by_key_id uuid NOT NULL,
  change json NOT NULL,
  before json NOT NULL,
  state text NOT NULL CONSTRAINT change_requests_state_check CHECK (
    state IN ('open', 'approved', 'declined', 'superseded', 'cancelled')
  ),
  request_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by_user_id uuid,
  PRIMARY KEY (workspace_id, change_request_id),
  CONSTRAINT change_requests_say_who_decided CHECK (
    (state IN ('approved', 'declined')) = (decided_at IS NOT NULL)
    AND (decided_at IS NULL) = (decided_by_user_id IS NULL)
  )
);
CREATE INDEX change_requests_open ON change_requests (workspace_id, key_id, change_request_id) WHERE state = 'open';

CREATE TABLE kills (
  workspace_id uuid NOT NULL,
  kill_id uuid NOT NULL,
  reason text NOT NULL,
  actor_kind text NOT NULL CONSTRAINT kills_actor_kind_check CHECK (actor_kind IN ('key', 'user', 'operator')),
  actor_id uuid,
  actor_name text,
  suspended_at timestamptz NOT NULL,
  campaigns_paused integer NOT NULL CHECK (campaigns_paused >= 0),
  approvals_cancelled integer NOT NULL CHECK (approvals_cancelled >= 0),
  -- As it was answered; null before.
  unconfirmed uuid[],
  -- When the durable engine was asked to verify what is not; it is not asked where nothing is left.
  started_at timestamptz,
  cleared_at timestamptz,
  PRIMARY KEY (workspace_id, kill_id)
);
CREATE UNIQUE INDEX kills_standing ON kills (workspace_id) WHERE cleared_at IS NULL;
CREATE INDEX kills_unstarted ON kills (suspended_at) WHERE started_at IS NULL;

CREATE TABLE killed_campaigns (
  workspace_id uuid NOT NULL,
  kill_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  verified_at timestamptz,
  PRIMARY KEY (workspace_id, kill_id, campaign_id),
  FOREIGN KEY (workspace_id, kill_id) REFERENCES kills (workspace_id, kill_id)
);
CREATE INDEX killed_campaigns_unverified ON killed_campaigns (workspace_id, kill_id, campaign_id)
  WHERE verified_at IS NULL;

-- What ends a run early also brings its expiry forward, which is all that calls are decided on.
ALTER TABLE runs ADD COLUMN closed_at timestamptz;
CREATE INDEX runs_newest ON runs (workspace_id, created_at, run_id);
`
}

import type { Migration } from "./Migration.js"

/** Our replies in threads, the operations that reconcile them, and interest to mirror to the sending provider. */
export const answers: Migration = {
  id: 5,
  name: "answers",
  note: "Replies that we send in a thread.",
  sql: `
ALTER TABLE replies ADD COLUMN message_id text, ADD COLUMN in_reply_to text;

ALTER TABLE workspaces ADD COLUMN reply_send boolean NOT NULL DEFAULT true;

ALTER TABLE operations DROP CONSTRAINT operations_kind_check;
ALTER TABLE operations ADD CONSTRAINT operations_kind_check CHECK (kind IN ('setup_sending', 'reply'));
ALTER TABLE operations ALTER COLUMN capacity_order DROP NOT NULL;
ALTER TABLE operations ALTER COLUMN credits_per_domain DROP NOT NULL;
ALTER TABLE operations ADD CONSTRAINT operations_purchase_says_what CHECK (
  (kind = 'setup_sending') = (capacity_order IS NOT NULL) AND (kind = 'setup_sending') = (credits_per_domain IS NOT NULL)
);

-- asked_at: the provider was about to be asked. Without it nothing can have been sent.
CREATE TABLE sent_replies (
  workspace_id uuid NOT NULL,
  sent_reply_id uuid NOT NULL,
  reply_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  campaign_lead_id uuid NOT NULL,
  thread_id text,
  request_id uuid NOT NULL,
  approval_id uuid NOT NULL,
  mailbox_id uuid NOT NULL,
  address_hash text NOT NULL,
  from_email text NOT NULL,
  to_email text NOT NULL,
  subject text NOT NULL,
  body_text text NOT NULL,
  refs json NOT NULL,
  state text NOT NULL CONSTRAINT sent_replies_state_check CHECK (state IN ('pending', 'sent', 'failed', 'unknown')),
  created_at timestamptz NOT NULL,
  asked_at timestamptz,
  sent_at timestamptz,
  look_ups integer NOT NULL DEFAULT 0 CHECK (look_ups >= 0),
  PRIMARY KEY (workspace_id, sent_reply_id),
  FOREIGN KEY (workspace_id, reply_id) REFERENCES replies (workspace_id, reply_id),
  CONSTRAINT sent_replies_sent_says_when CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  CONSTRAINT sent_replies_asked_before_sent CHECK (state NOT IN ('sent', 'unknown') OR asked_at IS NOT NULL)
);
CREATE UNIQUE INDEX sent_replies_one_of_reply ON sent_replies (workspace_id, reply_id) WHERE state <> 'failed';
CREATE UNIQUE INDEX sent_replies_of_request ON sent_replies (workspace_id, request_id);
CREATE INDEX sent_replies_of_lead ON sent_replies (workspace_id, campaign_lead_id, created_at);
CREATE INDEX sent_replies_of_day ON sent_replies (workspace_id, created_at, mailbox_id) WHERE state <> 'failed';

-- What was said of a person and is to be said to the provider too, the last of it only.
CREATE TABLE interest_syncs (
  workspace_id uuid NOT NULL,
  campaign_lead_id uuid NOT NULL,
  interest_status text NOT NULL CONSTRAINT interest_syncs_interest_status_check CHECK (
    interest_status IN ('interested', 'meeting_booked', 'won', 'not_interested', 'out_of_office', 'neutral')
  ),
  request_id uuid NOT NULL,
  attempts integer NOT NULL CHECK (attempts >= 0),
  due_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, campaign_lead_id)
);
CREATE INDEX interest_syncs_due ON interest_syncs (due_at);
`
}

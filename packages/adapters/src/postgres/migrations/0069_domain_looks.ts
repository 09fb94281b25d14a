import type { Migration } from "./Migration.js"

export const domainLooks: Migration = {
  id: 69,
  name: "domain_looks",
  note: "What name servers say of the authentication of each domain that mailboxes send from, and what their mail was seen to be signed with.",
  sql: `
CREATE TABLE domain_looks (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  domain text NOT NULL,
  -- Each check's status, detail and time.
  findings jsonb NOT NULL,
  listed jsonb NOT NULL,
  failing_since timestamptz,
  looked_at timestamptz NOT NULL,
  next_look_at timestamptz NOT NULL,
  -- Campaigns that paused with the domain's mailboxes.
  stopped_campaigns jsonb NOT NULL,
  PRIMARY KEY (workspace_id, domain)
);
CREATE INDEX domain_looks_failing ON domain_looks (failing_since) WHERE failing_since IS NOT NULL;

CREATE TABLE seen_signatures (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  domain text NOT NULL,
  signer text NOT NULL,
  selector text NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, domain, signer, selector)
);

-- Mailboxes of whose messages so many bounce that they are about to pause.
CREATE TABLE bounce_warnings (
  workspace_id uuid NOT NULL,
  mailbox_id uuid NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, mailbox_id),
  FOREIGN KEY (workspace_id, mailbox_id) REFERENCES mailboxes (workspace_id, mailbox_id)
);

ALTER TABLE mailboxes DROP CONSTRAINT mailboxes_pause_reason_check;
ALTER TABLE mailboxes ADD CONSTRAINT mailboxes_pause_reason_check CHECK (
  pause_reason IN (
    'upkeep', 'owner', 'bounces', 'complaints', 'login', 'unreachable', 'dmarc', 'blocklist', 'authentication'
  )
);
ALTER TABLE alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE alerts ADD CONSTRAINT alerts_kind_check CHECK (
  kind IN (
    'low_balance', 'key_cap', 'mailbox_paused', 'campaign_capacity', 'webhook_failing', 'payment_returned',
    'domain_records', 'records_missing', 'dmarc_failing', 'blocklisted', 'delisted', 'person_asked',
    'domain_not_authenticated', 'bounces_high'
  )
);
`
}

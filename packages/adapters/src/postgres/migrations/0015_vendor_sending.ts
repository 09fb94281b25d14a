import type { Migration } from "./Migration.js"

/**
 * A campaign that its vendor schedules has a row in `vendor_campaigns`. Its leads have no `next_at` before their last
 * step was sent, so nothing here ever claims a message for them. `due_at`: when to look at the campaign next;
 * `held_until`: a host is working on it until then; `turn` counts the claims and fences late hosts.
 */
export const vendorSending: Migration = {
  id: 15,
  name: "vendor_sending",
  note: "What stands at a sending vendor that schedules by itself.",
  sql: `
CREATE TABLE vendor_campaigns (
  workspace_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  vendor text NOT NULL,
  account text NOT NULL CONSTRAINT vendor_campaigns_account_check CHECK (account IN ('service', 'own')),
  state text NOT NULL CONSTRAINT vendor_campaigns_state_check CHECK (
    state IN ('absent', 'creating', 'idle', 'activating', 'sending', 'pausing')
  ),
  ref text,
  terms text,
  asked_until timestamptz,
  owes_pause boolean NOT NULL,
  read_cursor text,
  read_at timestamptz,
  failures integer NOT NULL CHECK (failures >= 0),
  turn bigint NOT NULL,
  due_at timestamptz,
  held_until timestamptz,
  PRIMARY KEY (workspace_id, campaign_id),
  FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns (workspace_id, campaign_id),
  CONSTRAINT vendor_campaigns_there_has_ref CHECK (state IN ('absent', 'creating') OR ref IS NOT NULL)
) WITH (fillfactor = 70);
CREATE INDEX vendor_campaigns_due ON vendor_campaigns (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE vendor_leads (
  workspace_id uuid NOT NULL,
  campaign_lead_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  state text NOT NULL CONSTRAINT vendor_leads_state_check CHECK (
    state IN ('waiting', 'asked', 'missing', 'present', 'leaving', 'gone', 'refused')
  ),
  ref text,
  pushes integer NOT NULL CHECK (pushes >= 0),
  looks integer NOT NULL CHECK (looks >= 0),
  due_at timestamptz NOT NULL,
  leaving_at timestamptz,
  blocked boolean NOT NULL,
  PRIMARY KEY (workspace_id, campaign_lead_id),
  FOREIGN KEY (workspace_id, campaign_lead_id) REFERENCES campaign_leads (workspace_id, campaign_lead_id),
  FOREIGN KEY (workspace_id, campaign_id) REFERENCES vendor_campaigns (workspace_id, campaign_id)
);
CREATE INDEX vendor_leads_of_campaign ON vendor_leads (workspace_id, campaign_id, state, due_at);
CREATE INDEX vendor_leads_by_ref ON vendor_leads (workspace_id, campaign_id, ref) WHERE ref IS NOT NULL;

-- An order that its vendor does not know by our marker: that it may have been placed is written down before.
CREATE TABLE vendor_orders (
  workspace_id uuid NOT NULL,
  operation_id uuid NOT NULL,
  state text NOT NULL CONSTRAINT vendor_orders_state_check CHECK (state IN ('asked', 'placed')),
  PRIMARY KEY (workspace_id, operation_id)
);
`
}

import type { Migration } from "./Migration.js"

export const holdouts: Migration = {
  id: 67,
  name: "holdouts",
  note: "The people whom a launch keeps from being written to, so that what a campaign brought can be told from what would have come anyway.",
  sql: `
CREATE TABLE campaign_holdouts (
  workspace_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  percent integer NOT NULL CHECK (percent BETWEEN 1 AND 50),
  seed text NOT NULL,
  drawn_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, campaign_id)
);
-- Everybody who was there when it was drawn.
CREATE TABLE campaign_arms (
  workspace_id uuid NOT NULL,
  campaign_lead_id uuid NOT NULL,
  is_held_out boolean NOT NULL,
  PRIMARY KEY (workspace_id, campaign_lead_id),
  FOREIGN KEY (workspace_id, campaign_lead_id) REFERENCES campaign_leads (workspace_id, campaign_lead_id)
);
`
}

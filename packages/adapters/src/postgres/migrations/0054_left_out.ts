import type { Migration } from "./Migration.js"

export const leftOut: Migration = {
  id: 54,
  name: "left_out",
  note: "Whom calls left out of campaigns, why, and what has to be mended.",
  sql: `
-- Ids are in the order of the calls and of their rows. detail holds the address, what is wrong, and the row as given.
CREATE TABLE campaign_left_out (
  workspace_id uuid NOT NULL,
  left_out_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  address_hash text NOT NULL,
  reason text NOT NULL CONSTRAINT campaign_left_out_reason_check CHECK (
    reason IN ('invalid', 'opted_out', 'platform_blocked', 'capped', 'other')
  ),
  detail json NOT NULL,
  PRIMARY KEY (workspace_id, left_out_id),
  FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns (workspace_id, campaign_id)
);
CREATE INDEX campaign_left_out_of_campaign ON campaign_left_out (workspace_id, campaign_id, left_out_id);
CREATE INDEX campaign_left_out_of_address ON campaign_left_out (workspace_id, address_hash);
`
}

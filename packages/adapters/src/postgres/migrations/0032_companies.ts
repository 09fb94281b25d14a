import type { Migration } from "./Migration.js"

export const companies: Migration = {
  id: 32,
  name: "companies",
  note: "Campaigns that stop for a company or limit messages to one. Leads of other campaigns have no company.",
  sql: `
ALTER TABLE campaigns
  ADD COLUMN stop_for_company boolean NOT NULL DEFAULT false,
  ADD COLUMN max_per_company_per_day smallint CHECK (max_per_company_per_day BETWEEN 1 AND 100);
CREATE INDEX campaigns_stopping ON campaigns (workspace_id) WHERE stop_for_company;

ALTER TABLE campaign_leads ADD COLUMN company text;
CREATE INDEX campaign_leads_by_company ON campaign_leads (workspace_id, company) WHERE company IS NOT NULL;

ALTER TABLE messages ADD COLUMN company text;
CREATE INDEX messages_by_company ON messages (workspace_id, campaign_id, company, claimed_at)
  WHERE company IS NOT NULL;

CREATE TABLE stopped_companies (
  workspace_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  company text NOT NULL,
  stopped_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, campaign_id, company),
  FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns (workspace_id, campaign_id)
);
`
}

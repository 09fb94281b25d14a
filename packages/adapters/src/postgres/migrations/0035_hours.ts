import type { Migration } from "./Migration.js"

/**
 * People with the same hours of their own share a window. A window that opens or closes wakes the hosts like that of a
 * campaign.
 */
export const hours: Migration = {
  id: 35,
  name: "hours",
  note: "People of a campaign may have sending hours of their own. Those of earlier campaigns have the campaign's.",
  sql: `
ALTER TABLE campaign_leads ADD COLUMN hours text;
CREATE INDEX campaign_leads_due_by_hours ON campaign_leads (workspace_id, campaign_id, hours, next_at)
  WHERE hours IS NOT NULL AND state IN ('ready', 'active') AND steps_sent < steps AND approval_id IS NOT NULL;

CREATE TABLE campaign_windows (
  workspace_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  hours text NOT NULL,
  opens_at timestamptz NOT NULL,
  closes_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, campaign_id, hours),
  FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns (workspace_id, campaign_id),
  CHECK (opens_at < closes_at)
);
CREATE TRIGGER signals_windows AFTER INSERT OR UPDATE ON campaign_windows
  FOR EACH STATEMENT EXECUTE FUNCTION work_signal('mail,windows');
`
}

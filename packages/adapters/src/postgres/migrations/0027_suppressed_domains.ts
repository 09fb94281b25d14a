import type { Migration } from "./Migration.js"

export const suppressedDomains: Migration = {
  id: 27,
  name: "suppressed_domains",
  note: "Whole domains that are never written to, and people whom a key added by call. Permanent like every suppression.",
  sql: `
CREATE TABLE suppressed_domains (
  workspace_id uuid NOT NULL,
  domain text NOT NULL,
  suppressed_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, domain)
);
CREATE TRIGGER suppressed_domains_keep_rows BEFORE UPDATE OR DELETE ON suppressed_domains
  FOR EACH ROW EXECUTE FUNCTION suppressions_are_permanent();
CREATE TRIGGER suppressed_domains_keep_all BEFORE TRUNCATE ON suppressed_domains
  FOR EACH STATEMENT EXECUTE FUNCTION suppressions_are_permanent();

ALTER TABLE suppressions DROP CONSTRAINT suppressions_source_check;
ALTER TABLE suppressions ADD CONSTRAINT suppressions_source_check CHECK (
  source IN ('reply', 'unsubscribe', 'hard_bounce', 'complaint', 'not_interested', 'owner_import', 'added')
);

-- Backwards, an address begins with its domain.
CREATE INDEX campaign_leads_by_domain ON campaign_leads (workspace_id, (reverse(email) COLLATE "C"));
`
}

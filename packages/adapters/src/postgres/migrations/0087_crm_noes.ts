import type { Migration } from "./Migration.js"

export const crmNoes: Migration = {
  id: 87,
  name: "crm_noes",
  note: "Who said no in the CRM, and to whom mail came back. Every CRM is read anew, and nothing is sent until it was.",
  stalls: "Sending of workspaces with a CRM waits while its marks are looked through, and until the CRM was read anew.",
  sql: `
ALTER TABLE crm_marks DROP CONSTRAINT crm_marks_standing_check;
ALTER TABLE crm_marks ADD CONSTRAINT crm_marks_standing_check CHECK (
  standing IN ('opted_out', 'bounced', 'customer', 'open_deal', 'owned')
);
UPDATE crm_connections SET
  pass = NULL, cursor = NULL, began_at = NULL, read_at = NULL, read_all_at = NULL, asked_at = NULL, failures = 0, pause_millis = 0;
`
}

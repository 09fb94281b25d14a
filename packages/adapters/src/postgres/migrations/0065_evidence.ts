import type { Migration } from "./Migration.js"

export const evidence: Migration = {
  id: 65,
  name: "evidence",
  note: "Where the values of a lead come from, and what was found there; and the same as approvals showed it.",
  sql: `
ALTER TABLE campaign_leads ADD COLUMN evidence json;
ALTER TABLE approval_people ADD COLUMN evidence json;
`
}

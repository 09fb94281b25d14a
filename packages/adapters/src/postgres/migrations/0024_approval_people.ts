import type { Migration } from "./Migration.js"

/** What approvals show of each person. Approvals from before it can't be executed any more, and expire within a day. */
export const approvalPeople: Migration = {
  id: 24,
  name: "approval_people",
  note: "The people of an approval, with the values that their messages are merged from.",
  sql: `
-- Written once, with the approval. Ids are in the order of the people. custom holds only the fields that the messages
-- use, without blank ones.
CREATE TABLE approval_people (
  workspace_id uuid NOT NULL,
  shown_id uuid NOT NULL,
  approval_id uuid NOT NULL,
  address_hash text NOT NULL,
  email text NOT NULL,
  first_name text,
  last_name text,
  company_name text,
  custom json NOT NULL,
  digest text NOT NULL,
  looks text[] NOT NULL,
  hosts text[] NOT NULL,
  PRIMARY KEY (workspace_id, shown_id),
  FOREIGN KEY (workspace_id, approval_id) REFERENCES approvals (workspace_id, approval_id)
);
CREATE INDEX approval_people_of_approval ON approval_people (workspace_id, approval_id, shown_id);
CREATE INDEX approval_people_of_address ON approval_people (workspace_id, address_hash);
`
}

import type { Migration } from "./Migration.js"

export const roles: Migration = {
  id: 59,
  name: "roles",
  note: "Members who may only decide approvals, and members who may only read.",
  sql: `
ALTER TABLE memberships DROP CONSTRAINT memberships_role_check;
ALTER TABLE memberships ADD CONSTRAINT memberships_role_check CHECK (role IN ('owner', 'member', 'approver', 'reader'));
`
}

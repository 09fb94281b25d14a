import type { Migration } from "./Migration.js"

export const recipients: Migration = {
  id: 4,
  name: "recipients",
  note: "Leads added to a campaign after its creation.",
  sql: `
SELECT 1
`
}

import type { Migration } from "./Migration.js"

export const oauth: Migration = {
  id: 11,
  name: "oauth",
  note: "Clients, grants and tokens of the tool protocol's authorisation.",
  sql: `
SELECT 1
`
}

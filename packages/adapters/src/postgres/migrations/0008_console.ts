import type { Migration } from "./Migration.js"

export const consoleTables: Migration = {
  id: 8,
  name: "console",
  note: "Passkeys, payments and members.",
  sql: `
SELECT 1
`
}

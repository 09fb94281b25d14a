import type { Migration } from "./Migration.js"

export const offers: Migration = {
  id: 3,
  name: "offers",
  note: "Premium offers.",
  sql: `
SELECT 1
`
}

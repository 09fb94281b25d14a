import type { Migration } from "./Migration.js"

export const erasure: Migration = {
  id: 9,
  name: "erasure",
  note: "Erased persons and retention.",
  sql: `
SELECT 1
`
}

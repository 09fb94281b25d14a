import type { Migration } from "./Migration.js"

export const control: Migration = {
  id: 7,
  name: "control",
  note: "Change requests, the control log and kills.",
  sql: `
SELECT 1
`
}

import type { Migration } from "./Migration.js"

export const answers: Migration = {
  id: 5,
  name: "answers",
  note: "Replies that we send in a thread.",
  sql: `
SELECT 1
`
}

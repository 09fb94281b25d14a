import type { Migration } from "./Migration.js"

export const ownMail: Migration = {
  id: 6,
  name: "own_mail",
  note: "A workspace's own mailboxes, how they are reached, read and paced; sending windows.",
  sql: `
SELECT 1
`
}

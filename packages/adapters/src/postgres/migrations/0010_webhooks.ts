import type { Migration } from "./Migration.js"

export const webhooks: Migration = {
  id: 10,
  name: "webhooks",
  note: "Webhook endpoints, their deliveries, and alerts.",
  sql: `
SELECT 1
`
}

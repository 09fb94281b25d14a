import type { Migration } from "./Migration.js"

export const dailyCaps: Migration = {
  id: 70,
  name: "daily_caps",
  note: "The most that a key may spend in a day; null is no cap.",
  sql: `
ALTER TABLE api_keys ADD COLUMN daily_spend_cap bigint CHECK (daily_spend_cap >= 0);
`
}

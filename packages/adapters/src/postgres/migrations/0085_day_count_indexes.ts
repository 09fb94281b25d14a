import type { Migration } from "./Migration.js"

export const dayCountIndexes: Migration = {
  id: 85,
  name: "day_count_indexes",
  note: "What a workspace sent on a day, and who said that they are interested, is found by indexes.",
  indexes: [
    {
      name: "campaign_counts_by_day",
      definition: "ON campaign_counts (workspace_id, key) INCLUDE (campaign_id, n) WHERE what = 'day'"
    },
    {
      name: "campaign_leads_said_interested",
      definition: `ON campaign_leads (workspace_id, campaign_id)
        INCLUDE (state, interest_status, steps_sent, last_variant) WHERE said_interested`
    }
  ],
  sql: ""
}

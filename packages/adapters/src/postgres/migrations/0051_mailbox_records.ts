import type { Migration } from "./Migration.js"

export const mailboxRecords: Migration = {
  id: 51,
  name: "mailbox_records",
  note: "What a mailbox's messages of a month came to is found without reading the others.",
  indexes: [
    {
      name: "messages_with_outcome",
      definition: `ON messages (workspace_id, sent_at) INCLUDE (mailbox_id, outcome)
        WHERE state = 'sent' AND outcome IN ('hard_bounce', 'complaint')`
    },
    {
      name: "campaign_leads_replied",
      definition: "ON campaign_leads (workspace_id, campaign_lead_id) INCLUDE (steps_sent) WHERE state = 'replied'"
    }
  ],
  sql: ""
}

import type { Migration } from "./Migration.js"

export const fewOfACampaign: Migration = {
  id: 82,
  name: "few_of_a_campaign",
  note: "Who was heard from, who has a status and who came with evidence is found without reading everybody of a campaign.",
  indexes: [
    {
      name: "campaign_leads_heard_from",
      definition: `ON campaign_leads (workspace_id, campaign_id) INCLUDE (campaign_lead_id, state, interest_status)
        WHERE state IN ('replied', 'bounced', 'unsubscribed')`
    },
    {
      name: "campaign_leads_marked",
      definition: `ON campaign_leads (workspace_id, campaign_id) INCLUDE (state, steps_sent, interest_status)
        WHERE interest_status IS NOT NULL`
    },
    {
      name: "campaign_leads_with_evidence",
      definition: "ON campaign_leads (workspace_id, campaign_id) WHERE evidence IS NOT NULL"
    },
    {
      name: "messages_by_time",
      definition: `ON messages (workspace_id, sent_at) INCLUDE (campaign_id, campaign_lead_id) WHERE state = 'sent'`
    }
  ],
  sql: ""
}

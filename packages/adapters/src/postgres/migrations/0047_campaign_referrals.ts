import type { Migration } from "./Migration.js"

export const campaignReferrals: Migration = {
  id: 47,
  name: "campaign_referrals",
  note: "Whom a campaign's replies name is found without reading its other replies.",
  indexes: [
    {
      name: "replies_referrals_of_campaign",
      definition: "ON replies (workspace_id, campaign_id, received_at, reply_id) WHERE referral IS NOT NULL"
    }
  ],
  sql: ""
}

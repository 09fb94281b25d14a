import { countFunction, counted, leadsOf, OF_LEAD } from "./0049_campaign_counts.js"
import type { Migration } from "./Migration.js"

/** As of migration `campaign_counts`; of those with a status, only people whose answer counts want more or meet. */
const OF_LEAD_THAT_REPLIED = OF_LEAD.replaceAll(
  "(l.steps_sent > 0 AND l.interest_status",
  "(l.steps_sent > 0 AND l.state = 'replied' AND l.interest_status"
)

const OF_INTEREST = `${OF_LEAD_THAT_REPLIED} WHERE g.what IN ('wants_more', 'meets')`

export const interestedOfReplied: Migration = {
  id: 66,
  name: "interested_of_replied",
  note: "People are interested, or have a meeting, of those who replied. So no step of a funnel is wider than the one before.",
  stalls: "Sending and imports of leads wait while interested people are counted anew.",
  sql: `
LOCK TABLE campaign_leads IN SHARE ROW EXCLUSIVE MODE;
CREATE OR REPLACE FUNCTION ${countFunction("campaign_leads", leadsOf, "l", OF_LEAD_THAT_REPLIED)}
DELETE FROM campaign_counts WHERE what IN ('wants_more', 'meets');
${counted("l", leadsOf("campaign_leads", "1"), OF_INTEREST, true)}
`
}

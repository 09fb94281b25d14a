/** Where claims look for leads that may be due. What they find, `decideSend` decides. */
import { COMPANY_SENT } from "./campaignCompanies.js"
import { SENDABLE_LEAD } from "./CampaignRows.js"

const OWN_WINDOW = "c.window_opens_at <= now.at AND now.at < c.window_closes_at"

const THEIR_WINDOW = `
  SELECT 1 FROM campaign_windows w
  WHERE w.workspace_id = c.workspace_id AND w.campaign_id = c.campaign_id
    AND w.opens_at <= now.at AND now.at < w.closes_at
`

/** Whether campaign `c` may send to somebody now. A campaign without windows always may. */
export const OPEN_WINDOW = `(c.window_opens_at IS NULL OR (${OWN_WINDOW}) OR EXISTS (${THEIR_WINDOW}))`

/** Whether it may send to lead `l` now, by their own hours or the campaign's. */
const LEAD_WINDOW = `
  (
    c.window_opens_at IS NULL
    OR CASE WHEN l.hours IS NULL THEN ${OWN_WINDOW} ELSE EXISTS (${THEIR_WINDOW} AND w.hours = l.hours) END
  )
`

/**
 * Lead `l` of campaign `c` may be claimed at the time `now`, as far as is seen without its facts: enough that claims
 * need not look past many whom nothing but time frees. Never narrower than `decideSend`, which decides.
 */
export const MAYBE = `
  l.next_at <= now.at AND ${SENDABLE_LEAD} AND ${LEAD_WINDOW}
  AND EXISTS (
    SELECT 1 FROM campaign_mailboxes cm
    WHERE cm.workspace_id = l.workspace_id AND cm.campaign_id = l.campaign_id AND cm.mailbox_id = l.mailbox_id
  )
  AND NOT EXISTS (
    SELECT 1 FROM messages m
    WHERE m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id AND m.state = 'claimed'
  )
  AND (c.max_per_company_per_day IS NULL OR l.company IS NULL OR ${COMPANY_SENT} < c.max_per_company_per_day)
`

/**
 * Workspaces with a due lead: one short index look-up each. Only these get further queries, so idle hosts ask little.
 */
export const DUE_WORKSPACES = `
  due_workspaces AS MATERIALIZED (
    SELECT t.workspace_id FROM now CROSS JOIN sending_turns t
    WHERE EXISTS (
      SELECT 1 FROM campaign_leads l
      WHERE l.workspace_id = t.workspace_id AND l.next_at <= now.at AND ${SENDABLE_LEAD}
    )
  )
`

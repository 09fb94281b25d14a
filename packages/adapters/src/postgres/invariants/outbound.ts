/** What must always hold of campaigns, sending, suppression, approvals and the trail. */
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { literals } from "../Columns.js"

/** A rule about the stored data. */
export interface Invariant {
  readonly name: string
  /** The rule in one sentence. */
  readonly rule: string
  /** Read-only. Returns one row (`workspace_id`, `breach`) per breach. */
  readonly sql: string
}

/** The difference between two hosts' clocks, plus an uncommitted suppression. */
const CLOCK_TOLERANCE = "interval '5 seconds'"
/** A message claimed before its recipient opted out may still be sent while its claim lasts. */
const CLAIM_TOLERANCE = "interval '2 minutes'"

const openLeads = literals(LeadMachine.in.open)

export const outboundInvariants: ReadonlyArray<Invariant> = [
  {
    name: "messages_are_covered",
    rule: "Every message is to a person whom an executed approval covers.",
    sql: `
      SELECT m.workspace_id, 'message ' || m.message_id || ' to lead ' || m.campaign_lead_id AS breach
      FROM messages m
      JOIN campaign_leads l ON l.workspace_id = m.workspace_id AND l.campaign_lead_id = m.campaign_lead_id
      LEFT JOIN approvals a ON a.workspace_id = l.workspace_id AND a.approval_id = l.approval_id
      WHERE a.state IS DISTINCT FROM 'used'
    `
  },
  {
    name: "messages_belong_together",
    rule: "A message, its lead and its mailbox are of one campaign and one workspace.",
    sql: `
      SELECT m.workspace_id, 'message ' || m.message_id AS breach
      FROM messages m
      JOIN campaign_leads l ON l.workspace_id = m.workspace_id AND l.campaign_lead_id = m.campaign_lead_id
      WHERE l.campaign_id <> m.campaign_id OR l.address_hash <> m.address_hash
    `
  },
  {
    name: "steps_are_sent_once",
    rule: "A lead has at most one message that may have left for each step of its sequence.",
    sql: `
      SELECT m.workspace_id, 'lead ' || m.campaign_lead_id || ', step ' || m.step_index AS breach
      FROM messages m
      WHERE m.state <> 'failed'
      GROUP BY m.workspace_id, m.campaign_lead_id, m.step_index
      HAVING count(*) > 1
    `
  },
  {
    name: "variants_are_of_their_step",
    rule: "A message is of a variant of its step, if that has any: of the one that chance gave the person, or of one that was chosen.",
    sql: `
      SELECT m.workspace_id, 'message ' || m.message_id || ' to lead ' || m.campaign_lead_id AS breach
      FROM messages m
      JOIN campaign_leads l ON l.workspace_id = m.workspace_id AND l.campaign_lead_id = m.campaign_lead_id
      JOIN campaigns c ON c.workspace_id = m.workspace_id AND c.campaign_id = m.campaign_id
      WHERE COALESCE(
          m.variant NOT BETWEEN 0 AND json_array_length(c.sequence -> m.step_index -> 'otherVariants'),
          num_nonnulls(m.variant, c.sequence -> m.step_index -> 'otherVariants') = 1
        )
        OR (m.variant IS DISTINCT FROM l.variants[m.step_index + 1] AND c.chosen_variants[m.step_index + 1] IS NULL)
    `
  },
  {
    name: "suppressed_are_left_alone",
    rule: "Nobody is written to after they were suppressed.",
    sql: `
      SELECT m.workspace_id, 'message ' || m.message_id || ' to lead ' || m.campaign_lead_id AS breach
      FROM messages m
      WHERE m.state = 'sent' AND EXISTS (
        SELECT 1 FROM suppressions s
        WHERE s.workspace_id = m.workspace_id AND s.address_hash = m.address_hash
          AND (
            s.suppressed_at < m.claimed_at - ${CLOCK_TOLERANCE} OR s.suppressed_at < m.sent_at - ${CLAIM_TOLERANCE}
          )
      )
    `
  },
  {
    name: "suppressed_domains_are_left_alone",
    rule: "Nobody is written to after their domain was suppressed.",
    sql: `
      SELECT m.workspace_id, 'message ' || m.message_id || ' to lead ' || m.campaign_lead_id AS breach
      FROM suppressed_domains d
      JOIN campaign_leads l ON l.workspace_id = d.workspace_id
        AND right(l.email, length(d.domain) + 1) IN ('@' || d.domain, '.' || d.domain)
      JOIN messages m ON m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id
      WHERE m.state = 'sent' AND (
        d.suppressed_at < m.claimed_at - ${CLOCK_TOLERANCE} OR d.suppressed_at < m.sent_at - ${CLAIM_TOLERANCE}
      )
    `
  },
  {
    name: "stopped_companies_are_left_alone",
    rule: "Nobody of a company is written to by a campaign after the company was stopped in it.",
    sql: `
      SELECT m.workspace_id, 'message ' || m.message_id || ' to company ' || m.company AS breach
      FROM stopped_companies s
      JOIN messages m ON m.workspace_id = s.workspace_id AND m.campaign_id = s.campaign_id AND m.company = s.company
      WHERE m.state = 'sent' AND (
        s.stopped_at < m.claimed_at - ${CLOCK_TOLERANCE} OR s.stopped_at < m.sent_at - ${CLAIM_TOLERANCE}
      )
    `
  },
  {
    name: "companies_get_their_share",
    rule: "No company gets more messages of a campaign on one day than the campaign allows.",
    sql: `
      SELECT m.workspace_id, 'campaign ' || m.campaign_id || ' to company ' || m.company AS breach
      FROM campaigns c
      JOIN messages m ON m.workspace_id = c.workspace_id AND m.campaign_id = c.campaign_id
      WHERE c.max_per_company_per_day IS NOT NULL AND m.company IS NOT NULL AND m.state <> 'failed'
      GROUP BY m.workspace_id, m.campaign_id, m.company, date_trunc('day', m.claimed_at, 'UTC'), c.max_per_company_per_day
      HAVING count(*) > c.max_per_company_per_day
    `
  },
  {
    name: "contacts_are_remembered",
    rule: "Every sent message is in the contact history of its person.",
    sql: `
      SELECT m.workspace_id, 'message ' || m.message_id AS breach
      FROM messages m
      WHERE m.state = 'sent' AND NOT EXISTS (
        SELECT 1 FROM contact_history h
        WHERE h.workspace_id = m.workspace_id AND h.address_hash = m.address_hash AND h.campaign_id = m.campaign_id
          AND h.last_contacted_at >= m.sent_at
      )
    `
  },
  {
    name: "replied_are_suppressed",
    rule: "Everyone who replied or unsubscribed is suppressed.",
    sql: `
      SELECT l.workspace_id, 'lead ' || l.campaign_lead_id || ' is ' || l.state AS breach
      FROM campaign_leads l
      WHERE l.state IN ('replied', 'unsubscribed') AND NOT EXISTS (
        SELECT 1 FROM suppressions s WHERE s.workspace_id = l.workspace_id AND s.address_hash = l.address_hash
      )
    `
  },
  {
    name: "ended_leads_are_not_due",
    rule: "Nothing is due for a lead whose sequence ended.",
    sql: `
      SELECT l.workspace_id, 'lead ' || l.campaign_lead_id || ' is ' || l.state AS breach
      FROM campaign_leads l
      WHERE l.state IN (${literals(LeadMachine.in.ended)}) AND l.next_at IS NOT NULL
    `
  },
  {
    name: "open_leads_go_on",
    rule: "A lead that is under way has an approval, a mailbox and a time at which it goes on.",
    sql: `
      SELECT l.workspace_id, 'lead ' || l.campaign_lead_id || ' is ' || l.state AS breach
      FROM campaign_leads l
      WHERE l.state IN ('ready', 'active')
        AND (l.approval_id IS NULL OR l.mailbox_id IS NULL OR l.next_at IS NULL)
    `
  },
  {
    name: "hours_have_their_window",
    rule: "A campaign that keeps to windows has one for everybody's own hours.",
    sql: `
      SELECT l.workspace_id, 'lead ' || l.campaign_lead_id || ' has ' || l.hours AS breach
      FROM campaigns c
      JOIN campaign_leads l ON l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id
      WHERE c.state = 'active' AND c.window_opens_at IS NOT NULL AND l.hours IS NOT NULL AND l.approval_id IS NOT NULL
        AND l.state IN ('ready', 'active') AND NOT EXISTS (
          SELECT 1 FROM campaign_windows w
          WHERE w.workspace_id = l.workspace_id AND w.campaign_id = l.campaign_id AND w.hours = l.hours
        )
    `
  },
  {
    name: "messages_are_from_bound_mailboxes",
    rule: "A campaign sends only from mailboxes that its approval showed or an owner added.",
    // Campaigns that were completed before mailboxes were bound have none on record.
    sql: `
      SELECT m.workspace_id, 'message ' || m.message_id || ' is from mailbox ' || m.mailbox_id AS breach
      FROM messages m JOIN campaigns c ON c.workspace_id = m.workspace_id AND c.campaign_id = m.campaign_id
      WHERE NOT EXISTS (
        SELECT 1 FROM campaign_mailboxes cm
        WHERE cm.workspace_id = m.workspace_id AND cm.campaign_id = m.campaign_id AND cm.mailbox_id = m.mailbox_id
      ) AND (
        c.state <> 'completed' OR EXISTS (
          SELECT 1 FROM campaign_mailboxes cm
          WHERE cm.workspace_id = m.workspace_id AND cm.campaign_id = m.campaign_id
        )
      )
    `
  },
  {
    name: "completed_campaigns_are_done",
    rule: "A completed campaign has no lead that could still be written to.",
    sql: `
      SELECT c.workspace_id, 'campaign ' || c.campaign_id AS breach
      FROM campaigns c
      WHERE c.state = 'completed' AND EXISTS (
        SELECT 1 FROM campaign_leads l
        WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND l.state IN (${openLeads})
      )
    `
  },
  {
    name: "campaigns_are_bounded",
    rule: "A campaign holds at most 5,000 people.",
    sql: `
      SELECT l.workspace_id, 'campaign ' || l.campaign_id || ' holds ' || count(*) AS breach
      FROM campaign_leads l
      GROUP BY l.workspace_id, l.campaign_id
      HAVING count(*) > 5000
    `
  },
  {
    name: "active_campaigns_were_launched",
    rule: "A campaign that runs was launched.",
    sql: `
      SELECT c.workspace_id, 'campaign ' || c.campaign_id || ' is ' || c.state AS breach
      FROM campaigns c
      WHERE c.state IN ('active', 'paused', 'completed') AND c.launched_at IS NULL
    `
  },
  {
    name: "used_approvals_name_their_key",
    rule: "An approval names the Idempotency-Key of its use, and only a used one does.",
    sql: `
      SELECT a.workspace_id, 'approval ' || a.approval_id || ' is ' || a.state AS breach
      FROM approvals a
      WHERE (a.state = 'used') <> (a.used_by_idempotency_key IS NOT NULL)
    `
  },
  {
    name: "approvals_were_decided",
    rule: "An approval that was approved, used or declined names who decided, and when.",
    sql: `
      SELECT a.workspace_id, 'approval ' || a.approval_id || ' is ' || a.state AS breach
      FROM approvals a
      WHERE a.state IN ('approved', 'used', 'declined')
        AND (a.decided_at IS NULL OR a.decided_by_user_id IS NULL OR a.decided_by_session IS NULL)
    `
  },
  {
    name: "approvals_have_their_approvers",
    rule: "An approval that needs several people was approved by as many different ones, and not by who may not.",
    sql: `
      SELECT a.workspace_id, 'approval ' || a.approval_id || ' is ' || a.state || ' with ' || v.people || ' of '
        || a.approvers_needed || ' approvers' AS breach
      FROM approvals a CROSS JOIN LATERAL (
        SELECT count(*) AS people FROM approval_votes v
        WHERE v.workspace_id = a.workspace_id AND v.approval_id = a.approval_id
          AND v.user_id IS DISTINCT FROM a.excluded_user_id
      ) v
      WHERE a.state IN ('approved', 'used') AND a.approvers_needed > 1 AND v.people < a.approvers_needed
    `
  },
  {
    name: "calls_order_once",
    rule: "A call orders sending capacity once.",
    sql: `
      SELECT o.workspace_id, 'request ' || o.request_id || ' ordered ' || count(*) || ' times' AS breach
      FROM operations o
      GROUP BY o.workspace_id, o.request_id
      HAVING count(*) > 1
    `
  },
  {
    name: "operations_end",
    rule: "An operation says when it finished if it has, and only then.",
    sql: `
      SELECT o.workspace_id, 'operation ' || o.operation_id || ' is ' || o.status AS breach
      FROM operations o
      WHERE (o.status IN ('succeeded', 'partially_succeeded', 'failed')) <> (o.finished_at IS NOT NULL)
    `
  },
  {
    name: "mailboxes_have_their_turn",
    rule: "A workspace that has mailboxes has a turn at sending.",
    sql: `
      SELECT DISTINCT b.workspace_id, 'no row in sending_turns' AS breach
      FROM mailboxes b
      WHERE NOT EXISTS (SELECT 1 FROM sending_turns t WHERE t.workspace_id = b.workspace_id)
    `
  },
  {
    name: "adopted_mailboxes_are_in_one_workspace",
    rule: "A mailbox that was taken over at its vendor is in one workspace alone.",
    sql: `
      SELECT b.workspace_id, 'mailbox ' || b.mailbox_id || ' is in another workspace too' AS breach
      FROM mailboxes b
      WHERE b.kind = 'purchased' AND b.operation_id IS NULL AND b.state <> 'failed' AND EXISTS (
        SELECT 1 FROM mailboxes other
        WHERE other.address = b.address AND other.mailbox_id <> b.mailbox_id
          AND other.kind = 'purchased' AND other.state <> 'failed'
      )
    `
  },
  {
    name: "replies_belong_to_leads",
    rule: "Every reply is that of a lead of its campaign.",
    sql: `
      SELECT r.workspace_id, 'reply ' || r.reply_id AS breach
      FROM replies r
      WHERE NOT EXISTS (
        SELECT 1 FROM campaign_leads l
        WHERE l.workspace_id = r.workspace_id AND l.campaign_lead_id = r.campaign_lead_id
          AND l.campaign_id = r.campaign_id
      )
    `
  },
  {
    name: "sent_messages_are_in_the_trail",
    rule: "Every sent message has its event.",
    sql: `
      SELECT m.workspace_id, 'lead ' || m.campaign_lead_id || ' lacks ' || m.sent - COALESCE(e.told, 0) AS breach
      FROM (
        SELECT s.workspace_id, s.campaign_lead_id, count(*) AS sent FROM messages s
        LEFT JOIN archived_trails a ON a.workspace_id = s.workspace_id
        -- A message and its event are of the same moment, by the same clock.
        WHERE s.state = 'sent' AND (a.until IS NULL OR s.sent_at > a.until + interval '1 day')
        GROUP BY 1, 2
      ) m
      LEFT JOIN (
        SELECT workspace_id, campaign_lead_id, count(*) AS told FROM trail_events WHERE kind = 'sent' GROUP BY 1, 2
      ) e ON e.workspace_id = m.workspace_id AND e.campaign_lead_id = m.campaign_lead_id
      WHERE m.sent > COALESCE(e.told, 0)
    `
  },
  {
    name: "inbox_is_read",
    rule: "What comes in can be read, and is applied.",
    sql: `
      SELECT i.workspace_id, 'event ' || i.provider_event_id || ' of ' || i.provider || ', set aside at '
        || i.set_aside_at AS breach
      FROM inbound_events i
      WHERE i.set_aside_at IS NOT NULL AND i.content IS NOT NULL
    `
  }
]

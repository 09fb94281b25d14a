/** What must always hold of campaigns, sending, suppression, approvals and the trail. */
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { OperationMachine } from "@outbound/domain/outreach/operations/OperationMachine.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { literals } from "../Columns.js"
import { type Invariant, rule } from "./Invariant.js"

/** The difference between two hosts' clocks, plus an uncommitted suppression. */
const CLOCK_TOLERANCE = "interval '5 seconds'"
/** A message claimed before its recipient opted out may still be sent while its claim lasts. */
const CLAIM_TOLERANCE = "interval '2 minutes'"

const openLeads = literals(LeadMachine.in.open)

export const outboundInvariants: ReadonlyArray<Invariant> = [
  rule(
    "messages_are_covered",
    "Every message is to a person whom an executed approval covers."
  )(`
    SELECT m.workspace_id, 'message ' || m.message_id || ' to lead ' || m.campaign_lead_id AS breach
    FROM messages m
    JOIN campaign_leads l ON l.workspace_id = m.workspace_id AND l.campaign_lead_id = m.campaign_lead_id
    LEFT JOIN approvals a ON a.workspace_id = l.workspace_id AND a.approval_id = l.approval_id
    WHERE a.state IS DISTINCT FROM 'used'
  `),
  rule(
    "messages_belong_together",
    "A message, its lead and its mailbox are of one campaign and one workspace."
  )(`
    SELECT m.workspace_id, 'message ' || m.message_id AS breach
    FROM messages m
    JOIN campaign_leads l ON l.workspace_id = m.workspace_id AND l.campaign_lead_id = m.campaign_lead_id
    WHERE l.campaign_id <> m.campaign_id OR l.address_hash <> m.address_hash
  `),
  rule(
    "own_mailboxes_are_declared",
    "Only of a workspace's own mailbox an owner states what it sends elsewhere."
  )(`
    SELECT b.workspace_id, 'mailbox ' || b.mailbox_id AS breach
    FROM mailboxes b
    WHERE b.declared_at IS NOT NULL AND b.kind <> 'own'
  `),
  rule(
    "steps_are_sent_once",
    "A lead has at most one message that may have left for each step of its sequence."
  )(`
    SELECT m.workspace_id, 'lead ' || m.campaign_lead_id || ', step ' || m.step_index AS breach
    FROM messages m
    WHERE m.state <> 'failed'
    GROUP BY m.workspace_id, m.campaign_lead_id, m.step_index
    HAVING count(*) > 1
  `),
  rule(
    "variants_are_of_their_step",
    "Of a step with variants, a person gets the one that chance gave them, or one that was chosen."
  )(`
    SELECT m.workspace_id, 'message ' || m.message_id || ' to lead ' || m.campaign_lead_id AS breach
    FROM messages m
    JOIN campaign_leads l ON l.workspace_id = m.workspace_id AND l.campaign_lead_id = m.campaign_lead_id
    JOIN campaigns c ON c.workspace_id = m.workspace_id AND c.campaign_id = m.campaign_id
    WHERE COALESCE(
        m.variant NOT BETWEEN 0 AND json_array_length(c.sequence -> m.step_index -> 'otherVariants'),
        num_nonnulls(m.variant, c.sequence -> m.step_index -> 'otherVariants') = 1
      )
      OR (m.variant IS DISTINCT FROM l.variants[m.step_index + 1] AND c.chosen_variants[m.step_index + 1] IS NULL)
  `),
  rule(
    "suppressed_are_left_alone",
    "Nobody is written to after they were suppressed."
  )(`
    SELECT m.workspace_id, 'message ' || m.message_id || ' to lead ' || m.campaign_lead_id AS breach
    FROM messages m
    WHERE m.state = 'sent' AND EXISTS (
      SELECT 1 FROM suppressions s
      WHERE s.workspace_id = m.workspace_id AND s.address_hash = m.address_hash
        AND (
          s.suppressed_at < m.claimed_at - ${CLOCK_TOLERANCE} OR s.suppressed_at < m.sent_at - ${CLAIM_TOLERANCE}
        )
    )
  `),
  rule(
    "suppressed_domains_are_left_alone",
    "Nobody is written to after their domain was suppressed."
  )(`
    SELECT m.workspace_id, 'message ' || m.message_id || ' to lead ' || m.campaign_lead_id AS breach
    FROM suppressed_domains d
    JOIN campaign_leads l ON l.workspace_id = d.workspace_id
      AND right(l.email, length(d.domain) + 1) IN ('@' || d.domain, '.' || d.domain)
    JOIN messages m ON m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id
    WHERE m.state = 'sent' AND (
      d.suppressed_at < m.claimed_at - ${CLOCK_TOLERANCE} OR d.suppressed_at < m.sent_at - ${CLAIM_TOLERANCE}
    )
  `),
  rule(
    "stopped_companies_are_left_alone",
    "Nobody of a company is written to by a campaign after the company was stopped in it."
  )(`
    SELECT m.workspace_id, 'message ' || m.message_id || ' to company ' || m.company AS breach
    FROM stopped_companies s
    JOIN messages m ON m.workspace_id = s.workspace_id AND m.campaign_id = s.campaign_id AND m.company = s.company
    WHERE m.state = 'sent' AND (
      s.stopped_at < m.claimed_at - ${CLOCK_TOLERANCE} OR s.stopped_at < m.sent_at - ${CLAIM_TOLERANCE}
    )
  `),
  rule(
    "companies_get_their_share",
    "No company gets more messages of a campaign on one day than the campaign allows."
  )(`
    SELECT m.workspace_id, 'campaign ' || m.campaign_id || ' to company ' || m.company AS breach
    FROM campaigns c
    JOIN messages m ON m.workspace_id = c.workspace_id AND m.campaign_id = c.campaign_id
    WHERE c.max_per_company_per_day IS NOT NULL AND m.company IS NOT NULL AND m.state <> 'failed'
    GROUP BY m.workspace_id, m.campaign_id, m.company, date_trunc('day', m.claimed_at, 'UTC'), c.max_per_company_per_day
    HAVING count(*) > c.max_per_company_per_day
  `),
  rule(
    "contacts_are_remembered",
    "Every sent message is in the contact history of its person."
  )(`
    SELECT m.workspace_id, 'message ' || m.message_id AS breach
    FROM messages m
    WHERE m.state = 'sent' AND NOT EXISTS (
      SELECT 1 FROM contact_history h
      WHERE h.workspace_id = m.workspace_id AND h.address_hash = m.address_hash AND h.campaign_id = m.campaign_id
        AND h.last_contacted_at >= m.sent_at
    )
  `),
  rule(
    "replied_are_suppressed",
    "Everyone who replied or unsubscribed is suppressed."
  )(`
    SELECT l.workspace_id, 'lead ' || l.campaign_lead_id || ' is ' || l.state AS breach
    FROM campaign_leads l
    WHERE l.state IN (${literals(LeadMachine.in.refusing)}) AND NOT EXISTS (
      SELECT 1 FROM suppressions s WHERE s.workspace_id = l.workspace_id AND s.address_hash = l.address_hash
    )
  `),
  rule(
    "ended_leads_are_not_due",
    "Nothing is due for a lead whose sequence ended."
  )(`
    SELECT l.workspace_id, 'lead ' || l.campaign_lead_id || ' is ' || l.state AS breach
    FROM campaign_leads l
    WHERE l.state IN (${literals(LeadMachine.in.ended)}) AND l.next_at IS NOT NULL
  `),
  rule(
    "open_leads_go_on",
    "A lead that is under way has an approval, a mailbox and a time at which it goes on."
  )(`
    SELECT l.workspace_id, 'lead ' || l.campaign_lead_id || ' is ' || l.state AS breach
    FROM campaign_leads l
    WHERE l.state IN (${literals(LeadMachine.in.covered)})
      AND (l.approval_id IS NULL OR l.mailbox_id IS NULL OR l.next_at IS NULL)
  `),
  rule(
    "hours_have_their_window",
    "A campaign that keeps to windows has one for everybody's own hours."
  )(`
    SELECT l.workspace_id, 'lead ' || l.campaign_lead_id || ' has ' || l.hours AS breach
    FROM campaigns c
    JOIN campaign_leads l ON l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id
    WHERE c.state = 'active' AND c.window_opens_at IS NOT NULL AND l.hours IS NOT NULL AND l.approval_id IS NOT NULL
      AND l.state IN (${literals(LeadMachine.in.covered)}) AND NOT EXISTS (
        SELECT 1 FROM campaign_windows w
        WHERE w.workspace_id = l.workspace_id AND w.campaign_id = l.campaign_id AND w.hours = l.hours
      )
  `),
  // Campaigns that were completed before mailboxes were bound have none on record.
  rule(
    "messages_are_from_bound_mailboxes",
    "A campaign sends only from mailboxes that its approval showed or an owner added."
  )(`
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
  `),
  rule(
    "completed_campaigns_are_done",
    "A completed campaign has no lead that could still be written to."
  )(`
    SELECT c.workspace_id, 'campaign ' || c.campaign_id AS breach
    FROM campaigns c
    WHERE c.state = 'completed' AND EXISTS (
      SELECT 1 FROM campaign_leads l
      WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND l.state IN (${openLeads})
    )
  `),
  rule(
    "campaigns_are_bounded",
    "A campaign holds at most 5,000 people."
  )(`
    SELECT l.workspace_id, 'campaign ' || l.campaign_id || ' holds ' || count(*) AS breach
    FROM campaign_leads l
    GROUP BY l.workspace_id, l.campaign_id
    HAVING count(*) > 5000
  `),
  rule(
    "active_campaigns_were_launched",
    "A campaign that runs was launched."
  )(`
    SELECT c.workspace_id, 'campaign ' || c.campaign_id || ' is ' || c.state AS breach
    FROM campaigns c
    WHERE c.state IN (${literals([...CampaignMachine.in.launched, ...CampaignMachine.in.over])}) AND c.launched_at IS NULL
  `),
  rule(
    "used_approvals_name_their_key",
    "An approval names the Idempotency-Key of its use, and only a used one does."
  )(`
    SELECT a.workspace_id, 'approval ' || a.approval_id || ' is ' || a.state AS breach
    FROM approvals a
    WHERE (a.state = 'used') <> (a.used_by_idempotency_key IS NOT NULL)
  `),
  rule(
    "approvals_were_decided",
    "An approval that was approved, used or declined names who decided, and when."
  )(`
    SELECT a.workspace_id, 'approval ' || a.approval_id || ' is ' || a.state AS breach
    FROM approvals a
    WHERE a.state IN (${literals(ApprovalMachine.in.decided)})
      AND (a.decided_at IS NULL OR a.decided_by_user_id IS NULL OR a.decided_by_session IS NULL)
  `),
  rule(
    "approvals_have_their_approvers",
    "An approval that needs several people was approved by as many different ones, and not by who may not."
  )(`
    SELECT a.workspace_id, 'approval ' || a.approval_id || ' is ' || a.state || ' with ' || v.people || ' of '
      || a.approvers_needed || ' approvers' AS breach
    FROM approvals a CROSS JOIN LATERAL (
      SELECT count(*) AS people FROM approval_votes v
      WHERE v.workspace_id = a.workspace_id AND v.approval_id = a.approval_id
        AND v.user_id IS DISTINCT FROM a.excluded_user_id
    ) v
    WHERE a.state IN (${literals(ApprovalMachine.in.granted)}) AND a.approvers_needed > 1 AND v.people < a.approvers_needed
  `),
  rule(
    "calls_order_once",
    "A call orders sending capacity once."
  )(`
    SELECT o.workspace_id, 'request ' || o.request_id || ' ordered ' || count(*) || ' times' AS breach
    FROM operations o
    GROUP BY o.workspace_id, o.request_id
    HAVING count(*) > 1
  `),
  rule(
    "operations_end",
    "An operation says when it finished if it has, and only then."
  )(`
    SELECT o.workspace_id, 'operation ' || o.operation_id || ' is ' || o.status AS breach
    FROM operations o
    WHERE (o.status IN (${literals(OperationMachine.in.over)})) <> (o.finished_at IS NOT NULL)
  `),
  rule(
    "mailboxes_have_their_turn",
    "A workspace that has mailboxes has a turn at sending."
  )(`
    SELECT DISTINCT b.workspace_id, 'no row in sending_turns' AS breach
    FROM mailboxes b
    WHERE NOT EXISTS (SELECT 1 FROM sending_turns t WHERE t.workspace_id = b.workspace_id)
  `),
  rule(
    "adopted_mailboxes_are_in_one_workspace",
    "A mailbox that was taken over at its vendor is in one workspace alone."
  )(`
    SELECT b.workspace_id, 'mailbox ' || b.mailbox_id || ' is in another workspace too' AS breach
    FROM mailboxes b
    WHERE b.kind = 'purchased' AND b.operation_id IS NULL AND b.state <> 'failed' AND EXISTS (
      SELECT 1 FROM mailboxes other
      WHERE other.address = b.address AND other.mailbox_id <> b.mailbox_id
        AND other.kind = 'purchased' AND other.state <> 'failed'
    )
  `),
  rule(
    "replies_belong_to_leads",
    "Every reply is that of a lead of its campaign."
  )(`
    SELECT r.workspace_id, 'reply ' || r.reply_id AS breach
    FROM replies r
    WHERE NOT EXISTS (
      SELECT 1 FROM campaign_leads l
      WHERE l.workspace_id = r.workspace_id AND l.campaign_lead_id = r.campaign_lead_id
        AND l.campaign_id = r.campaign_id
    )
  `),
  rule(
    "sent_messages_are_in_the_trail",
    "Every sent message has its event."
  )(`
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
  `),
  rule(
    "inbox_is_read",
    "What comes in can be read, and is applied."
  )(`
    SELECT i.workspace_id, 'event ' || i.provider_event_id || ' of ' || i.provider || ', set aside at '
      || i.set_aside_at AS breach
    FROM inbound_events i
    WHERE i.set_aside_at IS NOT NULL AND i.content IS NOT NULL
  `)
]

/** That the kept counts of campaigns are what counting finds. */
import { MEETING_INTEREST, POSITIVE_INTEREST } from "@outbound/domain/kernel/sequences/Sequence.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { literals } from "../Columns.js"
import { addedUp, KEPT_DAYS, USES } from "../migrations/0081_mail_use_counts.js"
import { type Invariant, rule } from "./Invariant.js"

const OPEN = `l.state IN (${literals(LeadMachine.in.open)}) AND l.steps_sent < l.steps`

const REPLIED = `l.state IN (${literals(LeadMachine.in.replied)})`

/** Each adds up what the statements of migration `campaign_counts` kept, by what they say. */
const COUNTED = `
  SELECT l.workspace_id, l.campaign_id, g.what, g.step, g.variant, g.key, g.n FROM campaign_leads l
  CROSS JOIN LATERAL (VALUES
    ('lead', -1, NULL::smallint, l.state, 1),
    ('contacted', -1, NULL, '', (l.steps_sent > 0)::integer),
    ('sent', -1, NULL, coalesce(l.mailbox_id::text, ''), l.steps_sent),
    ('of_mailbox', -1, NULL, coalesce(l.mailbox_id::text, ''), 1),
    ('covered', -1, NULL, coalesce(l.mailbox_id::text, ''), (${OPEN} AND l.approval_id IS NOT NULL)::integer),
    ('uncovered', -1, NULL, '', (${OPEN} AND l.approval_id IS NULL)::integer),
    ('unconfirmed', -1, NULL, '',
      (${OPEN} AND l.approval_id IS NOT NULL AND l.state IN (${literals(LeadMachine.in.uncovered)}))::integer),
    ('hours', -1, NULL, coalesce(l.hours, ''), (${OPEN})::integer)
  ) AS g (what, step, variant, key, n)
  UNION ALL
  SELECT l.workspace_id, l.campaign_id, g.what, l.steps_sent - 1, last.variant, g.key, g.n FROM campaign_leads l
  LEFT JOIN messages last ON l.variants IS NOT NULL AND last.workspace_id = l.workspace_id
    AND last.campaign_lead_id = l.campaign_lead_id AND last.step_index = l.steps_sent - 1 AND last.state = 'sent'
  CROSS JOIN LATERAL (VALUES
    ('last', l.state, 1),
    ('wants_more', '', (${REPLIED} AND l.interest_status IN (${literals(POSITIVE_INTEREST)}))::integer),
    ('meets', '', (${REPLIED} AND l.interest_status IN (${literals(MEETING_INTEREST)}))::integer)
  ) AS g (what, key, n)
  WHERE l.steps_sent > 0
  UNION ALL
  SELECT m.workspace_id, m.campaign_id, g.what, g.step, g.variant, g.key, g.n FROM messages m
  CROSS JOIN LATERAL (VALUES
    ('message', m.step_index, m.variant, m.state, 1),
    ('day', -1, NULL, coalesce((m.sent_at AT TIME ZONE 'UTC')::date::text, ''), (m.state = 'sent')::integer)
  ) AS g (what, step, variant, key, n)
`

/** By the rows of messages and replies, and not by what leads remember of them. */
const REACHED = `
  SELECT l.workspace_id, l.campaign_id, (left_to.at AT TIME ZONE 'UTC')::date AS day, l.state, l.interest_status,
    EXISTS (
      SELECT FROM replies r
      WHERE r.workspace_id = l.workspace_id AND r.campaign_id = l.campaign_id AND r.campaign_lead_id = l.campaign_lead_id
        AND r.classification = 'interested'
    ) AS said_interested, 1 AS people
  FROM campaign_leads l
  LEFT JOIN (
    SELECT m.workspace_id, m.campaign_lead_id, max(m.sent_at) AS at FROM messages m WHERE m.state = 'sent' GROUP BY 1, 2
  ) left_to ON left_to.workspace_id = l.workspace_id AND left_to.campaign_lead_id = l.campaign_lead_id
  WHERE l.steps_sent > 0
`

export const countInvariants: ReadonlyArray<Invariant> = [
  rule(
    "campaigns_count_their_people",
    "The kept counts of a campaign are what its leads and messages add up to."
  )(`
    SELECT workspace_id, 'campaign ' || campaign_id || ' counts ' || what || ' ' || key || ' off by ' || sum(n) AS breach
    FROM (
      SELECT workspace_id, campaign_id, what, step, variant, key, n FROM campaign_counts
      UNION ALL SELECT workspace_id, campaign_id, what, step, variant, key, -n FROM (${COUNTED}) counted
    ) both_ways
    GROUP BY workspace_id, campaign_id, what, step, variant, key HAVING sum(n) <> 0
  `),
  rule(
    "campaigns_count_whom_they_reached",
    "The kept counts of people by the day of their last message, and by what became of them, are what the rows add up to."
  )(`
    SELECT workspace_id, 'campaign ' || campaign_id || ' reached on ' || coalesce(day::text, 'no day') || ' people off by ' ||
      sum(people) AS breach
    FROM (
      SELECT workspace_id, campaign_id, day, state, interest_status, said_interested, people FROM campaign_day_counts
      UNION ALL
      SELECT workspace_id, campaign_id, day, state, interest_status, said_interested, -people FROM (${REACHED}) counted
    ) both_ways
    GROUP BY workspace_id, campaign_id, day, state, interest_status, said_interested HAVING sum(people) <> 0
  `),
  rule(
    "mailboxes_count_their_mail",
    "The kept counts of what a mailbox, its domain and the workspace sent on a day are what the messages add up to."
  )(`
    WITH both_ways AS (
      SELECT workspace_id, sender, receiver, day, taken, delivered, bounced, complained FROM mail_use_counts
      UNION ALL
      SELECT workspace_id, sender, receiver, day, -taken, -delivered, -bounced, -complained FROM (${addedUp(USES)}) counted
    ), sums AS (
      SELECT workspace_id, sender, receiver, day, sum(taken) AS taken, sum(delivered) AS delivered, sum(bounced) AS bounced,
        sum(complained) AS complained
      FROM both_ways GROUP BY 1, 2, 3, 4
    ), kept AS (
      SELECT workspace_id, sender, max(day) AS last FROM mail_use_counts GROUP BY 1, 2
    )
    SELECT s.workspace_id, 'sender ' || s.sender || ' towards ' || s.receiver || ' counts day ' || s.day || ' wrong' AS breach
    FROM sums s LEFT JOIN kept k ON k.workspace_id = s.workspace_id AND k.sender = s.sender
    WHERE (s.taken <> 0 OR s.delivered <> 0 OR s.bounced <> 0 OR s.complained <> 0)
      -- Days long before a sender's last are not kept.
      AND s.day > COALESCE(k.last, s.day) - ${KEPT_DAYS / 2}
  `)
]

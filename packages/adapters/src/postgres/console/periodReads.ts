import type { PeriodReads } from "@outbound/domain/control/console/Periods.js"
import { POSITIVE_INTEREST } from "@outbound/domain/kernel/sequences/Sequence.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { AUTOMATIC, CLASSIFICATIONS } from "@outbound/domain/outreach/meaning/Classification.js"
import { Schema } from "effect"
import { date, literals, Millis, rows } from "../Columns.js"
import type { SqlClient } from "../Sql.js"
import { integers, texts } from "../Table.js"

const PeriodRow = Schema.Struct({
  ...texts("campaignId", "name"),
  state: Schema.Literals(CampaignMachine.states),
  ...integers("sent", "people", "replied", "interested", "bounced", "unsubscribed")
})

const DayRow = Schema.Struct({ dayMillis: Millis, ...integers("sent", "bounced", "replies") })

const REPLIED = literals(LeadMachine.in.replied)
/** As of the index `campaign_leads_heard_from`. */
const HEARD_FROM = literals([...LeadMachine.in.heardFrom, "unsubscribed"])
const OF_PEOPLE = literals(CLASSIFICATIONS.filter((one) => !AUTOMATIC.includes(one)))

/** As `campaign_counts` counts them: by their status, or without one by what they wrote. */
const WANTS_MORE = `
  l.state IN (${REPLIED}) AND CASE WHEN l.interest_status IS NULL THEN EXISTS (
    SELECT 1 FROM replies r
    WHERE r.workspace_id = l.workspace_id AND r.campaign_id = l.campaign_id AND r.campaign_lead_id = l.campaign_lead_id
      AND r.classification = 'interested'
  ) ELSE l.interest_status IN (${literals(POSITIVE_INTEREST)}) END
`

/** Reads of what was sent and heard in a time. */
export const periodReads = (sql: SqlClient): PeriodReads => ({
  campaignsSince: (workspaceId, sinceMillis, limit) =>
    sql`
      WITH written AS MATERIALIZED (
        SELECT m.campaign_id, m.campaign_lead_id, count(*) AS sent
        FROM messages m WHERE m.workspace_id = ${workspaceId} AND m.state = 'sent' AND m.sent_at >= ${date(sinceMillis)}
        GROUP BY m.campaign_id, m.campaign_lead_id
      ), k AS MATERIALIZED (
        SELECT w.campaign_id, sum(w.sent)::integer AS sent, count(*)::integer AS people
        FROM written w GROUP BY w.campaign_id
      ), heard AS (
        SELECT l.campaign_id,
          (count(*) FILTER (WHERE l.state IN (${sql.literal(REPLIED)})))::integer AS replied,
          (count(*) FILTER (WHERE ${sql.literal(WANTS_MORE)}))::integer AS interested,
          (count(*) FILTER (WHERE l.state = 'bounced'))::integer AS bounced,
          (count(*) FILTER (WHERE l.state = 'unsubscribed'))::integer AS unsubscribed
        FROM k CROSS JOIN LATERAL (
          -- Few, by an index that holds all of this. OFFSET keeps the planner from beginning elsewhere.
          SELECT l.workspace_id, l.campaign_id, l.campaign_lead_id, l.state, l.interest_status FROM campaign_leads l
          WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = k.campaign_id AND l.state IN (${sql.literal(HEARD_FROM)})
          OFFSET 0
        ) l JOIN written w ON w.campaign_lead_id = l.campaign_lead_id
        GROUP BY l.campaign_id
      )
      SELECT c.campaign_id AS "campaignId", c.name, c.state, k.sent, k.people,
        coalesce(h.replied, 0) AS replied, coalesce(h.interested, 0) AS interested, coalesce(h.bounced, 0) AS bounced,
        coalesce(h.unsubscribed, 0) AS unsubscribed
      FROM k JOIN campaigns c ON c.workspace_id = ${workspaceId} AND c.campaign_id = k.campaign_id
      LEFT JOIN heard h ON h.campaign_id = k.campaign_id
      ORDER BY k.people DESC, c.campaign_id
      LIMIT ${limit}
    `.pipe(rows("console.campaignsSince", PeriodRow)),

  figuresByDay: (workspaceId, sinceMillis) =>
    sql`
      SELECT happened.day::timestamp AT TIME ZONE 'UTC' AS "dayMillis", sum(happened.sent)::integer AS sent,
        sum(happened.bounced)::integer AS bounced, sum(happened.replies)::integer AS replies
      FROM (
        SELECT (m.sent_at AT TIME ZONE 'UTC')::date AS day, count(*) AS sent, 0 AS bounced, 0 AS replies
        FROM messages m WHERE m.workspace_id = ${workspaceId} AND m.state = 'sent' AND m.sent_at >= ${date(sinceMillis)}
        GROUP BY 1
        UNION ALL
        SELECT (m.sent_at AT TIME ZONE 'UTC')::date, 0, count(*), 0 FROM messages m
        WHERE m.workspace_id = ${workspaceId} AND m.sent_at >= ${date(sinceMillis)} AND m.state = 'sent'
          AND m.outcome IN ('hard_bounce', 'complaint') AND m.outcome = 'hard_bounce'
        GROUP BY 1
        UNION ALL
        SELECT (r.received_at AT TIME ZONE 'UTC')::date, 0, 0, count(*) FROM replies r
        WHERE r.workspace_id = ${workspaceId} AND r.received_at >= ${date(sinceMillis)}
          AND r.classification IN (${sql.literal(OF_PEOPLE)})
        GROUP BY 1
        UNION ALL
        SELECT (r.received_at AT TIME ZONE 'UTC')::date, 0, 0, count(*) FROM replies r
        WHERE r.workspace_id = ${workspaceId} AND r.received_at >= ${date(sinceMillis)} AND r.classification IS NULL
        GROUP BY 1
      ) happened
      GROUP BY happened.day ORDER BY happened.day
    `.pipe(rows("console.figuresByDay", DayRow))
})

import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import type { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { Schema } from "effect"
import { Millis, rows, literals } from "../Columns.js"
import type { SqlClient } from "../Sql.js"

const DayRow = Schema.Struct({ dayMillis: Millis, sent: Schema.Int, replied: Schema.Int, bounced: Schema.Int })

/** What became of a campaign by day. */
export const campaignDays =
  (sql: SqlClient): ConsoleReads["Service"]["campaignDays"] =>
  (workspaceId, campaignId, limit) =>
    sql`
      WITH ended AS (
        SELECT l.state AS what, coalesce(
          CASE l.state WHEN 'replied' THEN said.replied_at ELSE said.bounced_at END,
          (
            SELECT max(m.claimed_at) FROM messages m
            WHERE m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id
          )
        ) AS at
        FROM campaign_leads l
        CROSS JOIN LATERAL (
          SELECT max(r.received_at) FILTER (WHERE r.classification = 'bounce') AS bounced_at,
            min(r.received_at) FILTER (
              WHERE r.classification IS NULL OR r.classification NOT IN ('bounce', 'out_of_office')
            ) AS replied_at
          FROM replies r WHERE r.workspace_id = l.workspace_id AND r.campaign_lead_id = l.campaign_lead_id
        ) said
        WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId} AND l.state IN (${sql.literal(literals(LeadMachine.in.heardFrom))})
      )
      SELECT happened.day::timestamp AT TIME ZONE 'UTC' AS "dayMillis",
        (coalesce(sum(happened.n) FILTER (WHERE happened.what = 'sent'), 0))::integer AS sent,
        (coalesce(sum(happened.n) FILTER (WHERE happened.what = 'replied'), 0))::integer AS replied,
        (coalesce(sum(happened.n) FILTER (WHERE happened.what = 'bounced'), 0))::integer AS bounced
      FROM (
        SELECT k.key::date AS day, 'sent' AS what, sum(k.n) AS n FROM campaign_counts k
        WHERE k.workspace_id = ${workspaceId} AND k.campaign_id = ${campaignId} AND k.what = 'day'
        GROUP BY k.key HAVING sum(k.n) <> 0
        UNION ALL
        SELECT (ended.at AT TIME ZONE 'UTC')::date, ended.what, 1 FROM ended WHERE ended.at IS NOT NULL
      ) happened
      GROUP BY happened.day
      ORDER BY happened.day DESC
      LIMIT ${limit}
    `.pipe(rows("console.campaignDays", DayRow))

import type { SqlClient } from "@effect/sql"
import type { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { Schema } from "effect"
import { Millis, rows } from "../Columns.js"

const DayRow = Schema.Struct({ dayMillis: Millis, sent: Schema.Int, replied: Schema.Int, bounced: Schema.Int })

/** What became of a campaign by day. */
export const campaignDays =
  (sql: SqlClient.SqlClient): ConsoleReads["Type"]["campaignDays"] =>
  (workspaceId, campaignId, limit) =>
    sql`
      WITH messages_of_campaign AS (
        SELECT l.campaign_lead_id, m.state, m.sent_at, m.claimed_at
        FROM campaign_leads l
        JOIN messages m ON m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id
        WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId}
      ), ended AS (
        SELECT l.state AS what, CASE l.state WHEN 'replied' THEN coalesce(said.replied_at, written.last_at)
          ELSE coalesce(said.bounced_at, written.last_at) END AS at
        FROM campaign_leads l
        LEFT JOIN (
          SELECT r.campaign_lead_id, max(r.received_at) FILTER (WHERE r.classification = 'bounce') AS bounced_at,
            min(r.received_at) FILTER (
              WHERE r.classification IS NULL OR r.classification NOT IN ('bounce', 'out_of_office')
            ) AS replied_at
          FROM replies r WHERE r.workspace_id = ${workspaceId} AND r.campaign_id = ${campaignId}
          GROUP BY r.campaign_lead_id
        ) said ON said.campaign_lead_id = l.campaign_lead_id
        LEFT JOIN (
          SELECT m.campaign_lead_id, max(m.claimed_at) AS last_at FROM messages_of_campaign m
          GROUP BY m.campaign_lead_id
        ) written ON written.campaign_lead_id = l.campaign_lead_id
        WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId} AND l.state IN ('replied', 'bounced')
      )
      SELECT happened.day::timestamp AT TIME ZONE 'UTC' AS "dayMillis",
        (count(*) FILTER (WHERE happened.what = 'sent'))::integer AS sent,
        (count(*) FILTER (WHERE happened.what = 'replied'))::integer AS replied,
        (count(*) FILTER (WHERE happened.what = 'bounced'))::integer AS bounced
      FROM (
        SELECT (m.sent_at AT TIME ZONE 'UTC')::date AS day, m.state AS what FROM messages_of_campaign m
        WHERE m.state = 'sent'
        UNION ALL
        SELECT (ended.at AT TIME ZONE 'UTC')::date, ended.what FROM ended WHERE ended.at IS NOT NULL
      ) happened
      GROUP BY happened.day
      ORDER BY happened.day DESC
      LIMIT ${limit}
    `.pipe(rows("console.campaignDays", DayRow))

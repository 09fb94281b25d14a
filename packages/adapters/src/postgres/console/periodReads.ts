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
const OF_PEOPLE = literals(CLASSIFICATIONS.filter((one) => !AUTOMATIC.includes(one)))

/** Of people of `campaign_day_counts`: by their status, or without one by what they wrote. */
const WANTS_MORE = `
  r.state IN (${REPLIED}) AND CASE WHEN r.interest_status IS NULL THEN r.said_interested
    ELSE r.interest_status IN (${literals(POSITIVE_INTEREST)}) END
`

/** The key of a day in `campaign_counts`. */
const dayKey = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** Reads of what was sent and heard in a time, by counts that the statements keep that change leads and messages. */
export const periodReads = (sql: SqlClient): PeriodReads => ({
  campaignsSince: (workspaceId, sinceMillis, limit) =>
    sql`
      SELECT c.campaign_id AS "campaignId", c.name, c.state, k.sent, r.people, r.replied, r.interested, r.bounced,
        r.unsubscribed
      FROM (
        SELECT k.campaign_id, sum(k.n)::integer AS sent FROM campaign_counts k
        WHERE k.workspace_id = ${workspaceId} AND k.what = 'day' AND k.key >= ${dayKey(sinceMillis)}
        GROUP BY k.campaign_id
      ) k JOIN campaigns c ON c.workspace_id = ${workspaceId} AND c.campaign_id = k.campaign_id
      CROSS JOIN LATERAL (
        -- Whose last message is of those days. Each of a person's messages came before it.
        SELECT coalesce(sum(r.people), 0)::integer AS people,
          coalesce(sum(r.people) FILTER (WHERE r.state IN (${sql.literal(REPLIED)})), 0)::integer AS replied,
          coalesce(sum(r.people) FILTER (WHERE ${sql.literal(WANTS_MORE)}), 0)::integer AS interested,
          coalesce(sum(r.people) FILTER (WHERE r.state = 'bounced'), 0)::integer AS bounced,
          coalesce(sum(r.people) FILTER (WHERE r.state = 'unsubscribed'), 0)::integer AS unsubscribed
        FROM campaign_day_counts r
        WHERE r.workspace_id = ${workspaceId} AND r.campaign_id = k.campaign_id AND r.day >= ${dayKey(sinceMillis)}::date
      ) r
      WHERE k.sent <> 0
      ORDER BY r.people DESC, c.campaign_id
      LIMIT ${limit}
    `.pipe(rows("console.campaignsSince", PeriodRow)),

  figuresByDay: (workspaceId, sinceMillis) =>
    sql`
      SELECT happened.day::timestamp AT TIME ZONE 'UTC' AS "dayMillis", sum(happened.sent)::integer AS sent,
        sum(happened.bounced)::integer AS bounced, sum(happened.replies)::integer AS replies
      FROM (
        SELECT k.key::date AS day, sum(k.n) AS sent, 0 AS bounced, 0 AS replies FROM campaign_counts k
        WHERE k.workspace_id = ${workspaceId} AND k.what = 'day' AND k.key >= ${dayKey(sinceMillis)}
        GROUP BY k.key HAVING sum(k.n) <> 0
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

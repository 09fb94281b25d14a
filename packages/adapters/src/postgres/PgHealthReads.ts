import { HealthReads, RECEIVER_ROWS_MAX, REST_ROWS_MAX } from "@outbound/domain/outreach/health/HealthReads.js"
import { Schema } from "effect"
import { date, Millis, rows } from "./Columns.js"
import { integers, storeLayer, texts } from "./Table.js"

const ReceiverRow = Schema.Struct({
  ...texts("domain", "mailDomain"),
  receiver: Schema.NullOr(Schema.String),
  ...integers("sent", "bounced", "refused", "complained", "replied")
})

const RestRow = Schema.Struct({
  ...texts("domain", "mailbox", "receiver", "status", "says"),
  restsUntilMillis: Millis,
  times: Schema.Int
})

const ListedRow = Schema.Struct(texts("domain", "zone"))

export const layer = storeLayer(HealthReads, (sql) => ({
  receivers: (workspaceId, sinceMillis) =>
    sql`
      SELECT b.domain, m.receiver,
        CASE WHEN m.receiver IS NULL THEN split_part(l.email, '@', 2) ELSE '' END AS "mailDomain",
        (count(*) FILTER (WHERE m.state = 'sent'))::integer AS sent,
        (count(*) FILTER (WHERE m.state = 'sent' AND m.outcome = 'hard_bounce'))::integer AS bounced,
        (count(*) FILTER (WHERE m.outcome = 'refused'))::integer AS refused,
        (count(*) FILTER (WHERE m.state = 'sent' AND m.outcome = 'complaint'))::integer AS complained,
        (count(*) FILTER (
          WHERE m.state = 'sent' AND l.state = 'replied' AND m.step_index = l.steps_sent - 1
        ))::integer AS replied
      FROM messages m
      JOIN mailboxes b ON b.workspace_id = m.workspace_id AND b.mailbox_id = m.mailbox_id
      JOIN campaign_leads l ON l.workspace_id = m.workspace_id AND l.campaign_lead_id = m.campaign_lead_id
      WHERE m.workspace_id = ${workspaceId} AND m.claimed_at >= ${date(sinceMillis)}
        AND (m.state = 'sent' OR m.outcome = 'refused')
      GROUP BY 1, 2, 3
      ORDER BY count(*) DESC, 1, 2, 3
      LIMIT ${RECEIVER_ROWS_MAX}
    `.pipe(rows("health.receivers", ReceiverRow)),

  rests: (workspaceId, afterMillis) =>
    sql`
      SELECT b.domain, b.address AS mailbox, r.receiver, r.status, r.says, r.rests_until AS "restsUntilMillis", r.times
      FROM receiver_rests r
      JOIN mailboxes b ON b.workspace_id = r.workspace_id AND b.mailbox_id = r.mailbox_id
      WHERE r.workspace_id = ${workspaceId} AND r.rests_until > ${date(afterMillis)}
      ORDER BY r.rests_until DESC, b.address, r.receiver
      LIMIT ${REST_ROWS_MAX}
    `.pipe(rows("health.rests", RestRow)),

  listed: (workspaceId) =>
    sql`
      SELECT DISTINCT d.domain, l->>'zone' AS zone
      FROM domain_watches w
      JOIN sending_domains d ON d.workspace_id = w.workspace_id AND d.domain_id = w.domain_id
      CROSS JOIN LATERAL jsonb_array_elements(w.lists) AS l
      WHERE w.workspace_id = ${workspaceId} AND (l->>'isListed')::boolean
      ORDER BY 1, 2
    `.pipe(rows("health.listed", ListedRow))
}))

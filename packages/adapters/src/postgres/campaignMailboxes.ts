import type { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { statesAllowing } from "@outbound/domain/kernel/machine.js"
import { Effect, Schema } from "effect"
import { date, literals, rows, run, setOf } from "./Columns.js"
import type { SqlClient } from "./Sql.js"

const LeadIdRow = Schema.Struct({ campaignLeadId: Schema.String })

/** Lead `l` was never written to, by the messages that this statement sees. */
const UNTOUCHED = `
  l.steps_sent = 0
  AND NOT EXISTS (
    SELECT 1 FROM messages m
    WHERE m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id AND m.state <> 'failed'
  )
`

/** From which mailboxes a launched campaign sends. */
export const campaignMailboxes = (
  sql: SqlClient
): Pick<CampaignStore["Service"], "mailboxIds" | "bindMailboxes" | "shareLeads"> => ({
  mailboxIds: (workspaceId, campaignId) =>
    sql`
      SELECT cm.mailbox_id AS "mailboxId" FROM campaign_mailboxes cm
      WHERE cm.workspace_id = ${workspaceId} AND cm.campaign_id = ${campaignId}
    `.pipe(setOf("campaigns.mailboxIds", Schema.String)),

  bindMailboxes: (workspaceId, campaignId, addresses, atMillis) =>
    sql`
      INSERT INTO campaign_mailboxes (workspace_id, campaign_id, mailbox_id, added_at)
      SELECT b.workspace_id, ${campaignId}::uuid, b.mailbox_id, ${date(atMillis)}::timestamptz FROM mailboxes b
      WHERE b.workspace_id = ${workspaceId} AND b.address = ANY(${addresses}::text[])
      ON CONFLICT DO NOTHING
    `.pipe(run("campaigns.bindMailboxes")),

  // A claim locks its lead. So the second statement sees every claim made before the first one's locks.
  shareLeads: (workspaceId, campaignId, mailboxId, share) =>
    sql`
      SELECT l.campaign_lead_id AS "campaignLeadId" FROM campaign_leads l
      WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId}
        AND l.state IN (${sql.literal(literals(statesAllowing(LeadMachine, "send")))}) AND ${sql.literal(UNTOUCHED)}
      ORDER BY l.campaign_lead_id
      FOR NO KEY UPDATE OF l SKIP LOCKED
    `.pipe(
      rows("campaigns.shareLeads", LeadIdRow),
      Effect.flatMap((held) =>
        sql`
          WITH untouched AS (
            SELECT l.campaign_lead_id, row_number() OVER (ORDER BY l.campaign_lead_id) AS place
            FROM campaign_leads l
            WHERE l.workspace_id = ${workspaceId}
              AND l.campaign_lead_id = ANY(${held.map(({ campaignLeadId }) => campaignLeadId)}::uuid[])
              AND ${sql.literal(UNTOUCHED)}
          )
          UPDATE campaign_leads l SET mailbox_id = ${mailboxId}::uuid
          FROM untouched u
          WHERE l.workspace_id = ${workspaceId} AND l.campaign_lead_id = u.campaign_lead_id
            AND u.place % ${share}::integer = 0
        `.pipe(run("campaigns.shareLeads"))
      )
    )
})

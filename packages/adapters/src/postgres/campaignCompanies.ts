import type { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { statesAllowing } from "@outbound/domain/kernel/machine.js"
import { Effect, Schema } from "effect"
import { LEAD_COLUMNS, LeadRow } from "./CampaignRows.js"
import { date, literals, rows, run, setOf } from "./Columns.js"
import type { SqlClient } from "./Sql.js"

const CampaignIdRow = Schema.Struct({ campaignId: Schema.String })

/** Somebody of lead `l`'s company answered, and campaign `c` stops for that. */
export const COMPANY_STOPPED = `
  EXISTS (
    SELECT 1 FROM stopped_companies s
    WHERE s.workspace_id = l.workspace_id AND s.campaign_id = l.campaign_id AND s.company = l.company
  )
`

/**
 * Campaign `c` stops for a company, and mail from lead `l`'s has arrived but is not applied yet. Its registrable domain
 * is that of every address in it and below it.
 */
export const COMPANY_WROTE = `
  (
    c.stop_for_company AND l.company IS NOT NULL AND EXISTS (
      SELECT 1 FROM inbound_events i
      WHERE i.workspace_id = l.workspace_id AND i.content IS NOT NULL AND i.received_at <= now.at AND (
        right('.' || split_part(i.from_email, '@', -1), length(l.company) + 1) = '.' || l.company
        OR EXISTS (
          SELECT 1 FROM messages m WHERE m.workspace_id = i.workspace_id AND m.message_id = i.answers
            AND m.company = l.company
        )
      )
    )
  )
`

/** How many messages campaign `c` sent to the company of lead `l` today, if it has a limit. */
export const COMPANY_SENT = `
  CASE WHEN c.max_per_company_per_day IS NULL OR l.company IS NULL THEN 0 ELSE (
    SELECT count(*) FROM messages m
    WHERE m.workspace_id = l.workspace_id AND m.campaign_id = l.campaign_id AND m.company = l.company
      AND m.claimed_at >= now.day_start AND m.state <> 'failed'
  )::integer END
`

export const campaignCompanies = (
  sql: SqlClient
): Pick<CampaignStore["Service"], "stopCompany" | "stoppedCompanies"> => ({
  // Claims hold their workspace's turn. So the third statement comes after those that are under way, and the next claim
  // sees what the first one wrote.
  stopCompany: (workspaceId, company, atMillis) =>
    Effect.gen(function* () {
      const stopped = yield* sql`
        INSERT INTO stopped_companies (workspace_id, campaign_id, company, stopped_at)
        SELECT c.workspace_id, c.campaign_id, ${company}::text, ${date(atMillis)}::timestamptz FROM campaigns c
        WHERE c.workspace_id = ${workspaceId} AND c.stop_for_company AND c.launched_at IS NOT NULL
          AND c.state <> 'completed'
        ORDER BY c.campaign_id
        ON CONFLICT DO NOTHING
        RETURNING campaign_id AS "campaignId"
      `.pipe(rows("campaigns.stopCompany", CampaignIdRow))
      if (stopped.length === 0) return []
      yield* sql`SELECT 1 FROM sending_turns t WHERE t.workspace_id = ${workspaceId} FOR SHARE`.pipe(
        run("campaigns.stopCompany")
      )
      return yield* sql`
        SELECT ${sql.literal(LEAD_COLUMNS)} FROM campaign_leads l
        WHERE l.workspace_id = ${workspaceId} AND l.company = ${company}
          AND l.campaign_id = ANY(${stopped.map(({ campaignId }) => campaignId)}::uuid[])
          AND l.state IN (${sql.literal(literals(statesAllowing(LeadMachine, "send")))})
        ORDER BY l.campaign_lead_id
        FOR NO KEY UPDATE OF l SKIP LOCKED
      `.pipe(rows("campaigns.stopCompany", LeadRow))
    }),

  stoppedCompanies: (workspaceId, campaignId) =>
    sql`
      SELECT s.company FROM stopped_companies s
      WHERE s.workspace_id = ${workspaceId} AND s.campaign_id = ${campaignId}
    `.pipe(setOf("campaigns.stoppedCompanies", Schema.String))
})

import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import type { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { Schema } from "effect"
import { hasRows, literals, rows } from "./Columns.js"
import type { SqlClient } from "./Sql.js"

const AnswersRow = Schema.Struct({ stepIndex: Schema.Int, variant: Schema.Int, answers: Schema.Int })

const RefRow = Schema.Struct({ workspaceId: Schema.String, campaignId: Schema.String })

/** The rule of campaign `c` is on. */
const IS_ON = `c.winner_rule @> '{"isOn": true}'`

/** What the rule that chooses variants asks (`campaigns/winnerRule.ts`). */
export const winnerRules = (
  sql: SqlClient
): Pick<CampaignStore["Service"], "hasWinnerRule" | "answers" | "underWinnerRule"> => ({
  hasWinnerRule: (workspaceId, campaignId) =>
    sql`
      SELECT c.workspace_id AS "workspaceId", c.campaign_id AS "campaignId" FROM campaigns c
      WHERE c.workspace_id = ${workspaceId} AND c.campaign_id = ${campaignId} AND ${sql.literal(IS_ON)}
    `.pipe(hasRows("campaigns.hasWinnerRule")),

  // Kept by the statements that change leads (migration `campaign_counts`).
  answers: (workspaceId, campaignId) =>
    sql`
      SELECT k.step AS "stepIndex", k.variant, sum(k.n)::integer AS answers FROM campaign_counts k
      WHERE k.workspace_id = ${workspaceId} AND k.campaign_id = ${campaignId} AND k.what = 'last'
        AND k.variant IS NOT NULL AND k.key IN (${sql.literal(literals(LeadMachine.in.replied))})
      GROUP BY k.step, k.variant HAVING sum(k.n) <> 0
      ORDER BY k.step, k.variant
    `.pipe(rows("campaigns.answers", AnswersRow)),

  // One of all hosts asks, every ten minutes.
  underWinnerRule: (limit) =>
    sql`
      SELECT c.workspace_id AS "workspaceId", c.campaign_id AS "campaignId" FROM campaigns c
      WHERE c.state IN (${sql.literal(literals(CampaignMachine.in.launched))}) AND ${sql.literal(IS_ON)}
      ORDER BY c.campaign_id DESC LIMIT ${limit}
    `.pipe(rows("campaigns.underWinnerRule", RefRow))
})

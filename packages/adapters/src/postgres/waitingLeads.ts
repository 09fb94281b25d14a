import type { WaitingReads } from "@outbound/domain/outreach/campaigns/waiting.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { Schema } from "effect"
import { SENDABLE_LEAD } from "./CampaignRows.js"
import { literals, Millis, rows } from "./Columns.js"
import type { SqlClient } from "./Sql.js"
import { columnsOf, integers, texts, textsOrNull } from "./Table.js"

const Row = Schema.Struct({
  ...texts("campaignId", "campaignLeadId", "email", "addressHash", "mailboxId"),
  ...integers("stepsSent"),
  nextAtMillis: Millis,
  ...textsOrNull("hours")
})

const SENDING = MailboxMachine.states.filter((state) => MailboxMachine.is.sending(state))

/**
 * Two indexes hold them in this order: one of a campaign, one of a workspace. Campaigns and mailboxes are few: `IS TRUE`
 * keeps them a set to look into, so that the index is followed.
 */
export const waitingLeads =
  (sql: SqlClient): WaitingReads["waiting"] =>
  (workspaceId, which, limit) =>
    sql`
      SELECT ${sql.literal(columnsOf(Row, "l"))}
      FROM campaign_leads l
      WHERE l.workspace_id = ${workspaceId} AND ${sql.literal(SENDABLE_LEAD)} AND l.next_at IS NOT NULL
        AND (l.mailbox_id IN (
          SELECT b.mailbox_id FROM mailboxes b
          WHERE b.workspace_id = ${workspaceId} AND b.state IN (${sql.literal(literals(SENDING))})
        )) IS TRUE
        AND ${
          "of" in which
            ? sql`l.campaign_id = ${which.of}`
            : sql`(l.campaign_id IN (
                SELECT c.campaign_id FROM campaigns c
                WHERE c.workspace_id = ${workspaceId} AND c.state = 'active' AND c.campaign_id <> ${which.besides}
              )) IS TRUE`
        }
      ORDER BY l.next_at, l.campaign_lead_id
      LIMIT ${limit}
    `.pipe(rows("campaigns.waiting", Row))

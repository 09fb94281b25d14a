import type { WaitingReads } from "@outbound/domain/outreach/campaigns/waiting.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { SENDABLE_LEAD } from "./CampaignRows.js"
import { literals } from "./Columns.js"
import { isOneOf, isText, isWhole, manyRows, millisOf, orNull } from "./ManyRows.js"
import type { SqlClient } from "./Sql.js"

const PERSON = {
  campaignLeadId: isText,
  email: isText,
  addressHash: isText,
  stepsSent: isWhole,
  hours: orNull(isText)
}

const WAITING = { ...PERSON, campaignId: isText, mailboxId: isText, nextAtMillis: isWhole }

const OPEN = {
  ...PERSON,
  state: isOneOf(LeadMachine.states),
  mailboxId: orNull(isText),
  nextAtMillis: orNull(isWhole)
}

const SELECT = `
  SELECT l.campaign_id AS "campaignId", l.campaign_lead_id AS "campaignLeadId", l.email, l.address_hash AS "addressHash",
    l.state, l.mailbox_id AS "mailboxId", l.steps_sent AS "stepsSent", ${millisOf("l.next_at")} AS "nextAtMillis", l.hours
  FROM campaign_leads l
`

const SENDING = MailboxMachine.states.filter((state) => MailboxMachine.is.sending(state))

/**
 * Two indexes hold them in this order: one of a campaign, one of a workspace. Campaigns and mailboxes are few: `IS TRUE`
 * keeps them a set to look into, so that the index is followed.
 */
export const waitingLeads =
  (sql: SqlClient): WaitingReads["waiting"] =>
  (workspaceId, which, limit) =>
    manyRows(
      sql,
      "campaigns.waiting",
      WAITING
    )(sql`
      ${sql.literal(SELECT)}
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
      ORDER BY l.next_at${sql.literal("of" in which ? ", l.campaign_lead_id" : "")}
      LIMIT ${limit}
    `)

export const openLeads =
  (sql: SqlClient): WaitingReads["openLeads"] =>
  (workspaceId, campaignId, limit) =>
    manyRows(
      sql,
      "campaigns.openLeads",
      OPEN
    )(sql`
      ${sql.literal(SELECT)}
      WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId}
        AND l.state IN (${sql.literal(literals(LeadMachine.in.open))})
      ORDER BY l.campaign_lead_id
      LIMIT ${limit}
    `)

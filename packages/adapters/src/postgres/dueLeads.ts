import type { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { KEPT_OUT } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { Schema } from "effect"
import { COMPANY_STOPPED } from "./campaignCompanies.js"
import { LEAD_COLUMNS, LeadRow, SENDABLE_LEAD } from "./CampaignRows.js"
import { DUE_WORKSPACES } from "./claimDue.js"
import { countRows, date, rows } from "./Columns.js"
import { LEAD_BARRED } from "./PgSuppressionStore.js"
import type { SqlClient } from "./Sql.js"

/** How many due leads of a campaign one look covers, earliest first: the next to be sent. */
const LOOK_MAX = 100

const ForbiddenRow = Schema.Struct({
  ...LeadRow.fields,
  reason: Schema.Literals(["opted_out", "platform_blocked", "capped", ...KEPT_OUT, "company_answered"])
})

const BARRED = `COALESCE(${LEAD_BARRED}, CASE WHEN ${COMPANY_STOPPED} THEN 'company_answered' END)`

/** Due leads that are not to be emailed now: those who never may be, and those who wait for another campaign's message. */
export const dueLeads = (sql: SqlClient) => {
  const sendable = sql.literal(SENDABLE_LEAD)

  /** `looked`: the next leads of each active campaign, at the time `now.at`. */
  const looked = (nowMillis: number, sinceMillis: number) => sql`
    now AS NOT MATERIALIZED (
      SELECT ${date(nowMillis)}::timestamptz AS at, ${date(sinceMillis)}::timestamptz AS since
    ), ${sql.literal(DUE_WORKSPACES)}, looked AS NOT MATERIALIZED (
      SELECT l.* FROM now CROSS JOIN due_workspaces d
      JOIN campaigns c ON c.workspace_id = d.workspace_id AND c.state = 'active'
      CROSS JOIN LATERAL (
        SELECT l.workspace_id, l.campaign_lead_id, l.campaign_id, l.address_hash, l.email, l.company, l.next_at
        FROM campaign_leads l
        WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND l.next_at <= now.at AND ${sendable}
        ORDER BY l.next_at, l.campaign_lead_id
        LIMIT ${LOOK_MAX}
      ) l
    )
  `

  return {
    // A claim in flight decides for itself, so skip its lead.
    lockForbiddenDue: (nowMillis, contactedSinceMillis, limit) =>
      sql`
        WITH ${looked(nowMillis, contactedSinceMillis)}, due AS (
          SELECT l.workspace_id, l.campaign_lead_id, l.next_at, ${sql.literal(BARRED)} AS reason
          FROM now CROSS JOIN looked l
        ), barred AS (
          SELECT d.workspace_id, d.campaign_lead_id, d.reason FROM due d
          WHERE d.reason IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM messages m
            WHERE m.workspace_id = d.workspace_id AND m.campaign_lead_id = d.campaign_lead_id AND m.state = 'claimed'
          )
          ORDER BY d.next_at, d.campaign_lead_id
          LIMIT ${limit}
        )
        SELECT ${sql.literal(LEAD_COLUMNS)}, barred.reason
        FROM barred JOIN campaign_leads l
          ON l.workspace_id = barred.workspace_id AND l.campaign_lead_id = barred.campaign_lead_id
        WHERE ${sendable}
        FOR NO KEY UPDATE OF l SKIP LOCKED
      `.pipe(rows("sending.lockForbiddenDue", ForbiddenRow, ({ reason, ...lead }) => ({ lead, reason }))),

    putOffContacted: (nowMillis, contactedSinceMillis, limit) =>
      sql`
        WITH ${looked(nowMillis, contactedSinceMillis)}, contacted AS (
          SELECT l.workspace_id, l.campaign_lead_id, h.at
          FROM now CROSS JOIN looked l
          JOIN workspaces w ON w.workspace_id = l.workspace_id AND w.overlap = 'queue'
          CROSS JOIN LATERAL (
            SELECT max(h.last_contacted_at) AS at FROM contact_history h
            WHERE h.workspace_id = l.workspace_id AND h.address_hash = l.address_hash
              AND h.campaign_id <> l.campaign_id AND h.last_contacted_at >= now.since
          ) h
          WHERE h.at IS NOT NULL
          LIMIT ${limit}
        ), held AS (
          SELECT l.workspace_id, l.campaign_lead_id, contacted.at
          FROM now CROSS JOIN contacted JOIN campaign_leads l
            ON l.workspace_id = contacted.workspace_id AND l.campaign_lead_id = contacted.campaign_lead_id
          WHERE ${sendable} AND l.next_at <= now.at
          FOR NO KEY UPDATE OF l SKIP LOCKED
        )
        UPDATE campaign_leads l SET next_at = held.at + (now.at - now.since) + interval '1 millisecond'
        FROM now CROSS JOIN held
        WHERE l.workspace_id = held.workspace_id AND l.campaign_lead_id = held.campaign_lead_id
        RETURNING l.campaign_lead_id AS "campaignLeadId"
      `.pipe(countRows("sending.putOffContacted"))
  } satisfies Partial<SendingStore["Service"]>
}

import { removalOf } from "@outbound/domain/outreach/sending/sendRule.js"
import type { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, Schema } from "effect"
import { isContacted, queues, sources } from "./bars.js"
import { COMPANY_STOPPED } from "./campaignCompanies.js"
import { SENDABLE_LEAD } from "./CampaignRows.js"
import { countRows, date, rows } from "./Columns.js"
import { standings } from "./keptOut.js"
import { DUE_WORKSPACES } from "./dueRows.js"
import { candidates, FACTS, momentOf, workspaceFacts } from "./sendFacts.js"
import type { SqlClient } from "./Sql.js"
import { texts } from "./Table.js"

const LeadIdRow = Schema.Struct({ ...texts("workspaceId", "campaignLeadId") })

/** How many due leads of a campaign one look covers, earliest first: the next to be sent. */
const LOOK_MAX = 100

const PERSON = {
  workspaceId: "l.workspace_id",
  addressHash: "l.address_hash",
  email: "l.email",
  campaignId: "l.campaign_id",
  since: "now.since"
}

/** Lead `l` may have to be removed. Never narrower than `removalOf`, which decides. */
const MAYBE_BARRED = `
  (
    cardinality(${sources(PERSON)}) > 0 OR cardinality(${standings(PERSON)}) > 0 OR ${COMPANY_STOPPED}
    OR (${isContacted(PERSON)} AND NOT ${queues("l.workspace_id")})
  )
`

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
    lockForbiddenDue: (nowMillis, contactedSinceMillis, limit) =>
      Effect.gen(function* () {
        // No limit of a day counts.
        const moment = { nowMillis, contactedSinceMillis, dayStartMillis: nowMillis }
        const operation = "sending.lockForbiddenDue"
        const barred = yield* sql`
          WITH ${looked(nowMillis, contactedSinceMillis)}
          SELECT l.workspace_id AS "workspaceId", l.campaign_lead_id AS "campaignLeadId" FROM now CROSS JOIN looked l
          WHERE ${sql.literal(MAYBE_BARRED)} AND NOT EXISTS (
            SELECT 1 FROM messages m
            WHERE m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id AND m.state = 'claimed'
          )
          ORDER BY l.next_at, l.campaign_lead_id
          LIMIT ${limit}
        `.pipe(rows(operation, LeadIdRow))
        if (barred.length === 0) return []
        const workspaceIds = [...new Set(barred.map(({ workspaceId }) => workspaceId))]
        const workspaces = yield* workspaceFacts(sql, operation, workspaceIds, moment)
        const found = yield* sql`
          WITH ${momentOf(sql, moment)}
          SELECT ${sql.literal(FACTS)}
          FROM now CROSS JOIN campaign_leads l
          JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.campaign_id = l.campaign_id
          JOIN mailboxes b ON b.workspace_id = l.workspace_id AND b.mailbox_id = l.mailbox_id
          WHERE l.workspace_id = ANY(${workspaceIds}::uuid[])
            AND l.campaign_lead_id = ANY(${barred.map(({ campaignLeadId }) => campaignLeadId)}::uuid[])
          ORDER BY l.next_at, l.campaign_lead_id
          FOR NO KEY UPDATE OF l SKIP LOCKED
        `.pipe(candidates(operation, workspaces, moment))
        return found.flatMap(({ facts, lead }) => {
          const reason = removalOf(facts)
          return reason === null ? [] : [{ lead, reason }]
        })
      }),

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

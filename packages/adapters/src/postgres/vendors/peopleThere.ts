import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { MAY_SEND } from "@outbound/domain/outreach/sending/vendor/VendorCampaignMachine.js"
import { VendorLeadMachine, type VendorLeadState } from "@outbound/domain/outreach/sending/vendor/VendorLeadMachine.js"
import type { VendorStore } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { Effect, Schema } from "effect"
import { LEAD_COLUMNS, LeadRow } from "../CampaignRows.js"
import {
  changes,
  date,
  firstRow,
  firstValue,
  literals,
  Millis,
  rows,
  run,
  setOf,
  statesInto,
  statesOf
} from "../Columns.js"
import { domainSuppressed } from "../bars.js"
import type { SqlClient } from "../Sql.js"
import { THERE_COLUMNS, toLeadAt, VENDOR_LEAD_COLUMNS, VendorLeadAtRow, VendorLeadRow } from "../VendorRows.js"
import { givenOf } from "../Table.js"

/** What changes of a lead there. */
const CHANGING =
  "state text, ref text, pushes integer, looks integer, dueAtMillis bigint, leavingAtMillis bigint, blocked boolean"

const LeavingRow = Schema.Struct({ ...VendorLeadAtRow.fields, blocks: Schema.Boolean })
const OpenRow = Schema.Struct({ campaignLeadId: Schema.String, addressHash: Schema.String, email: Schema.String })
const CountRow = Schema.Struct({ state: Schema.Literals(VendorLeadMachine.states), count: Schema.Int })

const NOT_FINISHED = LeadMachine.in.ended.filter((state) => !LeadMachine.is.finished(state))

/** The states from which a person at the vendor may enter a state. */
const leadGuard = VendorLeadMachine.states
  .map((state) => `(g.state = '${state}' AND v.state IN (${literals(statesInto(VendorLeadMachine, state))}))`)
  .join(" OR ")

/** The people of campaigns at vendors. */
export const peopleThere = (sql: SqlClient) => {
  const leadColumns = sql.literal(LEAD_COLUMNS)
  const changing = givenOf(sql, CHANGING)
  const thereColumns = sql.literal(THERE_COLUMNS)
  const states = statesOf(sql)
  const joined = sql.literal(`
    vendor_leads v JOIN campaign_leads l
      ON l.workspace_id = v.workspace_id AND l.campaign_lead_id = v.campaign_lead_id
  `)

  return {
    addLeads: ({ campaignId, workspaceId }, campaignLeadIds, nowMillis) =>
      sql`
        WITH added AS (
          INSERT INTO vendor_leads (
            workspace_id, campaign_lead_id, campaign_id, state, pushes, looks, due_at, blocked
          )
          SELECT ${workspaceId}::uuid, id, ${campaignId}::uuid, ${VendorLeadMachine.initial}::text, 0, 0,
            ${date(nowMillis)}::timestamptz, false
          FROM unnest(${campaignLeadIds}::uuid[]) AS id
        )
        UPDATE vendor_campaigns v SET due_at = LEAST(v.due_at, ${date(nowMillis)})
        WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId}
      `.pipe(run("vendors.addLeads")),

    leadsDue: (workspaceId, campaignId, among, { byMillis, limit }) =>
      sql`
        SELECT ${leadColumns}, ${thereColumns} FROM ${joined}
        WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId} AND v.state IN (${states(among)})
          AND v.due_at <= ${date(byMillis)}
        ORDER BY v.due_at, v.campaign_lead_id
        LIMIT ${limit}
      `.pipe(rows("vendors.leadsDue", VendorLeadAtRow, toLeadAt)),

    counts: (workspaceId, campaignId) =>
      sql`
        SELECT v.state, count(*)::integer AS count FROM vendor_leads v
        WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId}
        GROUP BY v.state
      `.pipe(
        rows("vendors.counts", CountRow),
        Effect.map((found) => {
          const counted = new Map(found.map(({ count, state }) => [state, count]))
          return Object.fromEntries(
            VendorLeadMachine.states.map((state) => [state, counted.get(state) ?? 0])
          ) as Record<VendorLeadState, number>
        })
      ),

    presentLeads: (workspaceId, campaignId) =>
      sql`
        SELECT v.campaign_lead_id AS "campaignLeadId" FROM vendor_leads v
        WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId} AND v.state = 'present'
      `.pipe(setOf("vendors.presentLeads", Schema.String)),

    nextDue: (workspaceId, campaignId, among) =>
      sql`
        SELECT min(v.due_at) AS "dueAtMillis" FROM vendor_leads v
        WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId} AND v.state IN (${states(among)})
      `.pipe(firstValue("vendors.nextDue", Schema.NullOr(Millis), null)),

    // Locked by id, in the order in which the turn's holder locks them.
    hurry: (workspaceId, campaignId, nowMillis) =>
      sql`
        WITH missing AS MATERIALIZED (
          SELECT v.workspace_id, v.campaign_lead_id FROM vendor_leads v
          WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId} AND v.state = 'missing'
          ORDER BY v.campaign_lead_id
          FOR NO KEY UPDATE
        )
        UPDATE vendor_leads v SET due_at = LEAST(v.due_at, ${date(nowMillis)})
        FROM missing
        WHERE v.workspace_id = missing.workspace_id AND v.campaign_lead_id = missing.campaign_lead_id
      `.pipe(run("vendors.hurry")),

    lockLeads: (workspaceId, campaignLeadIds) =>
      sql`
        SELECT ${sql.literal(VENDOR_LEAD_COLUMNS)} FROM vendor_leads v
        WHERE v.workspace_id = ${workspaceId} AND v.campaign_lead_id = ANY(${campaignLeadIds}::uuid[])
        ORDER BY v.campaign_lead_id
        FOR NO KEY UPDATE
      `.pipe(rows("vendors.lockLeads", VendorLeadRow)),

    updateLeads: (leads) =>
      leads.length === 0
        ? Effect.void
        : sql`
            UPDATE vendor_leads v
            SET (${changing.columns}) = ROW(${changing.values})
            FROM ${givenOf(sql, `workspaceId uuid, campaignLeadId uuid, ${CHANGING}`).from(leads)}
            WHERE v.workspace_id = g."workspaceId" AND v.campaign_lead_id = g."campaignLeadId"
              AND (${sql.literal(leadGuard)})
            RETURNING v.campaign_lead_id
          `.pipe(changes("vendors.updateLeads", leads.length)),

    leaving: (workspaceId, campaignId, limit) =>
      sql`
        SELECT ${leadColumns}, ${thereColumns}, no.found AS blocks
        FROM ${joined}
        CROSS JOIN LATERAL (
          SELECT EXISTS (
            SELECT 1 FROM suppressions s
            WHERE s.workspace_id = l.workspace_id AND s.address_hash = l.address_hash AND s.source <> 'reply'
          ) OR ${sql.literal(domainSuppressed("l.workspace_id", "l.email"))} AS found
        ) no
        WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId}
          AND (
            (l.state IN (${states(NOT_FINISHED)})
              AND v.state IN (${states(VendorLeadMachine.in.unresolved)}))
            OR (l.state IN (${states(LeadMachine.in.ended)}) AND NOT v.blocked AND no.found
              AND v.state IN (${states(VendorLeadMachine.in.given)}))
            OR (l.email = '' AND v.ref IS NOT NULL)
          )
        ORDER BY v.leaving_at NULLS LAST, v.campaign_lead_id
        LIMIT ${limit}
      `.pipe(rows("vendors.leaving", LeavingRow, ({ blocks, ...row }) => ({ ...toLeadAt(row), blocks }))),

    openLeads: (workspaceId, campaignId) =>
      sql`
        SELECT l.campaign_lead_id AS "campaignLeadId", l.address_hash AS "addressHash", l.email FROM ${joined}
        WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId} AND l.state IN (${states(LeadMachine.in.open)})
        ORDER BY l.campaign_lead_id
      `.pipe(rows("vendors.openLeads", OpenRow)),

    elsewhere: (workspaceId, campaignId) =>
      sql`
        SELECT ${leadColumns} FROM ${joined}
        WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId} AND l.state IN (${states(LeadMachine.in.unwritten)})
          AND l.steps_sent = 0 AND EXISTS (
            SELECT 1 FROM campaign_leads o
            JOIN vendor_leads w ON w.workspace_id = o.workspace_id AND w.campaign_lead_id = o.campaign_lead_id
            JOIN vendor_campaigns d ON d.workspace_id = o.workspace_id AND d.campaign_id = o.campaign_id
            WHERE o.workspace_id = l.workspace_id AND o.address_hash = l.address_hash
              AND o.campaign_id <> l.campaign_id AND w.state IN (${states(VendorLeadMachine.in.there)})
              AND o.state IN (${states(LeadMachine.in.open)}) AND d.state IN (${states(MAY_SEND)})
          )
        ORDER BY l.campaign_lead_id
      `.pipe(rows("vendors.elsewhere", LeadRow)),

    // Each search uses its own index: most sent messages are found by address alone.
    findLead: (workspaceId, campaignId, { addressHash, ref }) =>
      sql`
        WITH found AS (
          SELECT v.campaign_lead_id, 1 AS place FROM vendor_leads v
          WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId} AND v.ref = ${ref}
          UNION ALL
          SELECT l.campaign_lead_id, 2 FROM campaign_leads l
          WHERE l.workspace_id = ${workspaceId} AND l.address_hash = ${addressHash} AND l.campaign_id = ${campaignId}
            AND l.email <> ''
        )
        SELECT ${leadColumns}, ${thereColumns}
        FROM found JOIN ${joined} ON l.campaign_lead_id = found.campaign_lead_id
        WHERE l.workspace_id = ${workspaceId}
        ORDER BY found.place
        LIMIT 1
      `.pipe(firstRow("vendors.findLead", VendorLeadAtRow, toLeadAt)),

    leadAt: (workspaceId, campaignLeadId) =>
      sql`
        SELECT ${leadColumns}, ${thereColumns} FROM ${joined}
        WHERE v.workspace_id = ${workspaceId} AND v.campaign_lead_id = ${campaignLeadId}
      `.pipe(firstRow("vendors.leadAt", VendorLeadAtRow, toLeadAt))
  } satisfies Partial<VendorStore["Service"]>
}

import { SqlClient } from "@effect/sql"
import { ENDED_LEAD_STATES, LeadMachine } from "@outbound/domain/campaigns/LeadMachine.js"
import { MAY_SEND, VendorCampaignMachine } from "@outbound/domain/sending/vendor/VendorCampaignMachine.js"
import { VendorLeadMachine, type VendorLeadState } from "@outbound/domain/sending/vendor/VendorLeadMachine.js"
import { ORDER_STATES, VendorStore } from "@outbound/domain/sending/vendor/VendorStore.js"
import { Effect, Layer, Option, Schema } from "effect"
import { LEAD_COLUMNS, LeadRow } from "./CampaignRows.js"
import { changes, date, dateOrNull, firstRow, jsonRows, literals, Millis, rows, run, statesInto } from "./Columns.js"
import {
  THERE_COLUMNS,
  toLeadAt,
  VENDOR_CAMPAIGN_COLUMNS,
  VENDOR_LEAD_COLUMNS,
  VendorCampaignRow,
  VendorLeadAtRow,
  VendorLeadRow
} from "./VendorRows.js"

const LeavingRow = Schema.Struct({ ...VendorLeadAtRow.fields, blocks: Schema.Boolean })
const IdRow = Schema.Struct({ campaignId: Schema.String })
const LeadIdRow = Schema.Struct({ campaignLeadId: Schema.String })
const CountRow = Schema.Struct({ state: Schema.Literal(...VendorLeadMachine.states), count: Schema.Int })
const TotalRow = Schema.Struct({ total: Schema.Int })
const DueRow = Schema.Struct({ dueAtMillis: Schema.NullOr(Millis) })
const RecordedRow = Schema.Struct({ messageId: Schema.String })
const LastRow = Schema.Struct({ messageId: Schema.String, mailboxId: Schema.String, stepIndex: Schema.Int })
const OrderRow = Schema.Struct({ state: Schema.Literal(...ORDER_STATES) })

const NOT_FINISHED = literals(ENDED_LEAD_STATES.filter((state) => state !== "finished"))
const ENDED = literals(ENDED_LEAD_STATES)
const OPEN = literals(LeadMachine.states.filter((state) => !ENDED_LEAD_STATES.includes(state)))

/** From where a person at the vendor may come into a state. */
const leadGuard = VendorLeadMachine.states
  .map((state) => `(g.state = '${state}' AND v.state IN (${literals(statesInto(VendorLeadMachine, state))}))`)
  .join(" OR ")

export const layer = Layer.effect(
  VendorStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const campaignColumns = sql.literal(VENDOR_CAMPAIGN_COLUMNS)
    const leadColumns = sql.literal(LEAD_COLUMNS)
    const thereColumns = sql.literal(THERE_COLUMNS)
    const states = (names: ReadonlyArray<string>) => sql.literal(names.length === 0 ? "NULL" : literals(names))
    const free = (nowMillis: number) => sql`(v.held_until IS NULL OR v.held_until <= ${date(nowMillis)})`
    const joined = sql.literal(`
      vendor_leads v JOIN campaign_leads l
        ON l.workspace_id = v.workspace_id AND l.campaign_lead_id = v.campaign_lead_id
    `)

    return VendorStore.of({
      insert: (campaign) =>
        sql`
          INSERT INTO vendor_campaigns (
            workspace_id, campaign_id, vendor, account, state, ref, terms, asked_until, owes_pause, read_cursor, read_at, failures,
            turn
          ) VALUES (
            ${campaign.workspaceId}, ${campaign.campaignId}, ${campaign.vendor}, ${campaign.account}, ${campaign.state}, ${campaign.ref},
            ${campaign.terms}, ${dateOrNull(campaign.askedUntilMillis)}, ${campaign.owesPause}, ${campaign.cursor},
            ${dateOrNull(campaign.readAtMillis)}, ${campaign.failures}, ${campaign.turn}
          )
        `.pipe(run("vendors.insert")),

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

      get: (workspaceId, campaignId) =>
        sql`
          SELECT ${campaignColumns} FROM vendor_campaigns v
          WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId}
        `.pipe(firstRow("vendors.get", VendorCampaignRow)),

      lock: (workspaceId, campaignId) =>
        sql`
          SELECT ${campaignColumns} FROM vendor_campaigns v
          WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId}
          FOR NO KEY UPDATE
        `.pipe(firstRow("vendors.lock", VendorCampaignRow)),

      update: (campaign) =>
        sql`
          UPDATE vendor_campaigns v
          SET state = ${campaign.state}, ref = ${campaign.ref}, terms = ${campaign.terms},
            asked_until = ${dateOrNull(campaign.askedUntilMillis)}, owes_pause = ${campaign.owesPause},
            read_cursor = ${campaign.cursor}, read_at = ${dateOrNull(campaign.readAtMillis)},
            failures = ${campaign.failures}
          WHERE v.workspace_id = ${campaign.workspaceId} AND v.campaign_id = ${campaign.campaignId}
            AND v.state IN (${states(statesInto(VendorCampaignMachine, campaign.state))})
          RETURNING v.campaign_id
        `.pipe(changes("vendors.update")),

      takeTurns: ({ heldUntilMillis, limit, nowMillis }) =>
        sql`
          WITH due AS (
            SELECT v.workspace_id, v.campaign_id FROM vendor_campaigns v
            WHERE v.due_at <= ${date(nowMillis)} AND ${free(nowMillis)}
            ORDER BY v.due_at, v.campaign_id
            LIMIT ${limit}
            FOR NO KEY UPDATE SKIP LOCKED
          )
          UPDATE vendor_campaigns v SET due_at = ${date(heldUntilMillis)}, held_until = ${date(heldUntilMillis)},
            turn = v.turn + 1
          FROM due WHERE v.workspace_id = due.workspace_id AND v.campaign_id = due.campaign_id
          RETURNING ${campaignColumns}
        `.pipe(rows("vendors.takeTurns", VendorCampaignRow)),

      takeTurn: (workspaceId, campaignId, { heldUntilMillis, nowMillis }) =>
        sql`
          UPDATE vendor_campaigns v SET due_at = ${date(heldUntilMillis)}, held_until = ${date(heldUntilMillis)},
            turn = v.turn + 1
          WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId} AND ${free(nowMillis)}
          RETURNING ${campaignColumns}
        `.pipe(firstRow("vendors.takeTurn", VendorCampaignRow)),

      // While it was held it was due at the end of the hold: only an earlier time is one that somebody woke it for.
      endTurn: ({ campaignId, turn, workspaceId }, dueAtMillis) =>
        sql`
          UPDATE vendor_campaigns v
          SET due_at = CASE WHEN v.due_at < v.held_until THEN LEAST(v.due_at, ${dateOrNull(dueAtMillis)}::timestamptz)
              ELSE ${dateOrNull(dueAtMillis)}::timestamptz END,
            held_until = NULL
          WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId} AND v.turn = ${turn}
        `.pipe(run("vendors.endTurn")),

      wake: (workspaceId, campaignIds, nowMillis) =>
        sql`
          UPDATE vendor_campaigns v SET due_at = LEAST(v.due_at, ${date(nowMillis)})
          WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ANY(${campaignIds}::uuid[])
        `.pipe(run("vendors.wake")),

      wakeAll: (workspaceId, nowMillis) =>
        sql`
          UPDATE vendor_campaigns v SET due_at = LEAST(v.due_at, ${date(nowMillis)}) WHERE v.workspace_id = ${workspaceId}
        `.pipe(run("vendors.wakeAll")),

      among: (workspaceId, campaignIds) =>
        sql`
          SELECT v.campaign_id AS "campaignId" FROM vendor_campaigns v
          WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ANY(${campaignIds}::uuid[])
        `.pipe(
          rows("vendors.among", IdRow),
          Effect.map((found) => new Set(found.map(({ campaignId }) => campaignId)))
        ),

      mayBeSending: (workspaceId) =>
        sql`
          SELECT v.campaign_id AS "campaignId" FROM vendor_campaigns v
          WHERE v.workspace_id = ${workspaceId} AND v.state IN (${states(MAY_SEND)})
          ORDER BY v.campaign_id
        `.pipe(
          rows("vendors.mayBeSending", IdRow),
          Effect.map((found) => found.map(({ campaignId }) => campaignId))
        ),

      activeCampaigns: (workspaceId) =>
        sql`
          SELECT count(*)::integer AS total
          FROM vendor_campaigns v JOIN campaigns c ON c.workspace_id = v.workspace_id AND c.campaign_id = v.campaign_id
          WHERE v.workspace_id = ${workspaceId} AND c.state = 'active'
        `.pipe(
          firstRow("vendors.activeCampaigns", TotalRow),
          Effect.map(Option.match({ onNone: () => 0, onSome: ({ total }) => total }))
        ),

      leadsDue: (workspaceId, campaignId, among, { byMillis, limit }) =>
        sql`
          SELECT ${leadColumns}, ${thereColumns} FROM ${joined}
          WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId} AND v.state IN (${states(among)})
            AND v.due_at <= ${date(byMillis)}
          ORDER BY v.due_at, v.campaign_lead_id
          LIMIT ${limit}
        `.pipe(
          rows("vendors.leadsDue", VendorLeadAtRow),
          Effect.map((found) => found.map(toLeadAt))
        ),

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
        `.pipe(
          rows("vendors.presentLeads", LeadIdRow),
          Effect.map((found) => new Set(found.map(({ campaignLeadId }) => campaignLeadId)))
        ),

      nextDue: (workspaceId, campaignId, among) =>
        sql`
          SELECT min(v.due_at) AS "dueAtMillis" FROM vendor_leads v
          WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId} AND v.state IN (${states(among)})
        `.pipe(
          firstRow("vendors.nextDue", DueRow),
          Effect.map(Option.match({ onNone: () => null, onSome: ({ dueAtMillis }) => dueAtMillis }))
        ),

      // Locked by id, as whoever has the turn locks them.
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
              SET state = g.state, ref = g.ref, pushes = g.pushes, looks = g.looks,
                due_at = to_timestamp(g."dueAtMillis" / 1000.0),
                leaving_at = to_timestamp(g."leavingAtMillis" / 1000.0), blocked = g.blocked
              FROM json_to_recordset(${jsonRows(leads)}::json) AS g (
                "workspaceId" uuid, "campaignLeadId" uuid, state text, ref text, pushes integer, looks integer,
                "dueAtMillis" bigint, "leavingAtMillis" bigint, blocked boolean
              )
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
            ) AS found
          ) no
          WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId}
            AND (
              (l.state IN (${sql.literal(NOT_FINISHED)})
                AND v.state IN ('waiting', 'asked', 'missing', 'present', 'leaving'))
              OR (l.state IN (${sql.literal(ENDED)}) AND NOT v.blocked AND no.found
                AND v.state IN ('asked', 'missing', 'present', 'leaving', 'gone'))
              OR (l.email = '' AND v.ref IS NOT NULL)
            )
          ORDER BY v.leaving_at NULLS LAST, v.campaign_lead_id
          LIMIT ${limit}
        `.pipe(
          rows("vendors.leaving", LeavingRow),
          Effect.map((found) => found.map(({ blocks, ...row }) => ({ ...toLeadAt(row), blocks })))
        ),

      openLeads: (workspaceId, campaignId) =>
        sql`
          SELECT ${leadColumns} FROM ${joined}
          WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId} AND l.state IN (${sql.literal(OPEN)})
          ORDER BY l.campaign_lead_id
        `.pipe(rows("vendors.openLeads", LeadRow)),

      elsewhere: (workspaceId, campaignId) =>
        sql`
          SELECT ${leadColumns} FROM ${joined}
          WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId} AND l.state IN ('pending', 'ready')
            AND l.steps_sent = 0 AND EXISTS (
              SELECT 1 FROM campaign_leads o
              JOIN vendor_leads w ON w.workspace_id = o.workspace_id AND w.campaign_lead_id = o.campaign_lead_id
              JOIN vendor_campaigns d ON d.workspace_id = o.workspace_id AND d.campaign_id = o.campaign_id
              WHERE o.workspace_id = l.workspace_id AND o.address_hash = l.address_hash
                AND o.campaign_id <> l.campaign_id AND w.state NOT IN ('waiting', 'gone', 'refused')
                AND o.state IN ('pending', 'ready', 'active') AND d.state IN (${states(MAY_SEND)})
            )
          ORDER BY l.campaign_lead_id
        `.pipe(rows("vendors.elsewhere", LeadRow)),

      findLead: (workspaceId, campaignId, { email, ref }) =>
        sql`
          SELECT ${leadColumns}, ${thereColumns} FROM ${joined}
          WHERE v.workspace_id = ${workspaceId} AND v.campaign_id = ${campaignId}
            AND (v.ref = ${ref} OR (l.email = ${email} AND l.email <> ''))
          ORDER BY (v.ref = ${ref}) DESC NULLS LAST
          LIMIT 1
        `.pipe(firstRow("vendors.findLead", VendorLeadAtRow), Effect.map(Option.map(toLeadAt))),

      leadAt: (workspaceId, campaignLeadId) =>
        sql`
          SELECT ${leadColumns}, ${thereColumns} FROM ${joined}
          WHERE v.workspace_id = ${workspaceId} AND v.campaign_lead_id = ${campaignLeadId}
        `.pipe(firstRow("vendors.leadAt", VendorLeadAtRow), Effect.map(Option.map(toLeadAt))),

      recordSent: (message, addressHash) =>
        sql`
          WITH recorded AS (
            INSERT INTO messages (
              workspace_id, message_id, campaign_id, campaign_lead_id, mailbox_id, address_hash, step_index, state,
              claimed_at, sent_at
            )
            SELECT ${message.workspaceId}::uuid, ${message.messageId}::text, ${message.campaignId}::uuid,
              ${message.campaignLeadId}::uuid, ${message.mailboxId}::uuid, ${addressHash}::text,
              ${message.stepIndex}::integer, 'sent', ${date(message.claimedAtMillis)}::timestamptz,
              ${dateOrNull(message.sentAtMillis)}::timestamptz
            ON CONFLICT DO NOTHING
            RETURNING workspace_id, message_id, campaign_id, sent_at
          ), contact AS (
            INSERT INTO contact_history AS h (workspace_id, address_hash, campaign_id, last_contacted_at)
            SELECT r.workspace_id, ${addressHash}::text, r.campaign_id, r.sent_at FROM recorded r
            ON CONFLICT (workspace_id, address_hash, campaign_id)
              DO UPDATE SET last_contacted_at = GREATEST(h.last_contacted_at, EXCLUDED.last_contacted_at)
          )
          SELECT r.message_id AS "messageId" FROM recorded r
        `.pipe(
          rows("vendors.recordSent", RecordedRow),
          Effect.map((found) => found.length > 0)
        ),

      lastSent: (workspaceId, campaignLeadId) =>
        sql`
          SELECT m.message_id AS "messageId", m.mailbox_id AS "mailboxId", m.step_index AS "stepIndex" FROM messages m
          WHERE m.workspace_id = ${workspaceId} AND m.campaign_lead_id = ${campaignLeadId} AND m.state = 'sent'
          ORDER BY m.step_index DESC
          LIMIT 1
        `.pipe(firstRow("vendors.lastSent", LastRow)),

      orderState: (workspaceId, operationId) =>
        sql`
          SELECT o.state FROM vendor_orders o
          WHERE o.workspace_id = ${workspaceId} AND o.operation_id = ${operationId}
        `.pipe(
          firstRow("vendors.orderState", OrderRow),
          Effect.map(Option.match({ onNone: () => null, onSome: ({ state }) => state }))
        ),

      setOrderState: (workspaceId, operationId, state) =>
        state === null
          ? sql`
              DELETE FROM vendor_orders WHERE workspace_id = ${workspaceId} AND operation_id = ${operationId}
            `.pipe(run("vendors.setOrderState"))
          : sql`
              INSERT INTO vendor_orders (workspace_id, operation_id, state)
              VALUES (${workspaceId}, ${operationId}, ${state})
              ON CONFLICT (workspace_id, operation_id) DO UPDATE SET state = EXCLUDED.state
            `.pipe(run("vendors.setOrderState"))
    })
  })
)

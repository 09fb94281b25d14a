import type { SqlClient } from "@effect/sql"
import { MAY_SEND, VendorCampaignMachine } from "@outbound/domain/outreach/sending/vendor/VendorCampaignMachine.js"
import type { VendorStore } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { Effect, Schema } from "effect"
import { changes, column, date, dateOrNull, firstRow, literals, rows, run, statesInto } from "../Columns.js"
import { VENDOR_CAMPAIGN_COLUMNS, VendorCampaignRow } from "../VendorRows.js"

/** Campaigns at vendors, and which host handles them. */
export const campaignsThere = (
  sql: SqlClient.SqlClient
): Pick<
  VendorStore["Type"],
  | "insert"
  | "get"
  | "lock"
  | "update"
  | "takeTurns"
  | "takeTurn"
  | "endTurn"
  | "wake"
  | "wakeAll"
  | "among"
  | "mayBeSending"
  | "activeCampaigns"
> => {
  const campaignColumns = sql.literal(VENDOR_CAMPAIGN_COLUMNS)
  const states = (names: ReadonlyArray<string>) => sql.literal(literals(names))
  const free = (nowMillis: number) => sql`(v.held_until IS NULL OR v.held_until <= ${date(nowMillis)})`

  return {
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

    // While held, it was due at the end of the hold. An earlier time means that it was woken.
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
        column("vendors.among", Schema.String),
        Effect.map((found) => new Set(found))
      ),

    mayBeSending: (workspaceId) =>
      sql`
        SELECT v.campaign_id AS "campaignId" FROM vendor_campaigns v
        WHERE v.workspace_id = ${workspaceId} AND v.state IN (${states(MAY_SEND)})
        ORDER BY v.campaign_id
      `.pipe(column("vendors.mayBeSending", Schema.String)),

    activeCampaigns: (workspaceId) =>
      sql`
        SELECT count(*)::integer AS total
        FROM vendor_campaigns v JOIN campaigns c ON c.workspace_id = v.workspace_id AND c.campaign_id = v.campaign_id
        WHERE v.workspace_id = ${workspaceId} AND c.state = 'active'
      `.pipe(
        column("vendors.activeCampaigns", Schema.Int),
        Effect.map(([total = 0]) => total)
      )
  }
}

import { MAY_SEND, VendorCampaignMachine } from "@outbound/domain/outreach/sending/vendor/VendorCampaignMachine.js"
import type { VendorStore } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { Schema, Struct } from "effect"
import { column, date, dateOrNull, firstRow, firstValue, rows, run, setOf, statesOf } from "../Columns.js"
import type { SqlClient } from "../Sql.js"
import { VENDOR_CAMPAIGN_COLUMNS, VendorCampaignRow } from "../VendorRows.js"
import { moverOf, readerOf, valuesOf } from "../Table.js"

const Changing = Schema.Struct({
  ...VendorCampaignRow.mapFields(
    Struct.pick(["state", "ref", "terms", "askedUntilMillis", "owesPause", "readAtMillis", "failures"])
  ).fields,
  readCursor: VendorCampaignRow.fields.cursor
})

/** Campaigns at vendors, and which host handles them. */
export const campaignsThere = (sql: SqlClient) => {
  const move = moverOf(sql, "vendor_campaigns", Changing, VendorCampaignMachine)
  const { columns: campaignColumns, one } = readerOf(
    sql,
    "vendor_campaigns v",
    VendorCampaignRow,
    VENDOR_CAMPAIGN_COLUMNS
  )
  const states = statesOf(sql)
  const taken = (untilMillis: number) =>
    sql`due_at = ${date(untilMillis)}, held_until = ${date(untilMillis)}, turn = v.turn + 1`
  const free = (nowMillis: number) => sql`(v.held_until IS NULL OR v.held_until <= ${date(nowMillis)})`

  return {
    insert: ({ cursor, ...campaign }) =>
      sql`
        INSERT INTO vendor_campaigns ${sql.insert({
          ...valuesOf(VendorCampaignRow.mapFields(Struct.omit(["cursor"])), campaign),
          read_cursor: cursor
        })}
      `.pipe(run("vendors.insert")),

    get: (workspaceId, campaignId) => one("vendors.get")({ workspaceId, campaignId }),

    lock: (workspaceId, campaignId) => one("vendors.lock")({ workspaceId, campaignId }, "FOR NO KEY UPDATE"),

    update: ({ campaignId, cursor, workspaceId, ...next }) =>
      move("vendors.update", { workspaceId, campaignId }, { ...next, readCursor: cursor }),

    takeTurns: ({ heldUntilMillis, limit, nowMillis }) =>
      sql`
        WITH due AS (
          SELECT v.workspace_id, v.campaign_id FROM vendor_campaigns v
          WHERE v.due_at <= ${date(nowMillis)} AND ${free(nowMillis)}
          ORDER BY v.due_at, v.campaign_id
          LIMIT ${limit}
          FOR NO KEY UPDATE SKIP LOCKED
        )
        UPDATE vendor_campaigns v SET ${taken(heldUntilMillis)}
        FROM due WHERE v.workspace_id = due.workspace_id AND v.campaign_id = due.campaign_id
        RETURNING ${campaignColumns}
      `.pipe(rows("vendors.takeTurns", VendorCampaignRow)),

    takeTurn: (workspaceId, campaignId, { heldUntilMillis, nowMillis }) =>
      sql`
        UPDATE vendor_campaigns v SET ${taken(heldUntilMillis)}
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
      `.pipe(setOf("vendors.among", Schema.String)),

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
      `.pipe(firstValue("vendors.activeCampaigns", Schema.Int, 0))
  } satisfies Partial<VendorStore["Service"]>
}

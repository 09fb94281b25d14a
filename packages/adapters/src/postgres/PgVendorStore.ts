import { ORDER_STATES, VendorStore } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { Schema } from "effect"
import { date, dateOrNull, firstRow, firstValue, hasRows, run } from "./Columns.js"
import { campaignsThere } from "./vendors/campaignsThere.js"
import { peopleThere } from "./vendors/peopleThere.js"
import { remove, storeLayer, upsert } from "./Table.js"

const LastRow = Schema.Struct({ messageId: Schema.String, mailboxId: Schema.String, stepIndex: Schema.Int })

export const layer = storeLayer(VendorStore, (sql) => ({
  ...campaignsThere(sql),
  ...peopleThere(sql),

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
    `.pipe(hasRows("vendors.recordSent")),

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
    `.pipe(firstValue("vendors.orderState", Schema.Literals(ORDER_STATES), null)),

  setOrderState: (workspaceId, operationId, state) =>
    state === null
      ? remove(sql, "vendor_orders", { workspaceId, operationId }).pipe(run("vendors.setOrderState"))
      : upsert(sql, "vendor_orders", ["workspace_id", "operation_id"], {
          workspace_id: workspaceId,
          operation_id: operationId,
          state
        }).pipe(run("vendors.setOrderState"))
}))

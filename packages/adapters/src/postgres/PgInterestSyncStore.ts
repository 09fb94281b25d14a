import { InterestSyncStore } from "@outbound/domain/outreach/interest/InterestSyncStore.js"
import { INTEREST_STATUSES } from "@outbound/domain/kernel/sequences/Sequence.js"
import { Schema, Struct } from "effect"
import { date, hasRows, Millis, rows, run } from "./Columns.js"
import { columnsOf, remove, storeLayer, texts, upsert, valuesOf } from "./Table.js"

const SyncRow = Schema.Struct({
  ...texts("workspaceId", "campaignLeadId"),
  interest: Schema.Literals(INTEREST_STATUSES),
  requestId: Schema.String,
  attempts: Schema.Int,
  dueAtMillis: Millis
})

export const layer = storeLayer(InterestSyncStore, (sql) => ({
  put: (sync) =>
    upsert(sql, "interest_syncs", ["workspace_id", "campaign_lead_id"], {
      ...valuesOf(SyncRow.mapFields(Struct.omit(["interest"])), sync),
      interest_status: sync.interest
    }).pipe(run("interestSyncs.put")),

  lockDue: (nowMillis, limit) =>
    sql`
      SELECT ${sql.literal(columnsOf(SyncRow, "s", { interest: "s.interest_status" }))}
      FROM interest_syncs s
      WHERE s.due_at <= ${date(nowMillis)}
      ORDER BY s.due_at, s.campaign_lead_id
      LIMIT ${limit}
      FOR NO KEY UPDATE SKIP LOCKED
    `.pipe(rows("interestSyncs.lockDue", SyncRow)),

  end: ({ campaignLeadId, requestId, workspaceId }) =>
    remove(sql, "interest_syncs", { workspaceId, campaignLeadId, requestId }).pipe(hasRows("interestSyncs.end"))
}))

import { InterestSyncStore } from "@outbound/domain/outreach/campaigns/InterestSyncStore.js"
import { INTEREST_STATUSES } from "@outbound/domain/kernel/sequences/Sequence.js"
import { Effect, Schema } from "effect"
import { date, Millis, rows, run } from "./Columns.js"
import { storeLayer } from "./storeLayer.js"

const SyncRow = Schema.Struct({
  workspaceId: Schema.String,
  campaignLeadId: Schema.String,
  interest: Schema.Literal(...INTEREST_STATUSES),
  requestId: Schema.String,
  attempts: Schema.Int,
  dueAtMillis: Millis
})

const EndedRow = Schema.Struct({ ended: Schema.Boolean })

export const layer = storeLayer(InterestSyncStore, (sql) => ({
  put: (sync) =>
    sql`
      INSERT INTO interest_syncs (
        workspace_id, campaign_lead_id, interest_status, request_id, attempts, due_at
      ) VALUES (
        ${sync.workspaceId}, ${sync.campaignLeadId}, ${sync.interest}, ${sync.requestId}, ${sync.attempts},
        ${date(sync.dueAtMillis)}
      )
      ON CONFLICT (workspace_id, campaign_lead_id) DO UPDATE
      SET interest_status = EXCLUDED.interest_status, request_id = EXCLUDED.request_id,
        attempts = EXCLUDED.attempts, due_at = EXCLUDED.due_at
    `.pipe(run("interestSyncs.put")),

  lockDue: (nowMillis, limit) =>
    sql`
      SELECT s.workspace_id AS "workspaceId", s.campaign_lead_id AS "campaignLeadId",
        s.interest_status AS interest, s.request_id AS "requestId", s.attempts, s.due_at AS "dueAtMillis"
      FROM interest_syncs s
      WHERE s.due_at <= ${date(nowMillis)}
      ORDER BY s.due_at, s.campaign_lead_id
      LIMIT ${limit}
      FOR NO KEY UPDATE SKIP LOCKED
    `.pipe(rows("interestSyncs.lockDue", SyncRow)),

  end: (sync) =>
    sql`
      WITH ended AS (
        DELETE FROM interest_syncs s
        WHERE s.workspace_id = ${sync.workspaceId} AND s.campaign_lead_id = ${sync.campaignLeadId}
          AND s.request_id = ${sync.requestId}
        RETURNING 1
      )
      SELECT EXISTS (SELECT 1 FROM ended) AS ended
    `.pipe(
      rows("interestSyncs.end", EndedRow),
      Effect.map(([row]) => row?.ended === true)
    )
}))

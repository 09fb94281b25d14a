import { TestSuspension } from "@outbound/testkit/memory/Hooks.js"
import { Effect, Layer } from "effect"
import * as PgApprovalStore from "../../src/postgres/PgApprovalStore.js"
import * as PgCampaignStore from "../../src/postgres/PgCampaignStore.js"
import * as PgContentStore from "../../src/postgres/PgContentStore.js"
import * as PgInterestSyncStore from "../../src/postgres/PgInterestSyncStore.js"
import * as PgInbound from "../../src/postgres/PgInbound.js"
import * as PgOperationStore from "../../src/postgres/PgOperationStore.js"
import * as PgLookStore from "../../src/postgres/PgLookStore.js"
import * as PgOwnMailboxStore from "../../src/postgres/PgOwnMailboxStore.js"
import * as PgReplyStore from "../../src/postgres/PgReplyStore.js"
import * as PgSealStore from "../../src/postgres/PgSealStore.js"
import * as PgSendingStore from "../../src/postgres/PgSendingStore.js"
import * as PgSentReplyStore from "../../src/postgres/PgSentReplyStore.js"
import * as PgSuppressionStore from "../../src/postgres/PgSuppressionStore.js"
import * as PgTrailStore from "../../src/postgres/PgTrailStore.js"
import * as PgVendorStore from "../../src/postgres/PgVendorStore.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { stores } from "../postgres/stores.js"

export const suspension = Layer.effect(
  TestSuspension,
  Effect.map(SqlClient, (sql) => ({
    suspend: (workspaceId, atMillis, reason) =>
      sql`
        UPDATE workspace_sending SET suspended_at = ${new Date(atMillis)}, suspended_reason = ${reason}
        WHERE workspace_id = ${workspaceId}
      `.pipe(Effect.orDie, Effect.asVoid)
  }))
)

/** Every store that campaigns and sending need, on a database of the test file's own. */
export const layer = Layer.mergeAll(
  PgApprovalStore.layer,
  PgCampaignStore.layer,
  PgInbound.layer,
  PgContentStore.layer,
  PgInterestSyncStore.layer,
  PgLookStore.layer,
  PgOperationStore.layer,
  PgOwnMailboxStore.layer,
  PgReplyStore.layer,
  PgSealStore.layer,
  PgSendingStore.layer,
  PgSentReplyStore.layer,
  PgSuppressionStore.layer,
  PgTrailStore.layer,
  PgVendorStore.layer,
  suspension
).pipe(Layer.provideMerge(stores))

import { SqlClient } from "@effect/sql"
import { TestSuspension } from "@outbound/testkit/contracts/Hooks.js"
import { Effect, Layer, Redacted } from "effect"
import { migrate } from "../../src/postgres/Migrations.js"
import * as PgApprovalStore from "../../src/postgres/PgApprovalStore.js"
import * as PgCampaignStore from "../../src/postgres/PgCampaignStore.js"
import * as PgInbound from "../../src/postgres/PgInbound.js"
import * as PgKeyStore from "../../src/postgres/PgKeyStore.js"
import * as PgOperationStore from "../../src/postgres/PgOperationStore.js"
import * as PgPool from "../../src/postgres/PgPool.js"
import * as PgReplyStore from "../../src/postgres/PgReplyStore.js"
import * as PgSendingStore from "../../src/postgres/PgSendingStore.js"
import * as PgSuppressionStore from "../../src/postgres/PgSuppressionStore.js"
import * as PgTrailStore from "../../src/postgres/PgTrailStore.js"
import * as PgUnitOfWork from "../../src/postgres/PgUnitOfWork.js"
import * as PgUserStore from "../../src/postgres/PgUserStore.js"
import * as PgWorkspaceStore from "../../src/postgres/PgWorkspaceStore.js"
import { TestDatabase } from "../support/TestDatabase.js"

/** A pool on the file's database. */
export const pool = Layer.unwrapEffect(
  Effect.map(TestDatabase, ({ url }) => PgPool.layer({ url: Redacted.make(url), applicationName: "outbound-test" }))
)

const suspension = Layer.effect(
  TestSuspension,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    suspend: (workspaceId, atMillis, reason) =>
      sql`
        UPDATE workspace_sending SET suspended_at = ${new Date(atMillis)}, suspended_reason = ${reason}
        WHERE workspace_id = ${workspaceId}
      `.pipe(Effect.orDie, Effect.asVoid)
  }))
)

/** The stores of one host over the pool. */
export const stores = Layer.mergeAll(
  PgApprovalStore.layer,
  PgCampaignStore.layer,
  PgInbound.layer,
  PgKeyStore.layer,
  PgOperationStore.layer,
  PgReplyStore.layer,
  PgSendingStore.layer,
  PgSuppressionStore.layer,
  PgTrailStore.layer,
  PgUserStore.layer,
  PgWorkspaceStore.layer,
  suspension
).pipe(Layer.provideMerge(PgUnitOfWork.layer))

/** The stores on a fresh, migrated database. */
export const layer = stores.pipe(
  Layer.provideMerge(Layer.effectDiscard(migrate())),
  Layer.provideMerge(pool),
  Layer.provideMerge(TestDatabase.layer)
)

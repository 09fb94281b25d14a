import { SqlClient } from "@effect/sql"
import { OwnKeyStore } from "@outbound/domain/sources/ownKeys/OwnKeyStore.js"
import { Effect, Layer, Schema } from "effect"
import { date, dateOrNull, Millis, rows, run } from "./Columns.js"

const OwnKeyRow = Schema.Struct({
  workspaceId: Schema.String,
  vendor: Schema.String,
  sealedSecret: Schema.String,
  last4: Schema.String,
  addedBy: Schema.String,
  addedAtMillis: Millis,
  refusedAtMillis: Schema.NullOr(Millis)
})

export const layer = Layer.effect(
  OwnKeyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    return OwnKeyStore.of({
      put: (key) =>
        sql`
          INSERT INTO own_keys (workspace_id, vendor, sealed_secret, last4, added_by, added_at, refused_at)
          VALUES (${key.workspaceId}, ${key.vendor}, ${key.sealedSecret}, ${key.last4}, ${key.addedBy},
            ${date(key.addedAtMillis)}, ${dateOrNull(key.refusedAtMillis)})
          ON CONFLICT (workspace_id, vendor) DO UPDATE SET sealed_secret = EXCLUDED.sealed_secret,
            last4 = EXCLUDED.last4, added_by = EXCLUDED.added_by, added_at = EXCLUDED.added_at,
            refused_at = EXCLUDED.refused_at
        `.pipe(run("ownKeys.put")),

      list: (workspaceId) =>
        sql`
          SELECT k.workspace_id AS "workspaceId", k.vendor, k.sealed_secret AS "sealedSecret", k.last4,
            k.added_by AS "addedBy", k.added_at AS "addedAtMillis", k.refused_at AS "refusedAtMillis"
          FROM own_keys k WHERE k.workspace_id = ${workspaceId} ORDER BY k.vendor COLLATE "C"
        `.pipe(rows("ownKeys.list", OwnKeyRow)),

      remove: (workspaceId, vendor) =>
        sql`
          DELETE FROM own_keys k WHERE k.workspace_id = ${workspaceId} AND k.vendor = ${vendor}
          RETURNING k.vendor
        `.pipe(
          rows("ownKeys.remove", Schema.Struct({ vendor: Schema.String })),
          Effect.map((removed) => removed.length > 0)
        ),

      refused: (workspaceId, vendor, atMillis) =>
        sql`
          UPDATE own_keys k SET refused_at = ${date(atMillis)}
          WHERE k.workspace_id = ${workspaceId} AND k.vendor = ${vendor} AND k.added_at <= ${date(atMillis)}
        `.pipe(run("ownKeys.refused")),

      accepted: (workspaceId, vendor, atMillis) =>
        sql`
          UPDATE own_keys k SET refused_at = NULL
          WHERE k.workspace_id = ${workspaceId} AND k.vendor = ${vendor} AND k.refused_at <= ${date(atMillis)}
        `.pipe(run("ownKeys.accepted"))
    })
  })
)

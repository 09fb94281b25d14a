import { OwnKeyStore } from "@outbound/domain/sources/ownKeys/OwnKeyStore.js"
import { Schema } from "effect"
import { date, hasRows, Millis, rows, run } from "./Columns.js"
import { columnsOf, remove, storeLayer, texts, upsert, valuesOf } from "./Table.js"

const OwnKeyRow = Schema.Struct({
  ...texts("workspaceId", "vendor", "sealedSecret", "last4", "addedBy"),
  addedAtMillis: Millis,
  refusedAtMillis: Schema.NullOr(Millis)
})

export const layer = storeLayer(OwnKeyStore, (sql) => ({
  put: (key) => upsert(sql, "own_keys", ["workspace_id", "vendor"], valuesOf(OwnKeyRow, key)).pipe(run("ownKeys.put")),

  list: (workspaceId) =>
    sql`
      SELECT ${sql.literal(columnsOf(OwnKeyRow, "k"))}
      FROM own_keys k WHERE k.workspace_id = ${workspaceId} ORDER BY k.vendor COLLATE "C"
    `.pipe(rows("ownKeys.list", OwnKeyRow)),

  remove: (workspaceId, vendor) => remove(sql, "own_keys", { workspaceId, vendor }).pipe(hasRows("ownKeys.remove")),

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
}))

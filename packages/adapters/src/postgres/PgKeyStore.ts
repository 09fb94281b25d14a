import { monthOf } from "@outbound/domain/calls/decideAdmission.js"
import { type ApiKey, KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { Array, Effect, Schema, Struct } from "effect"
import { changes, column, firstRow, mapOf } from "./Columns.js"
import { orUnavailable } from "./PgErrors.js"
import { API_KEY_COLUMNS, ApiKeyRow } from "./PgKeyRow.js"
import { readerOf, storeLayer, valuesOf } from "./Table.js"

const SpentRow = Schema.Struct({ keyId: Schema.String, committed: Credits })

/** What may change of a key. */
const Changing = ApiKeyRow.mapFields(Struct.omit(["keyId", "workspaceId", "workspaceKind", "createdAtMillis"]))

export const layer = storeLayer(KeyStore, (sql) => {
  const { all, columns } = readerOf(sql, "api_keys k", ApiKeyRow, API_KEY_COLUMNS)

  const get = (keyId: string) =>
    sql`
      SELECT ${columns} FROM key_catalogue c
      JOIN api_keys k ON k.workspace_id = c.workspace_id AND k.key_id = c.key_id
      WHERE c.key_id = ${keyId}
    `.pipe(firstRow("KeyStore.get", ApiKeyRow))

  return {
    insert: Effect.fnUntraced(function* (key: ApiKey, secretHash: string) {
      const { createdAtMillis, keyId, workspaceId } = key
      const ids = { workspace_id: workspaceId, key_id: keyId }
      yield* sql`INSERT INTO api_keys ${sql.insert(valuesOf(ApiKeyRow, key))}`
      yield* sql`INSERT INTO key_usage ${sql.insert({ ...ids, month: monthOf(createdAtMillis) })}`
      yield* sql`INSERT INTO key_catalogue ${sql.insert({ ...ids, secret_hash: secretHash })}`
    }, orUnavailable("KeyStore.insert")),
    get,
    hashOf: (workspaceId, keyId) =>
      sql`
        SELECT c.secret_hash AS "secretHash" FROM key_catalogue c
        WHERE c.key_id = ${keyId} AND c.workspace_id = ${workspaceId}
      `.pipe(column("KeyStore.hashOf", Schema.String), Effect.map(Array.head)),
    // Batches hold the account while they decide, so lock it first and then read the key.
    lock: (keyId) =>
      sql`
        SELECT 1 FROM key_catalogue c JOIN accounts a ON a.workspace_id = c.workspace_id
        WHERE c.key_id = ${keyId} FOR NO KEY UPDATE OF a
      `.pipe(orUnavailable("KeyStore.lock"), Effect.andThen(get(keyId))),
    update: (key) =>
      sql`
        UPDATE api_keys SET ${sql.update(valuesOf(Changing, key))}
        WHERE workspace_id = ${key.workspaceId} AND key_id = ${key.keyId} RETURNING key_id
      `.pipe(changes("KeyStore.update")),
    spentIn: (workspaceId, month) =>
      sql`
        SELECT key_id AS "keyId", committed FROM key_usage WHERE workspace_id = ${workspaceId} AND month = ${month}
      `.pipe(mapOf("KeyStore.spentIn", SpentRow, ({ committed, keyId }) => [keyId, committed])),
    list: (workspaceId) => all("KeyStore.list")(sql`k.workspace_id = ${workspaceId} ORDER BY k.created_at, k.key_id`)
  }
})

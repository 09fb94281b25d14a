import { monthOf } from "@outbound/domain/calls/decideAdmission.js"
import { type ApiKey, KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Option } from "effect"
import { changes, date, dateOrNull } from "./Columns.js"
import { orUnavailable } from "./PgErrors.js"
import { API_KEY_COLUMNS, type ApiKeyRow, fromApiKeyRow } from "./PgKeyRow.js"
import { storeLayer } from "./storeLayer.js"

const valuesOfKey = (key: ApiKey) => ({
  name: key.name,
  prefix: key.prefix,
  state: key.state,
  paused_at: dateOrNull(key.pausedAtMillis),
  scopes: key.scopes,
  capabilities_off: key.capabilitiesOff,
  autonomous_external_actions: key.autonomousExternalActions,
  monthly_spend_cap: key.monthlySpendCap,
  premium_allowance: key.premiumAllowance,
  rate_per_minute: key.ratePerMinute,
  run_required: key.runRequired
})

export const layer = storeLayer(KeyStore, (sql) => {
  const columns = sql.literal(API_KEY_COLUMNS)

  const get = (keyId: string) =>
    sql<ApiKeyRow>`
      SELECT ${columns} FROM key_catalogue c
      JOIN api_keys k ON k.workspace_id = c.workspace_id AND k.key_id = c.key_id
      WHERE c.key_id = ${keyId}
    `.pipe(
      Effect.map((rows) => Option.map(Option.fromNullable(rows[0]), fromApiKeyRow)),
      orUnavailable("KeyStore.get")
    )

  return {
    insert: Effect.fnUntraced(function* (key: ApiKey, secretHash: string) {
      const { createdAtMillis, keyId, workspaceId, workspaceKind } = key
      const ids = { workspace_id: workspaceId, key_id: keyId }
      const created = { workspace_kind: workspaceKind, created_at: date(createdAtMillis) }
      yield* sql`INSERT INTO api_keys ${sql.insert({ ...ids, ...created, ...valuesOfKey(key) })}`
      yield* sql`INSERT INTO key_usage ${sql.insert({ ...ids, month: monthOf(createdAtMillis) })}`
      yield* sql`INSERT INTO key_catalogue ${sql.insert({ ...ids, secret_hash: secretHash })}`
    }, orUnavailable("KeyStore.insert")),
    get,
    hashOf: (workspaceId, keyId) =>
      sql<{ readonly secretHash: string }>`
        SELECT c.secret_hash AS "secretHash" FROM key_catalogue c
        WHERE c.key_id = ${keyId} AND c.workspace_id = ${workspaceId}
      `.pipe(
        Effect.map(([row]) => Option.map(Option.fromNullable(row), ({ secretHash }) => secretHash)),
        orUnavailable("KeyStore.hashOf")
      ),
    // Batches hold the account while they decide, so lock it first and then read the key.
    lock: (keyId) =>
      sql`
        SELECT 1 FROM key_catalogue c JOIN accounts a ON a.workspace_id = c.workspace_id
        WHERE c.key_id = ${keyId} FOR NO KEY UPDATE OF a
      `.pipe(orUnavailable("KeyStore.lock"), Effect.zipRight(get(keyId))),
    update: (key) =>
      sql`
        UPDATE api_keys SET ${sql.update(valuesOfKey(key))}
        WHERE workspace_id = ${key.workspaceId} AND key_id = ${key.keyId} RETURNING key_id
      `.pipe(changes("KeyStore.update")),
    spentIn: (workspaceId, month) =>
      sql<{ readonly key_id: string; readonly committed: bigint }>`
        SELECT key_id, committed FROM key_usage WHERE workspace_id = ${workspaceId} AND month = ${month}
      `.pipe(
        Effect.map((found) => new Map(found.map(({ committed, key_id }) => [key_id, fromMicros(committed)] as const))),
        orUnavailable("KeyStore.spentIn")
      ),
    list: (workspaceId) =>
      sql<ApiKeyRow>`
        SELECT ${columns} FROM api_keys k WHERE k.workspace_id = ${workspaceId} ORDER BY k.created_at, k.key_id
      `.pipe(
        Effect.map((rows) => rows.map(fromApiKeyRow)),
        orUnavailable("KeyStore.list")
      )
  }
})

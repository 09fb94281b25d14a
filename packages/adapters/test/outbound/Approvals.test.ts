import { assert, it } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { approvalsContract } from "@outbound/testkit/contracts/approvals.js"
import { freshId, NOON, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { Effect, Option } from "effect"
import { SqlClient } from "../../src/postgres/Sql.js"
import { layer } from "./stores.js"

approvalsContract("PostgreSQL", layer)

it.layer(layer, SUITE)("whose key it is (PostgreSQL)", (it) => {
  it.effect("is who created it, of the same workspace: neither who changed it since, nor a key, nor the operator", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { keyOwner } = yield* ApprovalStore
      const [workspaceId, other, keyId, another, userId] = [freshId(), freshId(), freshId(), freshId(), freshId()]
      const logged = (action: string, of: string, key: string, kind: string, actor: string | null) => sql`
        INSERT INTO control_log (workspace_id, control_log_id, at, actor_kind, actor_id, action, direction, key_id, before, after)
        VALUES (${of}, ${freshId()}, ${new Date(NOON)}, ${kind}, ${actor}, ${action}, 'none', ${key}, '{}', '{}')
      `
      yield* logged("set_policy", workspaceId, keyId, "user", freshId())
      yield* logged("create_key", workspaceId, keyId, "key", freshId())
      yield* logged("create_key", workspaceId, another, "user", freshId())
      yield* logged("create_key", other, keyId, "user", freshId())
      yield* logged("create_key", workspaceId, keyId, "operator", null)
      assert.isTrue(Option.isNone(yield* keyOwner(workspaceId, keyId)))
      yield* logged("create_key", workspaceId, keyId, "user", userId)
      yield* logged("pause_key", workspaceId, keyId, "user", freshId())
      assert.strictEqual(Option.getOrNull(yield* keyOwner(workspaceId, keyId)), userId)
    })
  )
})

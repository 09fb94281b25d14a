import { assert, it } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { makeClient, makeKey } from "@outbound/testkit/service/Client.js"
import { Effect } from "effect"
import { controlInvariants } from "../../src/postgres/invariants/control.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { service } from "../service/service.js"

const SUITE = { timeout: "180 seconds" } as const

it.layer(service, SUITE)("the invariants of control", (it) => {
  it.effect("each holds of what the service writes, and is broken by what it never writes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const admin = yield* Admin
      const manager = yield* makeClient({ scopes: ["control:manage"] })
      const { workspaceId } = manager
      const other = yield* makeKey(workspaceId, manager.ownerEmail)
      yield* admin.changeKeyState(other.keyId, "pause")
      const loosen = { key_id: other.keyId, scopes: ["trail:read"] }
      assert.strictEqual((yield* manager.call("update_key", loosen, { key: "loosen" })).status, 403)
      assert.strictEqual((yield* manager.call("kill", { reason: "a test" }, { key: "kill" })).status, 200)

      const breachesOf = (name: string) =>
        Effect.map(
          sql.unsafe<{ readonly workspace_id: string }>(controlInvariants.find((one) => one.name === name)!.sql),
          (rows) => rows.filter((row) => row.workspace_id === workspaceId)
        )
      yield* sql.unsafe(`
        INSERT INTO follow_ups (workspace_id, follow_up_id, source, subject_hash, sealed, address_hashes, tries, due_at,
          answered_at, keep_until)
        VALUES ('${workspaceId}', '${workspaceId}', 'y', 'y', 'x', '{}', 31, now(), now(), now() + interval '90 days')`)
      for (const { name } of controlInvariants) assert.deepStrictEqual(yield* breachesOf(name), [], name)

      const campaign = `
        INSERT INTO campaigns (workspace_id, campaign_id, name, state, sequence, schedule, recipients_version,
          created_at, launched_at)
        VALUES ('${workspaceId}', '${other.keyId}', 'x', 'active', '[]', '{}', 1, now(), now())`
      const followUp = (tries: number, keepUntil: string) => `
        INSERT INTO follow_ups (workspace_id, follow_up_id, source, subject_hash, sealed, address_hashes, tries, due_at,
          keep_until)
        VALUES ('${workspaceId}', '${other.keyId}', 'x', 'x', 'x', '{}', ${tries}, now(), ${keepUntil})`
      const breaks: ReadonlyArray<readonly [name: string, ...statements: ReadonlyArray<string>]> = [
        ["suspensions_are_kills", `UPDATE kills SET cleared_at = now() WHERE workspace_id = '${workspaceId}'`],
        [
          "suspensions_are_kills",
          `UPDATE workspace_sending SET suspended_at = NULL WHERE workspace_id = '${workspaceId}'`
        ],
        [
          "killed_campaigns_never_restart",
          campaign,
          `INSERT INTO killed_campaigns (workspace_id, kill_id, campaign_id)
           SELECT workspace_id, kill_id, '${other.keyId}' FROM kills WHERE workspace_id = '${workspaceId}'`
        ],
        [
          "granted_changes_are_logged",
          `UPDATE change_requests SET state = 'approved', decided_at = now(), decided_by_user_id = change_request_id
           WHERE workspace_id = '${workspaceId}'`
        ],
        [
          "sandboxes_ask_no_vendor",
          `INSERT INTO own_keys (workspace_id, vendor, sealed_secret, last4, added_by, added_at)
           VALUES ('${workspaceId}', 'vendor', 'x', 'x', 'x', now())`
        ],
        [
          "sandboxes_ask_no_vendor",
          `UPDATE requests SET costs = '[]' WHERE workspace_id = '${workspaceId}' AND verb = 'kill'`
        ],
        [
          "the_erased_stay_out_of_the_directory",
          `INSERT INTO erasures (workspace_id, erasure_id, address_hash, requested_at, fingerprints, told, finished_at)
           VALUES ('${workspaceId}', '${other.keyId}', 'somebody', now(), '{}', true, now())`,
          `INSERT INTO directory_people (workspace_id, fingerprint, imported_at)
           VALUES ('${workspaceId}', 'somebody', now())`
        ],
        ["follow_ups_end", followUp(32, "now()")],
        ["follow_ups_end", followUp(1, "now() + interval '25 hours'")],
        [
          "follow_ups_end",
          followUp(1, "now() + interval '91 days'"),
          `UPDATE follow_ups SET answered_at = now() WHERE workspace_id = '${workspaceId}'`
        ]
      ]
      for (const [name, ...statements] of breaks) {
        const broken = Effect.andThen(
          Effect.forEach(statements, (statement) => sql.unsafe(statement)),
          Effect.flatMap(breachesOf(name), Effect.fail)
        )
        assert.lengthOf((yield* Effect.flip(sql.withTransaction(broken))) as ReadonlyArray<unknown>, 1, name)
      }
    }).pipe(Effect.orDie)
  )

  it.effect("a kill after the clock was set back leaves no message that seems to be claimed under it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { call, workspaceId } = yield* makeClient({ scopes: ["control:manage"] })
      // A message alone says enough here.
      yield* sql`
        ALTER TABLE messages DROP CONSTRAINT messages_workspace_id_campaign_lead_id_fkey,
          DROP CONSTRAINT messages_workspace_id_mailbox_id_fkey
      `
      yield* sql`
        INSERT INTO messages (
          workspace_id, message_id, campaign_id, campaign_lead_id, mailbox_id, address_hash, step_index, state, claimed_at,
          sent_at
        ) SELECT ${workspaceId}::uuid, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'x', 0,
          'sent', to_timestamp(4e9), to_timestamp(4e9)
      `
      assert.strictEqual((yield* call("kill", { reason: "a test" }, { key: "kill" })).status, 200)
      const rule = controlInvariants.find(({ name }) => name === "nothing_is_claimed_under_a_kill")
      const found = yield* sql.unsafe<{ readonly workspace_id: string }>(rule?.sql ?? "")
      assert.deepStrictEqual(
        found.filter((row) => row.workspace_id === workspaceId),
        []
      )
      const dated = yield* sql`
        SELECT FROM messages m JOIN kills k ON k.workspace_id = m.workspace_id AND k.suspended_at = m.sent_at
        WHERE m.workspace_id = ${workspaceId}
      `
      assert.lengthOf(dated, 1)
    })
  )
})

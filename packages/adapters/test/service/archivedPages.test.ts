import { assert, it } from "@effect/vitest"
import { member, ok, SUITE } from "@outbound/testkit/contracts/service/stories.js"
import { Effect } from "effect"
import { SqlClient } from "../../src/postgres/Sql.js"
import { service } from "./service.js"

const UNTIL = "2020-03-04T05:06:07.000Z"

it.layer(service, SUITE)("a page of a trail of which a part is archived", (it) => {
  it.effect("says so on the last page, if its filters reach as far", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const client = yield* member()
      const read = (filter: Record<string, unknown> = {}) =>
        Effect.map(client.call("get_trail", filter as never), (answered) => ok(answered).result.archived_until)
      assert.isUndefined(yield* read())
      yield* sql`
        INSERT INTO archived_trails (workspace_id, seal, hash, events, until, archived_at)
        VALUES (${client.workspaceId}, 1, 'x', 1, ${UNTIL}::timestamptz, now())
      `
      assert.strictEqual(String(yield* read()), UNTIL)
      assert.strictEqual(String(yield* read({ since: UNTIL })), UNTIL)
      assert.isUndefined(yield* read({ since: "2020-03-04T05:06:08.000Z" }))
      yield* sql`DELETE FROM archived_trails WHERE workspace_id = ${client.workspaceId}`
    })
  )
})

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Leases } from "../../src/postgres/journal/Leases.js"
import { RawPool } from "../../src/postgres/PgPool.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { database } from "./stores.js"

const TIMES = { heartbeatMillis: 50, idleMillis: 200 }

/** Several heartbeats, and longer than a host without calls goes on sending them. */
const LOOK_MILLIS = 500

const given = Effect.flatMap(RawPool, (pool) =>
  Effect.acquireRelease(
    Effect.promise(() => Leases.start(pool, TIMES)),
    (leases) => Effect.promise(() => leases.end())
  )
)

/** Whether the host sends heartbeats. */
const isBeating = (leases: Leases) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const last = Effect.map(
      sql<{
        readonly at: string
      }>`SELECT heartbeat_at::text AS at FROM hosts WHERE incarnation = ${leases.incarnation}`,
      ([row]) => row?.at
    )
    const before = yield* last
    yield* Effect.sleep(LOOK_MILLIS)
    return (yield* last) !== before
  })

const openCall = (leases: Leases) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      INSERT INTO open_calls (workspace_id, request_id, key_id, verb, mode, reserved, month, incarnation, created_at)
      VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'verify_email', 'act', 0, '2026-03',
        ${leases.incarnation}, now())
    `
  )

const endCalls = Effect.flatMap(SqlClient, (sql) => sql`DELETE FROM open_calls`)

layer(database, { excludeTestServices: true, timeout: "60 seconds" })("a host's lease", (it) => {
  it.effect("is renewed while a call is open, however long ago it was admitted, and no longer", () =>
    Effect.gen(function* () {
      const leases = yield* given
      yield* Effect.promise(() => leases.use())
      yield* openCall(leases)
      yield* Effect.sleep(LOOK_MILLIS)
      assert.isTrue(yield* isBeating(leases))
      yield* endCalls
      yield* Effect.sleep(LOOK_MILLIS)
      assert.isFalse(yield* isBeating(leases))
    })
  )

  it.effect("begins again with the next call, also where it was over and its host taken for dead", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const leases = yield* given
      yield* Effect.sleep(LOOK_MILLIS)
      const { incarnation } = leases
      yield* sql`DELETE FROM hosts WHERE incarnation = ${incarnation}`
      yield* Effect.promise(() => leases.renew())
      assert.notStrictEqual(leases.incarnation, incarnation)
      yield* Effect.promise(() => leases.use())
      yield* openCall(leases)
      yield* Effect.sleep(LOOK_MILLIS)
      assert.isTrue(yield* isBeating(leases))
      yield* endCalls
    })
  )
})

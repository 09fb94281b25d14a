import { assert, it } from "@effect/vitest"
import { LEASE_MILLIS } from "@outbound/domain/calls/CallJournal.js"
import { ClockStore } from "@outbound/domain/kernel/ports/ClockStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { freshId, givenWorkspace, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { Effect, Layer } from "effect"
import * as PgClockStore from "../../src/postgres/PgClockStore.js"
import { DATABASE_WAITS, SERVICE_WAITS } from "../../src/postgres/setBack.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { install } from "../../src/work/GraphileWork.js"
import { stores } from "./stores.js"

const HOUR = 3_600_000

/** What a round or a claim waits for has one of these names. */
const WAITS = /_until$|^due_at$|_due_at$|^next_|^over_at$|^received_at$|^set_aside_at$|^heartbeat_at$|opens_at$/

/** Why these columns are moved by no list of waits. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "campaigns.window_opens_at": "moved with its end, so that the window is looked for anew",
  "campaign_windows.opens_at": "moved with its end, so that the window is looked for anew",
  "campaign_leads.next_at": "moved by what its last message says",
  "company_boards.kept_until": "what was learnt in the future is learnt anew",
  "hosts.heartbeat_at": "begins anew",
  "replies.received_at": "history; nothing waits for it",
  "dmarc_reports.received_at": "history; nothing waits for it",
  "mailboxes.upkeep_paid_until": "paid for until that day, whatever the clock says",
  "follow_ups.keep_until": "kept until then, whatever the clock says",
  "vendor_campaigns.asked_until": "nothing waits for it longer than a turn, which is moved",
  "webhook_endpoints.previous_until": "a secret of before is good until then, whatever the clock says"
}

/** The database's clock was so far ahead when it was looked at last. */
const databaseWasAhead = (millis: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      INSERT INTO clock_marks (service_at, database_at)
      VALUES (clock_timestamp(), clock_timestamp() + ${millis} * interval '1 millisecond')
      ON CONFLICT (singleton) DO UPDATE SET service_at = EXCLUDED.service_at, database_at = EXCLUDED.database_at
    `
  )

const look = Effect.gen(function* () {
  const clocks = yield* ClockStore
  const { atomically } = yield* UnitOfWork
  return yield* atomically(clocks.look(Date.now(), Date.now()))
})

it.layer(Layer.provideMerge(PgClockStore.layer, stores), SUITE)("a database's clock that was set back", (it) => {
  it.effect("every column that something waits for is moved, or says why not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = yield* sql<{ readonly name: string; readonly column: string }>`
        SELECT c.table_name || '.' || c.column_name AS name, c.column_name AS column
        FROM information_schema.columns c
        JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
        WHERE c.table_schema = 'outbound' AND t.table_type = 'BASE TABLE' AND c.data_type = 'timestamp with time zone'
      `
      const waits = columns.filter(({ column }) => WAITS.test(column)).map(({ name }) => name)
      const moved = [...SERVICE_WAITS, ...DATABASE_WAITS].map(({ column, table }) => `${table}.${column}`)
      assert.sameMembers(waits, [...moved, ...Object.keys(OTHERWISE)])
    })
  )

  it.effect("a dead host is found a lease later, and a webhook rests no longer than it would have", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [dead, { workspaceId }] = [freshId(), yield* givenWorkspace()]
      yield* databaseWasAhead(5 * HOUR)
      yield* sql`INSERT INTO hosts (incarnation, heartbeat_at) VALUES (${dead}, clock_timestamp() + interval '5 hours')`
      yield* sql`
        INSERT INTO webhook_endpoints (workspace_id, endpoint_id, url, kinds, state, sealed_secret, created_at, rests_until)
        VALUES (${workspaceId}, ${freshId()}, 'https://example.test/', '{}', 'enabled', 's', now(),
          clock_timestamp() + interval '5 hours 10 seconds')
      `.pipe(Effect.orDie)
      assert.isAbove((yield* look).storeMillis, 5 * HOUR - 60_000)
      const [left] = yield* sql<{ readonly host: number; readonly endpoint: number }>`
        SELECT extract(epoch FROM h.heartbeat_at - clock_timestamp())::float8 * 1000 AS host,
          extract(epoch FROM e.rests_until - clock_timestamp())::float8 * 1000 AS endpoint
        FROM hosts h, webhook_endpoints e WHERE h.incarnation = ${dead} AND e.workspace_id = ${workspaceId}
      `
      assert.isAtMost(left?.host ?? Infinity, 0)
      assert.isAbove(left?.host ?? -Infinity, -LEASE_MILLIS)
      assert.isBelow(left?.endpoint ?? Infinity, 60_000)
      assert.strictEqual((yield* look).storeMillis, 0)
    })
  )

  it.effect("a job runs when it would have, and one that was taken by a host that died is put back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* install
      yield* databaseWasAhead(5 * HOUR)
      yield* sql`SELECT work_announce('sweeps', 'waits', ${5 * HOUR + 20_000})`
      yield* sql`SELECT work_announce('sweeps', 'taken', 0)`
      yield* sql`
        UPDATE graphile_worker._private_jobs
        SET locked_at = clock_timestamp() + interval '5 hours', locked_by = 'dead' WHERE key = 'sweeps:taken'
      `
      yield* look
      const jobs = yield* sql<{ readonly key: string; readonly isFree: boolean; readonly seconds: number }>`
        SELECT key, locked_at IS NULL AS "isFree", extract(epoch FROM run_at - clock_timestamp())::float8 AS seconds
        FROM graphile_worker.jobs WHERE key IS NOT NULL ORDER BY key
      `
      assert.deepStrictEqual(
        jobs.map(({ isFree, key }) => [key, isFree]),
        [
          ["sweeps:taken", true],
          ["sweeps:waits", true]
        ]
      )
      assert.isAtMost(jobs[0]?.seconds ?? Infinity, 0)
      assert.isBelow(jobs[1]?.seconds ?? Infinity, 60)
    })
  )

  it.effect("of less than hosts may differ by is none", () =>
    Effect.gen(function* () {
      yield* databaseWasAhead(50_000)
      assert.deepStrictEqual(yield* look, { serviceMillis: 0, storeMillis: 0 })
    })
  )
})

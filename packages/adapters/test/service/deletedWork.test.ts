import { assert, layer } from "@effect/vitest"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import { DONE, JobHandlers, LongWork } from "@outbound/domain/kernel/ports/LongWork.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { guardOf, kill } from "@outbound/testkit/contracts/service/killSupport.js"
import {
  deliveries,
  launched,
  ok,
  pass,
  sender,
  silent,
  SUITE,
  work
} from "@outbound/testkit/contracts/service/stories.js"
import { balanceOf } from "@outbound/testkit/contracts/service/support.js"
import { Clock, Effect, Layer, Redacted } from "effect"
import { deleteWorkspace, PERMANENT } from "../../src/postgres/deleting/deleteWorkspace.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { breaches } from "../postgres/stores.js"
import { TestDatabase } from "../support/TestDatabase.js"
import { service } from "./service.js"

/** Those that are about everybody's rows, not about one thing of one workspace. */
const OF_EVERYBODY = ["follow_ups", "sweeps"]

/** Those whose things are known by a name, not by an id, and those that are about the whole workspace. */
const BY_NAME = ["link_host", "look"]
const OF_ALL = ["canary", "postmaster"]

/** Rows of a workspace that are left, by table. */
const rowsOf = (workspaceId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tables = yield* sql<{ readonly name: string }>`
      SELECT c.relname AS name FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
      WHERE c.relnamespace = current_setting('outbound.schema')::regnamespace AND c.relkind IN ('r', 'p')
        AND NOT c.relispartition
    `
    const held = yield* Effect.forEach(tables, ({ name }) =>
      Effect.map(
        sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM ${sql(name)} WHERE workspace_id = ${workspaceId}`,
        ([row]) => ({ name, n: row?.n ?? 0 })
      )
    )
    return held.flatMap(({ n, name }) => (n > 0 && !PERMANENT.includes(name) ? [name] : []))
  })

layer(service, SUITE)("work that waits for a workspace which was deleted", (it) => {
  it.effect("ends at once, whatever it is: no row comes back, no mail leaves, and nobody else's credits change", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { url } = yield* TestDatabase
      const neighbour = yield* sender()
      const client = yield* sender()
      const { workspaceId } = client
      const campaignId = yield* launched(client, { recipients: silent(3, "deleted") })
      yield* work
      const guard = yield* guardOf(client)
      ok(yield* kill(guard))
      yield* pass("10 seconds")
      const things = (yield* sql<{ readonly id: string }>`
        SELECT operation_id::text AS id FROM operations WHERE workspace_id = ${workspaceId}
        UNION ALL SELECT campaign_id::text FROM campaigns WHERE workspace_id = ${workspaceId}
        UNION ALL SELECT kill_id::text FROM kills WHERE workspace_id = ${workspaceId}
      `).map(({ id }) => id)
      assert.isAtLeast(things.length, 3)
      const [named] = yield* sql<{ readonly name: string }>`
        SELECT name FROM workspaces WHERE workspace_id = ${workspaceId}
      `
      const sent = (yield* deliveries(campaignId)).length
      assert.isAbove(sent, 0)
      const before = yield* balanceOf(neighbour)

      const at = new Date(yield* Clock.currentTimeMillis)
      const deleted = yield* deleteWorkspace(Redacted.make(url), workspaceId, named?.name ?? "", at)
      assert.isAbove(deleted.rows, 10)

      const handlers = yield* Effect.map(Layer.build(Outbound.jobs), (context) =>
        context.mapUnsafe.get(JobHandlers.key)
      )
      const ofOne = Object.entries(handlers as JobHandlers["Service"]).filter(([kind]) => !OF_EVERYBODY.includes(kind))
      assert.isAtLeast(ofOne.length, 7)
      const keysOf = (kind: string): ReadonlyArray<string> => {
        if (OF_ALL.includes(kind)) return [workspaceId]
        return (BY_NAME.includes(kind) ? ["acme.example"] : things).map((thing) => `${workspaceId}/${thing}`)
      }
      const jobs = ofOne.flatMap(([kind, handler]) => keysOf(kind).map((key) => ({ kind, handler, key })))
      for (const { handler, key, kind } of jobs) assert.deepStrictEqual(yield* handler(key), DONE, kind)

      // The same by the engine, with all that hosts do beside it, for longer than anything of theirs would have waited.
      const { announce } = yield* LongWork
      const { atomically } = yield* UnitOfWork
      yield* atomically(announce(jobs.map(({ key, kind }) => ({ kind, key }))))
      yield* pass("2 minutes", "5 seconds")

      assert.deepStrictEqual(yield* rowsOf(workspaceId), [])
      assert.lengthOf(yield* deliveries(campaignId), sent)
      assert.deepStrictEqual(yield* balanceOf(neighbour), before)
      assert.deepStrictEqual(yield* breaches, [])
    })
  )
})

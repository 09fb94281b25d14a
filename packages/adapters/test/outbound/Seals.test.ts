import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { SealStore } from "@outbound/domain/kernel/trail/SealStore.js"
import { sealsContract, appended, eventIn, exported, faultOf, sealedAt } from "@outbound/testkit/contracts/seals.js"
import { freshId, MINUTE, NOON, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { trailInvariants } from "../../src/postgres/invariants/trail.js"
import * as PgErasureStore from "../../src/postgres/PgErasureStore.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { dueTimes } from "../../src/work/dueTimes.js"
import { layer as outboundStores } from "./stores.js"

const layer = Layer.provideMerge(PgErasureStore.layer, outboundStores)

sealsContract("PostgreSQL", layer)

/** Ways to change the trail behind the program's back, on a workspace with two seals of three events each. */
const TAMPERINGS: Readonly<Record<string, string>> = {
  "an event is changed": "UPDATE trail_events SET kind = 'sent' WHERE workspace_id = $1 AND event_id = $2",
  "a detail is changed": `UPDATE trail_events SET detail = '{"n": 8}' WHERE workspace_id = $1 AND event_id = $2`,
  "an event is removed": "DELETE FROM trail_events WHERE workspace_id = $1 AND event_id = $2",
  "an event is said to have come later": `
    UPDATE trail_events SET observed_at = observed_at + interval '1 minute' WHERE workspace_id = $1 AND event_id = $2
  `,
  "an event is inserted": `
    INSERT INTO trail_events (workspace_id, event_id, kind, source, observed_at, detail, seal)
    SELECT workspace_id, gen_random_uuid(), kind, source, observed_at, detail, seal FROM trail_events
    WHERE workspace_id = $1 AND event_id = $2
  `,
  "an event is moved to the other seal": `
    UPDATE trail_events SET seal = 3 - seal WHERE workspace_id = $1 AND event_id = $2
  `,
  "an event is taken out of its seal": `
    UPDATE trail_events SET seal = NULL WHERE workspace_id = $1 AND event_id = $2
  `,
  "two persons are swapped": `
    UPDATE trail_events e SET subject_id = (
      SELECT max(o.subject_id) FROM trail_events o WHERE o.workspace_id = $1 AND o.subject_id <> e.subject_id
    ) WHERE e.workspace_id = $1 AND e.event_id = $2
  `,
  "an address is changed": `
    UPDATE subjects s SET email = 'else@example.com' FROM trail_events e
    WHERE e.workspace_id = $1 AND e.event_id = $2 AND s.workspace_id = e.workspace_id AND s.subject_id = e.subject_id
  `,
  "the first seal is removed with its events": `
    WITH gone AS (DELETE FROM trail_events e USING trail_events o WHERE o.workspace_id = $1 AND o.event_id = $2
      AND e.workspace_id = o.workspace_id AND e.seal = o.seal)
    DELETE FROM trail_seals WHERE workspace_id = $1 AND number = 1
  `,
  "a seal is removed": "DELETE FROM trail_seals WHERE workspace_id = $1 AND number = 2 AND $2 <> ''",
  "a seal is changed": `
    UPDATE trail_seals SET sealed_at = sealed_at + interval '1 minute' WHERE workspace_id = $1 AND $2 <> ''
  `
}

const given = Effect.gen(function* () {
  const workspaceId = freshId()
  const first = Array.from({ length: 3 }, (_, n) =>
    eventIn(workspaceId, { email: `${n}@example.com`, detail: { n: 7 }, observedAtMillis: NOON + n })
  )
  for (const events of [first, first.map((event) => ({ ...event, eventId: freshId() }))]) {
    yield* appended(...events)
    yield* sealedAt(workspaceId, NOON + 2 * MINUTE)
  }
  return { workspaceId, eventId: first[1]?.eventId ?? "" }
})

it.layer(layer, SUITE)("what the seals in the database show", (it) => {
  const breachesOf = (workspaceId: string) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const found = yield* Effect.forEach(trailInvariants, (rule) =>
        sql.unsafe<{ readonly workspace_id: string; readonly breach: string }>(rule.sql)
      )
      return found.flat().filter((row) => row.workspace_id === workspaceId)
    })

  it.effect("nothing of a trail that is as it was, also while events wait for their seal", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* given
      yield* appended(eventIn(workspaceId))
      assert.deepStrictEqual(yield* breachesOf(workspaceId), [])
      assert.isNull(faultOf((yield* exported(workspaceId)).lines))
    })
  )

  for (const [what, statement] of Object.entries(TAMPERINGS)) {
    it.effect(`that ${what}`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { eventId, workspaceId } = yield* given
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`ALTER TABLE trail_seals DISABLE TRIGGER USER`
            yield* sql.unsafe(statement, [workspaceId, eventId])
            yield* sql`ALTER TABLE trail_seals ENABLE TRIGGER USER`
          })
        )
        assert.isNotEmpty(yield* breachesOf(workspaceId))
      })
    )
  }

  it.effect(
    "an event waits for the next seal while somebody has its person's row locked, and nobody waits for it",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const workspaceId = freshId()
        const busy = eventIn(workspaceId, { email: "busy@example.com" })
        yield* appended(busy, eventIn(workspaceId, { email: "free@example.com" }))
        const [isHeld, isOver] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const holder = yield* Effect.forkChild(
          sql.withTransaction(
            sql`SELECT 1 FROM subjects WHERE workspace_id = ${workspaceId} AND email = ${"busy@example.com"} FOR UPDATE`.pipe(
              Effect.andThen(Deferred.succeed(isHeld, undefined)),
              Effect.andThen(Deferred.await(isOver))
            )
          )
        )
        yield* Deferred.await(isHeld)
        assert.strictEqual(yield* sealedAt(workspaceId, NOON + 2 * MINUTE), 1)
        yield* Deferred.succeed(isOver, undefined)
        yield* Fiber.join(holder)
        assert.strictEqual(yield* sealedAt(workspaceId, NOON + 2 * MINUTE), 1)
        const all = yield* exported(workspaceId)
        assert.strictEqual(all.ids[1], busy.eventId)
        assert.isNull(faultOf(all.lines))
      })
  )

  it.effect("a chain that a host seals is left to it by the others, which do not wait", () =>
    Effect.gen(function* () {
      const { lockUnsealed } = yield* SealStore
      const { atomically } = yield* UnitOfWork
      const workspaceId = freshId()
      yield* appended(eventIn(workspaceId))
      const isFound = Effect.map(atomically(lockUnsealed(NOON + MINUTE)), (found) => found.includes(workspaceId))
      const [isHeld, isOver] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* Effect.forkChild(
        atomically(
          lockUnsealed(NOON + MINUTE).pipe(
            Effect.andThen(Deferred.succeed(isHeld, undefined)),
            Effect.andThen(Deferred.await(isOver))
          )
        )
      )
      yield* Deferred.await(isHeld)
      assert.isFalse(yield* isFound)
      yield* Deferred.succeed(isOver, undefined)
      yield* Fiber.join(holder)
      assert.isTrue(yield* isFound)
    })
  )

  it.effect("a host at rest seals when the first event has waited a minute, or at once if a clock was ahead", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const workspaceId = freshId()
      const dueIn = (nowMillis: number) =>
        Effect.map(dueTimes(sql, nowMillis), (due) => due.find(({ round }) => round === "seals")?.inMillis ?? null)
      yield* sql`UPDATE trail_events SET seal = 0 WHERE seal IS NULL`
      assert.isNull(yield* dueIn(NOON))
      yield* appended(eventIn(workspaceId))
      assert.strictEqual(yield* dueIn(NOON), MINUTE)
      yield* appended(eventIn(workspaceId, { observedAtMillis: NOON + 60 * MINUTE }))
      assert.strictEqual(yield* dueIn(NOON), 0)
    })
  )
})

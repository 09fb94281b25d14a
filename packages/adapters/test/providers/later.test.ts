import { assert, layer as describeLayer } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { LaterStore } from "@outbound/domain/sources/LaterStore.js"
import { DAY, freshId, givenWorkspace, HOUR, MINUTE } from "@outbound/testkit/contracts/fixtures.js"
import { TestPassing } from "@outbound/testkit/memory/Hooks.js"
import { laterContract } from "@outbound/testkit/contracts/later.js"
import { followUpLanesContract } from "@outbound/testkit/contracts/service/followUpLanes.js"
import { followUpsContract } from "@outbound/testkit/contracts/service/followUps.js"
import { liveWithFollowUps } from "@outbound/testkit/contracts/service/followUpScripts.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as PgStores from "../../src/postgres/PgStores.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { everyRow } from "../postgres/everyRow.js"
import { quietDatabase } from "../service/service.js"

/** The database's clock is nobody's to set: what is kept grows older instead. The hosts' clocks stand still meanwhile. */
const passing = Layer.effect(
  TestPassing,
  Effect.map(SqlClient, (sql) => ({
    pass: (millis) =>
      sql`
        UPDATE follow_ups SET due_at = due_at - ${millis} * interval '1 millisecond',
          keep_until = keep_until - ${millis} * interval '1 millisecond'
      `.pipe(Effect.orDie, Effect.asVoid)
  }))
)

const layer = Layer.merge(everyRow, passing).pipe(
  Layer.provideMerge(over(PgStores.layer, liveWithFollowUps)),
  Layer.provideMerge(quietDatabase),
  Layer.orDie
)

describeLayer(layer)("a host whose clock is wrong", (it) => {
  it.effect("neither takes what is not due, nor what another host has claimed", () =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* LaterStore
      const { workspaceId } = yield* givenWorkspace()
      const common = {
        workspaceId,
        source: "a_source",
        requestId: null,
        sealed: "sealed",
        addressHashes: [],
        keepMillis: DAY
      }
      const asked = (subjectHash: string, afterMillis: number) =>
        atomically(store.insert({ ...common, subjectHash, followUpId: freshId(), afterMillis }))
      const claim = atomically(
        store.claim({ leaseMillis: MINUTE, lanes: [{ source: "a_source", limit: 10 }], limit: 10 })
      )
      yield* asked("not due", HOUR)
      yield* asked("claimed", 0)
      assert.lengthOf(yield* claim, 1)
      for (const days of [365, -365]) {
        yield* TestClock.setTime(Date.now() + days * DAY)
        assert.lengthOf(yield* claim, 0)
      }
    })
  )
})

laterContract("postgres", layer)
followUpsContract("postgres", layer)
followUpLanesContract("postgres", layer)

import { assert, it } from "@effect/vitest"
import { RetentionStore } from "@outbound/domain/control/erasure/RetentionStore.js"
import { DirectoryStore } from "@outbound/domain/data/directory/DirectoryStore.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { ListStore } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import { givenCaller } from "@outbound/testkit/contracts/calls.js"
import { DAY, NOON, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { givenList } from "@outbound/testkit/contracts/listRows.js"
import { called, retainingContract, SOMEBODY } from "@outbound/testkit/contracts/retaining.js"
import { Deferred, Effect, Fiber, Layer } from "effect"
import * as PgDirectoryStore from "../../src/postgres/PgDirectoryStore.js"
import * as PgErasureStore from "../../src/postgres/PgErasureStore.js"
import * as PgListStore from "../../src/postgres/PgListStore.js"
import * as PgRetentionStore from "../../src/postgres/PgRetentionStore.js"
import * as PgVerdictStore from "../../src/postgres/PgVerdictStore.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { layer as outboundStores } from "./stores.js"

const layer = Layer.provideMerge(
  Layer.mergeAll(
    PgDirectoryStore.layer,
    PgErasureStore.layer,
    PgListStore.layer,
    PgRetentionStore.layer,
    PgVerdictStore.layer
  ),
  outboundStores
)

retainingContract("PostgreSQL", layer)

const TABLES = ["idempotency_records", "list_rows", "enrichment_cache", "email_verdicts", "directory_people"]

it.layer(layer, SUITE)("retention beside others who write", (it) => {
  it.effect("what somebody holds is left for a later round, which nobody waits for", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { atomically } = yield* UnitOfWork
      const [store, lists] = [yield* RetentionStore, yield* ListStore]
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const expiresAtMillis = NOON - DAY
      const cache = { personKey: "ann", contact: "", emailLookedUp: true, mobileSearched: false, expiresAtMillis }
      const verdict = { addressHash: "ann", status: "valid" } as const
      const call = yield* called(keyHash, NOON - 2 * DAY, { cache, verdict, settledAtMillis: NOON - DAY })
      yield* call.settle
      const people = [{ ...SOMEBODY, fingerprint: "ann", importedAtMillis: NOON - DAY }]
      yield* atomically((yield* DirectoryStore).putPeople(workspaceId, people))
      const list = yield* givenList(1)
      const row = { workspaceId: list.workspaceId, rowId: list.rows[0]!.rowId, charged: credits("0"), body: "{}" }
      yield* atomically(lists.begin(row.workspaceId, [row.rowId]))
      yield* atomically(lists.end(row, "done", NOON - DAY))
      const counts = Effect.forEach(
        [
          store.forgetOutcomes(NOON, [], 9),
          store.forgetRows(NOON, 9),
          store.forgetContacts(NOON, 9),
          store.forgetVerdicts(NOON, 9),
          store.forgetPeople(NOON, 9)
        ],
        (forget) => atomically(forget)
      )
      const [isHeld, isOver] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            for (const table of TABLES) yield* sql`SELECT 1 FROM ${sql.literal(table)} FOR UPDATE`
            yield* Deferred.succeed(isHeld, undefined)
            yield* Deferred.await(isOver)
          })
        )
      )
      yield* Deferred.await(isHeld)
      assert.deepStrictEqual(yield* counts, [0, 0, 0, 0, 0])
      yield* Deferred.succeed(isOver, undefined)
      yield* Fiber.join(holder)
      assert.deepStrictEqual(yield* counts, [1, 1, 1, 1, 1])
    })
  )
})

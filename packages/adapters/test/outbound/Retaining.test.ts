import { assert, it } from "@effect/vitest"
import { RetentionStore } from "@outbound/domain/control/erasure/RetentionStore.js"
import { DirectoryStore } from "@outbound/domain/data/directory/DirectoryStore.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { ListStore } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import { givenCaller } from "@outbound/testkit/contracts/calls.js"
import { DAY, NOON, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { givenList } from "@outbound/testkit/contracts/listRows.js"
import { makeCampaign, makeLead } from "@outbound/testkit/contracts/outboundFixtures.js"
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

  it.effect("of whom a call was about those stay known whom a campaign has, and nobody else", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { atomically } = yield* UnitOfWork
      const [store, lists, campaigns] = [yield* RetentionStore, yield* ListStore, yield* CampaignStore]
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const lead = makeLead(workspaceId, "ann@x.test")
      yield* atomically(campaigns.insert(makeCampaign({ workspaceId }), [lead]))
      const subjects = [lead.addressHash, "nobody"]
      const call = yield* called(keyHash, NOON - DAY, { subjects })
      yield* call.settle
      const list = yield* givenList(1, workspaceId)
      const { rowId } = list.rows[0]!
      const ofRow = yield* called(keyHash, NOON - DAY, { subjects, isListed: true }, { requestId: rowId })
      yield* ofRow.settle
      yield* atomically(lists.begin(workspaceId, [rowId]))
      yield* atomically(lists.end({ workspaceId, rowId, charged: credits("0"), body: "{}" }, "done", NOON - DAY))
      const known = Effect.map(
        sql<{ readonly subject: string }>`
          SELECT address_hash AS subject FROM call_subjects
          WHERE workspace_id = ${workspaceId} ORDER BY request_id = ${call.requestId} DESC, address_hash = 'nobody'
        `,
        (rows) => rows.map(({ subject }) => subject)
      )
      assert.deepStrictEqual(yield* known, [...subjects, ...subjects])
      // Each call's outcome, and then the row's answer.
      assert.strictEqual(yield* atomically(store.forgetRows(NOON, 9)), 1)
      assert.deepStrictEqual(yield* known, [...subjects, lead.addressHash])
      yield* atomically(store.forgetOutcomes(NOON, [], 9))
      assert.deepStrictEqual(yield* known, [lead.addressHash, lead.addressHash])
    })
  )
})

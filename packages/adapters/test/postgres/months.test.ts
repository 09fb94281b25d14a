import { assert, it } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { admitted, anAttempt, givenCaller, settlementOf } from "@outbound/testkit/contracts/calls.js"
import { grant, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { Clock, Context, Effect, Layer } from "effect"
import { migrate } from "../../src/postgres/Migrations.js"
import { migrations } from "../../src/postgres/migrations/migrations.js"
import { firstIdOf } from "../../src/postgres/Columns.js"
import { keepMonths, keepMonthsNow } from "../../src/postgres/months/Months.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { freshDatabase } from "../support/TestDatabase.js"
import { broken, givenCalls, idAt, LATER, lateRows, monthAfter, nameOf, NOW, rowsOfPartitions } from "./Months.js"
import { poolTo, stores } from "./stores.js"

it.layer(stores, SUITE)("months", (it) => {
  it.effect("have a partition before they begin, also where calls came before it", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const [soon, far] = [monthAfter(1), monthAfter(30)]
      for (const millis of [NOW, soon, far]) {
        yield* journal.settle(settlementOf(yield* admitted(anAttempt(keyHash, { requestId: idAt(millis) }))))
      }
      assert.deepStrictEqual(Object.values(yield* rowsOfPartitions(workspaceId)), [1, 2])
      yield* keepMonths(NOW)
      assert.hasAllKeys(yield* rowsOfPartitions(workspaceId), ["requests_before", nameOf(soon), "requests_beyond"])
      yield* keepMonths(far)
      assert.hasAllKeys(yield* rowsOfPartitions(workspaceId), ["requests_before", nameOf(soon), nameOf(far)])
      assert.deepStrictEqual(yield* broken("archived"), [])
    })
  )
})

it.layer(stores, SUITE)("a clock that jumped ahead", (it) => {
  it.effect("seals nothing, and makes no partitions for the years that it skipped", () =>
    Effect.gen(function* () {
      yield* givenCalls
      const ahead: Clock.Clock = Object.create(Clock.Clock.defaultValue(), {
        currentTimeMillisUnsafe: { value: () => monthAfter(50) },
        currentTimeMillis: { value: Effect.succeed(monthAfter(50)) }
      })
      const kept = Effect.provideService(keepMonthsNow, Clock.Clock, ahead)
      assert.deepStrictEqual(yield* kept, { added: 2, sealed: false, breaches: [] })
      assert.deepStrictEqual(yield* kept, { added: 0, sealed: false, breaches: [] })
    })
  )
})

it.layer(stores, SUITE)("months that are over", (it) => {
  it.effect("are sealed once they are checked, and what comes to them later counts too", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const journal = yield* CallJournal
      const { keyHash, open, workspaceId } = yield* givenCalls
      assert.isFalse((yield* keepMonths(NOW)).sealed)
      const both = yield* Effect.all([keepMonths(LATER), keepMonths(LATER)], { concurrency: "unbounded" })
      assert.isTrue(both.some(({ sealed }) => sealed))
      assert.deepStrictEqual(yield* broken(), [])

      // As in a database that was restored, where partitions are new.
      yield* sql.unsafe("DROP TRIGGER requests_note_late ON requests_before")
      yield* keepMonths(LATER)
      yield* journal.settle(settlementOf(open))
      yield* grant(workspaceId, "7")
      assert.deepStrictEqual(yield* lateRows(workspaceId), ["call", "charge", "grant"])
      assert.deepStrictEqual(yield* broken(), [])
      assert.deepStrictEqual(yield* broken("archived"), [])

      const next = yield* admitted(anAttempt(keyHash, { requestId: idAt(monthAfter(2)) }))
      yield* journal.settle(settlementOf(next))
      assert.deepStrictEqual(yield* broken(), [])
      assert.isTrue((yield* keepMonths(monthAfter(4))).sealed)
      assert.deepStrictEqual(yield* lateRows(workspaceId), [])
      assert.deepStrictEqual(yield* broken(), [])
      assert.deepStrictEqual(yield* broken("archived"), [])

      // A month of a workspace without calls, in which something was granted.
      const { atomically } = yield* UnitOfWork
      const entry = { entryId: idAt(monthAfter(5)), workspaceId, kind: "grant" as const, requestId: null }
      const granted = { ...entry, amount: credits("7"), countsAsPaymentMethod: false, atMillis: monthAfter(5) }
      yield* atomically((yield* CreditStore).add(granted))
      assert.isTrue((yield* keepMonths(monthAfter(7))).sealed)
      assert.deepStrictEqual(yield* broken(), [])

      // What sums stand for is read only by a check of everything.
      yield* sql`UPDATE requests SET charged = charged + 1 WHERE workspace_id = ${workspaceId}`
      assert.deepStrictEqual(yield* broken(), [])
      assert.include(yield* broken("archived"), "charges_are_calls")
      yield* sql`UPDATE requests SET charged = charged - 1 WHERE workspace_id = ${workspaceId}`
      yield* sql`UPDATE sealed_sums SET amount = amount + 1 WHERE workspace_id = ${workspaceId}`
      assert.deepStrictEqual(yield* broken(), ["balance_is_the_ledger"])
      yield* sql`UPDATE sealed_sums SET amount = amount - 1 WHERE workspace_id = ${workspaceId}`
    })
  )
})

it.layer(stores, SUITE)("months with a breach", (it) => {
  it.effect("stay open, and are named", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { workspaceId } = yield* givenCalls
      yield* sql`UPDATE accounts SET available = available + 1 WHERE workspace_id = ${workspaceId}`
      const kept = yield* keepMonths(LATER)
      assert.isFalse(kept.sealed)
      assert.deepStrictEqual(
        kept.breaches.map(({ name }) => name),
        ["balance_is_the_ledger"]
      )
      yield* sql`UPDATE accounts SET available = available - 1 WHERE workspace_id = ${workspaceId}`
      assert.isTrue((yield* keepMonths(LATER)).sealed)
    })
  )
})

it.layer(Layer.empty, SUITE)("a database of before", (it) => {
  it.effect("keeps its rows where they are, without reading them while calls wait", () =>
    Effect.gen(function* () {
      const { url } = yield* freshDatabase
      const pool = yield* Layer.build(poolTo(url))
      const sql = Context.get(pool, SqlClient)
      const before = migrations.findIndex(({ name }) => name === "months")
      yield* Effect.provide(migrate(migrations.slice(0, before)), pool)
      yield* sql`
        INSERT INTO requests (workspace_id, request_id, key_id, verb, mode, status, admitted, http_status, charged,
          created_at, finished_at)
        SELECT gen_random_uuid(), ${firstIdOf(NOW)}::uuid, gen_random_uuid(), 'find_leads', 'act', 'failed', false, 402, 0,
          now(), now() FROM generate_series(1, 1000)
      `
      const fileOf = (table: string) =>
        sql<{ readonly file: number }>`SELECT pg_relation_filenode(${table}::regclass) AS file`
      const file = yield* fileOf("requests")
      yield* Effect.provide(migrate(), pool)
      assert.deepStrictEqual(yield* fileOf("requests_before"), file)
      const [found] = yield* sql<{ readonly rows: number }>`SELECT count(*)::integer AS rows FROM requests`
      assert.strictEqual(found?.rows, 1000)
    })
  )
})

import { assert, it } from "@effect/vitest"
import type { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { anAttempt, givenCaller, moneyOf, settlementOf } from "@outbound/testkit/contracts/calls.js"
import { patience } from "@outbound/testkit/service/patience.js"
import { Effect, Layer, Ref, Schedule } from "effect"
import { migrate } from "../../src/postgres/Migrations.js"
import { makeHost } from "../../src/postgres/PgCallJournal.js"
import { layer as creditStore } from "../../src/postgres/PgCreditStore.js"
import { check } from "../../src/postgres/PgInvariants.js"
import { layer as keyStore } from "../../src/postgres/PgKeyStore.js"
import { layer as unitOfWork } from "../../src/postgres/PgUnitOfWork.js"
import { layer as workspaceStore } from "../../src/postgres/PgWorkspaceStore.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { place, run } from "../embedded/support.js"
import { poolTo } from "./stores.js"

/** Calls that are made one after the other by each of the callers at once. */
const CALLERS = 12
const CALLS = 40
const KILLED_AFTER = 100

type Journal = CallJournal["Service"]

/** Makes one call and settles it, whatever the database does meanwhile. What was admitted is always settled. */
const oneCall = (journal: Journal, keyHash: string) =>
  Effect.suspend(() =>
    Effect.gen(function* () {
      const admission = yield* journal.admit(anAttempt(keyHash))
      if (admission._tag !== "Admitted") return yield* Effect.die(new Error(admission._tag))
      yield* journal.settle(settlementOf(admission.call))
    }).pipe(Effect.retry({ schedule: Schedule.spaced("25 millis"), while: patience() }))
  )

it.live(
  "a database that is killed under load loses no credit, charges no call twice, and is used again when it is back",
  () =>
    Effect.gen(function* () {
      const where = yield* place()
      const server = yield* run(where)
      const pool = yield* Layer.build(poolTo(server.url))
      yield* Effect.provide(migrate(), pool)
      const stores = yield* Layer.build(
        Layer.mergeAll(unitOfWork, creditStore, keyStore, workspaceStore).pipe(
          Layer.provideMerge(Layer.succeedContext(pool))
        )
      )
      const host = yield* Effect.provide(makeHost, pool)
      yield* Effect.gen(function* () {
        const { keyHash, workspaceId } = yield* givenCaller("1000", { ratePerMinute: 100_000 })
        const made = yield* Ref.make(0)
        const killWhenUnderWay = Effect.flatMap(
          Ref.updateAndGet(made, (count) => count + 1),
          (count) =>
            Effect.when(
              Effect.sync(() => process.kill(where.postmaster(), "SIGKILL")),
              Effect.sync(() => count === KILLED_AFTER)
            )
        )
        yield* Effect.forEach(
          Array.from({ length: CALLERS }),
          () => Effect.repeat(Effect.andThen(oneCall(host.journal, keyHash), killWhenUnderWay), { times: CALLS - 1 }),
          { concurrency: "unbounded" }
        )

        const sql = yield* SqlClient
        const [row] = yield* sql<{ readonly charges: bigint; readonly calls: bigint }>`
          SELECT (SELECT count(*) FROM ledger_entries WHERE kind = 'charge') AS charges,
            (SELECT count(*) FROM requests WHERE status = 'succeeded') AS calls
        `
        // A caller that was told of a failure made its call anew: more may have been charged than it counted, none twice.
        assert.isAtLeast(Number(row?.charges), CALLERS * CALLS)
        assert.strictEqual(row?.charges, row?.calls)
        const reports = yield* check()
        assert.deepStrictEqual(
          reports.filter(({ count }) => count > 0),
          []
        )
        assert.strictEqual((yield* moneyOf(workspaceId)).reserved, "0")
      }).pipe(Effect.provide(stores))
    }),
  180_000
)

import { assert, it } from "@effect/vitest"
import { CallJournal, OPERATIONS_HOST } from "@outbound/domain/calls/CallJournal.js"
import { RunStore } from "@outbound/domain/calls/runs/RunStore.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { admitted, anAttempt, claimOf, givenCaller, settlementOf } from "@outbound/testkit/contracts/calls.js"
import { DAY, freshId, NOON, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { clockJumpsOverMonths } from "@outbound/testkit/contracts/journalSpending.js"
import { Effect } from "effect"
import { foundationInvariants } from "../../src/postgres/invariants/foundation.js"
import { check } from "../../src/postgres/PgInvariants.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { stores } from "./stores.js"

/** A workspace with an open and an ended call of one run. */
const givenCalls = Effect.gen(function* () {
  const journal = yield* CallJournal
  const { atomically } = yield* UnitOfWork
  const runs = yield* RunStore
  const { key, keyHash, workspaceId } = yield* givenCaller("100")
  const runId = freshId()
  const run = { runId, workspaceId, name: "A run", budget: credits("50"), createdAtMillis: NOON }
  yield* atomically(runs.insert({ ...run, expiresAtMillis: NOON + DAY }))
  const ended = yield* admitted(anAttempt(keyHash, { runId }))
  yield* journal.settle(settlementOf(ended))
  const open = yield* admitted(anAttempt(keyHash, { runId, idempotency: claimOf("one", "body") }))
  return { workspaceId, keyId: key.keyId, runId, ended: ended.requestId, open: open.requestId }
})

/** One way to break each rule, as a statement on the rows of `givenCalls`. */
const breaks: Readonly<Record<string, string>> = {
  balance_is_the_ledger: "UPDATE accounts SET available = available + 1 WHERE workspace_id = $1",
  payments_are_booked_once: `INSERT INTO ledger_entries (workspace_id, entry_id, kind, amount, at)
    SELECT workspace_id, gen_random_uuid(), 'top_up', 0, at FROM ledger_entries WHERE workspace_id = $1 AND kind = 'grant'`,
  returned_payments_are_taken_back: `INSERT INTO ledger_entries (workspace_id, entry_id, kind, amount, at)
    SELECT workspace_id, gen_random_uuid(), 'reversal', -1, at FROM ledger_entries WHERE workspace_id = $1 AND kind = 'grant'`,
  keys_count_their_calls: "UPDATE key_usage SET committed = committed + 1 WHERE workspace_id = $1",
  runs_count_their_calls: "UPDATE runs SET committed = committed - 1 WHERE workspace_id = $1",
  charges_are_calls: "UPDATE requests SET charged = charged + 1 WHERE workspace_id = $1",
  a_call_is_open_or_ended: `INSERT INTO requests (workspace_id, request_id, key_id, verb, mode, status, admitted,
    http_status, charged, created_at, finished_at)
    SELECT workspace_id, request_id, key_id, verb, 'read', 'failed', false, 500, 0, now(), now() FROM open_calls
    WHERE workspace_id = $1`,
  the_dead_hold_nothing: "UPDATE open_calls SET incarnation = gen_random_uuid() WHERE workspace_id = $1",
  operations_hold_for_rows: `UPDATE open_calls SET incarnation = '${OPERATIONS_HOST}' WHERE workspace_id = $1`,
  usage_is_the_calls: "UPDATE usage_of_keys SET verb = 'find_leads' WHERE workspace_id = $1",
  usage_of_keys_is_the_calls: "UPDATE usage_of_keys SET calls = calls + 1 WHERE workspace_id = $1",
  claims_have_a_call: "UPDATE idempotency_records SET request_id = gen_random_uuid() WHERE workspace_id = $1",
  offers_are_used_once: `INSERT INTO offers (workspace_id, offer_id, key_id, base_fingerprint, token_hash, reason,
    max_results, max_credits, known, request_id, created_at, expires_at, taken_by, used_at)
    SELECT workspace_id, gen_random_uuid(), key_id, 'f', 'h', 'partially_filled', 1, 1, '[]', request_id, now(), now(),
      request_id, now() FROM open_calls WHERE workspace_id = $1`,
  keys_are_whole: "DELETE FROM key_catalogue WHERE workspace_id = $1"
}

const broken = Effect.map(check(), (reports) =>
  reports.flatMap(({ breaches, name }) => breaches.map(({ workspaceId }) => ({ name, workspaceId })))
)

class Undone {
  readonly _tag = "Undone"
  constructor(readonly names: ReadonlyArray<string>) {}
}

it.layer(stores, SUITE)("the invariants", (it) => {
  it.effect("hold of what the stores write", () =>
    Effect.gen(function* () {
      yield* givenCalls
      assert.deepStrictEqual(yield* broken, [])
    })
  )

  it.effect("hold whichever way the clock jumps over the end of a month", () =>
    Effect.gen(function* () {
      yield* clockJumpsOverMonths
      assert.deepStrictEqual(yield* broken, [])
    })
  )

  it.effect("hold of calls whose hosts wrote no month", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { workspaceId } = yield* givenCalls
      yield* sql`UPDATE requests SET month = NULL WHERE workspace_id = ${workspaceId}`
      assert.deepStrictEqual(yield* broken, [])
    })
  )

  it.effect("have each a way here to be broken", () =>
    Effect.sync(() =>
      assert.deepStrictEqual(Object.keys(breaks).sort(), foundationInvariants.map((i) => i.name).sort())
    )
  )

  for (const [name, statement] of Object.entries(breaks)) {
    it.effect(`find a breach of ${name}`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { workspaceId } = yield* givenCalls
        const rule = foundationInvariants.find((invariant) => invariant.name === name)?.sql ?? ""
        const found = yield* sql
          .withTransaction(
            Effect.gen(function* () {
              yield* sql.unsafe(statement, [workspaceId])
              const rows = yield* sql.unsafe<{ readonly workspace_id: string }>(rule)
              return yield* Effect.fail(new Undone(rows.map((row) => row.workspace_id)))
            })
          )
          .pipe(
            Effect.catchIf(
              (error) => error instanceof Undone,
              ({ names }) => Effect.succeed(names)
            )
          )
        assert.include(found, workspaceId)
      })
    )
  }
})

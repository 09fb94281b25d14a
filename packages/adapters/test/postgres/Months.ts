import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { RunStore } from "@outbound/domain/calls/runs/RunStore.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { admitted, anAttempt, givenCaller, settlementOf } from "@outbound/testkit/contracts/calls.js"
import { DAY, freshId, NOON } from "@outbound/testkit/contracts/fixtures.js"
import { Effect } from "effect"
import { firstIdOf } from "../../src/postgres/Columns.js"
import { check, type CheckedFrom } from "../../src/postgres/PgInvariants.js"
import { SqlClient } from "../../src/postgres/Sql.js"

/** Ids are of the real time. */
export const NOW = Date.now()
export const monthAfter = (months: number) => {
  const now = new Date(NOW)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 15)
}
/** By then this month is sealed. */
export const LATER = monthAfter(3)

export const broken = (from: CheckedFrom = "sealed") =>
  Effect.map(check(from), (reports) => reports.filter(({ count }) => count > 0).map(({ name }) => name))

/** Each partition of the calls and its rows. */
export const rowsOfPartitions = (workspaceId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const found = yield* sql<{ readonly name: string; readonly rows: number }>`
      SELECT tableoid::regclass::text AS name, count(*)::integer AS rows FROM requests
      WHERE workspace_id = ${workspaceId} GROUP BY 1 ORDER BY 1
    `
    return Object.fromEntries(found.map(({ name, rows }) => [name, rows]))
  })

export const nameOf = (millis: number) => `requests_${new Date(millis).toISOString().slice(0, 7).replace("-", "_")}`

/** A workspace with an ended and an open call of a run. */
export const givenCalls = Effect.gen(function* () {
  const journal = yield* CallJournal
  const { atomically } = yield* UnitOfWork
  const runs = yield* RunStore
  const { keyHash, workspaceId } = yield* givenCaller("100")
  const runId = freshId()
  const run = { runId, workspaceId, name: "A run", budget: credits("50"), createdAtMillis: NOON }
  yield* atomically(runs.insert({ ...run, expiresAtMillis: NOON + DAY }))
  yield* journal.settle(settlementOf(yield* admitted(anAttempt(keyHash, { runId }))))
  const open = yield* admitted(anAttempt(keyHash, { runId }))
  return { workspaceId, keyHash, open }
})

export const idAt = (millis: number) => `${firstIdOf(millis).slice(0, 24)}${freshId().slice(24)}`

export const lateRows = (workspaceId: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly kind: string }>`SELECT kind FROM late_rows WHERE workspace_id = ${workspaceId} ORDER BY 1`
  ).pipe(Effect.map((rows) => rows.map(({ kind }) => kind)))

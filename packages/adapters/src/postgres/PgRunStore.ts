import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { type RunStanding, RunStore } from "@outbound/domain/calls/runs/RunStore.js"
import { Effect, Schema, Struct } from "effect"
import { changes, date, Millis, run } from "./Columns.js"
import { columnsOf, readerOf, storeLayer, texts, times, valuesOf } from "./Table.js"

const RunRow = Schema.Struct({
  ...texts("runId", "workspaceId", "name"),
  budget: Credits,
  spent: Credits,
  ...times("expiresAtMillis", "createdAtMillis"),
  closedAtMillis: Schema.NullOr(Millis)
})

const toStanding = ({ closedAtMillis, spent, ...one }: typeof RunRow.Type): RunStanding => ({
  run: one,
  spent,
  closedAtMillis
})

export const layer = storeLayer(RunStore, (sql) => {
  const { all, one } = readerOf(sql, "runs", RunRow, columnsOf(RunRow, "runs", { spent: "committed" }), toStanding)
  return {
    insert: (made) =>
      sql`INSERT INTO runs ${sql.insert(valuesOf(RunRow.mapFields(Struct.omit(["spent", "closedAtMillis"])), made))}`.pipe(
        run("RunStore.insert")
      ),
    list: (workspaceId, limit) =>
      all("RunStore.list")(sql`
        workspace_id = ${workspaceId}
        ORDER BY created_at DESC, run_id DESC LIMIT ${limit}
      `),
    // Batches hold the account while they decide, so lock it first and then read the run.
    lock: (workspaceId, runId) =>
      Effect.andThen(
        sql`SELECT 1 FROM accounts WHERE workspace_id = ${workspaceId} FOR NO KEY UPDATE`.pipe(run("RunStore.lock")),
        one("RunStore.lock")({ workspaceId, runId })
      ),
    close: (workspaceId, runId, atMillis) =>
      sql`
        UPDATE runs SET closed_at = ${date(atMillis)}, expires_at = LEAST(expires_at, ${date(atMillis)})
        WHERE workspace_id = ${workspaceId} AND run_id = ${runId} AND closed_at IS NULL
        RETURNING run_id
      `.pipe(changes("RunStore.close"))
  }
})

import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { type RunStanding, RunStore } from "@outbound/domain/calls/runs/RunStore.js"
import { Effect, Option, Schema } from "effect"
import { changes, date, firstRow, Millis, rows, run } from "./Columns.js"
import { columnsOf, texts } from "./RowFields.js"
import { storeLayer } from "./storeLayer.js"

const RunRow = Schema.Struct({
  ...texts("runId", "workspaceId", "name"),
  budget: Credits,
  spent: Credits,
  expiresAtMillis: Millis,
  createdAtMillis: Millis,
  closedAtMillis: Schema.NullOr(Millis)
})

const toStanding = ({ closedAtMillis, spent, ...one }: typeof RunRow.Type): RunStanding => ({
  run: one,
  spent,
  closedAtMillis
})

export const layer = storeLayer(RunStore, (sql) => {
  const columns = sql.literal(columnsOf(RunRow, "runs", { spent: "committed" }))
  return {
    insert: ({ budget, createdAtMillis, expiresAtMillis, name, runId, workspaceId }) =>
      sql`INSERT INTO runs ${sql.insert({
        workspace_id: workspaceId,
        run_id: runId,
        name,
        budget,
        expires_at: date(expiresAtMillis),
        created_at: date(createdAtMillis)
      })}`.pipe(run("RunStore.insert")),
    list: (workspaceId, limit) =>
      sql`
        SELECT ${columns} FROM runs WHERE workspace_id = ${workspaceId}
        ORDER BY created_at DESC, run_id DESC LIMIT ${limit}
      `.pipe(
        rows("RunStore.list", RunRow),
        Effect.map((found) => found.map(toStanding))
      ),
    // Batches hold the account while they decide, so lock it first and then read the run.
    lock: (workspaceId, runId) =>
      Effect.zipRight(
        sql`SELECT 1 FROM accounts WHERE workspace_id = ${workspaceId} FOR NO KEY UPDATE`.pipe(run("RunStore.lock")),
        sql`SELECT ${columns} FROM runs WHERE workspace_id = ${workspaceId} AND run_id = ${runId}`.pipe(
          firstRow("RunStore.lock", RunRow),
          Effect.map(Option.map(toStanding))
        )
      ),
    close: (workspaceId, runId, atMillis) =>
      sql`
        UPDATE runs SET closed_at = ${date(atMillis)}, expires_at = LEAST(expires_at, ${date(atMillis)})
        WHERE workspace_id = ${workspaceId} AND run_id = ${runId} AND closed_at IS NULL
        RETURNING run_id
      `.pipe(changes("RunStore.close"))
  }
})

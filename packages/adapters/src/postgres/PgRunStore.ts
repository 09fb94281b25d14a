import { SqlClient } from "@effect/sql"
import { RunStore } from "@outbound/domain/runs/RunStore.js"
import { Effect, Layer } from "effect"
import { date, run } from "./Columns.js"

export const layer = Layer.effect(
  RunStore,
  Effect.map(SqlClient.SqlClient, (sql) =>
    RunStore.of({
      insert: ({ budget, createdAtMillis, expiresAtMillis, name, runId, workspaceId }) =>
        sql`INSERT INTO runs ${sql.insert({
          workspace_id: workspaceId,
          run_id: runId,
          name,
          budget,
          expires_at: date(expiresAtMillis),
          created_at: date(createdAtMillis)
        })}`.pipe(run("RunStore.insert"))
    })
  )
)

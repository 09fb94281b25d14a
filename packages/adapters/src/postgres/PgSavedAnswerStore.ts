import { SavedAnswerStore } from "@outbound/domain/outreach/replies/SavedAnswerStore.js"
import { Schema } from "effect"
import { hasRows, Millis, rows, run } from "./Columns.js"
import { columnsOf, remove, storeLayer, texts, upsert, valuesOf } from "./Table.js"

const SavedAnswerRow = Schema.Struct({
  ...texts("workspaceId", "savedAnswerId", "title", "body", "savedBy"),
  savedAtMillis: Millis
})

export const layer = storeLayer(SavedAnswerStore, (sql) => ({
  list: (workspaceId) =>
    sql`
      SELECT ${sql.literal(columnsOf(SavedAnswerRow, "a"))}
      FROM saved_answers a WHERE a.workspace_id = ${workspaceId} ORDER BY a.title COLLATE "C", a.saved_answer_id
    `.pipe(rows("savedAnswers.list", SavedAnswerRow)),

  put: (answer) =>
    upsert(sql, "saved_answers", ["workspace_id", "saved_answer_id"], valuesOf(SavedAnswerRow, answer)).pipe(
      run("savedAnswers.put")
    ),

  remove: (workspaceId, savedAnswerId) =>
    remove(sql, "saved_answers", { workspaceId, savedAnswerId }).pipe(hasRows("savedAnswers.remove"))
}))

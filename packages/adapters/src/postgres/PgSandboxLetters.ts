import { SandboxLetters } from "@outbound/domain/outreach/mail/SandboxLetters.js"
import { CLASSIFICATIONS } from "@outbound/domain/outreach/meaning/Classification.js"
import { Effect, Schema } from "effect"
import { date, jsonRows, Millis, rows, run } from "./Columns.js"
import { columnsOf, storeLayer, texts, valuesOf } from "./Table.js"

const LetterRow = Schema.Struct({
  ...texts("workspaceId", "messageId", "toAddress"),
  persona: Schema.Literals(CLASSIFICATIONS),
  raw: Schema.String,
  dueAtMillis: Millis
})

export const layer = storeLayer(SandboxLetters, (sql) => ({
  put: (letter) =>
    sql`
      INSERT INTO sandbox_letters ${sql.insert(valuesOf(LetterRow, letter))}
      ON CONFLICT (workspace_id, message_id) DO NOTHING
    `.pipe(run("sandboxLetters.put")),

  take: ({ holdMillis, limit, nowMillis }) =>
    sql`
      WITH due AS (
        SELECT d.workspace_id, d.message_id FROM sandbox_letters d
        WHERE d.due_at <= ${date(nowMillis)} AND (d.held_until IS NULL OR d.held_until <= ${date(nowMillis)})
        ORDER BY d.due_at
        LIMIT ${limit}
        FOR NO KEY UPDATE SKIP LOCKED
      )
      UPDATE sandbox_letters s SET held_until = ${date(nowMillis + holdMillis)}
      FROM due WHERE s.workspace_id = due.workspace_id AND s.message_id = due.message_id
      RETURNING ${sql.literal(columnsOf(LetterRow, "s"))}
    `.pipe(
      rows("sandboxLetters.take", LetterRow),
      Effect.map((found) => found.toSorted((a, b) => a.dueAtMillis - b.dueAtMillis))
    ),

  done: (letters) =>
    letters.length === 0
      ? Effect.void
      : sql`
          DELETE FROM sandbox_letters s
          USING json_to_recordset(${jsonRows(letters)}::json) AS g ("workspaceId" uuid, "messageId" text)
          WHERE s.workspace_id = g."workspaceId" AND s.message_id = g."messageId"
        `.pipe(run("sandboxLetters.done"))
}))

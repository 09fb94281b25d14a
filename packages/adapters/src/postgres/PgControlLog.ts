import { CONTROL_ACTIONS, ControlLog } from "@outbound/domain/control/ControlLog.js"
import { DIRECTIONS } from "@outbound/domain/control/PolicyChange.js"
import { Schema } from "effect"
import { ActorFields, fromActor, withActor } from "./ActorColumns.js"
import { json, Millis, rows, run } from "./Columns.js"
import { columnsOf, storeLayer, texts, textsOrNull, valuesOf } from "./Table.js"

const Shown = Schema.Record(Schema.String, Schema.Unknown)

const EntryRow = Schema.Struct({
  ...texts("controlLogId", "workspaceId"),
  atMillis: Millis,
  ...ActorFields,
  action: Schema.Literals(CONTROL_ACTIONS),
  direction: Schema.Literals(DIRECTIONS),
  ...textsOrNull("keyId", "changeRequestId"),
  before: Shown,
  after: Shown
})

export const layer = storeLayer(ControlLog, (sql) => ({
  append: (entry) =>
    sql`INSERT INTO control_log ${sql.insert(
      valuesOf(
        EntryRow,
        { ...entry, ...fromActor(entry.actor) },
        { before: json(entry.before), after: json(entry.after) }
      )
    )}`.pipe(run("ControlLog.append")),
  page: ({ before, keyId, limit, workspaceId }) =>
    sql`
      SELECT ${sql.literal(columnsOf(EntryRow, "l"))}
      FROM control_log l
      WHERE workspace_id = ${workspaceId}
        ${keyId === null ? sql`` : sql`AND key_id = ${keyId}`}
        ${before === null ? sql`` : sql`AND control_log_id < ${before}`}
      ORDER BY control_log_id DESC
      LIMIT ${limit}
    `.pipe(rows("ControlLog.page", EntryRow, withActor<typeof EntryRow.Type>))
}))

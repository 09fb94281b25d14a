import { SqlClient } from "@effect/sql"
import { CONTROL_ACTIONS, ControlLog } from "@outbound/domain/control/ControlLog.js"
import { DIRECTIONS } from "@outbound/domain/control/PolicyChange.js"
import { Effect, Layer, Schema } from "effect"
import { ACTOR_COLUMNS, ActorFields, fromActor, toActor } from "./ActorColumns.js"
import { date, json, Millis, rows, run } from "./Columns.js"

const Shown = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const EntryRow = Schema.Struct({
  controlLogId: Schema.String,
  workspaceId: Schema.String,
  atMillis: Millis,
  ...ActorFields,
  action: Schema.Literal(...CONTROL_ACTIONS),
  direction: Schema.Literal(...DIRECTIONS),
  keyId: Schema.NullOr(Schema.String),
  changeRequestId: Schema.NullOr(Schema.String),
  before: Shown,
  after: Shown
})

export const layer = Layer.effect(
  ControlLog,
  Effect.map(SqlClient.SqlClient, (sql) =>
    ControlLog.of({
      append: (entry) => {
        const { actorId, actorKind, actorName } = fromActor(entry.actor)
        return sql`
          INSERT INTO control_log (
            workspace_id, control_log_id, at, actor_kind, actor_id, actor_name, action, direction, key_id,
            change_request_id, before, after
          ) VALUES (
            ${entry.workspaceId}, ${entry.controlLogId}, ${date(entry.atMillis)}, ${actorKind}, ${actorId},
            ${actorName}, ${entry.action}, ${entry.direction}, ${entry.keyId}, ${entry.changeRequestId},
            ${json(entry.before)}, ${json(entry.after)}
          )
        `.pipe(run("ControlLog.append"))
      },
      page: ({ before, keyId, limit, workspaceId }) =>
        sql`
          SELECT control_log_id AS "controlLogId", workspace_id AS "workspaceId", at AS "atMillis",
            ${sql.literal(ACTOR_COLUMNS)}, action, direction, key_id AS "keyId",
            change_request_id AS "changeRequestId", before, after
          FROM control_log
          WHERE workspace_id = ${workspaceId}
            ${keyId === null ? sql`` : sql`AND key_id = ${keyId}`}
            ${before === null ? sql`` : sql`AND control_log_id < ${before}`}
          ORDER BY control_log_id DESC
          LIMIT ${limit}
        `.pipe(
          rows("ControlLog.page", EntryRow),
          Effect.map((found) =>
            found.map(({ actorId, actorKind, actorName, ...entry }) => ({
              ...entry,
              actor: toActor({ actorId, actorKind, actorName })
            }))
          )
        )
    })
  )
)

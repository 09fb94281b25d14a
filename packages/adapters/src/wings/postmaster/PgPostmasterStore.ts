import { COMPLIANCE_STATUSES } from "@outbound/domain/wings/postmaster/Postmaster.js"
import { PostmasterStore } from "@outbound/domain/wings/postmaster/PostmasterStore.js"
import { Effect, Schema } from "effect"
import { column, date, json, Millis, run } from "../../postgres/Columns.js"
import {
  columnsOf,
  integers,
  readerOf,
  remove,
  storeLayer,
  texts,
  textsOrNull,
  times,
  timesOrNull,
  upsert,
  valuesOf
} from "../../postgres/Table.js"

const ConnectionRow = Schema.Struct({
  ...texts("workspaceId", "sealedGrant", "connectedBy"),
  connectedAtMillis: Millis,
  ...timesOrNull("refusedAtMillis", "readAtMillis"),
  ...times("nextAtMillis"),
  ...integers("failures")
})

const Rate = Schema.NullOr(Schema.Number)

const ReadingRow = Schema.Struct({
  ...texts("workspaceId", "domain"),
  readAtMillis: Millis,
  requirements: Schema.Array(
    Schema.Struct({ requirement: Schema.String, status: Schema.Literals(COMPLIANCE_STATUSES) })
  ),
  ...textsOrNull("day"),
  spamRate: Rate,
  rejectRate: Rate,
  tempFailRate: Rate
})

export const layer = storeLayer(PostmasterStore, (sql) => {
  const connections = readerOf(sql, "postmaster_connections p", ConnectionRow, columnsOf(ConnectionRow, "p"))
  const readings = readerOf(sql, "postmaster_readings r", ReadingRow, columnsOf(ReadingRow, "r"))
  return {
    get: (workspaceId) => connections.one("postmaster.get")({ workspaceId }),

    lock: (workspaceId) => connections.one("postmaster.lock")({ workspaceId }, "FOR UPDATE"),

    put: (connection) =>
      upsert(sql, "postmaster_connections", ["workspace_id"], valuesOf(ConnectionRow, connection)).pipe(
        run("postmaster.put")
      ),

    remove: (workspaceId) =>
      Effect.andThen(
        remove(sql, "postmaster_readings", { workspaceId }).pipe(run("postmaster.forget")),
        remove(sql, "postmaster_connections", { workspaceId }).pipe(run("postmaster.remove"))
      ),

    readings: (workspaceId) =>
      readings.all("postmaster.readings")(sql`r.workspace_id = ${workspaceId} ORDER BY r.domain COLLATE "C"`),

    putReading: (reading) =>
      upsert(
        sql,
        "postmaster_readings",
        ["workspace_id", "domain"],
        valuesOf(ReadingRow, reading, { requirements: json(reading.requirements) })
      ).pipe(run("postmaster.putReading")),

    overdue: (beforeMillis, limit) =>
      sql`
        SELECT p.workspace_id FROM postmaster_connections p
        WHERE p.refused_at IS NULL AND p.next_at < ${date(beforeMillis)}
        ORDER BY p.next_at, p.workspace_id LIMIT ${limit}
      `.pipe(column("postmaster.overdue", Schema.String))
  }
})

import { CrmWriteMachine } from "@outbound/domain/wings/crm/CrmWriteMachine.js"
import { CRM_PASSES, CRM_TROUBLES, type CrmConnection, CrmStore } from "@outbound/domain/wings/crm/CrmStore.js"
import { Effect, Schema, Struct } from "effect"
import { column, firstValue, hasRows, jsonRows, Millis, rows, run, literals } from "../../postgres/Columns.js"
import { crmWrites } from "./crmWrites.js"
import {
  booleans,
  chooserOf,
  columnsOf,
  givenOf,
  readerOf,
  remove,
  storeLayer,
  texts,
  textsOrNull,
  timesOrNull,
  update,
  upsert,
  valuesOf
} from "../../postgres/Table.js"

const ConnectionRow = Schema.Struct({
  ...texts("workspaceId", "connectionId", "vendor", "sealedSecret", "last4", "addedBy"),
  addedAtMillis: Millis,
  ...booleans("keepsCustomers", "keepsOpenDeals", "keepsOwned", "writesReplies", "writesMeetings", "createsContacts"),
  pass: Schema.NullOr(Schema.Literals(CRM_PASSES)),
  cursor: Schema.NullOr(Schema.String),
  beganAtMillis: Schema.NullOr(Millis),
  generation: Schema.Int,
  ...timesOrNull("readAtMillis", "readAllAtMillis", "askedAtMillis"),
  failures: Schema.Int,
  trouble: Schema.NullOr(Schema.Literals(CRM_TROUBLES)),
  pauseMillis: Schema.Int
})

const connectionOf = (row: typeof ConnectionRow.Type): CrmConnection => {
  const { keepsCustomers, keepsOpenDeals, keepsOwned, writesReplies, writesMeetings, createsContacts, ...others } = row
  const { workspaceId, connectionId, vendor, sealedSecret, last4, addedBy, addedAtMillis, ...reading } = others
  const connection = { workspaceId, connectionId, vendor, sealedSecret, last4, addedBy, addedAtMillis }
  const policy = { keepsCustomers, keepsOpenDeals, keepsOwned, writesReplies, writesMeetings, createsContacts }
  return { ...connection, policy, reading }
}

const OwnerRow = Schema.Struct({
  ...texts("ref", "name"),
  ...textsOrNull("email", "userId")
})

export const layer = storeLayer(CrmStore, (sql) => {
  const columns = columnsOf(ConnectionRow, "x", { pauseMillis: "x.pause_millis::integer" })
  const { one } = readerOf(sql, "crm_connections x", ConnectionRow, columns, connectionOf)
  const marked = givenOf(sql, "value text, standing text, ref text, ownerRef text")
  return {
    ...crmWrites(sql),

    get: (workspaceId) => one("crm.get")({ workspaceId }),

    lock: (workspaceId) => one("crm.lock")({ workspaceId }, "FOR NO KEY UPDATE"),

    put: ({ policy, reading, ...of }) => {
      const values = valuesOf(ConnectionRow.mapFields(Struct.omit(["pauseMillis"])), { ...of, ...policy, ...reading })
      const pause = { pause_millis: Math.ceil(reading.pauseMillis) }
      return upsert(sql, "crm_connections", ["workspace_id"], { ...values, ...pause }).pipe(run("crm.put"))
    },

    remove: (workspaceId) =>
      Effect.gen(function* () {
        for (const table of ["crm_connections", "crm_marks", "crm_owners"]) {
          yield* remove(sql, table, { workspaceId }).pipe(run("crm.remove"))
        }
        yield* sql`
          UPDATE crm_writes w SET state = 'cancelled', claim_id = NULL, ended_at = w.due_at
          WHERE w.workspace_id = ${workspaceId} AND w.state IN (${sql.literal(literals(CrmWriteMachine.in.open))})
        `.pipe(run("crm.remove"))
      }),

    connected: (limit) =>
      sql`
        SELECT x.workspace_id AS "workspaceId" FROM crm_connections x
        ORDER BY x.asked_at NULLS FIRST, x.workspace_id
        LIMIT ${limit}
      `.pipe(column("crm.connected", Schema.String)),

    replaceMarks: ({ generation, marks, refs, workspaceId }) =>
      Effect.gen(function* () {
        yield* sql`
          DELETE FROM crm_marks m WHERE m.workspace_id = ${workspaceId} AND m.ref = ANY(${refs}::text[])
        `.pipe(run("crm.replaceMarks"))
        if (marks.length === 0) return
        yield* sql`
          INSERT INTO crm_marks (workspace_id, generation, ${marked.columns})
          SELECT ${workspaceId}::uuid, ${generation}, ${marked.values} FROM ${marked.from(marks)}
          ON CONFLICT DO NOTHING
        `.pipe(run("crm.replaceMarks"))
      }),

    sweepMarks: (workspaceId, generation, limit) =>
      chooserOf(sql, "crm_marks m", ["workspace_id", "value", "standing", "ref"]).remove("crm.sweepMarks")(sql`
        m.workspace_id = ${workspaceId} AND m.generation < ${generation} LIMIT ${limit}
      `),

    countMarks: (workspaceId, max) =>
      sql`
        SELECT count(*)::integer AS count FROM (
          SELECT DISTINCT m.value FROM crm_marks m WHERE m.workspace_id = ${workspaceId} LIMIT ${max}
        ) values
      `.pipe(firstValue("crm.countMarks", Schema.Int, 0)),

    putOwners: (workspaceId, owners) =>
      Effect.gen(function* () {
        yield* sql`
          DELETE FROM crm_owners o
          WHERE o.workspace_id = ${workspaceId} AND o.owner_ref <> ALL(${owners.map(({ ref }) => ref)}::text[])
        `.pipe(run("crm.putOwners"))
        if (owners.length === 0) return
        yield* sql`
          INSERT INTO crm_owners (workspace_id, owner_ref, name, email, user_id)
          SELECT DISTINCT ON (o.ref) ${workspaceId}::uuid, o.ref, o.name, o.email, (
            SELECT u.user_id FROM memberships m JOIN users u ON u.user_id = m.user_id
            WHERE m.workspace_id = ${workspaceId} AND u.email = lower(o.email)
          )
          FROM json_to_recordset(${jsonRows(owners)}::json) AS o (ref text, name text, email text)
          ORDER BY o.ref
          ON CONFLICT (workspace_id, owner_ref) DO UPDATE SET name = EXCLUDED.name, email = EXCLUDED.email
        `.pipe(run("crm.putOwners"))
      }),

    owners: (workspaceId) =>
      sql`
        SELECT o.owner_ref AS ref, o.name, o.email, o.user_id AS "userId" FROM crm_owners o
        WHERE o.workspace_id = ${workspaceId} ORDER BY o.name COLLATE "C", o.owner_ref COLLATE "C"
      `.pipe(rows("crm.owners", OwnerRow)),

    mapOwner: (workspaceId, ownerRef, userId) =>
      update(sql, "crm_owners", { workspaceId, ownerRef }, { userId }).pipe(hasRows("crm.mapOwner"))
  }
})

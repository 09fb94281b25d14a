import { CRM_PASSES, CRM_TROUBLES, type CrmConnection, CrmStore } from "@outbound/domain/outreach/crm/CrmStore.js"
import { Effect, Option, Schema } from "effect"
import { column, countRows, date, dateOrNull, firstRow, hasRows, jsonRows, Millis, rows, run } from "../Columns.js"
import { columnsOf, texts } from "../RowFields.js"
import { crmWrites } from "./crmWrites.js"
import { storeLayer } from "../storeLayer.js"

const ConnectionRow = Schema.Struct({
  ...texts("workspaceId", "connectionId", "vendor", "sealedSecret", "last4", "addedBy"),
  addedAtMillis: Millis,
  keepsCustomers: Schema.Boolean,
  keepsOpenDeals: Schema.Boolean,
  keepsOwned: Schema.Boolean,
  writesReplies: Schema.Boolean,
  writesMeetings: Schema.Boolean,
  createsContacts: Schema.Boolean,
  pass: Schema.NullOr(Schema.Literal(...CRM_PASSES)),
  cursor: Schema.NullOr(Schema.String),
  beganAtMillis: Schema.NullOr(Millis),
  generation: Schema.Int,
  readAtMillis: Schema.NullOr(Millis),
  readAllAtMillis: Schema.NullOr(Millis),
  askedAtMillis: Schema.NullOr(Millis),
  failures: Schema.Int,
  trouble: Schema.NullOr(Schema.Literal(...CRM_TROUBLES)),
  pauseMillis: Schema.Int
})

const connectionOf = (row: typeof ConnectionRow.Type): CrmConnection => {
  const { keepsCustomers, keepsOpenDeals, keepsOwned, writesReplies, writesMeetings, createsContacts, ...others } = row
  const { workspaceId, connectionId, vendor, sealedSecret, last4, addedBy, addedAtMillis, ...reading } = others
  return {
    workspaceId,
    connectionId,
    vendor,
    sealedSecret,
    last4,
    addedBy,
    addedAtMillis,
    policy: { keepsCustomers, keepsOpenDeals, keepsOwned, writesReplies, writesMeetings, createsContacts },
    reading
  }
}

const OwnerRow = Schema.Struct({
  ref: Schema.String,
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  userId: Schema.NullOr(Schema.String)
})

export const layer = storeLayer(CrmStore, (sql) => {
  const columns = sql.literal(columnsOf(ConnectionRow, "x", { pauseMillis: "x.pause_millis::integer" }))
  const connection = Effect.map(Option.map(connectionOf))
  return {
    ...crmWrites(sql),

    get: (workspaceId) =>
      sql`SELECT ${columns} FROM crm_connections x WHERE x.workspace_id = ${workspaceId}`.pipe(
        firstRow("crm.get", ConnectionRow),
        connection
      ),

    lock: (workspaceId) =>
      sql`
        SELECT ${columns} FROM crm_connections x WHERE x.workspace_id = ${workspaceId} FOR NO KEY UPDATE
      `.pipe(firstRow("crm.lock", ConnectionRow), connection),

    put: ({ policy, reading, ...of }) =>
      sql`
        INSERT INTO crm_connections (
          workspace_id, connection_id, vendor, sealed_secret, last4, added_by, added_at, keeps_customers,
          keeps_open_deals, keeps_owned, writes_replies, writes_meetings, creates_contacts, pass, cursor, began_at,
          generation, read_at, read_all_at, asked_at, failures, trouble, pause_millis
        ) VALUES (
          ${of.workspaceId}, ${of.connectionId}, ${of.vendor}, ${of.sealedSecret}, ${of.last4}, ${of.addedBy},
          ${date(of.addedAtMillis)}, ${policy.keepsCustomers}, ${policy.keepsOpenDeals}, ${policy.keepsOwned},
          ${policy.writesReplies}, ${policy.writesMeetings}, ${policy.createsContacts}, ${reading.pass},
          ${reading.cursor}, ${dateOrNull(reading.beganAtMillis)}, ${reading.generation},
          ${dateOrNull(reading.readAtMillis)}, ${dateOrNull(reading.readAllAtMillis)},
          ${dateOrNull(reading.askedAtMillis)}, ${reading.failures}, ${reading.trouble},
          ${Math.ceil(reading.pauseMillis)}
        )
        ON CONFLICT (workspace_id) DO UPDATE SET connection_id = EXCLUDED.connection_id, vendor = EXCLUDED.vendor,
          sealed_secret = EXCLUDED.sealed_secret, last4 = EXCLUDED.last4, added_by = EXCLUDED.added_by,
          added_at = EXCLUDED.added_at, keeps_customers = EXCLUDED.keeps_customers,
          keeps_open_deals = EXCLUDED.keeps_open_deals, keeps_owned = EXCLUDED.keeps_owned,
          writes_replies = EXCLUDED.writes_replies, writes_meetings = EXCLUDED.writes_meetings,
          creates_contacts = EXCLUDED.creates_contacts, pass = EXCLUDED.pass, cursor = EXCLUDED.cursor,
          began_at = EXCLUDED.began_at, generation = EXCLUDED.generation, read_at = EXCLUDED.read_at,
          read_all_at = EXCLUDED.read_all_at, asked_at = EXCLUDED.asked_at, failures = EXCLUDED.failures,
          trouble = EXCLUDED.trouble, pause_millis = EXCLUDED.pause_millis
      `.pipe(run("crm.put")),

    remove: (workspaceId) =>
      Effect.gen(function* () {
        yield* sql`DELETE FROM crm_connections x WHERE x.workspace_id = ${workspaceId}`.pipe(run("crm.remove"))
        yield* sql`DELETE FROM crm_marks m WHERE m.workspace_id = ${workspaceId}`.pipe(run("crm.remove"))
        yield* sql`DELETE FROM crm_owners o WHERE o.workspace_id = ${workspaceId}`.pipe(run("crm.remove"))
        yield* sql`
          UPDATE crm_writes w SET state = 'cancelled', claim_id = NULL, ended_at = w.due_at
          WHERE w.workspace_id = ${workspaceId} AND w.state IN ('waiting', 'writing', 'unknown')
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
          INSERT INTO crm_marks (workspace_id, value, standing, ref, owner_ref, generation)
          SELECT ${workspaceId}::uuid, m.value, m.standing, m.ref, m."ownerRef", ${generation}
          FROM json_to_recordset(${jsonRows(marks)}::json)
            AS m (value text, standing text, ref text, "ownerRef" text)
          ON CONFLICT DO NOTHING
        `.pipe(run("crm.replaceMarks"))
      }),

    sweepMarks: (workspaceId, generation, limit) =>
      sql`
        WITH old AS (
          SELECT m.workspace_id, m.value, m.standing, m.ref FROM crm_marks m
          WHERE m.workspace_id = ${workspaceId} AND m.generation < ${generation}
          LIMIT ${limit}
        )
        DELETE FROM crm_marks m USING old
        WHERE m.workspace_id = old.workspace_id AND m.value = old.value AND m.standing = old.standing
          AND m.ref = old.ref
        RETURNING 1 AS count
      `.pipe(countRows("crm.sweepMarks")),

    countMarks: (workspaceId, max) =>
      sql`
        SELECT count(*)::integer AS count FROM (
          SELECT DISTINCT m.value FROM crm_marks m WHERE m.workspace_id = ${workspaceId} LIMIT ${max}
        ) values
      `.pipe(
        column("crm.countMarks", Schema.Int),
        Effect.map(([count = 0]) => count)
      ),

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
      sql`
        UPDATE crm_owners o SET user_id = ${userId}
        WHERE o.workspace_id = ${workspaceId} AND o.owner_ref = ${ownerRef}
        RETURNING 1 AS count
      `.pipe(hasRows("crm.mapOwner"))
  }
})

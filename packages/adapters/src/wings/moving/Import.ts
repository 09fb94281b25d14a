import { NoticeMachine } from "@outbound/domain/calls/approvals/notices/NoticeMachine.js"
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { Effect, type Redacted } from "effect"
import pg from "pg"
import { withConnection } from "../../postgres/backup/Connection.js"
import { literals } from "../../postgres/Columns.js"
import { count, WorkspaceError } from "../../postgres/deleting/atRest.js"
import { invariants } from "../../postgres/PgInvariants.js"
import type { ExportKey } from "./Export.js"
import { type Manifest, type Row, type TableOfExport } from "./Format.js"
import { damaged, type Reader, readExport } from "./Reading.js"
import { insertInto, movedTables, passSequences, SHARED } from "./Tables.js"
import { messageOf } from "../../platform/errors.js"

const UNIQUE_VIOLATION = "23505"
const BREACHES_NAMED_MAX = 3

const assertSameSecret = ({ secretFingerprint, underSecret }: Manifest, key: ExportKey): void => {
  if (secretFingerprint === key.fingerprint) return
  const { credentials, suppressed } = underSecret
  throw new WorkspaceError({
    message: [
      "The export was made under another OUTBOUND_SECRET. Nothing was imported.",
      `Here nobody would recognise ${count(suppressed, "person", "people")} who must never be emailed, and ${count(credentials, "credential", "credentials")} could not be opened.`,
      "Import it where the same secret is set."
    ].join(" ")
  })
}

const assertSameSchema = async (client: pg.ClientBase, manifest: Manifest): Promise<void> => {
  const { rows } = await client.query<{ readonly name: string }>("SELECT name FROM migrations ORDER BY id")
  const here = rows.map(({ name }) => name)
  if (here.join() !== manifest.migrations.join()) {
    throw new WorkspaceError({
      message: `The export is at migration ${manifest.migrations.length} (${manifest.migrations.at(-1)}), this database at ${here.length} (${here.at(-1)}). Nothing was imported. Bring both installations to the same version, and export again.`
    })
  }
  const tables = await movedTables(client)
  const same = tables.every(
    ({ columns, name }, index) =>
      manifest.tables[index]?.name === name && manifest.tables[index]?.columns.join() === columns.join()
  )
  if (!same || tables.length !== manifest.tables.length) throw damaged("its tables are not those of its migrations")
}

const assertAbsent = async (client: pg.ClientBase, { workspaceId }: Manifest): Promise<void> => {
  const { rows } = await client.query("SELECT FROM workspaces WHERE workspace_id = $1", [workspaceId])
  if (rows.length > 0) {
    throw new WorkspaceError({ message: `The workspace ${workspaceId} is here already. Nothing was imported.` })
  }
  const { rows: deleted } = await client.query("SELECT FROM deleted_workspaces WHERE id = $1", [workspaceId])
  if (deleted.length > 0) {
    throw new WorkspaceError({ message: `The workspace ${workspaceId} was deleted here. Nothing was imported.` })
  }
}

/**
 * A person who signs in here already, by their address, keeps their id; what names them in the workspace names them by
 * it. Ids are unique, so each text that is one means the person. Texts inside of JSON stay: they are evidence.
 */
const addPeople = async (
  client: pg.ClientBase,
  { columns }: TableOfExport,
  rows: ReadonlyArray<Row>,
  renamed: Map<string, string>
): Promise<ReadonlyArray<Row>> => {
  const [id, email] = [columns.indexOf("user_id"), columns.indexOf("email")]
  const { rows: known } = await client.query<{ readonly id: string; readonly email: string }>(
    "SELECT user_id::text AS id, lower(email) AS email FROM users WHERE lower(email) = ANY(SELECT lower(e) FROM unnest($1::text[]) e)",
    [rows.map((row) => row[email])]
  )
  const { rows: folded } = await client.query<{ readonly email: string }>(
    "SELECT lower(e) AS email FROM unnest($1::text[]) WITH ORDINALITY x(e, n) ORDER BY n",
    [rows.map((row) => row[email])]
  )
  const ids = new Map(known.map((person) => [person.email, person.id]))
  return rows.filter((row, index) => {
    const knownId = ids.get(folded[index]?.email ?? "")
    const movedId = row[id]
    if (knownId === undefined) return true
    if (typeof movedId === "string" && movedId !== knownId) renamed.set(movedId, knownId)
    return false
  })
}

/** Adds the rows of a file, table by table. */
const adding = (client: pg.ClientBase, renamed: Map<string, string>): Reader => {
  const statements = new Map<string, string>()
  const statementOf = async (table: TableOfExport): Promise<string> => {
    const known = statements.get(table.name)
    if (known !== undefined) return known
    const isShared = SHARED.some((shared) => shared === table.name)
    const made = `${await insertInto(client, table)}${isShared ? " ON CONFLICT DO NOTHING" : ""}`
    statements.set(table.name, made)
    return made
  }
  return {
    begin: () => Promise.resolve(),
    rows: async (table, rows) => {
      const statement = await statementOf(table)
      const added =
        table.name === "users"
          ? await addPeople(client, table, rows, renamed)
          : rows.map((row) => row.map((text) => (text === null ? null : (renamed.get(text) ?? text))))
      if (added.length > 0) await client.query(statement, [JSON.stringify(added)])
    }
  }
}

/** What is no longer true where the workspace arrives. Nothing is sent, and nothing that was allowed there is used here. */
const settle = async (client: pg.ClientBase, workspaceId: string) => {
  const change = async (sql: string): Promise<number> => (await client.query(sql, [workspaceId])).rowCount ?? 0
  await change("UPDATE own_mailboxes SET held_by = NULL, held_until = NULL WHERE workspace_id = $1")
  await change("UPDATE webhook_endpoints SET claim_id = NULL, claimed_until = NULL WHERE workspace_id = $1")
  await change(
    `UPDATE approval_notices SET state = CASE state WHEN 'sending' THEN 'unknown' ELSE 'cancelled' END,
       failure = CASE state WHEN 'sending' THEN 'interrupted' ELSE failure END, claim_id = NULL, claimed_until = NULL
     WHERE workspace_id = $1 AND state IN (${literals(NoticeMachine.in.open)})`
  )
  return {
    approvalsCancelled: await change(
      `UPDATE approvals SET state = 'cancelled' WHERE workspace_id = $1 AND state IN (${literals(ApprovalMachine.in.open)})`
    ),
    campaignsPaused: await change(
      "UPDATE campaigns SET state = 'paused', pause_reason = 'owner' WHERE workspace_id = $1 AND state = 'active'"
    )
  }
}

/** What `outbound check` would say of the workspace. */
const assertInvariants = async (client: pg.ClientBase, workspaceId: string): Promise<void> => {
  for (const { name, rule, sql } of invariants) {
    const { rows } = await client.query<{ readonly breach: string }>(
      `SELECT b.breach FROM (${sql}) b WHERE b.workspace_id = $1 LIMIT ${BREACHES_NAMED_MAX}`,
      [workspaceId]
    )
    if (rows.length > 0) {
      throw new WorkspaceError({
        message: `An invariant would be broken (${name}): ${rule} ${rows.map(({ breach }) => breach).join("; ")}. Nothing was imported.`
      })
    }
  }
}

export interface Imported {
  readonly manifest: Manifest
  readonly rows: number
  readonly campaignsPaused: number
  readonly approvalsCancelled: number
  /** People who sign in here already, under another id. */
  readonly peopleKnown: number
}

const load = async (client: pg.ClientBase, path: string, key: ExportKey): Promise<Imported> => {
  await client.query("BEGIN")
  // Holds off migrations until this has ended.
  await client.query("LOCK TABLE migrations IN SHARE MODE")
  const renamed = new Map<string, string>()
  const { rows: add } = adding(client, renamed)
  const { manifest, rows } = await readExport(path, key.mac, {
    // Once more: the file may have been replaced.
    begin: async (first) => {
      assertSameSecret(first, key)
      await assertSameSchema(client, first)
      await assertAbsent(client, first)
    },
    rows: add
  })
  const settled = await settle(client, manifest.workspaceId)
  await passSequences(client, manifest.tables)
  // Without figures about the new rows the planner takes the invariants' joins to be tiny.
  for (const { name } of manifest.tables) await client.query(`ANALYZE ${client.escapeIdentifier(name)}`)
  await assertInvariants(client, manifest.workspaceId)
  await client.query("COMMIT")
  return { manifest, rows, ...settled, peopleKnown: renamed.size }
}

const failure = (error: unknown): WorkspaceError => {
  if (error instanceof WorkspaceError) return error
  if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION) {
    return new WorkspaceError({
      message: `An id of the workspace is taken here already (${error.table}, ${error.constraint}). Nothing was imported.`
    })
  }
  return new WorkspaceError({ message: messageOf(error) })
}

/**
 * Adds an exported workspace beside the others, all of it or nothing. The file is read from start to end before anything
 * is written. The database must be migrated.
 */
export const importWorkspace = (
  url: Redacted.Redacted,
  path: string,
  key: ExportKey
): Effect.Effect<Imported, WorkspaceError> =>
  Effect.gen(function* () {
    yield* Effect.tryPromise({
      try: () =>
        readExport(path, key.mac, {
          begin: async (manifest) => assertSameSecret(manifest, key),
          rows: async () => {}
        }),
      catch: failure
    })
    const loaded = withConnection(url, (client) =>
      load(client, path, key).catch((error: unknown) => {
        throw failure(error)
      })
    )
    return yield* Effect.mapError(loaded, failure)
  })

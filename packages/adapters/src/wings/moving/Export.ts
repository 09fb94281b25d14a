import { Effect, type Redacted } from "effect"
import { createHmac } from "node:crypto"
import { createWriteStream } from "node:fs"
import { open, rm } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import type pg from "pg"
import { withConnection } from "../../postgres/backup/Connection.js"
import { assertAtRest, WorkspaceError } from "../../postgres/deleting/atRest.js"
import { Manifest, ROWS_AT_ONCE } from "./Format.js"
import { type MovedTable, movedTables, rowsOfWorkspace } from "./Tables.js"

/** The secret, as far as exports need it. */
export interface ExportKey {
  readonly fingerprint: string
  readonly mac: Buffer
}

/** Values as texts that mean the same everywhere. */
const PLAIN_TEXTS = [
  "SET LOCAL TimeZone = 'UTC'",
  "SET LOCAL DateStyle = 'ISO, YMD'",
  "SET LOCAL IntervalStyle = 'postgres'",
  "SET LOCAL bytea_output = 'hex'",
  "SET LOCAL extra_float_digits = 1"
].join("; ")

const one = async <Found extends pg.QueryResultRow>(client: pg.ClientBase, sql: string): Promise<Found | undefined> =>
  (await client.query<Found>(sql)).rows[0]

const about = (client: pg.ClientBase, workspace: string) =>
  one<{ readonly name: string; readonly suppressed: number; readonly credentials: number; readonly active: number }>(
    client,
    `SELECT w.name,
       (SELECT count(DISTINCT s.address_hash)::int FROM suppressions s WHERE s.workspace_id = w.workspace_id) AS suppressed,
       (SELECT count(*)::int FROM campaigns c WHERE c.workspace_id = w.workspace_id AND c.state = 'active') AS active,
       ((SELECT count(*) FROM own_mailboxes o WHERE o.workspace_id = w.workspace_id)
         + (SELECT count(*) FROM own_keys o WHERE o.workspace_id = w.workspace_id)
         + (SELECT count(*) FROM crm_connections o WHERE o.workspace_id = w.workspace_id)
         + (SELECT count(*) FROM webhook_endpoints o WHERE o.workspace_id = w.workspace_id)
         + (SELECT count(*) FROM chat_channels o WHERE o.workspace_id = w.workspace_id)
         + (SELECT count(*) FROM sending_domains o WHERE o.workspace_id = w.workspace_id AND o.zone_secret IS NOT NULL))::int AS credentials
     FROM workspaces w WHERE w.workspace_id = ${workspace}`
  )

/** The rows of a table, a few at a time: the packer takes a chunk as cheaply as a line. */
async function* chunksOf(
  client: pg.ClientBase,
  table: MovedTable,
  all: ReadonlyArray<MovedTable>,
  workspace: string
): AsyncGenerator<{ readonly lines: string; readonly rows: number }> {
  const values = table.columns.map((column) => `t.${client.escapeIdentifier(column)}::text`).join(", ")
  await client.query(
    `DECLARE moved NO SCROLL CURSOR FOR SELECT json_build_array(${values})::text AS line
     FROM ${client.escapeIdentifier(table.name)} t WHERE ${rowsOfWorkspace(client, table, all, workspace)}`
  )
  for (;;) {
    const { rows } = await client.query<{ readonly line: string }>(`FETCH ${ROWS_AT_ONCE} FROM moved`)
    if (rows.length > 0) yield { lines: rows.map(({ line }) => line).join("\n"), rows: rows.length }
    if (rows.length < ROWS_AT_ONCE) break
  }
  await client.query("CLOSE moved")
}

export interface Exported {
  readonly manifest: Manifest
  readonly rows: number
  /** Campaigns that go on sending where the export was made. */
  readonly active: number
}

/**
 * Writes one workspace into a new file, as it is at one instant, beside a running service. A file that could not be
 * finished is removed.
 */
export const exportWorkspace = (
  url: Redacted.Redacted,
  workspaceId: string,
  path: string,
  key: ExportKey,
  madeAt: Date
) =>
  Effect.mapError(
    withConnection(url, async (client): Promise<Exported> => {
      const workspace = `${client.escapeLiteral(workspaceId)}::uuid`
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      await client.query(PLAIN_TEXTS)
      const found = await about(client, workspace)
      if (found === undefined) throw new WorkspaceError({ message: `There is no workspace ${workspaceId}.` })
      await assertAtRest(client, workspace, "Both installations would finish that.")
      const tables = await movedTables(client)
      const { rows: migrations } = await client.query<{ readonly name: string }>(
        "SELECT name FROM migrations ORDER BY id"
      )
      const manifest = new Manifest({
        format: "outbound-workspace/1",
        madeAt: madeAt.toISOString(),
        workspaceId,
        name: found.name,
        migrations: migrations.map(({ name }) => name),
        secretFingerprint: key.fingerprint,
        underSecret: { suppressed: found.suppressed, credentials: found.credentials },
        tables: tables.map(({ columns, name }) => ({ name, columns }))
      })
      const mac = createHmac("sha256", key.mac)
      const counts: Record<string, number> = {}
      async function* lines(): AsyncGenerator<string> {
        const put = (text: string): string => {
          mac.update(text).update("\n")
          return `${text}\n`
        }
        yield put(JSON.stringify(manifest))
        for (const table of tables) {
          yield put(JSON.stringify({ table: table.name }))
          let rows = 0
          for await (const chunk of chunksOf(client, table, tables, workspace)) {
            rows += chunk.rows
            yield put(chunk.lines)
          }
          counts[table.name] = rows
        }
        yield `${JSON.stringify({ rows: counts, mac: mac.digest("hex") })}\n`
      }
      const file = await open(path, "wx", 0o600).catch((cause: unknown) => {
        const isThere = cause instanceof Error && "code" in cause && cause.code === "EEXIST"
        throw isThere ? new WorkspaceError({ message: `${path} is there already. Name a new file.` }) : cause
      })
      try {
        await pipeline(
          Readable.from(lines()),
          createGzip({ level: 1 }),
          createWriteStream(path, { fd: file, flush: true })
        )
      } catch (error) {
        await rm(path, { force: true })
        throw error
      } finally {
        await file.close().catch(() => {})
      }
      await client.query("COMMIT")
      return { manifest, rows: Object.values(counts).reduce((sum, n) => sum + n, 0), active: found.active }
    }),
    ({ message }) => new WorkspaceError({ message })
  )

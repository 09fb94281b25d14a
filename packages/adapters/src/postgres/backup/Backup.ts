import type { Effect, Redacted } from "effect"
import { createHash, type Hash } from "node:crypto"
import { createWriteStream, existsSync } from "node:fs"
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import type pg from "pg"
import { to as copyTo } from "pg-copy-streams"
import { ours } from "../Schema.js"
import { withConnection } from "./Connection.js"
import { BackupError, fileOf, Manifest, MANIFEST, type TableOfBackup } from "./Manifest.js"
import { selectOf, type Table, tablesOf } from "./Tables.js"

/** Passes bytes on, and adds them to the hash. */
export const hashing = (hash: Hash): Transform =>
  new Transform({
    transform: (chunk: Buffer, _, done) => {
      hash.update(chunk)
      done(null, chunk)
    }
  })

/** Waits until it is on the disk. */
export const synced = async (path: string): Promise<void> => {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const writeTable = async (client: pg.ClientBase, folder: string, table: Table): Promise<TableOfBackup> => {
  const rows = client.query(copyTo(`COPY (${selectOf(client, table)}) TO STDOUT`))
  const hash = createHash("sha256")
  const path = join(folder, fileOf(table.name))
  await pipeline(rows, hashing(hash), createGzip({ level: 1 }), createWriteStream(path, { flags: "wx", mode: 0o600 }))
  await synced(path)
  return { name: table.name, columns: table.columns, rows: rows.rowCount, sha256: hash.digest("hex") }
}

const sequencesOf = async (client: pg.ClientBase): Promise<Manifest["sequences"]> => {
  const { rows } = await client.query<{ readonly name: string }>(
    `SELECT sequencename AS name FROM pg_sequences WHERE schemaname = current_setting('outbound.schema') ORDER BY sequencename`
  )
  const read = async ({ name }: { readonly name: string }) => {
    const found = await client.query<{ readonly value: string; readonly isCalled: boolean }>(
      `SELECT last_value::text AS value, is_called AS "isCalled" FROM ${client.escapeIdentifier(name)}`
    )
    return { name, value: found.rows[0]?.value ?? "1", isCalled: found.rows[0]?.isCalled ?? false }
  }
  const found: Array<Manifest["sequences"][number]> = []
  for (const row of rows) found.push(await read(row))
  return found
}

const writeAll = async (client: pg.ClientBase, folder: string, madeAt: string): Promise<Manifest> => {
  // One snapshot of everything, beside a running service.
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  const { rows: about } = await client.query<{ readonly version: string; readonly isOurs: boolean }>(
    `SELECT current_setting('server_version') AS version, ${ours("migrations")} IS NOT NULL AS "isOurs"`
  )
  if (about[0]?.isOurs !== true) throw new BackupError({ message: "The database holds no tables of this service." })
  const { rows: migrations } = await client.query<{ readonly name: string }>("SELECT name FROM migrations ORDER BY id")
  const { rows: meta } = await client.query<{ readonly fingerprint: string }>(
    "SELECT secret_fingerprint AS fingerprint FROM service_meta"
  )
  const tables: Array<TableOfBackup> = []
  for (const table of await tablesOf(client)) tables.push(await writeTable(client, folder, table))
  const sequences = await sequencesOf(client)
  await client.query("COMMIT")
  return new Manifest({
    format: 1,
    madeAt,
    postgres: about[0].version,
    migrations: migrations.map(({ name }) => name),
    secretFingerprint: meta[0]?.fingerprint ?? null,
    tables,
    sequences
  })
}

/**
 * Copies everything that the service stores into a new folder, as it is at one instant. The folder appears under its name
 * only once it is whole. Long work is not in it: jobs that are missing are added again by the service.
 */
export const backUp = (url: Redacted.Redacted, folder: string, madeAt: Date): Effect.Effect<Manifest, BackupError> =>
  withConnection(url, async (client) => {
    if (existsSync(folder)) throw new BackupError({ message: `${folder} exists already. Name a new folder.` })
    const partial = `${folder}.partial`
    await rm(partial, { recursive: true, force: true })
    await mkdir(partial, { recursive: true, mode: 0o700 })
    const manifest = await writeAll(client, partial, madeAt.toISOString())
    const path = join(partial, MANIFEST)
    await writeFile(path, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 })
    await synced(path)
    const files = await readdir(partial)
    if (files.length !== manifest.tables.length + 1) {
      throw new BackupError({ message: `${partial} is in use by another backup. Repeat it under another name.` })
    }
    await rename(partial, folder)
    await synced(dirname(folder))
    return manifest
  })

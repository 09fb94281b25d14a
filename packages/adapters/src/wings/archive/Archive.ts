import { type Effect, type Redacted, Schema } from "effect"
import { createHash } from "node:crypto"
import { createWriteStream, existsSync } from "node:fs"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import type pg from "pg"
import { to as copyTo } from "pg-copy-streams"
import { hashing, synced } from "../../postgres/backup/Backup.js"
import { withConnection } from "../../postgres/backup/Connection.js"
import { BackupError, MANIFEST } from "../../postgres/backup/Manifest.js"
import { firstIdOf } from "../../postgres/Columns.js"
import { isLockNotAvailable } from "../../postgres/PgErrors.js"
import {
  GROWING,
  type Growing,
  monthOf,
  MONTHS_LOCK,
  PARTITIONS,
  type Partition
} from "../../postgres/months/Partitions.js"
import { type ArchivedTable, ArchiveManifest, linesOf } from "./Manifest.js"
import { foldSums, TAKE_SUMS } from "./sums.js"
import { TRAILS } from "./TrailParts.js"
import { type ArchivedTrail, archiveTrails } from "./Trails.js"

/** How long it waits for a table before it lets calls pass. */
const TABLE_MILLIS_MAX = 1_000
const TRIES_MAX = 60
const TRY_AGAIN_SECONDS = 2

/** A month, or the months of the oldest partition. */
export interface ArchivedMonth {
  readonly folder: string
  readonly rows: number
}

export interface Archived {
  readonly months: ReadonlyArray<ArchivedMonth>
  readonly trails: ReadonlyArray<ArchivedTrail>
}

/** The partitions of every table that end at one id. */
type Month = ReadonlyArray<Partition>

/** Partitions whose rows are all sealed, and older than asked for, the oldest first. */
const dueMonths = async (client: pg.ClientBase, beforeMillis: number): Promise<ReadonlyArray<Month>> => {
  const { rows } = await client.query<Partition>(
    `SELECT p.* FROM (${PARTITIONS}) p
     WHERE p.until <= $1::uuid AND EXISTS (SELECT FROM sealed_months m WHERE m.until >= p.until)
     ORDER BY p.until`,
    [firstIdOf(beforeMillis)]
  )
  return [...new Set(rows.map(({ until }) => until))].map((until) => rows.filter((one) => one.until === until))
}

const writeRows = async (
  client: pg.ClientBase,
  folder: string,
  { name, table }: Partition,
  { id }: Growing
): Promise<ArchivedTable> => {
  const rows = client.query(
    copyTo(
      `COPY (SELECT to_jsonb(r) FROM ${name} r ORDER BY r.workspace_id, r.${id}) TO STDOUT (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`
    )
  )
  const hash = createHash("sha256")
  const path = join(folder, linesOf(table))
  await pipeline(rows, hashing(hash), createGzip(), createWriteStream(path, { flags: "wx", mode: 0o600 }))
  await synced(path)
  return { name: table, rows: rows.rowCount, sha256: hash.digest("hex") }
}

const assertOurs = async (folder: string, fingerprint: string | null): Promise<void> => {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => null)
  const found = text === null ? null : Schema.decodeSync(Schema.fromJsonString(ArchiveManifest))(text)
  if (found !== null && found.secretFingerprint !== fingerprint) {
    throw new BackupError({ message: `${folder} is the archive of another installation. Name another folder.` })
  }
}

/** Writes the rows of one snapshot, and takes their sums in it. The folder appears under its name when it is whole. */
const write = async (client: pg.ClientBase, folder: string, month: Month, madeAt: Date): Promise<ArchiveManifest> => {
  const { rows: meta } = await client.query<{ readonly fingerprint: string }>(
    "SELECT secret_fingerprint AS fingerprint FROM service_meta"
  )
  const secretFingerprint = meta[0]?.fingerprint ?? null
  // A run before this one ended between its files and its sums: all rows are here still.
  await assertOurs(folder, secretFingerprint)
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true, mode: 0o700 })
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ")
  for (const statement of TAKE_SUMS(month)) await client.query(statement)
  const tables: Array<ArchivedTable> = []
  for (const growing of GROWING) {
    const partition = month.find(({ table }) => table === growing.table)
    if (partition !== undefined) tables.push(await writeRows(client, partial, partition, growing))
  }
  await client.query("COMMIT")
  const manifest = new ArchiveManifest({
    format: 1,
    madeAt: madeAt.toISOString(),
    secretFingerprint,
    until: month[0]?.until ?? "",
    tables
  })
  await writeFile(join(partial, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 })
  await synced(join(partial, MANIFEST))
  if (existsSync(folder)) await rm(folder, { recursive: true })
  await rename(partial, folder)
  await synced(join(folder, ".."))
  return manifest
}

/** Sums stand for the rows from here on, and the rows go, in one transaction. */
const drop = async (client: pg.ClientBase, month: Month): Promise<void> => {
  await client.query("BEGIN")
  await client.query(`SET LOCAL lock_timeout = ${TABLE_MILLIS_MAX}`)
  for (const { name } of month) await client.query(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`)
  await foldSums(client, month)
  for (const { name } of month) await client.query(`DROP TABLE ${name}`)
  await client.query("COMMIT")
}

const dropPatiently = async (client: pg.ClientBase, month: Month): Promise<void> => {
  for (let tries = 1; ; tries++) {
    try {
      return await drop(client, month)
    } catch (error) {
      await client.query("ROLLBACK")
      if (!isLockNotAvailable(error) || tries >= TRIES_MAX) throw error
      await client.query("SELECT pg_sleep($1)", [TRY_AGAIN_SECONDS])
    }
  }
}

/** `2026_10`, by the last month in it. */
const nameOf = (month: Month): string => (month[0]?.name ?? "").replace(`${month[0]?.table}_`, "")

/** Partitions hold the calls of all workspaces, so the one that keeps them longest decides. Null: one keeps them for ever. */
const monthsKept = async (client: pg.ClientBase, keepMonths: number): Promise<number | null> => {
  const { rows } = await client.query<{ readonly longest: number | null; readonly always: boolean }>(
    "SELECT max(call_months) AS longest, coalesce(bool_or(call_months = 0), false) AS always FROM workspaces"
  )
  return rows[0]?.always === true ? null : Math.max(keepMonths, rows[0]?.longest ?? 0)
}

/** How long calls and trails stay in the database: full months. */
export interface Kept {
  readonly callMonths: number
  /** Of workspaces without a retention of their own. Null: their trails stay. */
  readonly trailMonths: number | null
}

/**
 * Moves the calls and entries of sealed months that are old enough into folders of `folder`, one for each partition, and
 * old parts of trails into files of each workspace, while the service runs. A process that dies at any point loses nothing: rows are dropped only after their
 * files are on the disk, and the next run begins with the first month whose rows are still here.
 */
export const archive = (
  url: Redacted.Redacted,
  folder: string,
  { callMonths, trailMonths }: Kept,
  nowMillis: number
): Effect.Effect<Archived, BackupError> =>
  withConnection(url, async (client) => {
    const { rows } = await client.query<{ readonly held: boolean }>(
      `SELECT pg_try_advisory_lock(${MONTHS_LOCK}) AS held`
    )
    if (rows[0]?.held !== true) {
      throw new BackupError({ message: "Months are being sealed or archived just now. Repeat it in a minute." })
    }
    const months: Array<ArchivedMonth> = []
    const kept = await monthsKept(client, callMonths)
    for (const month of kept === null ? [] : await dueMonths(client, monthOf(nowMillis, -kept))) {
      const target = join(folder, nameOf(month))
      const manifest = await write(client, target, month, new Date(nowMillis))
      await dropPatiently(client, month)
      months.push({ folder: target, rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0) })
    }
    return { months, trails: await archiveTrails(client, join(folder, TRAILS), trailMonths, nowMillis) }
  })

import { Effect, type Redacted, Schema } from "effect"
import { createHash } from "node:crypto"
import { createReadStream, existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import type pg from "pg"
import { from as copyFrom } from "pg-copy-streams"
import { isNewerThan, migrate, type MigrationError } from "../Migrations.js"
import { migrations } from "../migrations/migrations.js"
import type { SqlClient, SqlError } from "../Sql.js"
import { hashing } from "./Backup.js"
import { withConnection } from "./Connection.js"
import { BackupError, fileOf, Manifest, MANIFEST, type TableOfBackup } from "./Manifest.js"
import { copyTarget, holdRows, tablesOf } from "./Tables.js"
import { messageOf } from "../../platform/errors.js"

const damaged = (what: string) =>
  new BackupError({ message: `The backup is damaged: ${what}. Nothing was restored. Take another backup.` })

const OCCUPIED =
  "The database holds data already. Restore into an empty one: name it in DATABASE_URL, or an empty folder in OUTBOUND_DATA_DIR."

const NEWER = "The database is empty, but newer than the backup. Restore into a database that holds no tables at all."

/** What a folder holds, if it is a backup. */
export const readManifest = (folder: string): Effect.Effect<Manifest, BackupError> =>
  Effect.tryPromise({
    try: () => readFile(join(folder, MANIFEST), "utf8"),
    catch: () => new BackupError({ message: `${folder} holds no ${MANIFEST}: it is no backup, or not a whole one.` })
  }).pipe(
    Effect.flatMap((text) =>
      Effect.mapError(Schema.decodeEffect(Schema.fromJsonString(Manifest))(text), () =>
        damaged(`${MANIFEST} can't be read`)
      )
    )
  )

const assertKnown = (manifest: Manifest): Effect.Effect<void, BackupError> => {
  const other = manifest.migrations.findIndex((name, index) => migrations[index]?.name !== name)
  return other === -1
    ? Effect.void
    : new BackupError({
        message: `The backup is at migration ${other + 1} (${manifest.migrations[other]}), which this program does not know. Restore it with the version that made it, or a newer one.`
      })
}

const assertSameTables = async (client: pg.ClientBase, manifest: Manifest): Promise<void> => {
  const here = new Map((await tablesOf(client)).map(({ columns, name }) => [name, columns]))
  const isSame = ({ columns, name }: TableOfBackup) =>
    columns.every((column) => here.get(name)?.includes(column) === true) && columns.length === here.get(name)?.length
  const other = manifest.tables.find((table) => !isSame(table))
  if (other !== undefined) throw damaged(`the table ${other.name} has other columns than its migrations make`)
  if (here.size !== manifest.tables.length) throw damaged("it does not name every table")
}

const readTable = async (client: pg.ClientBase, folder: string, table: TableOfBackup): Promise<void> => {
  const path = join(folder, fileOf(table.name))
  if (!existsSync(path)) throw damaged(`${fileOf(table.name)} is missing`)
  const rows = client.query(copyFrom(`COPY ${copyTarget(client, table)} FROM STDIN`))
  const hash = createHash("sha256")
  try {
    await pipeline(createReadStream(path), createGunzip(), hashing(hash), rows)
  } catch (error) {
    throw damaged(`${fileOf(table.name)}: ${messageOf(error)}`)
  }
  if (hash.digest("hex") !== table.sha256 || rows.rowCount !== table.rows) {
    throw damaged(`${fileOf(table.name)} is not what was written`)
  }
}

/**
 * What was sent since the backup is not known here, so nobody is written to before a person looks: a campaign goes on by a
 * new launch, which needs its approval.
 */
const PAUSE = "UPDATE campaigns SET state = 'paused', pause_reason = 'owner' WHERE state = 'active'"

const readAll = async (client: pg.ClientBase, folder: string, manifest: Manifest): Promise<number> => {
  await client.query("BEGIN")
  await assertSameTables(client, manifest)
  const tables = manifest.tables.map(({ name }) => client.escapeIdentifier(name))
  // A second restore waits here, and then finds rows.
  for (const table of tables) await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  if (await holdRows(client, manifest.tables)) throw new BackupError({ message: OCCUPIED })
  // Rows come as they were: what triggers once wrote is among them, and nobody is to be woken yet.
  for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  for (const table of manifest.tables) await readTable(client, folder, table)
  for (const { isCalled, name, value } of manifest.sequences) {
    await client.query("SELECT setval(quote_ident($1)::regclass, $2, $3)", [name, value, isCalled])
  }
  const paused = await client.query(PAUSE)
  for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
  await client.query("COMMIT")
  for (const table of tables) await client.query(`ANALYZE ${table}`)
  return paused.rowCount ?? 0
}

export interface Restored {
  readonly manifest: Manifest
  /** Campaigns that were active, and are paused now. */
  readonly campaignsPaused: number
}

/**
 * Puts a backup into an empty database, all of it or nothing, and then applies the migrations that are newer than it. The
 * SqlClient is a connection to the database of `url`.
 */
export const restore = (
  url: Redacted.Redacted,
  folder: string
): Effect.Effect<Restored, BackupError | MigrationError | SqlError, SqlClient> =>
  Effect.gen(function* () {
    const manifest = yield* readManifest(folder)
    yield* assertKnown(manifest)
    yield* withConnection(url, async (client) => {
      const tables = await tablesOf(client)
      if (await holdRows(client, tables)) throw new BackupError({ message: OCCUPIED })
    })
    const then = migrations.slice(0, manifest.migrations.length)
    yield* Effect.catchTag(migrate(then), "MigrationError", () => Effect.fail(new BackupError({ message: NEWER })))
    if (yield* isNewerThan(then)) return yield* new BackupError({ message: NEWER })
    const campaignsPaused = yield* withConnection(url, (client) => readAll(client, folder, manifest))
    yield* migrate()
    return { manifest, campaignsPaused }
  })

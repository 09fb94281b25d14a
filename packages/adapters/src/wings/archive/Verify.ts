import type { SealedTotals } from "@outbound/domain/kernel/trail/seals.js"
import { archivedLines, TRAILS } from "./TrailParts.js"
import { type Effect, type Redacted, Schema } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { PassThrough } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import { hashing } from "../../postgres/backup/Backup.js"
import { withConnection } from "../../postgres/backup/Connection.js"
import { BackupError, MANIFEST } from "../../postgres/backup/Manifest.js"
import type { InvariantReport } from "../../postgres/PgInvariants.js"
import { type ArchivedTable, ArchiveManifest, linesOf } from "./Manifest.js"
import { messageOf } from "../../platform/errors.js"

const Line = Schema.fromJsonString(
  Schema.Struct({
    workspace_id: Schema.String,
    charged: Schema.optional(Schema.Number),
    amount: Schema.optional(Schema.Number)
  })
)
const readLine = Schema.decodeSync(Line)

interface Sums {
  calls: bigint
  charged: bigint
  entries: bigint
  amount: bigint
}

const add = (sums: Map<string, Sums>, table: ArchivedTable["name"], text: string): void => {
  const { amount = 0, charged = 0, workspace_id } = readLine(text)
  const found = sums.get(workspace_id) ?? { calls: 0n, charged: 0n, entries: 0n, amount: 0n }
  if (table === "requests") {
    found.calls += 1n
    found.charged += BigInt(charged)
  } else {
    found.entries += 1n
    found.amount += BigInt(amount)
  }
  sums.set(workspace_id, found)
}

/** Reads a file to its end. Returns what is wrong with it, or null. */
const readTable = async (
  path: string,
  { name, rows, sha256 }: ArchivedTable,
  sums: Map<string, Sums>
): Promise<string | null> => {
  const hash = createHash("sha256")
  const lines = new PassThrough()
  const reading = pipeline(createReadStream(path), createGunzip(), hashing(hash), lines)
  let count = 0
  const counting = (async () => {
    for await (const line of createInterface({ input: lines, crlfDelay: Infinity })) {
      count++
      add(sums, name, line)
    }
  })()
  try {
    await Promise.all([reading, counting])
  } catch (error) {
    return `${path}: ${messageOf(error)}`
  }
  return count === rows && hash.digest("hex") === sha256 ? null : `${path} is not what was written`
}

const foldersOf = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && !entry.name.endsWith(".partial") && entry.name !== TRAILS)
    .map(({ name }) => join(folder, name))
    .sort()

const readMonth = async (month: string, sums: Map<string, Sums>): Promise<ReadonlyArray<string>> => {
  const text = await readFile(join(month, MANIFEST), "utf8").catch(() => null)
  if (text === null) return [`${month} holds no ${MANIFEST}`]
  const manifest = Schema.decodeSync(Schema.fromJsonString(ArchiveManifest))(text)
  const found: Array<string> = []
  for (const table of manifest.tables) {
    const breach = await readTable(join(month, linesOf(table.name)), table, sums)
    if (breach !== null) found.push(breach)
  }
  return found
}

interface SumsRow {
  readonly workspace: string
  readonly calls: string
  readonly charged: string
  readonly entries: string
  readonly amount: string
}

interface TrailRow extends SealedTotals {
  readonly workspaceId: string
}

/** What is archived of each trail. A trail has fewer seals and events than a float counts. */
const TRAIL_ROWS = `
  SELECT workspace_id::text AS "workspaceId", seal::float8 AS seals, events::float8 AS events, hash AS head
  FROM archived_trails ORDER BY 1`

const NONE: Sums = { calls: 0n, charged: 0n, entries: 0n, amount: 0n }

/**
 * Reads an archive whole and compares it with the sums that stand for it: an invariant like those of the database. Rows of
 * workspaces that are not here are not compared.
 */
export const verifyArchive = (url: Redacted.Redacted, folder: string): Effect.Effect<InvariantReport, BackupError> =>
  withConnection(url, async (client) => {
    const sums = new Map<string, Sums>()
    const breaches: Array<InvariantReport["breaches"][number]> = []
    for (const month of await foldersOf(folder)) {
      for (const breach of await readMonth(month, sums)) breaches.push({ workspaceId: null, breach })
    }
    const { rows } = await client.query<SumsRow>(
      `SELECT workspace_id::text AS workspace, calls::text, charged::text, entries::text, amount::text
       FROM sealed_sums WHERE archived ORDER BY 1`
    )
    for (const row of rows) {
      const found = sums.get(row.workspace) ?? NONE
      const isSame =
        found.calls === BigInt(row.calls) &&
        found.charged === BigInt(row.charged) &&
        found.entries === BigInt(row.entries) &&
        found.amount === BigInt(row.amount)
      if (isSame) continue
      breaches.push({
        workspaceId: row.workspace,
        breach: `the archive holds ${found.calls} calls for ${found.charged} and ${found.entries} entries of ${found.amount} instead of ${row.calls}, ${row.charged}, ${row.entries}, ${row.amount}`
      })
    }
    for (const { workspaceId, ...archived } of (await client.query<TrailRow>(TRAIL_ROWS)).rows) {
      try {
        for await (const _line of archivedLines(folder, workspaceId, archived)) continue
      } catch (error) {
        breaches.push({ workspaceId, breach: messageOf(error) })
      }
    }
    return {
      name: "the_archive_is_whole",
      rule: "The archive holds the rows that sums stand for, and trails as they were sealed.",
      count: breaches.length,
      breaches
    }
  })

import {
  firstLine,
  lastLine,
  NOTHING_SEALED,
  type SealedEvent,
  type SealedTotals,
  sealLines,
  type TrailSeal
} from "@outbound/domain/kernel/trail/seals.js"
import { Array as Arr, Schema } from "effect"
import { createWriteStream } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import type pg from "pg"
import { NumberText } from "@outbound/domain/kernel/NumberText.js"
import { synced } from "../../postgres/backup/Backup.js"
import { monthOf } from "../../postgres/months/Partitions.js"
import { RECORDED_COLUMNS, RecordedRow, SEAL_COLUMNS, SealRow, TotalsRow } from "../../postgres/TrailRows.js"
import { partOf, partsIn, sha256, verifying } from "./TrailParts.js"

/** Seals that are read at once. */
const SEALS_AT_ONCE = 50
/** Events that are removed at once, so that nobody waits for their rows and the log stays short. */
const EVENTS_AT_ONCE = 10_000

/** A part of a workspace's trail that was moved. */
export interface ArchivedTrail {
  readonly file: string
  readonly workspaceId: string
  readonly events: number
}

/** What of a workspace's trail is in an archive, as the database knows it. */
const archivedOf = async (client: pg.ClientBase, workspaceId: string): Promise<SealedTotals> => {
  const { rows } = await client.query(
    "SELECT seal::text AS seals, events::text, hash AS head FROM archived_trails WHERE workspace_id = $1",
    [workspaceId]
  )
  return rows[0] === undefined ? NOTHING_SEALED : Schema.decodeUnknownSync(TotalsRow)(rows[0])
}

const CoveredRow = Schema.Struct({
  ...RecordedRow.fields,
  seal: NumberText,
  person: Schema.NullOr(Schema.String),
  detail: Schema.String
})

interface Sealed {
  readonly seal: TrailSeal
  readonly events: ReadonlyArray<SealedEvent>
}

/** The seals after a number that were made before the time, with their events but without anybody's address. */
async function* sealsOf(
  client: pg.ClientBase,
  workspaceId: string,
  after: number,
  before: number
): AsyncGenerator<Sealed> {
  for (let from = after; ; from += SEALS_AT_ONCE) {
    const found = await client.query(
      `SELECT ${SEAL_COLUMNS} FROM trail_seals s
       WHERE s.workspace_id = $1 AND s.number > $2 AND s.number <= $3 ORDER BY s.number`,
      [workspaceId, from, from + SEALS_AT_ONCE]
    )
    const events = await client.query(
      `SELECT ${RECORDED_COLUMNS}, e.seal::text AS seal, s.commitment AS person, e.detail::text AS detail
       FROM trail_events e LEFT JOIN subjects s ON s.workspace_id = e.workspace_id AND s.subject_id = e.subject_id
       WHERE e.workspace_id = $1 AND e.seal > $2 AND e.seal <= $3 ORDER BY e.seal, e.observed_at, e.event_id`,
      [workspaceId, from, from + SEALS_AT_ONCE]
    )
    const covered = Arr.groupBy(Schema.decodeUnknownSync(Schema.Array(CoveredRow))(events.rows), ({ seal }) =>
      String(seal)
    )
    const seals = Schema.decodeUnknownSync(Schema.Array(SealRow))(found.rows)
    for (const seal of seals) {
      const mine = covered[String(seal.number)] ?? []
      if ([seal.sealedAtMillis, ...mine.map(({ observedAtMillis }) => observedAtMillis)].some((at) => at >= before))
        return
      yield { seal, events: mine.map(({ seal: _seal, ...event }) => ({ ...event, email: null, salt: null })) }
    }
    if (seals.length < SEALS_AT_ONCE) return
  }
}

interface Written {
  readonly file: string
  readonly totals: SealedTotals
  readonly untilMillis: number
}

/**
 * Writes the part of a trail that is old enough, each line verified as `trail verify` would: what is not as it was sealed
 * stays in the database. The file appears under its name when it is on the disk. Null: nothing is old enough.
 */
const writePart = async (
  client: pg.ClientBase,
  folder: string,
  workspaceId: string,
  before: Date
): Promise<Written | null> => {
  const done = await archivedOf(client, workspaceId)
  const chain = sealsOf(client, workspaceId, done.seals, before.getTime())
  const first = await chain.next()
  if (first.done === true) return null
  const verify = verifying(`The trail of workspace ${workspaceId} is not as it was sealed, so it is not archived`)
  let totals = done
  let untilMillis = 0
  async function* lines(): AsyncGenerator<string> {
    const line = (text: string): string => {
      verify.line(text)
      return `${text}\n`
    }
    yield line(firstLine(workspaceId, done))
    for (let next = first; next.done !== true; next = await chain.next()) {
      const { events, seal } = next.value
      for (const text of sealLines(sha256, seal, events)) yield line(text)
      totals = { seals: seal.number, events: totals.events + events.length, head: seal.hash }
      for (const { observedAtMillis } of events) untilMillis = Math.max(untilMillis, observedAtMillis)
    }
    yield line(lastLine(totals))
  }
  const partial = join(folder, "next.partial")
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await rm(partial, { force: true })
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  try {
    await pipeline(Readable.from(lines()), createGzip(), createWriteStream(partial, { flags: "wx", mode: 0o600 }))
  } finally {
    await client.query("ROLLBACK")
  }
  verify.end()
  await synced(partial)
  const name = partOf(done.seals + 1, totals.seals)
  const file = join(folder, name)
  await rename(partial, file)
  // Of a run that died before the database knew of its part: all of its events are still here.
  for (const other of await partsIn(folder)) {
    if (other.first > done.seals && other.name !== name) await rm(join(folder, other.name))
  }
  await synced(folder)
  return { file, totals, untilMillis }
}

/** From here on the archive stands for the events. */
const note = (client: pg.ClientBase, workspaceId: string, { totals, untilMillis }: Written): Promise<unknown> =>
  client.query(
    `INSERT INTO archived_trails AS a (workspace_id, seal, hash, events, until, archived_at)
     VALUES ($1, $2, $3, $4, $5, clock_timestamp())
     ON CONFLICT (workspace_id) DO UPDATE SET seal = excluded.seal, hash = excluded.hash, events = excluded.events,
       until = greatest(a.until, excluded.until), archived_at = excluded.archived_at`,
    [workspaceId, totals.seals, totals.head, totals.events, new Date(untilMillis)]
  )

/** Removes what the archive stands for, in steps; a run that died between them left the rest to the next one. */
const removeEvents = async (client: pg.ClientBase, workspaceId: string): Promise<void> => {
  for (let removed = EVENTS_AT_ONCE; removed === EVENTS_AT_ONCE;) {
    const { rowCount } = await client.query(
      `DELETE FROM trail_events e USING (
         SELECT t.workspace_id, t.observed_at, t.event_id FROM trail_events t JOIN archived_trails a USING (workspace_id)
         WHERE t.workspace_id = $1 AND t.seal <= a.seal LIMIT ${EVENTS_AT_ONCE}
       ) o
       WHERE e.workspace_id = o.workspace_id AND e.observed_at = o.observed_at AND e.event_id = o.event_id`,
      [workspaceId]
    )
    removed = rowCount ?? 0
  }
}

/**
 * Moves the old part of each workspace's trail into a file of its own, below `folder`. A workspace's own retention counts
 * before `keepMonths`; with neither, its trail stays. A process that dies at any point loses nothing.
 */
export const archiveTrails = async (
  client: pg.ClientBase,
  folder: string,
  keepMonths: number | null,
  nowMillis: number
): Promise<ReadonlyArray<ArchivedTrail>> => {
  const { rows } = await client.query<{ readonly workspaceId: string; readonly months: number }>(
    `SELECT workspace_id AS "workspaceId", coalesce(trail_months, $1::integer) AS months FROM workspaces
     WHERE coalesce(trail_months, $1::integer, 0) > 0 ORDER BY workspace_id`,
    [keepMonths]
  )
  const found: Array<ArchivedTrail> = []
  for (const { months, workspaceId } of rows) {
    const before = (await archivedOf(client, workspaceId)).events
    const written = await writePart(
      client,
      join(folder, workspaceId),
      workspaceId,
      new Date(monthOf(nowMillis, -months))
    )
    if (written !== null) {
      await note(client, workspaceId, written)
      found.push({ file: written.file, workspaceId, events: written.totals.events - before })
    }
    await removeEvents(client, workspaceId)
  }
  return found
}

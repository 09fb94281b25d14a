import { assert, it } from "@effect/vitest"
import { SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { backUp } from "../../src/postgres/backup/Backup.js"
import { restore } from "../../src/postgres/backup/Restore.js"
import { migrate } from "../../src/postgres/Migrations.js"
import { migrations } from "../../src/postgres/migrations/migrations.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { freshDatabase } from "../support/TestDatabase.js"
import { poolTo } from "./stores.js"

const AT = new Date("2026-05-04T12:00:00Z")

const place: Effect.Effect<string, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-backup-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => join(folder, "backup")
)

/** A database, and what runs on it. */
const database = Effect.gen(function* () {
  const { url } = yield* freshDatabase
  const pool = yield* Layer.build(poolTo(url))
  const on = <A, E>(work: Effect.Effect<A, E, SqlClient>) => Effect.provide(work, pool)
  const sql = (statement: string) => on(Effect.flatMap(SqlClient, (client) => client.unsafe(statement)))
  return { url: Redacted.make(url), on, sql }
})

const isMade = (row: object | undefined): boolean => row !== undefined && "made" in row && row.made === true

type Database = Effect.Success<typeof database>

/** Tables that keep their rows for good, others that refer to each other, and texts that need care in a copy. */
const fill = ({ on, sql }: Database) =>
  Effect.gen(function* () {
    yield* on(migrate())
    yield* sql("INSERT INTO service_meta (secret_fingerprint) VALUES ('one')")
    yield* sql(`
      INSERT INTO workspaces (
        workspace_id, name, kind, daily_sends, daily_replies, mailbox_daily_replies, mailbox_daily_sends, created_at
      )
      SELECT gen_random_uuid(), E'tab\\t, new\\nline, back\\\\slash, \\\\N, ü 😀 ' || n, 'sandbox', 1, 1, 1, 1, now()
      FROM generate_series(1, 3000) n
    `)
  })

/** Every row of every table, as text. */
const contents = ({ on }: Database) =>
  on(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const tables = yield* sql<{ readonly name: string }>`
        SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'outbound'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
          AND relname NOT IN ('migrations', 'hosts')
        ORDER BY 1
      `
      return yield* Effect.forEach(tables, ({ name }) =>
        Effect.map(
          sql<{ readonly all: string | null }>`
            SELECT md5(string_agg(t::text, chr(10) ORDER BY t::text)) AS all FROM ${sql(name)} t
          `,
          (rows) => [name, rows[0]?.all ?? null] as const
        )
      )
    })
  )

it.layer(Layer.empty, SUITE)("a backup", (it) => {
  it.effect("holds every row of every table, and a restored database is the same and goes on", () =>
    Effect.gen(function* () {
      const [from, to, folder] = [yield* database, yield* database, yield* place]
      yield* fill(from)
      const before = yield* contents(from)
      const manifest = yield* backUp(from.url, folder, AT)
      assert.sameMembers(
        manifest.tables.map(({ name }) => name),
        before.map(([name]) => name)
      )
      const { campaignsPaused } = yield* to.on(restore(to.url, folder))
      assert.strictEqual(campaignsPaused, 0)
      assert.deepStrictEqual(yield* contents(to), before)
      assert.strictEqual(before.filter(([, rows]) => rows !== null).length, 2)
      assert.deepStrictEqual(yield* to.on(migrate()), [])
      // What must never be deleted is guarded there too.
      yield* Effect.flip(to.sql("TRUNCATE suppressed_domains"))
      const disabled = yield* to.sql("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'D'")
      assert.lengthOf(disabled, 0)
    })
  )

  it.effect("is of one instant: a row that is written meanwhile is in it whole, or not at all", () =>
    Effect.gen(function* () {
      const [from, to, folder] = [yield* database, yield* database, yield* place]
      yield* fill(from)
      const busy = yield* Effect.forkChild(
        Effect.forever(from.sql("UPDATE workspaces SET name = name || '.' WHERE true"))
      )
      yield* backUp(from.url, folder, AT)
      yield* Effect.sync(() => busy.interruptUnsafe())
      yield* to.on(restore(to.url, folder))
      const [row] = yield* to.sql(
        "SELECT count(*)::int AS n, count(DISTINCT length(name) - length(rtrim(name, '.')))::int AS kinds FROM workspaces"
      )
      assert.deepInclude(row, { n: 3000, kinds: 1 })
    })
  )

  it.effect("of an older program is taken up by a newer one, which then migrates it", () =>
    Effect.gen(function* () {
      const [from, to, folder] = [yield* database, yield* database, yield* place]
      const older = migrations.slice(0, -1)
      yield* from.on(migrate(older))
      yield* backUp(from.url, folder, AT)
      const newer = yield* database
      yield* newer.on(migrate())
      assert.match((yield* Effect.flip(newer.on(restore(newer.url, folder)))).message, /newer than the backup/)
      yield* to.on(restore(to.url, folder))
      assert.deepStrictEqual(yield* to.on(migrate()), [])
    })
  )

  it.effect("that is damaged changes nothing, whatever is wrong with it", () =>
    Effect.gen(function* () {
      const [from, to, folder] = [yield* database, yield* database, yield* place]
      yield* fill(from)
      yield* backUp(from.url, folder, AT)
      const file = join(folder, "workspaces.copy.gz")
      const whole = readFileSync(file)
      const manifest = readFileSync(join(folder, "manifest.json"), "utf8")
      const refused = (words: RegExp) =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(to.on(restore(to.url, folder)))
          assert.match(error.message, words)
          const rows = yield* to.sql("SELECT to_regclass('workspaces') IS NOT NULL AS made")
          if (isMade(rows[0])) assert.lengthOf(yield* to.sql("SELECT 1 FROM workspaces LIMIT 1"), 0)
          writeFileSync(file, whole)
          writeFileSync(join(folder, "manifest.json"), manifest)
        })
      truncateSync(file, 500)
      yield* refused(/damaged: workspaces\.copy\.gz/)
      const lines = gunzipSync(whole).toString("utf8").split("\n")
      writeFileSync(file, gzipSync(lines.slice(1).join("\n")))
      yield* refused(/workspaces\.copy\.gz is not what was written/)
      rmSync(file)
      yield* refused(/workspaces\.copy\.gz is missing/)
      writeFileSync(join(folder, "manifest.json"), "{")
      yield* refused(/manifest\.json can't be read/)
      writeFileSync(join(folder, "manifest.json"), manifest.replace("foundation", "another"))
      yield* refused(/migration 1 \(another\), which this program does not know/)
      rmSync(join(folder, "manifest.json"))
      yield* refused(/it is no backup, or not a whole one/)
      yield* to.on(restore(to.url, folder))
    })
  )

  it.effect("goes only into an empty database, once, and never over another backup", () =>
    Effect.gen(function* () {
      const [from, to, folder] = [yield* database, yield* database, yield* place]
      yield* fill(from)
      yield* backUp(from.url, folder, AT)
      const files = readdirSync(folder)
      assert.match((yield* Effect.flip(backUp(from.url, folder, AT))).message, /exists already/)
      assert.deepStrictEqual(readdirSync(folder), files)
      assert.match((yield* Effect.flip(from.on(restore(from.url, folder)))).message, /holds data already/)
      const both = yield* Effect.all(
        [Effect.result(to.on(restore(to.url, folder))), Effect.result(to.on(restore(to.url, folder)))],
        {
          concurrency: "unbounded"
        }
      )
      assert.lengthOf(
        both.filter(({ _tag }) => _tag === "Success"),
        1
      )
      const empty = yield* database
      assert.match(
        (yield* Effect.flip(backUp(empty.url, `${folder}-2`, AT))).message,
        /holds no tables of this service/
      )
    })
  )
})

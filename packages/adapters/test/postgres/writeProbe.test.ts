import { assert, it, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Schedule } from "effect"
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { poolTo } from "./stores.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { proveWrite } from "../../src/postgres/WriteProbe.js"
import { place, run } from "../embedded/support.js"
import { TestDatabase } from "../support/TestDatabase.js"

/** The probe's outcome on a new connection, with a setting of the database. */
const provenWith = (setting: string) =>
  Effect.gen(function* () {
    const { name, url } = yield* TestDatabase
    const alter = (change: string) =>
      Effect.flatMap(SqlClient, (sql) => sql.unsafe(`ALTER DATABASE ${name} ${change}`)).pipe(
        Effect.provide(poolTo(url))
      )
    yield* alter(`SET ${setting}`)
    const exit = yield* Effect.exit(Effect.provide(proveWrite, poolTo(url)))
    yield* Effect.provide(
      Effect.flatMap(SqlClient, (sql) => sql.unsafe(`BEGIN READ WRITE; ALTER DATABASE ${name} RESET ALL; COMMIT`)),
      poolTo(url)
    )
    return Exit.isSuccess(exit)
  })

layer(TestDatabase.layer, { excludeTestServices: true })("the probe of a write", (it) => {
  it.effect("succeeds where the database commits writes, and leaves no table behind", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const [before] = yield* sql`SELECT pg_current_wal_flush_lsn()::text AS at`
        yield* proveWrite
        const [after] = yield* sql`SELECT pg_current_wal_flush_lsn()::text AS at,
          (SELECT count(*)::int FROM pg_class WHERE relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'outbound'))) AS tables`
        assert.notDeepEqual(after?.["at"], before?.["at"])
        assert.strictEqual(after?.["tables"], 0)
      }).pipe(Effect.provide(poolTo(url)))
    })
  )

  it.effect("fails where the database accepts only reads, as a former primary does", () =>
    Effect.map(provenWith("default_transaction_read_only = on"), (proven) => assert.isFalse(proven))
  )

  it.effect("succeeds again", () => Effect.map(provenWith("work_mem = '4MB'"), (proven) => assert.isTrue(proven)))
})

const TRIES_MAX = 100

it.live("the probe of a write fails where no room is left for what it writes, and succeeds once there is", () =>
  Effect.gen(function* () {
    const where = yield* place()
    const server = yield* run(where)
    const pool = yield* Layer.build(poolTo(server.url))
    const proven = (expected: boolean) =>
      Effect.map(Effect.exit(proveWrite), Exit.isSuccess).pipe(
        Effect.filterOrFail((success) => success === expected),
        Effect.retry(Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(TRIES_MAX)]))
      )
    /** PostgreSQL refuses to write more, as a full disk does (both are of SQLSTATE class 53). */
    const roomLeft = (room: string) =>
      Effect.sync(() => {
        appendFileSync(join(where.home(), "cluster", "postgresql.auto.conf"), `\ntemp_file_limit = '${room}'\n`)
        process.kill(where.postmaster(), "SIGHUP")
      })
    yield* Effect.gen(function* () {
      yield* proven(true)
      yield* roomLeft("2MB")
      yield* proven(false)
      yield* roomLeft("-1")
      yield* proven(true)
    }).pipe(Effect.provide(pool))
  })
)

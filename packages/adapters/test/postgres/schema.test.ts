import { assert, it } from "@effect/vitest"
import { SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { Effect, Layer, Redacted } from "effect"
import { join } from "node:path"
import { backUp } from "../../src/postgres/backup/Backup.js"
import { restore } from "../../src/postgres/backup/Restore.js"
import { databaseFacts } from "../../src/postgres/DatabaseFacts.js"
import { assertMigrated, migrate } from "../../src/postgres/Migrations.js"
import { schemaMistake, withSchema } from "../../src/postgres/Schema.js"
import { freshDatabase } from "../support/TestDatabase.js"
import { broken, filled, installationAt, rowsOf, temporaryFolder } from "./Installation.js"
import { asApplication, occupied } from "./Occupied.js"
import { poolTo } from "./stores.js"

const AT = new Date("2026-05-04T12:00:00Z")

/** All that the application has, as text. */
const ofApplication = (url: string) =>
  asApplication<{ readonly of: string }>(
    url,
    `SELECT c.relname || ' ' || c.relkind::text || ' ' || c.relfilenode AS of FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace
     UNION ALL SELECT p.proname || pg_get_functiondef(p.oid) FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
     ORDER BY 1`
  )

it.layer(Layer.empty, SUITE)("the schema of our tables", (it) => {
  it.effect("stands beside an application with every name of ours, whose own is never touched", () =>
    Effect.gen(function* () {
      const url = yield* occupied
      const before = yield* ofApplication(url)
      assert.isAbove(before.length, 200)
      const ours = yield* installationAt(url)
      const { workspaceId } = yield* filled(ours)
      yield* ours.on(assertMigrated())
      assert.deepStrictEqual(yield* broken(ours), [])
      assert.deepStrictEqual(yield* ofApplication(url), before)
      const schemas = yield* ours.sql(
        "SELECT DISTINCT schemaname AS name FROM pg_tables WHERE tablename = 'workspaces'"
      )
      assert.sameDeepMembers([...schemas], [{ name: "outbound" }, { name: "public" }])
      assert.isAbove((yield* rowsOf(ours, workspaceId)).size, 15)
    })
  )

  it.effect("goes into a backup and comes out of it under another name", () =>
    Effect.gen(function* () {
      const [from, to] = [yield* occupied, yield* occupied]
      const before = yield* ofApplication(to)
      const ours = yield* installationAt(from)
      const { workspaceId } = yield* filled(ours)
      const rows = yield* rowsOf(ours, workspaceId)
      const folder = join(yield* temporaryFolder, "backup")
      yield* backUp(ours.url, folder, AT)
      const elsewhere = withSchema(to, "sales_mail")
      yield* Effect.provide(restore(Redacted.make(elsewhere), folder), poolTo(elsewhere))
      // Who finds the service without a name finds it there.
      const restored = yield* installationAt(to)
      const there = yield* rowsOf(restored, workspaceId)
      for (const [name, held] of rows) if (name !== "campaigns") assert.deepStrictEqual(there.get(name), held, name)
      assert.deepStrictEqual(yield* ofApplication(to), before)
    })
  )

  it.effect("is where the tables are, also in a database of before, and one database holds one service", () =>
    Effect.gen(function* () {
      const { url } = yield* freshDatabase
      const before = yield* installationAt(withSchema(url, "public"))
      yield* filled(before)
      const now = yield* installationAt(url)
      assert.deepStrictEqual(
        yield* now.sql("SELECT current_setting('outbound.schema') AS schema, count(*)::int AS n FROM workspaces"),
        [{ schema: "public", n: 1 }]
      )
      const other = poolTo(withSchema(url, "sales_mail"))
      for (const work of [migrate(), assertMigrated()]) {
        const refused = yield* Effect.flip(Effect.provide(work, other))
        assert.propertyVal(refused, "reason", "other_schema")
        assert.include(refused.message, "?schema=public")
      }
    })
  )

  it.effect("that the user may not make is refused in PostgreSQL's words, with what an administrator runs", () =>
    Effect.gen(function* () {
      const { name, url } = yield* freshDatabase
      const pool = poolTo(url)
      const revoke = `REVOKE CREATE ON DATABASE ${name} FROM PUBLIC, CURRENT_USER`
      yield* asApplication(url, "CREATE EXTENSION pg_trgm", revoke)
      assert.isFalse((yield* Effect.provide(databaseFacts, pool)).mayCreate)
      const refused = yield* Effect.flip(Effect.provide(migrate(), pool))
      assert.propertyVal(refused, "reason", "schema_refused")
      assert.include(refused.message, "permission denied for database")
      const [statement = ""] = /CREATE SCHEMA .*$/.exec(refused.message) ?? []
      yield* asApplication(url, `GRANT CREATE ON DATABASE ${name} TO CURRENT_USER`, statement, revoke)
      assert.isTrue((yield* Effect.provide(databaseFacts, pool)).mayCreate)
      yield* Effect.provide(Effect.andThen(migrate(), assertMigrated()), pool)
    })
  )

  it("has a name that people can write, and is nobody else's", () => {
    for (const schema of ["outbound", "sales_mail", "_x", "a".repeat(63)]) assert.isNull(schemaMistake(schema), schema)
    for (const schema of [
      "",
      "Sales",
      "1a",
      "a-b",
      'a"b',
      "a".repeat(64),
      "pg_temp",
      "information_schema",
      "graphile_worker"
    ]) {
      assert.isNotNull(schemaMistake(schema), schema)
    }
  })
})

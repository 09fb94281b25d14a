import { assert, it } from "@effect/vitest"
import { LEDGER_KINDS } from "@outbound/domain/calls/credits/CreditStore.js"
import { KeyMachine } from "@outbound/domain/calls/keys/KeyMachine.js"
import { CAPABILITIES, SCOPES } from "@outbound/domain/verbs/Policy.js"
import { SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { Context, Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { readdirSync } from "node:fs"
import { assertMigrated, migrate } from "../../src/postgres/Migrations.js"
import type { Migration } from "../../src/postgres/migrations/Migration.js"
import { migrations } from "../../src/postgres/migrations/migrations.js"
import { layer as pool } from "../../src/postgres/PgPool.js"
import { assertSecretFingerprint } from "../../src/postgres/SecretFingerprint.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { freshDatabase, migratedDatabase } from "../support/TestDatabase.js"
import { poolTo } from "./stores.js"

const later: Migration = { id: migrations.length + 1, name: "later", note: "A newer one.", sql: "SELECT 1" }

const on =
  (database: typeof freshDatabase) =>
  <A, E>(effect: Effect.Effect<A, E, SqlClient>) =>
    Effect.gen(function* () {
      const { url } = yield* database
      return yield* Effect.provide(effect, yield* Layer.build(poolTo(url)))
    })

/** An empty database of the test's own. */
const onEmpty = on(freshDatabase)
/** One with every migration. */
const onMigrated = on(migratedDatabase)

/** The texts that the CHECK of a column allows. */
const allowed = (table: string, column: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ readonly definition: string }>`
      SELECT pg_get_constraintdef(c.oid) AS definition FROM pg_constraint c
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
      WHERE c.conrelid = ${table}::regclass AND c.contype = 'c' AND a.attname = ${column} AND cardinality(c.conkey) = 1
    `
    return rows.flatMap(({ definition }) => [...definition.matchAll(/'([^']+)'::text/g)].map(([, name]) => name ?? ""))
  })

it.live("the list of migrations holds every file of its folder, in order, each with its note", () =>
  Effect.sync(() => {
    const folder = new URL("../../src/postgres/migrations", import.meta.url)
    const files = readdirSync(folder).filter((name) => /^\d/.test(name))
    const named = migrations.map(({ id, name }) => `${String(id).padStart(4, "0")}_${name}.ts`)
    assert.deepStrictEqual(files.sort(), named)
    assert.deepStrictEqual(
      migrations.map(({ id }) => id),
      migrations.map((_, index) => index + 1)
    )
    for (const { name, note } of migrations) assert.match(note, /\.$/, name)
  })
)

it.layer(Layer.empty, SUITE)("migrations", (it) => {
  it.effect("each is applied once, however many processes start at the same time", () =>
    onEmpty(
      Effect.gen(function* () {
        const applied = yield* Effect.all([migrate(), migrate(), migrate()], { concurrency: "unbounded" })
        assert.strictEqual(applied.flat().length, migrations.length)
        assert.deepStrictEqual(yield* migrate(), [])
        yield* assertMigrated()
      })
    )
  )

  it.effect("who finds another at it waits for longer than for a row", () =>
    Effect.gen(function* () {
      const { url } = yield* migratedDatabase
      const options = { url: Redacted.make(url), applicationName: "test", connectionsMax: 4, lockMillisMax: 20 }
      const impatient = yield* Layer.build(pool(options))
      const known = [...migrations, { ...later, sql: "SELECT pg_sleep(0.2)" }]
      const both = Effect.all([migrate(known), migrate(known)], { concurrency: "unbounded" })
      assert.deepStrictEqual((yield* Effect.provide(both, impatient)).flat(), [known.at(-1)])
      const session = Context.get(impatient, SqlClient)`SELECT current_setting('lock_timeout') AS lock`
      assert.deepStrictEqual(yield* session, [{ lock: "20ms" }])
    })
  )

  it.effect("a database that was never migrated, or lacks one, is refused", () =>
    onEmpty(
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(assertMigrated()))._tag, "MigrationError")
        yield* migrate()
        const error = yield* Effect.flip(assertMigrated([...migrations, later]))
        assert.deepInclude(error, { _tag: "MigrationError", reason: "not_migrated" })
      })
    )
  )

  it.effect(
    "a database that newer code expanded is served, and one that it contracted is refused and left as it is",
    () =>
      onMigrated(
        Effect.gen(function* () {
          yield* migrate([...migrations, later])
          assert.deepStrictEqual(yield* migrate(), [])
          yield* assertMigrated()
          const contracting = { ...later, id: later.id + 1, name: "contracting", needs: later.id }
          yield* migrate([...migrations, later, contracting])
          for (const refusal of [migrate(), assertMigrated()]) {
            const error = yield* Effect.flip(refusal)
            assert.deepInclude(error, { _tag: "MigrationError", reason: "newer_database" })
            assert.include(
              error.message,
              `needs a program that knows ${later.id}; this one knows ${migrations.length}.`
            )
          }
          yield* assertMigrated([...migrations, later])
        })
      )
  )

  it.effect("gives way to calls while a backup reads a table that it changes, and changes it afterwards", () =>
    Effect.gen(function* () {
      const { url } = yield* migratedDatabase
      const pooled = yield* Layer.build(poolTo(url))
      const sql = Context.get(pooled, SqlClient)
      const colour: Migration = { ...later, sql: "ALTER TABLE users ADD COLUMN colour text" }
      const reading = yield* Deferred.make<void>()
      const backup = sql.withTransaction(
        sql`LOCK TABLE users IN ACCESS SHARE MODE`.pipe(
          Effect.andThen(Deferred.succeed(reading, undefined)),
          Effect.andThen(Effect.never)
        )
      )
      const running = yield* Effect.forkChild(backup)
      yield* Deferred.await(reading)
      const migrating = yield* Effect.forkChild(Effect.provide(migrate([...migrations, colour]), pooled))
      const waiting = sql`SELECT FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted`
      yield* Effect.repeat(waiting, { until: (rows) => rows.length > 0 })
      // It returns once the migration has let it pass, while the backup reads on.
      assert.deepStrictEqual(yield* sql`SELECT FROM users`, [])
      assert.isUndefined(migrating.pollUnsafe())
      yield* Fiber.interrupt(running)
      assert.deepStrictEqual(yield* Fiber.join(migrating), [colour])
    })
  )

  it.effect("an index that is built while hosts write is finished by the next process, and built once", () =>
    Effect.gen(function* () {
      const { url } = yield* migratedDatabase
      const one = yield* Layer.build(poolTo(url))
      const sql = Context.get(one, SqlClient)
      const addUsers = (email: string) =>
        sql`INSERT INTO users (user_id, email, created_at) VALUES (gen_random_uuid(), ${email}, now())`
      const built = sql`
        SELECT c.relname AS name, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relname = 'users_newest'
      `
      // A transaction that has written holds up the build, and a process that dies meanwhile leaves it half done.
      const known = [
        ...migrations,
        { ...later, indexes: [{ name: "users_newest", definition: "ON users (created_at)" }] }
      ]
      const blocker = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(addUsers("a@example.com"), Effect.never))
      )
      const dying = yield* Effect.scoped(
        Effect.gen(function* () {
          const other = yield* Layer.build(poolTo(url))
          yield* Effect.forkScoped(Effect.provide(migrate(known), other))
          yield* Effect.repeat(built, { until: (rows) => rows.length > 0 })
          // Nobody else waits for it.
          yield* addUsers("b@example.com")
          yield* sql`
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE query LIKE 'CREATE INDEX CONCURRENTLY users_newest%' AND datname = current_database()
          `
          yield* Effect.repeat(
            sql`SELECT FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX%' AND datname = current_database()`,
            { until: (rows) => rows.length === 0 }
          )
          return yield* built
        })
      )
      assert.deepStrictEqual(dying, [{ name: "users_newest", valid: false }])
      yield* Fiber.interrupt(blocker)
      const both = yield* Effect.all([migrate(known), migrate(known)].map(Effect.provide(one)), {
        concurrency: "unbounded"
      })
      assert.lengthOf(both.flat(), 1)
      assert.deepStrictEqual(yield* built, [{ name: "users_newest", valid: true }])
    })
  )

  it.effect("a migration that fails leaves nothing of itself behind", () =>
    onMigrated(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const broken = { ...later, sql: "CREATE TABLE half (id int); SELECT nothing FROM nowhere" }
        yield* Effect.flip(migrate([...migrations, broken]))
        const [row] = yield* sql<{ readonly half: string | null }>`SELECT to_regclass('half')::text AS half`
        assert.isNull(row?.half)
        yield* assertMigrated()
      })
    )
  )

  it.effect("the CHECK lists are those of the domain", () =>
    onMigrated(
      Effect.gen(function* () {
        assert.sameMembers(yield* allowed("api_keys", "state"), [...KeyMachine.states])
        assert.sameMembers(yield* allowed("api_keys", "scopes"), [...SCOPES])
        assert.sameMembers(yield* allowed("api_keys", "capabilities_off"), [...CAPABILITIES])
        assert.sameMembers(yield* allowed("ledger_entries", "kind"), [...LEDGER_KINDS])
        assert.sameMembers(yield* allowed("workspaces", "kind"), ["sandbox", "live"])
        assert.sameMembers(yield* allowed("requests", "mode"), ["read", "act", "dry_run"])
        assert.sameMembers(yield* allowed("requests", "status"), ["succeeded", "failed", "unknown"])
      })
    )
  )

  it.effect("the primary key of every table of a tenant leads with its workspace", () =>
    onMigrated(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const rows = yield* sql<{ readonly name: string }>`
          SELECT t.relname AS name FROM pg_class t
          JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'workspace_id'
          JOIN pg_index i ON i.indrelid = t.oid AND i.indisprimary
          WHERE t.relkind = 'r' AND i.indkey[0] <> a.attnum
        `
        assert.deepStrictEqual(rows.map(({ name }) => name).sort(), [
          "key_catalogue",
          "oauth_tokens",
          "sessions",
          "sign_in_links"
        ])
      })
    )
  )

  it.effect("a host whose secret is not that of the database's first start is refused", () =>
    onMigrated(
      Effect.gen(function* () {
        yield* assertSecretFingerprint("the first")
        yield* assertSecretFingerprint("the first")
        assert.strictEqual((yield* Effect.flip(assertSecretFingerprint("another")))._tag, "SecretMismatch")
      })
    )
  )
})

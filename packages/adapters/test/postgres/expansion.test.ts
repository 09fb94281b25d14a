import { assert, it } from "@effect/vitest"
import { SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { Effect, Layer } from "effect"
import { migrate } from "../../src/postgres/Migrations.js"
import type { Migration } from "../../src/postgres/migrations/Migration.js"
import { migrations } from "../../src/postgres/migrations/migrations.js"
import type { SqlClient } from "../../src/postgres/Sql.js"
import { freshDatabase, migratedDatabase } from "../support/TestDatabase.js"
import { breaks, catalogue, stalls } from "./Catalogue.js"
import { poolTo } from "./stores.js"

/** The rule holds from here on. Those before it were made before any release. */
const FIRST = 36

const on =
  (database: typeof freshDatabase) =>
  <A, E>(effect: Effect.Effect<A, E, SqlClient>) =>
    Effect.gen(function* () {
      const { url } = yield* database
      return yield* Effect.provide(effect, yield* Layer.build(poolTo(url)))
    })

const onEmpty = on(freshDatabase)
const onMigrated = on(migratedDatabase)

/** What a migration does to the database of those before it. */
const effectOf = (known: ReadonlyArray<Migration>, next: Migration) =>
  Effect.gen(function* () {
    const before = yield* catalogue
    yield* migrate([...known, next])
    const after = yield* catalogue
    return { breaks: breaks(before, after), stalls: stalls(before, after, next) }
  })

/** Each on its own, and what is said of it. */
const FAULTS: ReadonlyArray<readonly [sql: string, breaks: ReadonlyArray<string>, stalls: ReadonlyArray<string>]> = [
  ["DROP TABLE chat_channels", ["the table chat_channels is gone"], []],
  ["DROP VIEW usage_counted", ["the view usage_counted is gone"], []],
  [
    "ALTER TABLE runs RENAME COLUMN name TO title",
    ["the column runs.name is gone", "the new column runs.title must be written"],
    []
  ],
  [
    "ALTER TABLE api_keys ALTER COLUMN rate_per_minute TYPE bigint",
    ["the column api_keys.rate_per_minute is bigint instead of integer"],
    ["the table api_keys is rewritten"]
  ],
  ["ALTER TABLE requests ALTER COLUMN month SET NOT NULL", ["the column requests.month may not be null any more"], []],
  ["ALTER TABLE campaigns ADD COLUMN goal text NOT NULL", ["the new column campaigns.goal must be written"], []],
  [
    "ALTER TABLE campaigns ADD COLUMN at timestamptz DEFAULT clock_timestamp()",
    [],
    ["the table campaigns is rewritten"]
  ],
  ["ALTER TABLE runs ADD CHECK (budget > 0)", ["the rule runs.runs_budget_check1 refuses more"], []],
  [
    `ALTER TABLE mailboxes DROP CONSTRAINT mailboxes_kind_check;
     ALTER TABLE mailboxes ADD CONSTRAINT mailboxes_kind_check CHECK (kind IN ('own'))`,
    ["the rule mailboxes.mailboxes_kind_check refuses more"],
    []
  ],
  [
    "CREATE UNIQUE INDEX runs_by_name ON runs (workspace_id, name)",
    ["the key runs_by_name refuses more"],
    ["the index runs_by_name is built under a lock"]
  ],
  ["DROP INDEX users_by_email", ["the key users_by_email is gone"], []],
  ["DROP FUNCTION work_next(integer)", ["the function work_next(integer) is gone"], []],
  ["CREATE INDEX runs_by_end ON runs (expires_at)", [], ["the index runs_by_end is built under a lock"]],
  ["-- a word\nUPDATE requests SET month = 'x'", [], ["UPDATE requests"]]
]

/** What every migration may do. */
const FINE = `
  CREATE TABLE notes (workspace_id uuid NOT NULL, note_id uuid NOT NULL, says text, PRIMARY KEY (workspace_id, note_id));
  CREATE UNIQUE INDEX notes_said ON notes (workspace_id, says);
  UPDATE notes SET says = '';
  ALTER TABLE campaigns ADD COLUMN goal text NOT NULL DEFAULT '' CHECK (goal <> 'x');
  ALTER TABLE messages ADD COLUMN weight smallint;
  ALTER TABLE api_keys ALTER COLUMN prefix DROP NOT NULL;
  ALTER TABLE operations DROP CONSTRAINT operations_kind_check;
  ALTER TABLE operations ADD CONSTRAINT operations_kind_check CHECK (
    kind IN ('setup_sending', 'reply', 'verify_emails', 'enrich_people', 'find_intent_of_list', 'another')
  );
  ALTER TABLE runs DROP CONSTRAINT runs_check;
  CREATE OR REPLACE FUNCTION work_signal() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE runs SET name = name WHERE false;
    RETURN NULL;
  END $$;
`

it.layer(Layer.empty, SUITE)("a migration", (it) => {
  it.effect("leaves the program before it what it uses, or says which programs must be gone; and says who waits", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrate(migrations.slice(0, FIRST - 1))
        for (const next of migrations.slice(FIRST - 1)) {
          const known = migrations.slice(0, next.id - 1)
          const found = yield* effectOf(known, next)
          if (next.needs === undefined) assert.deepStrictEqual(found.breaks, [], next.name)
          else
            assert.include(
              known.map(({ id }) => id),
              next.needs,
              next.name
            )
          if (next.stalls === undefined) assert.deepStrictEqual(found.stalls, [], next.name)
        }
      })
    )
  )

  for (const [sql, wanted, waits] of FAULTS) {
    it.effect(`is found out: ${sql.replace(/\s+/g, " ")}`, () =>
      onMigrated(
        Effect.gen(function* () {
          const next = { id: migrations.length + 1, name: "faulty", note: "A fault.", sql }
          assert.deepStrictEqual(yield* effectOf(migrations, next), { breaks: wanted, stalls: waits })
        })
      )
    )
  }

  it.effect("may expand what is there, and build indexes while hosts write", () =>
    onMigrated(
      Effect.gen(function* () {
        const indexes = [{ name: "runs_by_end", definition: "ON runs (expires_at)" }]
        const next = { id: migrations.length + 1, name: "fine", note: "An expansion.", sql: FINE, indexes }
        assert.deepStrictEqual(yield* effectOf(migrations, next), { breaks: [], stalls: [] })
      })
    )
  )
})

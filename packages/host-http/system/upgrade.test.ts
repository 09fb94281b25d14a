import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import type { Migration } from "@outbound/adapters/postgres/migrations/Migration.js"
import { migrations } from "@outbound/adapters/postgres/migrations/migrations.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { assertBalanced, audit, CREDIT } from "./support/Books.js"
import { until } from "./support/Client.js"
import { assertClean, type Host, serve } from "./support/Host.js"
import { type Attempted, load, succeeded } from "./support/Load.js"
import { type Place, sharedPlace } from "./support/Place.js"
import { makeTenant } from "./support/Tenant.js"

const SECONDS_MAX = 120
const ANSWERS = 150

/** What a newer program may bring: columns of the tables that each call writes, a wider list, a table, an index. */
const expanding: Migration = {
  id: migrations.length + 1,
  name: "expanding",
  note: "An expansion as a newer program may bring it.",
  indexes: [{ name: "requests_by_verb", definition: "ON requests (workspace_id, verb)" }],
  sql: `
    CREATE TABLE notes (workspace_id uuid NOT NULL, note_id uuid NOT NULL, PRIMARY KEY (workspace_id, note_id));
    ALTER TABLE accounts ADD COLUMN colour text;
    ALTER TABLE api_keys ADD COLUMN colour text NOT NULL DEFAULT 'blue';
    ALTER TABLE requests ADD COLUMN colour text CHECK (colour <> '');
    ALTER TABLE open_calls ADD COLUMN colour text;
    ALTER TABLE ledger_entries ADD COLUMN colour text;
    ALTER TABLE operations DROP CONSTRAINT operations_kind_check;
    ALTER TABLE operations ADD CONSTRAINT operations_kind_check CHECK (
      kind IN ('setup_sending', 'reply', 'verify_emails', 'enrich_people', 'find_intent_of_list', 'another')
    );
  `
}

/** What it may bring once no host of this program runs any more. */
const contracting: Migration = {
  id: migrations.length + 2,
  name: "contracting",
  note: "The end of what this program uses.",
  needs: migrations.length + 1,
  sql: "ALTER TABLE requests ALTER COLUMN colour SET DEFAULT 'blue'"
}

/** `outbound migrate` of a newer program. */
const migrated = (place: Place, ...newer: ReadonlyArray<Migration>) =>
  Effect.flatMap(place.databaseUrl, (url) =>
    Effect.provide(
      migrate([...migrations, ...newer]),
      PgPool.layer({ url: Redacted.make(url), applicationName: "newer", connectionsMax: 2 })
    )
  )

const readiness = ({ baseUrl }: Host) => Effect.promise(async () => (await fetch(`${baseUrl}/readyz`)).status)

describe("an upgrade while hosts run", () => {
  it.live(
    "costs no call: hosts of before go on, stay ready and start again, until what they use is removed",
    () =>
      Effect.gen(function* () {
        const place = yield* sharedPlace
        const first = yield* serve(place)
        const tenant = yield* makeTenant(place, { credits: 100_000 })
        const hosts: [Host, Host] = [first, first]
        const attempts: Array<Attempted> = []
        let isOver = false
        const running = yield* Effect.forkChild(
          load(tenant, {
            workers: 16,
            callsMax: 100_000,
            hostOf: (index) => hosts[index % 2 === 0 ? 0 : 1],
            isOver: () => isOver,
            seen: (attempted) => void attempts.push(attempted)
          })
        )
        const answered = Effect.suspend(() => {
          const before = attempts.length
          return until(
            Effect.sync(() => attempts.length - before),
            (count) => count >= ANSWERS,
            SECONDS_MAX
          )
        })
        yield* answered
        assert.lengthOf(yield* migrated(place, expanding), 1)
        yield* answered
        // A supervisor may start a host of before again while the newer ones come up.
        const again = yield* serve(place)
        hosts[1] = again
        yield* answered
        hosts[0] = again
        yield* answered
        assert.strictEqual(yield* readiness(first), 200)
        first.signal("SIGTERM")
        assert.strictEqual(yield* first.ended, 0)
        yield* answered
        isOver = true
        yield* Fiber.join(running)
        assert.deepStrictEqual(
          attempts.filter((one) => !succeeded(one)).map(({ answer }) => answer),
          []
        )
        const auditor = yield* audit(place)
        const books = yield* auditor.books(tenant.workspaceId)
        assertBalanced(books)
        assert.strictEqual(books.charged, BigInt(attempts.length) * CREDIT)
        yield* assertClean(place)
        assert.strictEqual(yield* readiness(again), 200)

        assert.lengthOf(yield* migrated(place, expanding, contracting), 1)
        yield* until(readiness(again), (status) => status === 503, SECONDS_MAX)
        const refused = yield* Effect.flip(serve(place))
        assert.include(refused.message, `it needs a program that knows ${migrations.length + 1}`)
      }),
    600_000
  )
})

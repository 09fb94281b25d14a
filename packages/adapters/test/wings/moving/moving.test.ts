import { assert, it } from "@effect/vitest"
import { SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { appended, eventIn, faultOf } from "@outbound/testkit/contracts/seals.js"
import { Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { importWorkspace } from "../../../src/wings/moving/Import.js"
import { SHARED } from "../../../src/wings/moving/Tables.js"
import { broken, filled, installation, installationAt, rowsOf, trailOf } from "../../postgres/Installation.js"
import { occupied } from "../../postgres/Occupied.js"
import { exporting, KEY, nothingCame, place } from "./exporting.js"

/** What settles where it arrives is another row there; every other row is the same. */
const SETTLED = new Set(["approvals", "campaigns"])

it.layer(Layer.empty, SUITE)("a workspace that moves", (it) => {
  it.effect("arrives with each of its rows and none of another, and what was sealed and said holds there", () =>
    Effect.gen(function* () {
      const [from, to, path] = [yield* installation, yield* installation, yield* place]
      const { workspaceId } = yield* filled(from)
      const { workspaceId: neighbour } = yield* filled(from, "other@acme.example")
      const before = yield* rowsOf(from, workspaceId)
      const made = yield* exporting(from, workspaceId, path)
      assert.strictEqual(made.manifest.underSecret.suppressed, 250)
      assert.strictEqual(made.active, 1)
      assert.notInclude(gunzipSync(readFileSync(path)).toString("utf8"), neighbour)
      const taken = yield* importWorkspace(to.url, path, KEY)
      assert.deepInclude(taken, { rows: made.rows, campaignsPaused: 1, approvalsCancelled: 1, peopleKnown: 0 })
      const after = yield* rowsOf(to, workspaceId)
      for (const [name, rows] of before) if (!SETTLED.has(name)) assert.deepStrictEqual(after.get(name), rows, name)
      assert.isAbove([...before.values()].filter((rows) => rows.length > 0).length, 15)
      yield* nothingCame(to, neighbour)
      assert.deepStrictEqual(yield* broken(to), [])
      const [there, here] = [yield* trailOf(from, workspaceId), yield* trailOf(to, workspaceId)]
      assert.strictEqual(here.head, there.head)
      assert.deepStrictEqual(here.ids, there.ids)
      assert.isNull(faultOf(here.lines, there.head))
    })
  )

  it.effect("arrives beside an application with every name of ours", () =>
    Effect.gen(function* () {
      const [from, path] = [yield* installation, yield* place]
      const { workspaceId } = yield* filled(from)
      yield* exporting(from, workspaceId, path)
      const arrived = yield* installationAt(yield* occupied)
      assert.isAbove((yield* importWorkspace(arrived.url, path, KEY)).rows, 200)
      assert.deepStrictEqual(yield* broken(arrived), [])
    })
  )

  it.effect("sends nothing before a person acts: campaigns are paused, and no approval of before can be used", () =>
    Effect.gen(function* () {
      const [from, to, path] = [yield* installation, yield* installation, yield* place]
      const { workspaceId } = yield* filled(from)
      yield* from.sql(
        `UPDATE approvals SET state = 'approved', decided_at = now(), decided_by_user_id = gen_random_uuid(),
           decided_by_session = 's' WHERE workspace_id = $1`,
        [workspaceId]
      )
      yield* exporting(from, workspaceId, path)
      yield* importWorkspace(to.url, path, KEY)
      assert.deepStrictEqual(yield* to.sql("SELECT state, pause_reason FROM campaigns"), [
        { state: "paused", pause_reason: "owner" }
      ])
      assert.deepStrictEqual(yield* to.sql("SELECT state FROM approvals"), [{ state: "cancelled" }])
      assert.deepStrictEqual(yield* from.sql("SELECT state FROM campaigns"), [{ state: "active" }])
    })
  )

  it.effect("stands beside others: a member who is known there keeps that id, and new people get new numbers", () =>
    Effect.gen(function* () {
      const [from, to, path] = [yield* installation, yield* installation, yield* place]
      yield* filled(from, "first@acme.example")
      const { workspaceId } = yield* filled(from)
      const { workspaceId: neighbour } = yield* filled(to)
      const before = yield* rowsOf(to, neighbour)
      yield* to.sql("UPDATE users SET email = lower(email)")
      yield* exporting(from, workspaceId, path)
      assert.strictEqual((yield* importWorkspace(to.url, path, KEY)).peopleKnown, 1)
      assert.deepStrictEqual(yield* rowsOf(to, neighbour), before)
      assert.deepStrictEqual(
        yield* to.sql("SELECT count(DISTINCT user_id)::int AS people, count(*)::int AS seats FROM memberships"),
        [{ people: 1, seats: 2 }]
      )
      // The sequence of the arrived people's numbers stood lower here.
      yield* to.on(
        appended(...["cy", "di", "ed"].map((name) => eventIn(workspaceId, { email: `${name}@example.com` })))
      )
      assert.deepStrictEqual(yield* broken(to), [])
    })
  )

  it.effect("is of one instant: a change meanwhile is in it whole, or not at all", () =>
    Effect.gen(function* () {
      const [from, to, path] = [yield* installation, yield* installation, yield* place]
      const { workspaceId } = yield* filled(from)
      yield* from.sql(
        `INSERT INTO directory_words SELECT $1::uuid, 't', 'word ' || n FROM generate_series(1, 3000) n`,
        [workspaceId]
      )
      const busy = yield* Effect.forkChild(
        Effect.forever(from.sql("UPDATE directory_words SET word = word || '.' WHERE workspace_id = $1", [workspaceId]))
      )
      yield* exporting(from, workspaceId, path)
      yield* Effect.sync(() => busy.interruptUnsafe())
      yield* importWorkspace(to.url, path, KEY)
      assert.deepStrictEqual(
        yield* to.sql(
          "SELECT count(*)::int AS n, count(DISTINCT length(word) - length(rtrim(word, '.')))::int AS kinds FROM directory_words"
        ),
        [{ n: 3000, kinds: 1 }]
      )
    })
  )

  it.effect("each table is a workspace's, shared, or one of the service that stays behind", () =>
    Effect.gen(function* () {
      const { sql } = yield* installation
      const tables = yield* sql(
        `SELECT c.relname AS name FROM pg_class c
         WHERE c.relnamespace = 'outbound'::regnamespace AND c.relkind IN ('r', 'p') AND NOT EXISTS (
           SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
         )`
      )
      assert.sameMembers(
        tables.map(({ name }) => name),
        [
          ...SHARED,
          "clock_marks",
          "company_boards",
          "deleted_workspaces",
          "hosts",
          "migrations",
          "oauth_requests",
          "open_categories",
          "open_companies",
          "open_loads",
          "passkey_challenges",
          "passkeys",
          "sealed_months",
          "service_meta",
          "sign_in_asks",
          "sign_up_grants",
          "sign_ups",
          "source_outcomes"
        ]
      )
    })
  )
})

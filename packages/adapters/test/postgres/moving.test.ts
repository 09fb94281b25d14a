import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { admitted, anAttempt, givenCaller, settlementOf } from "@outbound/testkit/contracts/calls.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { DAY, freshId, NOON, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { makeApproval, makeCampaign, makeLead } from "@outbound/testkit/contracts/outboundFixtures.js"
import { appended, eventIn, exported, faultOf, sealedAt } from "@outbound/testkit/contracts/seals.js"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { Effect, Either, Layer, Redacted, type Scope } from "effect"
import { createHmac } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { migrate } from "../../src/postgres/Migrations.js"
import { migrations } from "../../src/postgres/migrations/migrations.js"
import { type ExportKey, exportWorkspace } from "../../src/postgres/moving/Export.js"
import { importWorkspace } from "../../src/postgres/moving/Import.js"
import { SHARED } from "../../src/postgres/moving/Tables.js"
import { check } from "../../src/postgres/PgInvariants.js"
import * as PgStores from "../../src/postgres/PgStores.js"
import { freshDatabase } from "../support/TestDatabase.js"
import { poolTo } from "./stores.js"

const AT = new Date("2026-05-04T12:00:00Z")
const KEY: ExportKey = { fingerprint: "one", mac: Buffer.alloc(32, 1) }

const place: Effect.Effect<string, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-moving-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => join(folder, "workspace.jsonl.gz")
)

/** An installation: a migrated database, and its stores. */
const installation = Effect.gen(function* () {
  const { url } = yield* freshDatabase
  const stores = yield* Layer.build(
    Layer.provideMerge(PgStores.layer, Layer.provideMerge(Layer.effectDiscard(migrate()), poolTo(url)))
  )
  const on = <A, E, R extends Layer.Layer.Success<typeof PgStores.layer> | SqlClient.SqlClient>(
    work: Effect.Effect<A, E, R>
  ) => Effect.provide(work, stores)
  const sql = (statement: string, values?: ReadonlyArray<unknown>) =>
    on(Effect.flatMap(SqlClient.SqlClient, (client) => client.unsafe<Record<string, unknown>>(statement, values)))
  return { url: Redacted.make(url), on, sql }
})

type Installation = Effect.Effect.Success<typeof installation>

/** A workspace with money, a trail, people who said no, an active campaign and an approval that waits. */
const filled = ({ on, sql }: Installation, owner = "Owner@acme.example") =>
  Effect.gen(function* () {
    const { keyHash, workspaceId } = yield* on(givenCaller("100"))
    yield* on(
      Effect.gen(function* () {
        const journal = yield* CallJournal
        yield* journal.settle(settlementOf(yield* admitted(anAttempt(keyHash))))
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const approvals = yield* ApprovalStore
        yield* atomically(
          campaigns.insert(makeCampaign({ workspaceId, name: 'tab\t "quoted" \\N\nü 😀' }), [
            makeLead(workspaceId, "ann@example.com")
          ])
        )
        yield* atomically(approvals.insert(makeApproval({ workspaceId })))
        yield* appended(
          eventIn(workspaceId, { email: "ann@example.com", detail: { note: 'a\n"b" \\ 😀' } }),
          eventIn(workspaceId, { email: "bob@example.com" }),
          eventIn(workspaceId)
        )
        yield* sealedAt(workspaceId, NOON + DAY)
      })
    )
    const [user] = yield* sql(
      "INSERT INTO users (user_id, email, created_at) VALUES (gen_random_uuid(), $1, now()) RETURNING user_id::text AS id",
      [owner]
    )
    yield* sql("INSERT INTO memberships (workspace_id, user_id, role, created_at) VALUES ($1, $2, 'owner', now())", [
      workspaceId,
      user?.["id"]
    ])
    yield* sql(
      "INSERT INTO suppressions SELECT $1::uuid, md5(n::text), 'owner_import', now() FROM generate_series(1, 250) n",
      [workspaceId]
    )
    yield* sql("INSERT INTO suppressed_domains VALUES ($1, 'never.example', now())", [workspaceId])
    return { workspaceId, keyHash }
  })

const broken = ({ on }: Installation) =>
  Effect.map(on(check), (reports) => reports.flatMap(({ breaches, name }) => breaches.map((one) => ({ name, ...one }))))

/** Every row of the workspace, by table. */
const rowsOf = ({ on }: Installation, workspaceId: string) =>
  on(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ readonly name: string }>`
        SELECT c.relname AS name FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY 1
      `
      const found = yield* Effect.forEach(tables, ({ name }) =>
        Effect.map(
          sql<{ readonly row: string }>`
            SELECT t::text AS row FROM ${sql(name)} t WHERE t.workspace_id = ${workspaceId} ORDER BY 1
          `,
          (rows) => [name, rows.map(({ row }) => row)] as const
        )
      )
      return new Map(found)
    })
  )

const trailOf = ({ on }: Installation, workspaceId: string) => on(exported(workspaceId))

const exporting = (from: Installation, workspaceId: string, path: string, key = KEY) =>
  exportWorkspace(from.url, workspaceId, path, key, AT)

const nothingCame = (to: Installation, workspaceId: string) =>
  Effect.gen(function* () {
    const held = [...(yield* rowsOf(to, workspaceId))].filter(([, rows]) => rows.length > 0)
    assert.deepStrictEqual(held, [])
  })

/** What settles where it arrives is another row there; every other row is the same. */
const SETTLED = new Set(["approvals", "campaigns"])

it.layer(Layer.empty, SUITE)("a workspace that moves", (it) => {
  it.scoped("arrives with each of its rows and none of another, and what was sealed and said holds there", () =>
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

  it.scoped("sends nothing before a person acts: campaigns are paused, and no approval of before can be used", () =>
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

  it.scoped("stands beside others: a member who is known there keeps that id, and new people get new numbers", () =>
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

  it.scoped("is refused whole where its file is cut, changed, of another key, or no export", () =>
    Effect.gen(function* () {
      const [from, to, path] = [yield* installation, yield* installation, yield* place]
      const { workspaceId } = yield* filled(from)
      yield* exporting(from, workspaceId, path)
      const whole = readFileSync(path)
      const lines = gunzipSync(whole).toString("utf8").trimEnd().split("\n")
      const refused = (bytes: Buffer, words: RegExp) =>
        Effect.gen(function* () {
          writeFileSync(path, bytes)
          assert.match((yield* Effect.flip(importWorkspace(to.url, path, KEY))).message, words)
          yield* nothingCame(to, workspaceId)
        })
      const packed = (changed: ReadonlyArray<string>) => gzipSync(`${changed.join("\n")}\n`)
      /** With the end that whoever knows the key would write. */
      const signed = (changed: ReadonlyArray<string>) => {
        const mac = createHmac("sha256", KEY.mac)
          .update(changed.map((line) => `${line}\n`).join(""))
          .digest("hex")
        const end: unknown = JSON.parse(lines.at(-1) ?? "")
        return packed([...changed, JSON.stringify({ ...(end as object), mac })])
      }
      for (const share of [0.1, 0.5, 0.99])
        yield* refused(whole.subarray(0, whole.length * share), /damaged: it can't be unpacked/)
      yield* refused(packed(lines.slice(0, -1)), /damaged: it has no end, so it was cut/)
      yield* refused(gzipSync(lines.join("\n").slice(0, -9)), /damaged: its last line is cut/)
      yield* refused(packed([...lines, lines[1] ?? ""]), /damaged: it goes on after its end/)
      const row = lines.findIndex((line) => line.includes("owner_import"))
      yield* refused(packed(lines.toSpliced(row, 1)), /damaged: it is not what was written/)
      yield* refused(packed(lines.toSpliced(row, 0, lines[row] ?? "")), /damaged: it is not what was written/)
      yield* refused(
        packed(lines.with(row, (lines[row] ?? "").replace("owner_import", "unsubscribe"))),
        /not what was written/
      )
      yield* refused(
        signed(lines.slice(0, -1).with(row, (lines[row] ?? "").replace(workspaceId, freshId()))),
        /a row is of another workspace/
      )
      yield* refused(signed(lines.slice(0, -1).with(row, '["one"]')), /a row is not of its table/)
      const heading = lines.findIndex((line) => line.startsWith('{"table"'))
      yield* refused(
        signed(lines.slice(0, -1).with(heading, '{"table":"nothing"}')),
        /tables are not those of its manifest/
      )
      yield* refused(Buffer.from("nothing"), /damaged: it can't be unpacked/)
      yield* refused(gzipSync("{}\n"), /is no export of a workspace/)
      writeFileSync(path, whole)
      const otherKey = { ...KEY, mac: Buffer.alloc(32, 2) }
      assert.match((yield* Effect.flip(importWorkspace(to.url, path, otherKey))).message, /not what was written/)
      yield* importWorkspace(to.url, path, KEY)
    })
  )

  it.scoped("is refused under another secret, which says what would be lost", () =>
    Effect.gen(function* () {
      const [from, to, path] = [yield* installation, yield* installation, yield* place]
      const { workspaceId } = yield* filled(from)
      yield* exporting(from, workspaceId, path)
      const error = yield* Effect.flip(importWorkspace(to.url, path, { ...KEY, fingerprint: "another" }))
      assert.match(error.message, /another OUTBOUND_SECRET.*nobody would recognise 250 people.*0 credentials/)
      yield* nothingCame(to, workspaceId)
    })
  )

  it.scoped("arrives once, and not where one of its ids is taken or the tables are others", () =>
    Effect.gen(function* () {
      const [from, to, third, path] = [yield* installation, yield* installation, yield* installation, yield* place]
      const { keyHash, workspaceId } = yield* filled(from)
      yield* exporting(from, workspaceId, path)
      assert.match((yield* Effect.flip(importWorkspace(from.url, path, KEY))).message, /is here already/)
      const both = yield* Effect.all(
        [1, 2].map(() => Effect.either(importWorkspace(to.url, path, KEY))),
        {
          concurrency: "unbounded"
        }
      )
      assert.lengthOf(both.filter(Either.isRight), 1)
      assert.match(both.find(Either.isLeft)?.left.message ?? "", /is here already|is taken here already/)
      yield* third.sql("INSERT INTO key_catalogue VALUES ($1, gen_random_uuid(), gen_random_uuid())", [keyHash])
      assert.match(
        (yield* Effect.flip(importWorkspace(third.url, path, KEY))).message,
        /taken here already \(key_catalogue/
      )
      yield* nothingCame(third, workspaceId)
      yield* third.sql("DELETE FROM key_catalogue")
      yield* third.sql("INSERT INTO migrations (id, name) VALUES ($1, 'later')", [migrations.length + 1])
      assert.match(
        (yield* Effect.flip(importWorkspace(third.url, path, KEY))).message,
        /Bring both installations to the same version/
      )
      yield* nothingCame(third, workspaceId)
    })
  )

  it.scoped(
    "is not exported while work is under way that both installations would finish, and then leaves no file",
    () =>
      Effect.gen(function* () {
        const [from, path] = [yield* installation, yield* place]
        const { keyHash, workspaceId } = yield* filled(from)
        const open = yield* from.on(admitted(anAttempt(keyHash)))
        assert.match((yield* Effect.flip(exporting(from, workspaceId, path))).message, /^1 call is under way/)
        yield* from.on(Effect.flatMap(CallJournal, (journal) => journal.settle(settlementOf(open))))
        assert.match((yield* Effect.flip(exporting(from, freshId(), path))).message, /There is no workspace/)
        yield* exporting(from, workspaceId, path)
        const whole = readFileSync(path)
        assert.match((yield* Effect.flip(exporting(from, workspaceId, path))).message, /is there already/)
        assert.deepStrictEqual(readFileSync(path), whole)
      })
  )

  it.scoped("is of one instant: a change meanwhile is in it whole, or not at all", () =>
    Effect.gen(function* () {
      const [from, to, path] = [yield* installation, yield* installation, yield* place]
      const { workspaceId } = yield* filled(from)
      yield* from.sql(
        `INSERT INTO directory_words SELECT $1::uuid, 't', 'word ' || n FROM generate_series(1, 3000) n`,
        [workspaceId]
      )
      const busy = yield* Effect.fork(
        Effect.forever(from.sql("UPDATE directory_words SET word = word || '.' WHERE workspace_id = $1", [workspaceId]))
      )
      yield* exporting(from, workspaceId, path)
      yield* busy.interruptAsFork(busy.id())
      yield* importWorkspace(to.url, path, KEY)
      assert.deepStrictEqual(
        yield* to.sql(
          "SELECT count(*)::int AS n, count(DISTINCT length(word) - length(rtrim(word, '.')))::int AS kinds FROM directory_words"
        ),
        [{ n: 3000, kinds: 1 }]
      )
    })
  )

  it.scoped("each table is a workspace's, shared, or one of the service that stays behind", () =>
    Effect.gen(function* () {
      const { sql } = yield* installation
      const tables = yield* sql(
        `SELECT c.relname AS name FROM pg_class c
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT EXISTS (
           SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
         )`
      )
      assert.sameMembers(
        tables.map(({ name }) => name),
        [
          ...SHARED,
          "clock_marks",
          "hosts",
          "migrations",
          "oauth_requests",
          "passkey_challenges",
          "passkeys",
          "service_meta",
          "sign_in_asks",
          "sign_in_links"
        ]
      )
    })
  )
})

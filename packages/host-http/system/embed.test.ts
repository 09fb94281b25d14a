import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { fastify } from "fastify"
import type { AddressInfo } from "node:net"
import pg from "pg"
import { eventually } from "../../adapters/test/work/pool.js"
import { freshDatabase } from "../../adapters/test/support/TestDatabase.js"
import { embed, type Outbound } from "../src/main/embed/embed.js"

const OWNER = "ada@acme.example"
const SECRET = "a secret of at least 32 characters, of a test"
const STORY_MILLIS_MAX = 180_000
const CAPACITY = { daily_sends: 25, brand: "acme", identity: { first_name: "Ada", last_name: "Lovelace" } }

const inDatabase = <Row extends object>(url: string, text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<Row>(text, [...values])).rows
    } finally {
      await client.end()
    }
  })

/** The team's own server, as the guide has it: a framework with its own routes, and ours before them. */
const listening = (outbound: () => Outbound) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const app = fastify({ forceCloseConnections: true })
      app.addHook("onRequest", (request, reply, done) => {
        if (outbound().handle(request.raw, reply.raw)) reply.hijack()
        else done()
      })
      app.get("/", () => "the team's page")
      app.post("/customers", (request) => request.body)
      app.setNotFoundHandler((_, reply) => reply.code(404).send("the team's own 404"))
      await app.listen({ host: "127.0.0.1", port: 0 })
      return { app, port: (app.server.address() as AddressInfo).port }
    }),
    ({ app }) => Effect.promise(() => app.close())
  )

const rejected = (promise: Promise<unknown>) =>
  Effect.promise(async () => {
    try {
      await promise
    } catch (error) {
      return error as { readonly code?: string; readonly message: string }
    }
    return assert.fail("it was not refused")
  })

it.live(
  "a team's own server runs the service beside its own tables and routes, and its people decide on its own page",
  () =>
    Effect.gen(function* () {
      const { url } = yield* freshDatabase
      yield* inDatabase(
        url,
        "CREATE TABLE users (id int); CREATE TABLE migrations (name text); CREATE TABLE sessions (x int)"
      )
      const running: { outbound?: Outbound } = {}
      const { port } = yield* listening(() => running.outbound ?? assert.fail("not yet"))
      const baseUrl = `http://localhost:${port}`
      const outbound = yield* Effect.acquireRelease(
        Effect.promise(() =>
          embed({ database: url, secret: SECRET, baseUrl, approvalPage: (id) => `${baseUrl}/requests/${id}` })
        ),
        ({ close }) => Effect.promise(close)
      )
      running.outbound = outbound

      const { workspaceId } = yield* Effect.promise(() =>
        outbound.createWorkspace({ name: "Acme", ownerEmail: OWNER, kind: "sandbox", credits: "300" })
      )
      const bad = yield* rejected(outbound.grantCredits(workspaceId, "much"))
      assert.propertyVal(bad, "code", "invalid_request")
      const granted = yield* Effect.promise(() => outbound.grantCredits(workspaceId, "5000"))
      assert.deepStrictEqual(granted, { available: "5300" })
      const { apiKey } = yield* Effect.promise(() =>
        outbound.createKey({
          workspaceId,
          name: "backend",
          scopes: ["data:read", "assets:purchase"],
          autonomousExternalActions: true
        })
      )
      const client = yield* Effect.promise(() => outbound.client(apiKey))
      const quote = (yield* Effect.promise(() => client.setup_sending(CAPACITY))).result
      if (quote.status !== "quote") return assert.fail("the first answer is a quote")
      const { approval_url, confirmation_token } = quote
      const [asked, ...others] = yield* Effect.promise(() => outbound.approvals.list(workspaceId))
      if (asked === undefined) return assert.fail("nothing waits")
      assert.isEmpty(others)
      assert.strictEqual(approval_url, `${baseUrl}/requests/${asked.approvalId}`)
      assert.deepInclude(asked, { verb: "setup_sending", state: "pending", askedBy: "backend", decidedBy: null })
      const buy = () => client.setup_sending({ ...CAPACITY, confirmation_token })
      assert.propertyVal(yield* rejected(buy()), "code", "confirmation_required")

      const decision = { workspaceId, approvalId: asked.approvalId, digest: asked.digest, decision: "approve" } as const
      const decide = (by: string, more: object = {}) => outbound.approvals.decide({ ...decision, by, ...more })
      assert.propertyVal(yield* rejected(decide("nobody@acme.example")), "code", "not_found")
      yield* inDatabase(
        url,
        `WITH made AS (
           INSERT INTO outbound.users (user_id, email, created_at)
           VALUES (gen_random_uuid(), 'reader@acme.example', now()) RETURNING user_id
         )
         INSERT INTO outbound.memberships (workspace_id, user_id, role, created_at)
         SELECT $1, user_id, 'reader', now() FROM made`,
        [workspaceId]
      )
      assert.propertyVal(yield* rejected(decide("reader@acme.example")), "code", "forbidden")
      assert.strictEqual(yield* Effect.promise(() => decide(OWNER, { digest: "0".repeat(64) })), "digest_mismatch")
      assert.strictEqual(yield* Effect.promise(() => decide(OWNER)), "approved")
      assert.strictEqual(yield* Effect.promise(() => decide(OWNER, { decision: "decline" })), "closed")
      const bought = (yield* Effect.promise(buy)).result
      assert.strictEqual(bought.status, "purchased")
      assert.deepInclude(yield* Effect.promise(() => outbound.approvals.get(workspaceId, asked.approvalId)), {
        state: "used",
        decidedBy: OWNER
      })
      const open = "SELECT count(*)::int AS n FROM outbound.sessions WHERE ended_at IS NULL"
      assert.deepStrictEqual(yield* inDatabase(url, open), [{ n: 0 }])

      const at = (path: string, init?: RequestInit) => Effect.promise(() => fetch(`${baseUrl}${path}`, init))
      const text = (path: string) => Effect.flatMap(at(path), (answer) => Effect.promise(() => answer.text()))
      assert.strictEqual(yield* text("/"), "the team's page")
      const json = { "content-type": "application/json" }
      const own = yield* at("/customers", { method: "POST", headers: json, body: '{"a":1}' })
      assert.deepStrictEqual(yield* Effect.promise(() => own.json()), { a: 1 })
      const verified = yield* at("/v1/verify_email", {
        method: "POST",
        headers: { ...json, authorization: `Bearer ${apiKey}`, "idempotency-key": "one" },
        body: JSON.stringify({ email: "valid@magic.test" })
      })
      assert.strictEqual(verified.status, 200)
      assert.strictEqual(yield* text("/nothing"), "the team's own 404")
      assert.strictEqual((yield* at("/console/sign-in")).status, 200)
      const unsigned = yield* at("/v1/me")
      assert.strictEqual(unsigned.status, 401)
      const me = yield* at("/v1/me", { headers: { authorization: `Bearer ${apiKey}` } })
      assert.strictEqual(me.status, 200)

      yield* Effect.promise(outbound.close)
      // The server lets go of a connection a moment after it was told to.
      yield* eventually(
        inDatabase<{ readonly n: number }>(
          url,
          `SELECT count(*)::int AS n FROM pg_stat_activity
           WHERE application_name LIKE 'outbound%' AND datname = current_database()`
        ),
        ([row]) => row?.n === 0
      )
      assert.deepStrictEqual(
        yield* inDatabase(url, "SELECT tablename AS n FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"),
        ["migrations", "sessions", "users"].map((n) => ({ n }))
      )
    }).pipe(Effect.scoped),
  STORY_MILLIS_MAX
)

it.live(
  "a mistake in what embeds it is said, with every other one, before anything starts",
  () =>
    Effect.gen(function* () {
      const wrong = yield* rejected(
        embed({ database: "mysql://db", secret: "short", baseUrl: "acme", settings: { OUTBOUND_LOG_LEVEL: "loud" } })
      )
      for (const name of ["DATABASE_URL", "OUTBOUND_SECRET", "OUTBOUND_BASE_URL", "OUTBOUND_LOG_LEVEL"]) {
        assert.include(wrong.message, name)
      }
      const schema = yield* rejected(
        embed({
          database: "postgres://u@127.0.0.1:1/x",
          schema: "pg_ours",
          secret: SECRET,
          baseUrl: "http://localhost:1"
        })
      )
      assert.include(schema.message, "pg_ours is taken")
      const another = yield* freshDatabase
      const first = yield* Effect.promise(() =>
        embed({ database: another.url, secret: SECRET, baseUrl: "http://localhost:1" })
      )
      yield* Effect.promise(first.close)
      const other = yield* rejected(
        embed({ database: another.url, secret: `another ${SECRET}`, baseUrl: "http://localhost:1" })
      )
      assert.include(other.message.toLowerCase(), "secret")
    }).pipe(Effect.scoped),
  STORY_MILLIS_MAX
)

import { assert, describe, it } from "@effect/vitest"
import { givenMailboxes } from "@outbound/testkit/contracts/outboundFixtures.js"
import { makeClient, turn } from "@outbound/testkit/service/Client.js"
import { BASE_URL, layerMemory } from "@outbound/testkit/service/Service.js"
import { Admin } from "@outbound/domain/app/Admin.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Layer, References } from "effect"
import { layer as httpHost } from "../src/HttpHost.js"
import { Readiness } from "../src/health/Readiness.js"
import { HttpServer } from "../src/HttpServer.js"
import { assertDescribed } from "./support/Described.js"

const TestHost = httpHost({ host: "127.0.0.1", port: 0, metricsPort: null }).pipe(
  Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
  Layer.provideMerge(layerMemory),
  Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
)

/** A client with an API key that checks every answer against the published document. */
const connect = (options: Parameters<typeof makeClient>[0] = {}) =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    const { apiKey, ownerEmail, workspaceId } = yield* makeClient(options)
    const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      Effect.promise(async () => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          method,
          headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...headers },
          ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
        })
        const answer = { status: response.status, headers: response.headers, body: await response.json() }
        assertDescribed(method, path, answer)
        return answer
      })
    return { port, ownerEmail, workspaceId, send }
  })

/** The human of the workspace, in a browser without scripts. */
const human = (port: number, email: string) =>
  Effect.gen(function* () {
    const console = yield* Console
    const token = yield* Effect.orDie(console.makeSignInLink(email))
    const origin = `http://127.0.0.1:${port}`
    const field = (page: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ""
    const open = (path: string, cookie: string, form?: Record<string, string>) =>
      fetch(origin + path, {
        redirect: "manual",
        headers: { cookie, origin: BASE_URL },
        ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) })
      })
    const approve = (approvalUrl: string) =>
      Effect.promise(async () => {
        const signIn = await (await open(`/console/sign-in?token=${token}`, "")).text()
        const begun = await open("/console/sign-in", "", { token, csrf: field(signIn, "csrf") })
        const cookie = begun.headers.get("set-cookie")!.split(";")[0]!
        const path = new URL(approvalUrl).pathname
        const page = await (await open(path, cookie)).text()
        const form = { csrf: field(page, "csrf"), digest: field(page, "digest") }
        const done = await open(`${path}/approve`, cookie, form)
        return { page, status: done.status }
      })
    return { approve }
  })

const key = (name: string) => ({ "idempotency-key": name })

describe("over HTTP, every answer is the one that the document describes", () => {
  it.live("from a quote to a launched campaign", () =>
    Effect.gen(function* () {
      const { ownerEmail, port, send, workspaceId } = yield* connect({ credits: "10000" })
      assert.strictEqual((yield* send("GET", "/v1/me")).status, 200)
      yield* send("GET", "/v1/usage")
      yield* send("POST", "/v1/find_leads", { audience: "Heads of sales", limit: 3 })
      yield* send("POST", "/v1/enrich", { person: { email: "email-and-mobile@magic.test" } })

      const wanted = { daily_sends: 50, brand: "acme", identity: { first_name: "Ada", last_name: "Lovelace" } }
      yield* send("POST", "/v1/setup_sending", { ...wanted, dry_run: true })
      const quote = yield* send("POST", "/v1/setup_sending", wanted)
      const { approval_url: url, confirmation_token: token } = quote.body.result
      const confirmed = { ...wanted, confirmation_token: token }
      assert.strictEqual((yield* send("POST", "/v1/setup_sending", confirmed, key("p"))).status, 428)
      const { page, status } = yield* Effect.flatMap(human(port, ownerEmail), ({ approve }) => approve(url))
      assert.strictEqual(status, 303)
      assert.include(page, "Ada Lovelace")
      assert.strictEqual(
        (yield* send("POST", "/v1/setup_sending", confirmed, key("p"))).body.error.code,
        "card_required"
      )
      const admin = yield* Admin
      yield* admin.grantCredits(workspaceId, credits("5000"))
      const bought = yield* send("POST", "/v1/setup_sending", confirmed, key("p"))
      assert.strictEqual(bought.status, 200)
      const replay = yield* send("POST", "/v1/setup_sending", confirmed, key("p"))
      assert.deepStrictEqual(replay.body.result, bought.body.result)
      assert.isTrue(replay.body.svc.replayed)
      assert.strictEqual(replay.headers.get("x-request-id"), bought.headers.get("x-request-id"))
      yield* send("GET", `/v1/operations/${bought.body.result.operation_id}`)
      yield* send("GET", `/v1/requests/${bought.body.svc.request_id}`)

      const campaign = {
        name: "Heads of sales",
        recipients: [{ email: "interested@magic.test", first_name: "Grace" }, { email: "nobody" }],
        sequence: [{ subject: "Hello {{first_name|there}}", body: "Shall we talk?" }]
      }
      yield* send("POST", "/v1/campaigns", { ...campaign, dry_run: true })
      const draft = yield* send("POST", "/v1/campaigns", campaign, key("c"))
      assert.strictEqual(draft.body.result.state, "draft")
      const launch = { campaign_id: draft.body.result.campaign_id }
      yield* send("POST", "/v1/launch_campaign", { ...launch, dry_run: true })
      yield* turn
      yield* send("POST", "/v1/launch_campaign", launch, key("l"))
      yield* send("POST", "/v1/get_replies")
      yield* send("GET", "/v1/usage")
    }).pipe(Effect.provide(TestHost))
  )

  it.live("a mailbox that joins after an approval was not approved, and one that joins later never sends for it", () =>
    Effect.gen(function* () {
      const scopes = ["campaign:write", "campaign:launch"] as const
      const { ownerEmail, port, send, workspaceId } = yield* connect({ scopes })
      const approve = (url: string) => Effect.flatMap(human(port, ownerEmail), (one) => one.approve(url))
      const joins = Effect.map(givenMailboxes(workspaceId, 1), ([mailbox]) => mailbox!.address)
      const first = yield* joins
      const campaign = {
        name: "Heads of sales",
        recipients: [{ email: "silent@magic.test" }],
        sequence: [{ subject: "Hello", body: "Shall we talk?" }]
      }
      const { campaign_id } = (yield* send("POST", "/v1/campaigns", campaign, key("c"))).body.result
      const ask = (name: string) => send("POST", "/v1/launch_campaign", { campaign_id }, key(name))
      const confirm = (confirmation_token: string, name: string) =>
        send("POST", "/v1/launch_campaign", { campaign_id, confirmation_token }, key(name))

      const asked = (yield* ask("l")).body.result
      assert.deepStrictEqual(asked.preview.mailboxes, [first])
      assert.include((yield* approve(asked.approval_url)).page, first)
      const second = yield* joins
      const refused = yield* confirm(asked.confirmation_token, "l")
      assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "approval_changed"])

      const again = (yield* ask("again")).body.result
      assert.sameMembers(again.preview.mailboxes, [first, second])
      yield* approve(again.approval_url)
      assert.strictEqual((yield* confirm(again.confirmation_token, "again")).body.result.mailboxes_attached, 2)
      yield* joins
      const leads = [{ email: "silent+later@magic.test" }]
      const more = yield* send("POST", "/v1/add_leads", { campaign_id, leads }, key("a"))
      assert.sameMembers(more.body.result.preview.mailboxes, [first, second])
    }).pipe(Effect.provide(TestHost))
  )

  it.live("and of every refusal on the way", () =>
    Effect.gen(function* () {
      const { send } = yield* connect({ credits: "1" })
      const id = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"
      const status = <E, R>(answer: Effect.Effect<{ readonly status: number }, E, R>) =>
        Effect.map(answer, (one) => one.status)
      const verify = (body: unknown, headers: Record<string, string> = {}) =>
        status(send("POST", "/v1/verify_email", body, headers))
      assert.strictEqual(yield* verify({ email: "unavailable@magic.test" }), 503)
      assert.strictEqual(yield* verify({ email: "valid@magic.test" }, key("v")), 200)
      assert.strictEqual(yield* verify({ email: "invalid@magic.test" }, key("v")), 409)
      assert.strictEqual(yield* verify({ email: "invalid@magic.test" }), 402)
      assert.strictEqual(yield* verify({ email: "valid@magic.test", unheard_of: 1 }), 400)
      assert.strictEqual(yield* verify("{"), 400)
      assert.strictEqual(yield* verify(undefined), 400)
      assert.strictEqual(yield* verify("{}", { "content-type": "text/plain" }), 415)
      assert.strictEqual(yield* verify(`{"email":"${"x".repeat(4_200_000)}"}`), 413)
      assert.strictEqual(yield* verify({ email: "valid@magic.test" }, { authorization: "Bearer nothing" }), 401)
      assert.strictEqual(yield* verify({ email: "valid@magic.test" }, { "svc-run-id": id }), 409)
      assert.strictEqual(yield* verify({ email: "a\u0000b@magic.test" }), 400)
      assert.strictEqual(yield* status(send("GET", `/v1/operations/${id}`)), 404)
      assert.strictEqual(yield* status(send("GET", "/v1/operations/none")), 404)
      assert.strictEqual(yield* status(send("GET", "/v1/trail?limit=3")), 403)
      assert.strictEqual(yield* status(send("POST", "/v1/get_reply", { reply_id: id })), 404)
      assert.strictEqual(yield* status(send("POST", "/v1/campaigns", {}, key("c"))), 400)
      const lead = { campaign_lead_id: id, status: "interested" }
      assert.strictEqual(yield* status(send("POST", "/v1/set_lead_status", lead)), 400)
      assert.strictEqual(yield* status(send("POST", "/v1/set_lead_status", lead, key("s"))), 404)
    }).pipe(Effect.provide(TestHost))
  )

  it.live("a filter may be repeated, listed, or wrong", () =>
    Effect.gen(function* () {
      const { send } = yield* connect({ scopes: ["trail:read", "data:read"] })
      yield* send("GET", "/v1/trail?kind=sent&kind=reply,bounce&limit=2&since=2026-01-01T00:00:00Z")
      const wrong = yield* send("GET", "/v1/trail?kind=unheard&limit=0&colour=red")
      assert.strictEqual(wrong.status, 400)
      const paths = wrong.body.error.details.issues.map(({ path }: { path: string }) => path.split(".")[0])
      assert.sameMembers([...new Set(paths)], ["kind", "limit", "colour"])
    }).pipe(Effect.provide(TestHost))
  )

  it.live("two refusals of the same thing, missing and another workspace's, do not differ", () =>
    Effect.gen(function* () {
      const ours = yield* connect()
      const theirs = yield* connect()
      const made = yield* theirs.send("POST", "/v1/verify_email", { email: "valid@magic.test" })
      const answers = [made.body.svc.request_id, "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"].map((id) =>
        Effect.map(ours.send("GET", `/v1/requests/${id}`), ({ body, status }) => {
          const { request_id: _, ...error } = body.error
          return { status, error }
        })
      )
      const [one, other] = yield* Effect.all(answers)
      assert.deepStrictEqual(one, other)
      assert.strictEqual(one?.status, 404)
    }).pipe(Effect.provide(TestHost))
  )
})

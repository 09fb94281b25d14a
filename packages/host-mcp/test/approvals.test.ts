import { assert, describe, it } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { type Client, decide, makeClient } from "@outbound/testkit/service/Client.js"
import { Effect } from "effect"
import { CLIENTS, type Human, type ToolClient } from "./support/Clients.js"
import { baseUrl, onAnotherHost, withHost } from "./support/Host.js"
import { bearer, newerCall, olderCall, post } from "./support/Raw.js"

const PURCHASE = { daily_sends: 25, brand: "acme", identity: { first_name: "Ada", last_name: "Lovelace" } }
const URLS = { elicitation: { url: {} } }

/** A workspace that can pay for what it asks for. */
const buyer = Effect.gen(function* () {
  const client = yield* makeClient()
  const admin = yield* Admin
  yield* Effect.orDie(admin.grantCredits(client.workspaceId, credits("10000")))
  return client
})

const balance = (client: Client) =>
  Effect.map(client.call("get_usage"), ({ result }) => result.credits_balance as string)

const approving = Effect.map(Effect.context<Effect.Services<ReturnType<typeof decide>>>(), (runtime) => {
  const run = Effect.runPromiseWith(runtime)
  return (client: Client, decision: "approve" | "decline"): Human =>
    async (url) => {
      await run(decide(client, url, decision))
      return "accept"
    }
})

const withClient = <A>(
  connect: (typeof CLIENTS)[keyof typeof CLIENTS],
  apiKey: string,
  human: Human | undefined,
  use: (client: ToolClient) => Promise<A>
) =>
  Effect.flatMap(baseUrl, (url) =>
    Effect.acquireUseRelease(
      Effect.promise(() => connect(url, apiKey, human === undefined ? {} : { human })),
      (client) => Effect.promise(() => use(client)),
      (client) => Effect.promise(() => client.close())
    )
  )

const newest = CLIENTS["client 2.x on 2026-07-28"]

describe("on 2026-07-28, a client that brings its human to the page", () => {
  it.live("sees the call go on once they have approved in the console, with a key of the caller's or without", () =>
    withHost(
      Effect.gen(function* () {
        const client = yield* buyer
        const human = (yield* approving)(client, "approve")
        for (const given of [PURCHASE, { ...PURCHASE, brand: "other", idempotency_key: "mine" }]) {
          const done = yield* withClient(newest, client.apiKey, human, ({ call }) => call("setup_sending", given))
          assert.isUndefined(done.isError)
          assert.strictEqual(done.structured.result.status, "purchased")
          assert.strictEqual(done.structured.svc.credits_charged, "1500")
        }
        assert.strictEqual(yield* balance(client), "7300")
      })
    )
  )

  it.live("is told of their refusal, and nothing is bought", () =>
    withHost(
      Effect.gen(function* () {
        const client = yield* buyer
        const human = (yield* approving)(client, "decline")
        const done = yield* withClient(newest, client.apiKey, human, ({ call }) => call("setup_sending", PURCHASE))
        assert.isTrue(done.isError)
        assert.strictEqual(done.structured.error.code, "approval_declined")
        assert.strictEqual(yield* balance(client), "10300")
      })
    )
  )

  it.live("cannot approve by accepting: nobody decided, so nothing happens", () =>
    withHost(
      Effect.gen(function* () {
        const client = yield* buyer
        for (const action of ["accept", "decline", "cancel"] as const) {
          const shown: Array<string> = []
          const human: Human = (url) => {
            shown.push(url)
            return Promise.resolve(action)
          }
          const done = yield* withClient(newest, client.apiKey, human, ({ call }) => call("setup_sending", PURCHASE))
          assert.isTrue(done.isError)
          assert.strictEqual(done.structured.error.code, "confirmation_required")
          // The human is shown the page once, and is waited for without being asked again.
          assert.strictEqual(shown.length, 1)
          assert.strictEqual(shown[0]?.split("/").at(-1), done.structured.error.details.approval_url.split("/").at(-1))
        }
        assert.strictEqual(yield* balance(client), "10300")
      })
    )
  )
})

describe("the state between two legs", () => {
  const asked = (client: Client, given: Record<string, unknown> = PURCHASE) =>
    Effect.map(newerCall(client.apiKey, "setup_sending", given, { capabilities: URLS }), ({ body }) => {
      assert.strictEqual(body.result.resultType, "input_required")
      assert.strictEqual(body.result.inputRequests.approval.params.mode, "url")
      return {
        state: body.result.requestState as string,
        url: body.result.inputRequests.approval.params.url as string
      }
    })
  const goOn = (apiKey: string, given: Record<string, unknown>, requestState: string, tool = "setup_sending") =>
    newerCall(apiKey, tool, given, {
      capabilities: URLS,
      more: { requestState, inputResponses: { approval: { action: "accept" } } }
    })

  it.live("is good for the key, the tool and the arguments that it was issued for, and for no others", () =>
    withHost(
      Effect.gen(function* () {
        const [client, stranger] = [yield* buyer, yield* buyer]
        const { state, url } = yield* asked(client)
        const other = yield* asked(client, { ...PURCHASE, brand: "other" })
        yield* decide(client, other.url, "approve")
        const [text = "", mac = ""] = other.state.split(".")
        const forged = Buffer.from(
          JSON.stringify({ ...JSON.parse(Buffer.from(text, "base64url").toString()), idempotencyKey: "theirs" })
        ).toString("base64url")
        const refusals = [
          yield* goOn(client.apiKey, { ...PURCHASE, brand: "other" }, `${forged}.${mac}`),
          yield* goOn(client.apiKey, { ...PURCHASE, brand: "other" }, `${text}.${mac.slice(0, -1)}`),
          yield* goOn(client.apiKey, { ...PURCHASE, brand: "other" }, `${text}.`),
          yield* goOn(client.apiKey, { ...PURCHASE, brand: "other" }, ""),
          yield* goOn(client.apiKey, { ...PURCHASE, brand: "third" }, other.state),
          yield* goOn(client.apiKey, PURCHASE, other.state),
          yield* goOn(stranger.apiKey, { ...PURCHASE, brand: "other" }, other.state),
          yield* goOn(client.apiKey, { campaign_id: url.split("/").at(-1) }, state, "launch_campaign")
        ]
        for (const { body } of refusals) assert.strictEqual(body.error.code, -32_602)
        assert.strictEqual(yield* balance(client), "10300")
        const { body } = yield* goOn(client.apiKey, { ...PURCHASE, brand: "other" }, other.state)
        assert.strictEqual(body.result.structuredContent.result.status, "purchased")
        const again = yield* goOn(client.apiKey, { ...PURCHASE, brand: "other" }, other.state)
        assert.isTrue(again.body.result.structuredContent.svc.replayed)
      })
    )
  )

  it.live("is taken up by any host", () =>
    withHost(
      Effect.gen(function* () {
        const client = yield* buyer
        const { state, url } = yield* asked(client)
        yield* decide(client, url, "approve")
        const { body } = yield* onAnotherHost(goOn(client.apiKey, PURCHASE, state))
        assert.strictEqual(body.result.structuredContent.result.status, "purchased")
      })
    )
  )

  it.live("brings the human again where the client says nothing of them", () =>
    withHost(
      Effect.gen(function* () {
        const client = yield* buyer
        const { state, url } = yield* asked(client)
        const { body } = yield* newerCall(client.apiKey, "setup_sending", PURCHASE, {
          capabilities: URLS,
          more: { requestState: state }
        })
        assert.strictEqual(body.result.inputRequests.approval.params.url, url)
      })
    )
  )
})

describe("on 2025-11-25, a client that brings its human to the page", () => {
  const initialize = (apiKey: string, capabilities: object) =>
    post(
      {
        jsonrpc: "2.0",
        id: 0,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "a test", version: "1" } }
      },
      bearer(apiKey)
    )

  it.live("is told by an error that names the page; the same call goes on once it is approved there", () =>
    withHost(
      Effect.gen(function* () {
        const client = yield* buyer
        const given = { ...PURCHASE, idempotency_key: "mine" }
        const human: Human = () => Promise.resolve("accept")
        const run = Effect.runPromiseWith(yield* Effect.context<Effect.Services<ReturnType<typeof decide>>>())
        const done = yield* withClient(CLIENTS["SDK 1.x (2025-11-25)"], client.apiKey, human, async ({ call }) => {
          const fails = () =>
            call("setup_sending", given).then(
              () => assert.fail("it went on"),
              (error: {
                readonly code: number
                readonly data: { readonly elicitations: ReadonlyArray<{ url: string }> }
              }) => error
            )
          const first = await fails()
          assert.strictEqual(first.code, -32_042)
          assert.deepStrictEqual((await fails()).data, first.data)
          await run(decide(client, first.data.elicitations[0]?.url ?? "", "approve"))
          return call("setup_sending", given)
        })
        assert.strictEqual(done.structured.result.status, "purchased")
        assert.strictEqual(yield* balance(client), "8800")
      })
    )
  )

  it.live("says so by the session's id, which nobody can make up, and another key cannot use", () =>
    withHost(
      Effect.gen(function* () {
        const [client, stranger] = [yield* buyer, yield* buyer]
        const plain = yield* initialize(client.apiKey, {})
        assert.isNull(plain.headers.get("mcp-session-id"))
        const id = (yield* initialize(client.apiKey, URLS)).headers.get("mcp-session-id") ?? ""
        const call = (apiKey: string, session: string) =>
          post(
            {
              jsonrpc: "2.0",
              id: 1,
              method: "tools/call",
              params: { name: "setup_sending", arguments: { ...PURCHASE, idempotency_key: "k" } }
            },
            { ...bearer(apiKey), "mcp-protocol-version": "2025-11-25", "mcp-session-id": session }
          )
        assert.strictEqual((yield* call(client.apiKey, id)).body.error.code, -32_042)
        for (const { body } of [
          yield* call(stranger.apiKey, id),
          yield* call(client.apiKey, `${id.slice(0, -1)}${id.endsWith("A") ? "B" : "A"}`),
          yield* call(client.apiKey, "url.x.y")
        ]) {
          assert.strictEqual(body.result.structuredContent.result.status, "quote")
        }
      })
    )
  )
})

describe("a client that brings nobody", () => {
  it.live("is told what to do, and does it with the token", () =>
    withHost(
      Effect.gen(function* () {
        const client = yield* buyer
        const { body } = yield* olderCall(client.apiKey, "setup_sending", PURCHASE)
        const { approval_url, confirmation_token } = body.result.structuredContent.result
        const [{ text }] = body.result.content
        assert.include(text, approval_url)
        assert.include(text, confirmation_token)
        assert.include(text, "only they can approve")
        const confirmed = { ...PURCHASE, confirmation_token, idempotency_key: "mine" }
        const early = yield* olderCall(client.apiKey, "setup_sending", confirmed)
        assert.strictEqual(early.body.result.structuredContent.error.code, "confirmation_required")
        yield* decide(client, approval_url, "approve")
        const done = yield* olderCall(client.apiKey, "setup_sending", confirmed)
        assert.strictEqual(done.body.result.structuredContent.result.status, "purchased")
      })
    )
  )
})

import { assert, describe, it } from "@effect/vitest"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { Effect } from "effect"
import { baseUrl, withHost } from "./support/Host.js"
import { apiKey, bearer, type Got, listTools, newerCall, OLDER, olderCall, post } from "./support/Raw.js"

const UNKNOWN = `svc_key_${"x".repeat(43)}`
const verify = { email: "valid@magic.test" }

describe("a caller without a key", () => {
  it.live("is challenged, whatever they send, before it is read", () =>
    withHost(
      Effect.gen(function* () {
        const answers = [
          yield* listTools({}),
          yield* listTools({ authorization: "Basic eDp5" }),
          yield* listTools(bearer(UNKNOWN)),
          yield* olderCall(UNKNOWN, "verify_email", verify),
          yield* olderCall(UNKNOWN, "verify_email", verify, { meta: { progressToken: 1 } }),
          yield* newerCall(UNKNOWN, "verify_email", verify),
          yield* newerCall(UNKNOWN, "no_such_tool", verify),
          yield* newerCall(UNKNOWN, "setup_sending", {}, { more: { requestState: "x" } }),
          yield* post("{", { ...OLDER, ...bearer(UNKNOWN) }),
          yield* post(null, {}, "GET")
        ]
        for (const { body, headers, status } of answers) {
          assert.strictEqual(status, 401)
          assert.strictEqual(headers.get("www-authenticate"), "Bearer")
          assert.strictEqual(body.error.data.error.code, "unauthorized")
        }
      })
    )
  )
})

describe("where keys are given out by OAuth", () => {
  it.live("the challenge says where to read how", () => {
    const resourceMetadataUrl = "https://outbound.example/.well-known/oauth-protected-resource/mcp"
    return withHost(
      Effect.gen(function* () {
        const challenge = ({ headers }: Got) => headers.get("www-authenticate")
        const metadata = `resource_metadata="${resourceMetadataUrl}"`
        assert.strictEqual(challenge(yield* listTools({})), `Bearer ${metadata}`)
        assert.strictEqual(
          challenge(yield* olderCall(UNKNOWN, "verify_email", verify)),
          `Bearer error="invalid_token", ${metadata}`
        )
      }),
      { resourceMetadataUrl }
    )
  })
})

describe("a request that is no message", () => {
  it.live("is refused by what is wrong with it", () =>
    withHost(
      Effect.gen(function* () {
        const key = bearer(yield* apiKey)
        const refusals = [
          [yield* post("{", { ...OLDER, ...key }), 400, -32_700],
          [yield* post(`{"a":${"[".repeat(2_000)}${"]".repeat(2_000)}}`, { ...OLDER, ...key }), 400, -32_700],
          [yield* post("[]", { ...OLDER, ...key }), 400, -32_600],
          [yield* post("3", { ...OLDER, ...key }), 400, -32_600],
          [
            yield* post(
              Array.from({ length: 21 }, () => ({})),
              { ...OLDER, ...key }
            ),
            400,
            -32_600
          ],
          [yield* post("{}", { ...key, "content-type": "text/plain" }), 415, -32_000],
          [yield* post("{}", { ...key, "content-encoding": "gzip" }), 415, -32_000],
          [yield* post(" ".repeat(5 * 1024 * 1024), key), 413, -32_000],
          [yield* post(null, key, "GET"), 405, -32_000],
          [yield* post({}, key, "DELETE"), 405, -32_000]
        ] as const
        for (const [{ body, status }, expected, code] of refusals) {
          assert.deepStrictEqual([status, body.error.code], [expected, code])
        }
        assert.strictEqual((yield* post(null, key, "GET")).headers.get("allow"), "POST, OPTIONS")
      })
    )
  )

  it.live("an unknown tool is an invalid parameter, in every revision", () =>
    withHost(
      Effect.gen(function* () {
        const key = yield* apiKey
        for (const { body } of [yield* olderCall(key, "get_trail", {}), yield* newerCall(key, "llm_chat", {})]) {
          assert.strictEqual(body.error.code, -32_602)
        }
      })
    )
  )
})

describe("a call whose client hangs up", () => {
  it.live("runs to its end, is charged once, and is replayed", () =>
    withHost(
      Effect.gen(function* () {
        const { apiKey: key, call } = yield* makeClient()
        const url = yield* baseUrl
        const given = { email: "slow@magic.test", idempotency_key: "k" }
        for (const meta of [undefined, { progressToken: 1 }]) {
          const params = { name: "verify_email", arguments: given, ...(meta === undefined ? {} : { _meta: meta }) }
          yield* Effect.promise(() =>
            fetch(`${url}/mcp`, {
              method: "POST",
              headers: {
                ...bearer(key),
                ...OLDER,
                "content-type": "application/json",
                accept: "application/json, text/event-stream"
              },
              body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
              signal: AbortSignal.timeout(300)
            }).catch(() => undefined)
          )
        }
        const { body } = yield* olderCall(key, "verify_email", given)
        assert.isTrue(body.result.structuredContent.svc.replayed)
        assert.strictEqual((yield* call("get_usage")).result.credits_balance, "299")
      })
    )
  )
})

describe("every answer", () => {
  it.live("carries the call's id and the key's rate, of which each request takes one", () =>
    withHost(
      Effect.gen(function* () {
        const key = yield* apiKey
        const left = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1])
        const first = yield* listTools(bearer(key))
        const second = yield* olderCall(key, "verify_email", verify)
        const third = yield* newerCall(key, "verify_email", verify, { meta: { progressToken: "p" } })
        assert.deepStrictEqual(
          [first, second, third].map(({ headers }) => left(headers)),
          [299, 298, 297]
        )
        for (const { body, headers } of [second, third]) {
          assert.strictEqual(headers.get("x-request-id"), body.result.structuredContent.svc.request_id)
        }
      })
    )
  )

  it.live("to a plain call is what the library would have written", () =>
    withHost(
      Effect.gen(function* () {
        const key = yield* apiKey
        const timeless = (body: unknown) =>
          JSON.parse(
            JSON.stringify(body)
              .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "an id")
              .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "a time")
              .replace(/data [\w-]{43}>/g, "data>")
          ) as unknown
        const given = { email: "unknown@magic.test" }
        for (const wrong of [given, { email: 3 }]) {
          const [plain, full] = [
            yield* olderCall(key, "verify_email", wrong),
            yield* olderCall(key, "verify_email", wrong, { meta: { anything: 1 } })
          ]
          assert.deepStrictEqual(timeless(plain.body), timeless(full.body))
          const [newPlain, newFull] = [
            yield* newerCall(key, "verify_email", wrong),
            yield* newerCall(key, "verify_email", wrong, { meta: { anything: 1 } })
          ]
          assert.deepStrictEqual(timeless(newPlain.body), timeless(newFull.body))
        }
      })
    )
  )

  it.live("to arguments by the thousand is a refusal before anything looks at them", () =>
    withHost(
      Effect.gen(function* () {
        const key = yield* apiKey
        const many = (count: number) =>
          Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, 1]))
        const few = yield* olderCall(key, "verify_email", many(1_000))
        assert.strictEqual(few.body.result.structuredContent.error.code, "invalid_request")
        const { body, status } = yield* olderCall(key, "verify_email", many(1_001))
        assert.strictEqual(status, 400)
        assert.deepInclude(body.error, {
          code: -32600,
          message: "An object in a message can have at most 1000 members."
        })
      })
    )
  )

  it.live("of a batch comes together, each call metered by itself", () =>
    withHost(
      Effect.gen(function* () {
        const key = yield* apiKey
        const call = (id: number) => ({
          jsonrpc: "2.0",
          id,
          method: "tools/call",
          params: { name: "verify_email", arguments: verify }
        })
        const { body } = yield* post([call(1), call(2)], { ...bearer(key), "mcp-protocol-version": "2025-03-26" })
        const ids = (body as ReadonlyArray<never>).map(
          ({ result }: { readonly result: { readonly structuredContent: { readonly svc: Record<string, string> } } }) =>
            result.structuredContent.svc["request_id"]
        )
        assert.strictEqual(new Set(ids).size, 2)
      })
    )
  )
})

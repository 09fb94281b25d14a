import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type IncomingHttpHeaders, request } from "node:http"
import { baseUrl, withHost } from "./support/Host.js"
import { apiKey, bearer, listTools, OLDER, post } from "./support/Raw.js"

/** A request with exactly these headers: `fetch` adds an `Accept` of its own. */
const sentBy = (message: unknown, headers: Readonly<Record<string, string>>) =>
  Effect.flatMap(baseUrl, (url) =>
    Effect.callback<{
      readonly status: number | undefined
      readonly headers: IncomingHttpHeaders
      readonly text: string
    }>((resume) => {
      const sending = request(`${url}/mcp`, { method: "POST", headers }, (response) => {
        const pieces: Array<Buffer> = []
        response
          .on("data", (piece: Buffer) => pieces.push(piece))
          .on("end", () => {
            const text = Buffer.concat(pieces).toString("utf8")
            resume(Effect.succeed({ status: response.statusCode, headers: response.headers, text }))
          })
      })
      sending.on("error", (error) => resume(Effect.die(error)))
      sending.end(JSON.stringify(message))
    })
  )

describe("a client that takes", () => {
  const JSON_TYPE = "application/json"
  const STREAM = "text/event-stream"
  const FORMS: ReadonlyArray<readonly [accept: string | null, form: string]> = [
    [null, JSON_TYPE],
    ["", JSON_TYPE],
    ["*/*", JSON_TYPE],
    ["application/*", JSON_TYPE],
    ["Application/JSON", JSON_TYPE],
    ["application/json", JSON_TYPE],
    ["text/event-stream, application/json", JSON_TYPE],
    ["text/html, */*;q=0.1", JSON_TYPE],
    ["text/event-stream", STREAM],
    ["text/*", STREAM],
    ["application/json;q=0, */*", STREAM]
  ]
  const messages = {
    initialize: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "a test", version: "1" } },
    "tools/list": {},
    "tools/call": { name: "get_me", arguments: {} }
  }
  for (const [accept, form] of FORMS) {
    it.live(`${accept === null ? "whatever comes" : JSON.stringify(accept)} is answered in ${form}`, () =>
      withHost(
        Effect.gen(function* () {
          const headers = { ...bearer(yield* apiKey), ...OLDER, "content-type": JSON_TYPE }
          for (const [method, params] of Object.entries(messages)) {
            const message = { jsonrpc: "2.0", id: 1, method, params }
            const got = yield* sentBy(message, { ...headers, ...(accept === null ? {} : { accept }) })
            assert.deepStrictEqual([got.status, got.headers["content-type"]], [200, form], method)
            assert.include(got.text, '"result":')
          }
        })
      )
    )
  }

  it.live("neither form is refused, and told which there are", () =>
    withHost(
      Effect.gen(function* () {
        const { body, status } = yield* listTools({
          ...bearer(yield* apiKey),
          accept: "text/html, application/json;q=0"
        })
        assert.strictEqual(status, 406)
        assert.include(body.error.message, "application/json or text/event-stream")
      })
    )
  )

  it.live("JSON alone is sent no progress, and the result all the same", () =>
    withHost(
      Effect.gen(function* () {
        const params = { name: "verify_email", arguments: { email: "slow@magic.test" }, _meta: { progressToken: 1 } }
        const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params }
        const headers = { ...bearer(yield* apiKey), ...OLDER, "content-type": JSON_TYPE, accept: JSON_TYPE }
        const got = yield* sentBy(message, headers)
        assert.strictEqual(got.headers["content-type"], JSON_TYPE)
        assert.strictEqual(JSON.parse(got.text).id, 1)
      })
    )
  )
})

describe("the endpoint with a slash at its end", () => {
  it.live("is the same endpoint", () =>
    withHost(
      Effect.gen(function* () {
        const [url, key] = [yield* baseUrl, yield* apiKey]
        const response = yield* Effect.promise(() =>
          fetch(`${url}/mcp/`, {
            method: "POST",
            headers: { ...bearer(key), "content-type": "application/json" },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
          })
        )
        assert.strictEqual(response.status, 200)
        assert.strictEqual((yield* Effect.promise(() => fetch(`${url}/mcp/x`, { method: "POST" }))).status, 404)
      })
    )
  )
})

describe("parameters that are wrong", () => {
  it.live("are the client's mistake, and named", () =>
    withHost(
      Effect.gen(function* () {
        const key = bearer(yield* apiKey)
        const wrong = [
          ["initialize", { protocolVersion: "2025-06-18", capabilities: {} }, "clientInfo"],
          ["initialize", undefined, "params"],
          [
            "initialize",
            { protocolVersion: 7, capabilities: {}, clientInfo: { name: "a", version: "1" } },
            "protocolVersion"
          ],
          ["tools/list", { cursor: 5 }, "cursor"],
          ["tools/call", { arguments: {} }, "name"],
          ["tools/call", { name: "get_me", arguments: "{}" }, "arguments"]
        ] as const
        for (const [method, params, named] of wrong) {
          const { body } = yield* post({ jsonrpc: "2.0", id: 7, method, params }, { ...key, ...OLDER })
          assert.deepStrictEqual([body.id, body.error.code], [7, -32_602], `${method} ${named}`)
          assert.include(body.error.message, named)
        }
      })
    )
  )
})

describe("a client whose library writes out what is not set", () => {
  it.live("is answered as if its nulls were absent; those within arguments are the tool's", () =>
    withHost(
      Effect.gen(function* () {
        const key = { ...bearer(yield* apiKey), ...OLDER }
        const unset = { roots: null, sampling: null, experimental: null, elicitation: { url: null } }
        const clientInfo = { name: "a test", version: "1", title: null, websiteUrl: null, icons: null }
        for (const [method, params] of [
          ["initialize", { protocolVersion: "2025-06-18", capabilities: unset, clientInfo, _meta: null }],
          ["ping", null],
          ["tools/list", null],
          ["tools/list", { cursor: null, _meta: null }],
          ["tools/call", { name: "get_me", arguments: null, _meta: { progressToken: null } }],
          ["tools/call", { name: "verify_email", arguments: { email: "ann@acme.test", run_id: null }, _meta: null }]
        ] as const) {
          const { body, status } = yield* post({ jsonrpc: "2.0", id: 7, method, params }, key)
          assert.deepStrictEqual(
            [status, body.id, body.error],
            [200, 7, undefined],
            `${method} ${JSON.stringify(params)}`
          )
        }
        const told = yield* post({ jsonrpc: "2.0", method: "notifications/initialized", params: null }, key)
        assert.strictEqual(told.status, 202)
        const untold = { jsonrpc: "2.0", method: "notifications/initialized", id: null, result: null, error: null }
        assert.strictEqual((yield* post(untold, key)).status, 202)
        const one = { jsonrpc: "2.0", id: 9, method: "ping", result: null, error: null }
        assert.deepStrictEqual((yield* post(one, key)).body, { jsonrpc: "2.0", id: 9, result: {} })
        assert.strictEqual((yield* post([one], key)).status, 200)
        assert.strictEqual((yield* post({ ...one, id: null }, key)).status, 400)
        const wrong = { name: "verify_email", arguments: { email: null } }
        const { body } = yield* post({ jsonrpc: "2.0", id: 8, method: "tools/call", params: wrong }, key)
        assert.isTrue(body.result.isError)
      })
    )
  )
})

describe("a message's coding", () => {
  it.live("that is none is none, however it is written", () =>
    withHost(
      Effect.gen(function* () {
        const key = { ...bearer(yield* apiKey), ...OLDER }
        const message = { jsonrpc: "2.0", id: 1, method: "ping" }
        for (const [coding, status] of [
          ["identity", 200],
          ["Identity", 200],
          ["", 200],
          ["br", 415]
        ] as const) {
          assert.strictEqual((yield* post(message, { ...key, "content-encoding": coding })).status, status, coding)
        }
      })
    )
  )
})

describe("a revision", () => {
  it.live("that a proxy sent twice is the same one, and an empty one is none", () =>
    withHost(
      Effect.gen(function* () {
        const key = bearer(yield* apiKey)
        const message = { jsonrpc: "2.0", id: 1, method: "tools/list" }
        for (const [revision, status] of [
          ["2025-06-18, 2025-06-18", 200],
          ["", 200],
          ["2025-06-18, 2025-11-25", 400],
          ["1999-01-01", 400]
        ] as const) {
          assert.strictEqual(
            (yield* post(message, { ...key, "mcp-protocol-version": revision })).status,
            status,
            revision
          )
        }
      })
    )
  )
})

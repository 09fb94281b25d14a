import { assert, describe, it } from "@effect/vitest"
import { Calls } from "@outbound/domain/calls/Calls.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { rpcSurface } from "@outbound/host-http/rpc/RpcSurface.js"
import { serve } from "@outbound/host-http/HttpServer.js"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { layer as ids } from "@outbound/testkit/memory/TestIds.js"
import { Effect, Layer, References } from "effect"
import { withHost } from "./support/Host.js"
import { bearer, envelopeOf, fetched, message, postLine } from "./support/Surfaces.js"

const ME = message("get_me", {})

const errorOf = (got: Parameters<typeof envelopeOf>[0]) =>
  envelopeOf(got)["error"] as { code: string; message: string; details?: Record<string, unknown>; request_id: string }

describe("what is no call is refused as by REST, with nothing of our own in it", () => {
  it.live("without a key", () =>
    withHost(
      Effect.gen(function* () {
        const got = yield* fetched("/rpc", {
          method: "POST",
          body: ME,
          headers: { "content-type": "application/ndjson" }
        })
        assert.strictEqual(got.status, 401)
        assert.strictEqual(got.headers.get("www-authenticate"), "Bearer")
        assert.strictEqual(errorOf(got).code, "unauthorized")
        assert.strictEqual(errorOf(got).request_id, got.headers.get("x-request-id"))
      })
    )
  )

  const bodies: ReadonlyArray<readonly [what: string, body: string, status: number, code: string]> = [
    ["nothing", "", 400, "invalid_request"],
    ["a line feed", "\n", 400, "invalid_request"],
    ["two messages", ME + ME, 400, "invalid_request"],
    ["no JSON", "{", 400, "invalid_request"],
    ["a list", "[]", 400, "invalid_request"],
    ["no UTF-8", "\ud800", 400, "invalid_request"],
    ["another message", '{"_tag":"Ping"}', 400, "invalid_request"],
    [
      "an id that is neither text nor a whole number",
      '{"_tag":"Request","id":7.5,"tag":"get_me","payload":{}}',
      400,
      "invalid_request"
    ],
    ["too deep", message("get_me", JSON.parse("[".repeat(80) + "]".repeat(80))), 400, "invalid_request"],
    ["no payload", '{"_tag":"Request","id":"7","tag":"get_me"}', 400, "invalid_request"],
    ["a payload that is no object", message("get_me", [1]), 400, "invalid_request"],
    ["a name that Object has", message("toString", {}), 404, "not_found"],
    ["an unknown procedure", message("drop_tables", {}), 404, "not_found"]
  ]
  it.live.each(bodies)("%s", ([, body, status, code]) =>
    withHost(
      Effect.gen(function* () {
        const { apiKey } = yield* makeClient()
        const got = yield* postLine(apiKey, body)
        assert.deepStrictEqual([got.status, errorOf(got).code], [status, code])
        assert.notMatch(got.text, /ParseError|SyntaxError|at .*\.[jt]s:\d+|Expected/)
        assert.match(got.text, /^[^\n]+\n$/)
      })
    )
  )

  it.live("by another method, in another form, with a query, or too large", () =>
    withHost(
      Effect.gen(function* () {
        const { apiKey } = yield* makeClient()
        const got = yield* fetched("/rpc", { headers: bearer(apiKey) })
        assert.deepStrictEqual([got.status, got.headers.get("allow")], [405, "POST"])
        const form = yield* postLine(apiKey, ME, { "content-type": "application/json" })
        assert.deepStrictEqual([form.status, errorOf(form).details?.["reason"]], [415, "unsupported_media_type"])
        const asked = yield* fetched("/rpc?a=1", {
          method: "POST",
          body: ME,
          headers: { ...bearer(apiKey), "content-type": "application/ndjson" }
        })
        assert.strictEqual(asked.status, 400)
        const large = yield* postLine(apiKey, message("get_me", { text: "a".repeat(5 * 1024 * 1024) }))
        assert.deepStrictEqual([large.status, errorOf(large).details?.["reason"]], [413, "body_too_large"])
      })
    )
  )

  it.live("a chat that is to stream: that is for REST alone, and the plain one is answered", () =>
    withHost(
      Effect.gen(function* () {
        const { apiKey } = yield* makeClient()
        const chat = { model: "sandbox-mini", messages: [{ role: "user", content: "Say hello." }] }
        const streamed = yield* postLine(apiKey, message("llm_chat", { ...chat, stream: true }))
        assert.strictEqual(errorOf(streamed).code, "invalid_request")
        const plain = yield* postLine(apiKey, message("llm_chat", chat))
        assert.property(envelopeOf(plain)["result"], "choices")
      })
    )
  )
})

describe("a defect", () => {
  it.live("says its request id and nothing else", () =>
    Effect.gen(function* () {
      const broken = Calls.of({ answer: () => Effect.die(new Error("the secret of the store")) })
      const { port } = yield* serve({
        host: "127.0.0.1",
        port: 0,
        limits: {},
        surfaces: () => [rpcSurface(broken, verbList)],
        inner: null
      })
      const got = yield* Effect.promise(async () => {
        const response = await fetch(`http://127.0.0.1:${port}/rpc`, {
          method: "POST",
          body: ME,
          headers: { ...bearer("a-key"), "content-type": "application/ndjson" }
        })
        return { status: response.status, text: await response.text() }
      })
      assert.strictEqual(got.status, 500)
      assert.notInclude(got.text, "secret")
      assert.include(got.text, '"code":"internal"')
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(ids, Layer.succeed(References.MinimumLogLevel, "None"))))
  )
})

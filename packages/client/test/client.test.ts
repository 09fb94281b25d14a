import { assert, describe, it } from "@effect/vitest"
import { type CallResponse, Calls, type IncomingCall } from "@outbound/domain/calls/Calls.js"
import { encodeError, refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { layerMemory } from "@outbound/testkit/service/Service.js"
import { layer as ids } from "@outbound/testkit/memory/TestIds.js"
import { Effect, Fiber, Layer, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Client from "../src/Client.js"
import { connect } from "../src/connect.js"
import * as Http from "../src/Http.js"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "../src/HttpClient.js"
import * as InProcess from "../src/InProcess.js"
import { Refusal } from "../src/Refusal.js"
import { RpcClient, RpcSerialization } from "../src/Rpc.js"
import { verbGroup } from "../src/VerbGroup.js"
import { baseUrl, withHost } from "./support/Host.js"

/** What any client does here: a dry run, a call, a refusal, a read. */
const useIt = (client: Client.Client) =>
  Effect.gen(function* () {
    const planned = yield* client.verify_email({ email: "valid@magic.test", dry_run: true })
    assert.strictEqual(planned.result.plan.credits_estimate, "1")
    const checked = yield* client.verify_email({ email: "valid@magic.test" }, { idempotencyKey: "once" })
    assert.strictEqual(checked.result.status, "valid")
    const again = yield* client.verify_email({ email: "valid@magic.test" }, { idempotencyKey: "once" })
    assert.deepStrictEqual([again.svc.replayed, again.svc.request_id], [true, checked.svc.request_id])
    const operation_id = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"
    const missing = yield* Effect.flip(client.get_operation({ operation_id }))
    assert.instanceOf(missing, Refusal)
    const known = yield* client.get_operation({ operation_id }).pipe(
      Effect.as("there"),
      Effect.catchTag("not_found", ({ requestId }) => Effect.succeed(requestId === "" ? "no id" : "not there"))
    )
    assert.strictEqual(known, "not there")
    const wrong = yield* Effect.flip(client.find_leads({ audience: "" }))
    assert.deepInclude(wrong, { code: "invalid_request" })
    assert.strictEqual((yield* client.get_usage()).result.credits_available, "299")
  })

const credentials = Effect.all({
  url: baseUrl,
  apiKey: Effect.map(makeClient(), ({ apiKey }) => Redacted.make(apiKey))
})

describe("the typed client", () => {
  it.live("calls a service by HTTP", () =>
    withHost(
      Effect.gen(function* () {
        yield* Effect.scoped(Effect.flatMap(Client.make, useIt)).pipe(Effect.provide(Http.layer(yield* credentials)))
      })
    )
  )

  it.effect("calls one in its own process", () =>
    Effect.gen(function* () {
      const { apiKey } = yield* makeClient()
      const protocol = InProcess.layer({ apiKey: Redacted.make(apiKey) })
      yield* Effect.scoped(Effect.flatMap(Client.make, useIt)).pipe(Effect.provide(protocol))
    }).pipe(Effect.provide(layerMemory))
  )

  it.live("answers by promises, which are rejected with the refusal", () =>
    withHost(
      Effect.gen(function* () {
        const { apiKey, url } = yield* credentials
        yield* Effect.promise(async () => {
          const client = await connect({ url, apiKey: Redacted.value(apiKey) })
          const checked = await client.verify_email({ email: "invalid@magic.test" })
          assert.deepStrictEqual([checked.result.status, checked.svc.credits_charged], ["invalid", "1"])
          const error = await client.get_reply({ reply_id: "no" }).catch((thrown: unknown) => thrown)
          assert.instanceOf(error, Refusal)
          await client.close()
        })
      })
    )
  )

  it.live("and any other of the library's speaks to the service", () =>
    withHost(
      Effect.gen(function* () {
        const { apiKey, url } = yield* credentials
        const protocol = RpcClient.layerProtocolHttp({
          url: `${url}/rpc`,
          transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(Redacted.value(apiKey)))
        }).pipe(Layer.provide([RpcSerialization.layerNdjson, FetchHttpClient.layer]))
        const stock = yield* Layer.build(protocol)
        const client = yield* Effect.provide(RpcClient.make(verbGroup), stock)
        const { result, svc } = yield* client.verify_email({ email: "valid@magic.test" })
        assert.property(result, "status")
        assert.strictEqual(svc.credits_charged, "1")
        const refused = yield* Effect.result(client.find_leads({ audience: "" }))
        assert.isTrue(Result.isFailure(refused) && refused.failure instanceof Refusal)
      }).pipe(Effect.scoped)
    )
  )

  it.effect("sends again what may be retried, with the same key, and nothing else, and not for ever", () =>
    Effect.gen(function* () {
      const keys: Array<string | null> = []
      const answer = (call: IncomingCall): CallResponse => {
        keys.push(call.idempotencyKey)
        const error =
          call.input["email"] === "never@x.test"
            ? refuse("suppressed_recipient", { suppressed_reason: "replied" })
            : refuse("provider_unavailable", { retry_after_seconds: 2 })
        const body = JSON.stringify({ error: { ...encodeError(error), request_id: call.requestId } })
        return { requestId: call.requestId, status: 503, body, rate: null, retryAfterSeconds: null }
      }
      const calls = Layer.succeed(Calls, { answer: (call) => Effect.sync(() => answer(call)) })
      const protocol = InProcess.layer({ apiKey: Redacted.make("k") }).pipe(Layer.provide(Layer.merge(calls, ids)))
      const attempt = Effect.gen(function* () {
        const client = yield* Client.make
        yield* Effect.flip(client.verify_email({ email: "never@x.test" }))
        assert.lengthOf(keys.splice(0), 1)
        const fiber = yield* Effect.forkChild(Effect.flip(client.verify_email({ email: "a@x.test" })))
        yield* TestClock.adjust("1900 millis")
        assert.lengthOf(keys, 1)
        yield* TestClock.adjust("1 minute")
        assert.deepInclude(yield* Fiber.join(fiber), { code: "provider_unavailable" })
        assert.lengthOf(keys, 5)
        assert.strictEqual(new Set(keys).size, 1)
        assert.match(keys[0] ?? "", /^[0-9a-f-]{36}$/)
      })
      yield* Effect.scoped(attempt).pipe(Effect.provide(protocol))
    })
  )

  const strangers: ReadonlyArray<readonly [what: string, status: number, body: string]> = [
    ["a proxy's page", 502, "<html>Bad gateway</html>"],
    ["nothing", 200, ""],
    ["an answer to something else", 200, '{"_tag":"Exit","requestId":"999","exit":{"_tag":"Success","value":1}}\n'],
    ["half an answer", 200, '{"_tag":"Exit","requ']
  ]
  it.live.each(strangers)("ends where what answers is %s", ([, status, body]) =>
    Effect.gen(function* () {
      const server = createServer((_request, response) => void response.writeHead(status).end(body))
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
      )
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const protocol = yield* Layer.build(Http.layer({ url, apiKey: Redacted.make("k") }))
      const error = yield* Effect.flip(
        Effect.flatMap(RpcClient.make(verbGroup), (client) => client.get_usage({})).pipe(Effect.provide(protocol))
      )
      assert.deepNestedInclude(error, { _tag: "RpcClientError", "reason._tag": "RpcClientDefect" })
    }).pipe(Effect.scoped)
  )
})

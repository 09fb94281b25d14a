import { makeOpenAiChat } from "@outbound/adapters/llm/OpenAiChat.js"
import { tokensO200k } from "@outbound/adapters/llm/TokensO200k.js"
import { assert, describe, it } from "@effect/vitest"
import type { ChatModel } from "@outbound/domain/sources/ports/ChatUpstream.js"
import { noProviders } from "@outbound/domain/sources/ports/Providers.js"
import { type ChatServer, makeChatServer, target } from "@outbound/testkit/providers/ChatServer.js"
import { layer as memory } from "@outbound/testkit/memory/layer.js"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Context, Effect, Exit, Layer, Redacted, References, Scope } from "effect"
import OpenAI, { APIError } from "openai"
import { layer as httpHost } from "../src/HttpHost.js"
import { Readiness } from "../src/health/Readiness.js"
import { HttpServer } from "../src/HttpServer.js"
import { assertDescribed } from "./support/Described.js"
import { open } from "./support/Wire.js"

/** The upstream that live workspaces have here. */
class Upstream extends Context.Service<Upstream, ChatServer>()("@outbound/host-http/test/Upstream") {}

const MODELS =
  "ok no-usage drop no-done no-finish no-end hangs error-event endless waits split greedy silent 400 500 401 404 picky"
    .split(" ")
    .concat("vendor/model 1")

const TestHost = Layer.unwrap(
  Effect.gen(function* () {
    const server = yield* makeChatServer
    const upstream = yield* makeOpenAiChat({
      name: "local",
      baseUrl: server.baseUrl,
      apiKey: Redacted.make("a-secret")
    })
    const chatModels = MODELS.map((model): ChatModel => ({
      model,
      tier: "large",
      targets: [target(upstream, model, { fields: model === "picky" ? new Set(["temperature", "provider"]) : null })],
      tokens: tokensO200k,
      contextLength: model.includes("/") ? 8_192 : null
    }))
    return httpHost({
      host: "127.0.0.1",
      port: 0,
      metricsPort: null,
      limits: { drainMillisMax: 200, writeMillisMax: 2_000 }
    }).pipe(
      Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
      Layer.provideMerge(over(memory, { ...noProviders, chatModels })),
      Layer.merge(Layer.succeed(Upstream, server))
    )
  })
).pipe(Layer.provide(Layer.succeed(References.MinimumLogLevel, "None")))

const messages = [{ role: "user" as const, content: "Say hello." }]

/** A client of the service with the library that everybody uses: only its base address is ours. */
const connect = (kind: "sandbox" | "live" = "live") =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    const client = yield* makeClient({ kind, scopes: ["data:read", "usage:read"], credits: "300" })
    const openai = new OpenAI({ apiKey: client.apiKey, baseURL: `http://127.0.0.1:${port}/v1/llm`, maxRetries: 0 })
    const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      Effect.promise(() =>
        fetch(`http://127.0.0.1:${port}${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${client.apiKey}`, "content-type": "application/json", ...headers },
          body: JSON.stringify(body)
        })
      )
    return { client, openai, port, send }
  })

// oxlint-disable-next-line typescript/no-explicit-any -- members that the library's types do not know
const svcOf = (value: unknown): any => (value as { readonly svc: unknown }).svc

const untilTrue = (holds: () => boolean) =>
  Effect.promise(async () => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve))
  })

const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof TestHost> | Scope.Scope>) =>
  Effect.scoped(effect).pipe(Effect.provide(TestHost))

describe("the library, with only its base address set", () => {
  it.live("completes, and lists models", () =>
    run(
      Effect.gen(function* () {
        const { client, openai } = yield* connect()
        const completion = yield* Effect.promise(() => openai.chat.completions.create({ model: "ok", messages }))
        assert.strictEqual(completion.choices[0]?.message.content, "Hello there, friend.")
        assert.strictEqual(completion.usage?.total_tokens, 16)
        assert.deepInclude(svcOf(completion), { credits_charged: "0.008", credits_available: "299.992" })
        const models = yield* Effect.promise(() => openai.models.list())
        assert.deepStrictEqual(
          models.data.map(({ id }) => id),
          MODELS
        )
        const record = yield* client.call("get_request", { request_id: svcOf(completion).request_id })
        assert.deepInclude(record.result, { verb: "llm_chat", status: "succeeded", credits_charged: "0.008" })
      })
    )
  )

  it.live("streams, in the sandbox and from an upstream, to usage and billing", () =>
    run(
      Effect.gen(function* () {
        for (const [kind, model, said, charged] of [
          ["live", "ok", "Hello there, friend.", "0.008"],
          ["live", "split", "Hello there, friend.", "0.008"],
          ["live", "no-usage", "Hello there, friend.", "0.004"],
          ["live", "no-end", "Hello there, friend.", "0.008"],
          ["live", "hangs", "Hello there, friend.", "0.008"],
          ["sandbox", "sandbox-small", "Say hello.", "0.001"]
        ] as const) {
          const { openai } = yield* connect(kind)
          yield* Effect.promise(async () => {
            const stream = await openai.chat.completions.create({ model, messages, stream: true })
            let text = ""
            let last: unknown
            for await (const chunk of stream) {
              text += chunk.choices[0]?.delta.content ?? ""
              last = chunk
            }
            assert.strictEqual(text, said)
            assert.strictEqual(svcOf(last).credits_charged, charged, model)
          })
        }
      })
    )
  )

  it.live("aborts: the upstream is left, and what was delivered is settled", () =>
    run(
      Effect.gen(function* () {
        const { client, openai } = yield* connect()
        const { reached } = yield* Upstream
        const requestId = yield* Effect.promise(async () => {
          const answer = await openai.chat.completions
            .create({ model: "endless", messages, stream: true })
            .withResponse()
          let chunks = 0
          for await (const _ of answer.data) if (++chunks === 3) break
          return answer.response.headers.get("x-request-id") ?? ""
        })
        yield* untilTrue(() => reached[0]?.broken === true)
        let record = yield* client.call("get_request", { request_id: requestId })
        while (record.result.status === "pending") record = yield* client.call("get_request", { request_id: requestId })
        assert.deepInclude(record.result, { status: "succeeded", interrupted: true, credits_reserved: "0" })
        const usage = yield* client.call("get_usage")
        assert.strictEqual(usage.result.credits_reserved, "0")
        assert.notStrictEqual(record.result.credits_charged, "0")
        assert.isBelow(Number(record.result.credits_charged), 2.1)
      })
    )
  )

  it.live("aborts a plain call: the upstream is left at once, and nothing is charged", () =>
    run(
      Effect.gen(function* () {
        const { client, openai } = yield* connect()
        const { reached } = yield* Upstream
        const abort = new AbortController()
        const call = openai.chat.completions.create({ model: "silent", messages }, { signal: abort.signal })
        call.catch(() => undefined)
        yield* untilTrue(() => reached.length === 1)
        assert.notStrictEqual((yield* client.call("get_usage")).result.credits_reserved, "0")
        abort.abort()
        yield* untilTrue(() => reached[0]?.broken === true)
        let usage = yield* client.call("get_usage")
        while (usage.result.credits_reserved !== "0") usage = yield* client.call("get_usage")
        assert.strictEqual(usage.result.credits_available, "300")
      })
    )
  )

  it.live("looks up one model, a name with a slash too, and is told of one that is not there", () =>
    run(
      Effect.gen(function* () {
        const { openai } = yield* connect()
        const model = yield* Effect.promise(() => openai.models.retrieve("vendor/model 1"))
        assert.deepInclude(model, { id: "vendor/model 1", object: "model", owned_by: "local" })
        assert.propertyVal(model, "context_length", 8_192)
        assert.strictEqual(svcOf(model).credits_charged, "0")
        const plain = yield* Effect.promise(() => openai.models.retrieve("ok"))
        assert.notProperty(plain, "context_length")
        const missing = yield* Effect.promise(() => openai.models.retrieve("gpt-9").catch((error: unknown) => error))
        assert.instanceOf(missing, APIError)
        const { code, status } = missing as APIError
        assert.deepStrictEqual([status, code], [404, "not_found"])
      })
    )
  )

  it.live("is told by its own errors what went wrong, before and in the middle of a stream", () =>
    run(
      Effect.gen(function* () {
        const { openai } = yield* connect()
        const failing = (model: string) =>
          Effect.promise(async () => {
            try {
              const stream = await openai.chat.completions.create({ model, messages, stream: true })
              for await (const _ of stream) void 0
              return assert.fail("it ended well")
            } catch (error) {
              assert.instanceOf(error, APIError)
              return error as APIError
            }
          })
        assert.strictEqual((yield* failing("gpt-9")).status, 400)
        const refused = yield* failing("400")
        assert.deepStrictEqual([refused.status, refused.code], [400, "invalid_request"])
        assert.strictEqual((yield* failing("500")).code, "provider_unavailable")
        for (const model of ["401", "404"]) assert.strictEqual((yield* failing(model)).code, "tool_unavailable", model)
        for (const model of ["drop", "no-done", "no-finish", "error-event"]) {
          assert.strictEqual((yield* failing(model)).code, "provider_unavailable", model)
        }
      })
    )
  )

  it.live("no field reaches an upstream by which a caller could choose what its operator pays for", () =>
    run(
      Effect.gen(function* () {
        const { send } = yield* connect()
        const { reached } = yield* Upstream
        const elsewhere = { models: ["dear"], provider: { order: ["dear"] }, route: "fallback", api_base: "http://x" }
        const dearer = { plugins: [{}], service_tier: "priority", web_search_options: {}, store: true, extra_body: {} }
        const paid = { ...elsewhere, ...dearer }
        const wanted = { temperature: 0.5, logit_bias: { 1: 2 }, of_tomorrow: { deep: [1] }, user: "u" }
        for (const model of ["ok", "picky"]) {
          for (const stream of [false, true]) {
            const answer = yield* send("/v1/llm/chat", { model, messages, stream, n: 1, ...paid, ...wanted })
            assert.strictEqual(answer.status, 200)
            yield* Effect.promise(() => answer.text())
          }
        }
        const bodies = reached.map(({ body: { stream: _, stream_options: __, ...body } }) => body)
        const whole = { model: "ok", messages, n: 1, max_tokens: 4_096, ...wanted }
        const picked = { model: "picky", messages, n: 1, max_tokens: 4_096, temperature: 0.5, provider: paid.provider }
        assert.deepStrictEqual(bodies, [whole, whole, picked, picked])

        const tools = [{ type: "function", function: { name: "f" } }, { type: "web_search" }, { type: "custom" }]
        const refused = yield* send("/v1/llm/chat", { model: "ok", messages, tools })
        const { error } = (yield* Effect.promise(() => refused.json())) as {
          error: { details: { issues: ReadonlyArray<{ path: string }> } }
        }
        assert.deepStrictEqual([refused.status, error.details.issues.map(({ path }) => path)], [400, ["tools.1.type"]])
        assert.strictEqual(reached.length, 4)
      })
    )
  )

  it.live("an upstream that counts more than was reserved is not paid for it by the caller", () =>
    run(
      Effect.gen(function* () {
        const { openai } = yield* connect()
        const completion = yield* Effect.promise(() =>
          openai.chat.completions.create({ model: "greedy", messages, max_tokens: 100 })
        )
        assert.strictEqual(completion.usage?.total_tokens, 2_000_000)
        assert.isBelow(Number(svcOf(completion).credits_charged), 0.1)
      })
    )
  )
})

describe("over HTTP", () => {
  it.live("the first chunk leaves before the second one comes", () =>
    run(
      Effect.gen(function* () {
        const { client, port } = yield* connect()
        const { reached, release } = yield* Upstream
        const wire = yield* open(port)
        const body = JSON.stringify({ model: "waits", messages, stream: true })
        wire.write(
          `POST /v1/llm/chat HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${client.apiKey}\r\n` +
            `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
        )
        const begun = yield* wire.until("Hello")
        assert.match(begun, /^HTTP\/1\.1 200 OK\r\n/)
        assert.match(begun, /content-type: text\/event-stream; charset=utf-8\r\n/i)
        assert.match(begun, /x-accel-buffering: no\r\n/i)
        assert.match(begun, /ratelimit: "key";r=\d+;t=\d+\r\n/i)
        assert.notInclude(begun, "friend")
        assert.isFalse(reached[0]?.broken)
        release()
        const whole = yield* wire.until("[DONE]")
        assert.include(whole, "friend")
        assert.include(whole, '"svc":{"request_id":')
      })
    )
  )

  it.live("both addresses share their records, and answer as the document says", () =>
    run(
      Effect.gen(function* () {
        const { send } = yield* connect("sandbox")
        const body = { model: "sandbox-mini", messages, seed: 7 }
        const at = (path: string, of: unknown = body) =>
          Effect.flatMap(send(path, of, { "idempotency-key": "one" }), (response) =>
            Effect.promise(async () => {
              const answer = { status: response.status, headers: response.headers, body: await response.json() }
              assertDescribed("POST", path, answer)
              return answer
            })
          )
        const ours = yield* at("/v1/llm/chat")
        const theirs = yield* at("/v1/llm/chat/completions")
        const { svc, ...completion } = theirs.body
        assert.deepStrictEqual(completion, ours.body.result)
        assert.deepStrictEqual([svc.replayed, svc.request_id], [true, ours.body.svc.request_id])
        const conflict = yield* at("/v1/llm/chat/completions", { ...body, seed: 8 })
        assert.deepStrictEqual([conflict.status, conflict.body.error.code], [409, "idempotency_conflict"])
        const refused = yield* at("/v1/llm/chat/completions", { model: "gpt-9", messages })
        assert.deepStrictEqual(refused.body.error.details, { reason: "model_not_allowed" })
      })
    )
  )

  it.live("a stream at one address is consumed at the other", () =>
    run(
      Effect.gen(function* () {
        const { send } = yield* connect("sandbox")
        const body = { model: "sandbox-mini", messages, stream: true }
        const texts: Array<string> = []
        const first = yield* send("/v1/llm/chat", body, { "idempotency-key": "one" })
        texts.push(yield* Effect.promise(() => first.text()))
        const again = yield* send("/v1/llm/chat/completions", body, { "idempotency-key": "one" })
        const other = yield* send("/v1/llm/chat/completions", body)
        texts.push(yield* Effect.promise(() => other.text()))
        assert.strictEqual(again.status, 409)
        const { error } = (yield* Effect.promise(() => again.json())) as { error: { code: string; details: unknown } }
        assert.deepStrictEqual(
          [error.code, error.details],
          ["stream_consumed", { request_id: first.headers.get("x-request-id") }]
        )
        const [ours, theirs] = texts.map((text) => text.split("\n\n").filter((line) => !line.includes('"svc"')))
        assert.deepStrictEqual(theirs, ours)
        assert.isTrue(texts.every((text) => text.endsWith("data: [DONE]\n\n")))
      })
    )
  )

  it.live("a host that stops lets a stream go on for so long, then settles it", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const service = yield* Layer.buildWithScope(TestHost, scope)
      const { client, send } = yield* Effect.provide(connect(), service)
      const { reached } = Context.get(service, Upstream)
      const response = yield* send("/v1/llm/chat", { model: "waits", messages, stream: true })
      yield* untilTrue(() => reached.length === 1)
      const look = client.call("get_request", { request_id: response.headers.get("x-request-id") ?? "" })
      assert.strictEqual((yield* Effect.provide(look, service)).result.status, "pending")
      yield* Scope.close(scope, Exit.void)
      const record = yield* Effect.provide(look, service)
      assert.deepInclude(record.result, { status: "succeeded", interrupted: true, credits_reserved: "0" })
      yield* Effect.promise(() => response.body?.cancel().catch(() => undefined) ?? Promise.resolve())
    })
  )
})

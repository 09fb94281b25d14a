import { assert, describe, it } from "@effect/vitest"
import { usageOf } from "@outbound/domain/data/chat/TokenUsage.js"
import { type ChatChunk, readEvent, writtenOf } from "@outbound/domain/data/chat/wire.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { ChatCall, ChatUpstream } from "@outbound/domain/sources/ports/ChatUpstream.js"
import { makeChatServer } from "@outbound/testkit/providers/ChatServer.js"
import { Effect, Fiber, Redacted, Result } from "effect"
import { makeOpenAiChat } from "../../src/llm/OpenAiChat.js"
import { endpoint, json } from "./TestEndpoint.js"

const fields = { messages: [{ role: "user", content: "hi" }], temperature: 0.5, max_tokens: 9 }

const given = Effect.gen(function* () {
  const server = yield* makeChatServer
  const address = { name: "local", baseUrl: server.baseUrl, apiKey: Redacted.make("a-secret") }
  return { server, address, chat: yield* makeOpenAiChat(address) }
})

const untilTrue = (holds: () => boolean) =>
  Effect.promise(async () => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve))
  })

const completed = (chat: ChatUpstream, call: ChatCall, { signal } = new AbortController()) =>
  chat.complete(call, signal)

/** What a stream brought before it failed or ended, and its failure. */
const streamed = (chat: ChatUpstream, call: ChatCall, chunksMax = Infinity, controller = new AbortController()) =>
  Effect.gen(function* () {
    const chunks: Array<string> = []
    const take = (texts: ReadonlyArray<string>) => chunks.push(...texts) < chunksMax
    const end = yield* chat.stream(call, controller.signal).pipe(
      Effect.flatMap(({ first, rest }) => (take(first) ? rest(take) : Effect.succeed(false))),
      Effect.result
    )
    if (Result.isSuccess(end) && !end.success) controller.abort()
    return { chunks, failure: Result.isFailure(end) ? end.failure : null }
  })

const chunkOf = (text: string) => readEvent(text) as ChatChunk

const text = (chunks: ReadonlyArray<string>) => chunks.map((chunk) => writtenOf(chunkOf(chunk).json)).join("")

describe("an upstream over HTTP", () => {
  it.live("completes: the caller's fields go there, its answer comes back as it is", () =>
    Effect.gen(function* () {
      const { chat, server } = yield* given
      const completion = yield* completed(chat, { model: "ok", fields })
      assert.deepStrictEqual(usageOf(completion)?.wire["prompt_tokens_details"], { cached_tokens: 0 })
      assert.strictEqual(writtenOf(completion), "Hello there, friend.")
      assert.deepStrictEqual(server.reached[0]?.body, { ...fields, model: "ok" })
      assert.strictEqual(server.reached[0]?.authorization, "Bearer a-secret")
    })
  )

  it.live("streams: every chunk byte for byte, however it is cut, and asked for its usage", () =>
    Effect.gen(function* () {
      const { chat, server } = yield* given
      const asked = { ...fields, stream_options: { include_usage: false, include_obfuscation: false } }
      const whole = yield* streamed(chat, { model: "ok", fields: asked })
      const cut = yield* streamed(chat, { model: "split", fields })
      assert.isNull(whole.failure)
      assert.deepStrictEqual(cut, whole)
      assert.strictEqual(text(whole.chunks), "Hello there, friend.")
      assert.strictEqual(chunkOf(whole.chunks.at(-1)!).usage?.totalTokens, 16)
      assert.deepStrictEqual(server.reached[0]?.body, {
        ...fields,
        model: "ok",
        stream: true,
        stream_options: { include_usage: true, include_obfuscation: false }
      })
    })
  )

  it.live("connections are used again, after a stream too", () =>
    Effect.gen(function* () {
      const { chat, server } = yield* given
      for (let i = 0; i < 5; i++) {
        yield* completed(chat, { model: "ok", fields })
        yield* streamed(chat, { model: "ok", fields })
        yield* untilTrue(() => server.reached.every(({ broken }) => !broken))
        yield* Effect.sleep("5 millis")
      }
      assert.isAtMost(new Set(server.reached.map(({ socket }) => socket)).size, 2)
    })
  )

  it.live("the limit goes under the name that its models know", () =>
    Effect.gen(function* () {
      const { address, server } = yield* given
      const chat = yield* makeOpenAiChat({ ...address, limitField: "max_completion_tokens" })
      const { max_tokens: _, ...others } = fields
      yield* completed(chat, { model: "ok", fields })
      yield* completed(chat, { model: "ok", fields: { ...others, max_completion_tokens: 4 } })
      const bodies = server.reached.map(({ body }) => body as JsonObject)
      assert.deepStrictEqual(
        bodies.map((body) => [body["max_tokens"], body["max_completion_tokens"]]),
        [
          [undefined, 9],
          [undefined, 4]
        ]
      )
    })
  )

  it.live("says of every refusal once what it means, and never who we are", () =>
    Effect.gen(function* () {
      const { address, chat } = yield* given
      const meanings = [
        [400, "invalid", "refused  with 400"],
        [422, "invalid", "refused  with 422"],
        [401, "account", undefined],
        [402, "account", undefined],
        [403, "account", undefined],
        [404, "account", undefined],
        [405, "account", undefined],
        [429, "rate_limited", undefined],
        [500, "transient", undefined],
        [503, "transient", undefined],
        [504, "transient", undefined],
        [408, "transient", undefined],
        [301, "account", undefined]
      ] as const
      for (const [status, reason, said] of meanings) {
        const model = String(status)
        const failures = [
          yield* Effect.flip(completed(chat, { model, fields })),
          (yield* streamed(chat, { model, fields })).failure
        ]
        for (const failure of failures) {
          assert.deepStrictEqual([failure?.reason, failure?.said, failure?.retryAfterSeconds], [reason, said, 7])
          assert.strictEqual(failure?.status, status)
          assert.notInclude(JSON.stringify(failure), "a-secret")
        }
      }
      const nobody = yield* makeOpenAiChat({ ...address, baseUrl: "http://127.0.0.1:1/v1" })
      assert.strictEqual((yield* Effect.flip(completed(nobody, { model: "ok", fields }))).reason, "transient")
      assert.strictEqual((yield* streamed(nobody, { model: "ok", fields })).failure?.reason, "transient")
    })
  )

  it.live("tells an empty account from too many requests, and reads its own windows for how long to wait", () =>
    Effect.gen(function* () {
      const limited = { error: { message: "slow down", type: "requests", code: "rate_limit_exceeded" } }
      const unpaid = { error: { message: "check your plan", type: "insufficient_quota", code: "insufficient_quota" } }
      const tokens = { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s" }
      const requests = { "x-ratelimit-remaining-requests": "9", "x-ratelimit-reset-requests": "24h0m0s" }
      for (const [body, headers, reason, seconds] of [
        [unpaid, {}, "account", undefined],
        [unpaid, tokens, "account", undefined],
        [limited, {}, "rate_limited", undefined],
        [limited, { "retry-after": "0.5", ...tokens }, "rate_limited", 0.5],
        [limited, { ...tokens, ...requests }, "rate_limited", 360],
        // Both are used up, or neither is said to be: the longer one is waited for.
        [limited, { ...tokens, ...requests, "x-ratelimit-remaining-requests": "0" }, "rate_limited", 86_400],
        [limited, { "x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "2s" }, "rate_limited", 2],
        [limited, { "x-ratelimit-reset-tokens": "120ms" }, "rate_limited", 0.12],
        [limited, { "x-ratelimit-reset-requests": "1m1.5s" }, "rate_limited", 61.5],
        [limited, { "x-ratelimit-reset-requests": "soon" }, "rate_limited", undefined]
      ] as const) {
        const { baseUrl } = yield* endpoint(json(429, body, { ...headers }))
        const chat = yield* makeOpenAiChat({ name: "local", baseUrl, apiKey: Redacted.make("a-secret") })
        const failure = yield* Effect.flip(completed(chat, { model: "ok", fields }))
        assert.deepStrictEqual([failure.reason, failure.retryAfterSeconds], [reason, seconds], JSON.stringify(headers))
      }
    })
  )

  it.live("believes an error's own code, where it says more than the status", () =>
    Effect.gen(function* () {
      for (const [status, code, reason] of [
        [400, "model_not_found", "account"],
        [400, "invalid_api_key", "account"],
        [403, "content_filter", "invalid"],
        [403, "forbidden", "account"],
        [429, "billing_hard_limit_reached", "account"],
        [500, "insufficient_quota", "transient"],
        [400, "constructor", "invalid"]
      ] as const) {
        const { baseUrl } = yield* endpoint(json(status, { error: { message: "no", code } }))
        const chat = yield* makeOpenAiChat({ name: "local", baseUrl, apiKey: Redacted.make("a-secret") })
        assert.strictEqual((yield* Effect.flip(completed(chat, { model: "ok", fields }))).reason, reason, code)
      }
    })
  )

  it.live("hands on what it says of a refusal, whatever form that has, but never our credential", () =>
    Effect.gen(function* () {
      for (const [status, body, reason, said] of [
        [400, { error: "too long" }, "invalid", "too long"],
        [400, [{ error: { code: 400, message: "too long" } }], "invalid", "too long"],
        [422, { detail: [{ loc: ["body", "n"], msg: "too many" }] }, "invalid", "n: too many"],
        [413, "<html><head><title>413 Too Large</title></head></html>", "invalid", "413 Too Large"],
        [400, "too long", "invalid", "too long"],
        [400, { error: "bad header: Bearer a-secret" }, "invalid", "bad header: Bearer [credential]"],
        [400, [{ error: { code: 400, message: "API key not valid. Please pass one." } }], "account", undefined],
        [503, { error: "Invalid API key" }, "transient", undefined]
      ] as const) {
        const { baseUrl } = yield* endpoint(json(status, body))
        const chat = yield* makeOpenAiChat({ name: "local", baseUrl, apiKey: Redacted.make("a-secret") })
        const failure = yield* Effect.flip(completed(chat, { model: "ok", fields }))
        assert.deepStrictEqual([failure.reason, failure.said], [reason, said], JSON.stringify(body))
      }
    })
  )

  it.live("an answer in one piece where a stream was asked for is no stream, and says what it says", () =>
    Effect.gen(function* () {
      for (const [body, reason, said] of [
        [{ error: { code: 400, message: "too long" } }, "invalid", "too long"],
        [{ error: { code: 429, message: "slow down" } }, "rate_limited", undefined],
        [{ error: { code: 401, message: "who are you" } }, "account", undefined],
        [{ choices: [{ message: { content: "hi" }, finish_reason: "stop" }] }, "transient", undefined],
        ["{", "transient", undefined]
      ] as const) {
        const { baseUrl } = yield* endpoint(json(200, body))
        const chat = yield* makeOpenAiChat({ name: "local", baseUrl, apiKey: Redacted.make("a-secret") })
        const { failure } = yield* streamed(chat, { model: "ok", fields })
        assert.deepStrictEqual([failure?.reason, failure?.said], [reason, said], JSON.stringify(body))
      }
    })
  )

  it.live("is known by its first bytes, whatever its head says it is", () =>
    Effect.gen(function* () {
      const events = 'data: {"choices":[{"index":0,"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n'
      const refusal = '\ufeff {"error":{"code":400,"message":"too long"}}'
      for (const type of ["application/json", "text/event-stream", "text/plain", "application/x-ndjson"]) {
        const { baseUrl } = yield* endpoint(
          json(200, events, { "content-type": type }),
          json(200, refusal, { "content-type": type }),
          json(200, "", { "content-type": type })
        )
        const chat = yield* makeOpenAiChat({ name: "local", baseUrl, apiKey: Redacted.make("a-secret") })
        const ask = streamed(chat, { model: "ok", fields })
        const seen = [yield* ask, yield* ask, yield* ask].map(({ chunks, failure }) => failure?.reason ?? text(chunks))
        assert.deepStrictEqual(seen, ["hi", "invalid", "transient"], type)
      }
    })
  )

  it.live("tells of every sign of life, and begins with the first event that says anything", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* endpoint((response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        const pieces = [
          ": thinking\n\n",
          ": still\n\n",
          "data:\n\ndata: ping\n\n",
          'data: {"choices":[]}\n\n',
          "data: [DONE]"
        ]
        const next = (at: number): void =>
          void response.write(pieces[at] ?? "", () => (at < 4 ? setImmediate(() => next(at + 1)) : response.end()))
        next(0)
      })
      const chat = yield* makeOpenAiChat({ name: "local", baseUrl, apiKey: Redacted.make("a-secret") })
      let signs = 0
      const { first, rest } = yield* chat.stream(
        { model: "m", fields },
        new AbortController().signal,
        () => void signs++
      )
      assert.deepStrictEqual(first, ['{"choices":[]}'])
      assert.isTrue(yield* rest(() => true))
      assert.isAtLeast(signs, 1)
    })
  )

  it.live("a stream that ends in order without its mark says so; one that breaks does not", () =>
    Effect.gen(function* () {
      const { chat } = yield* given
      assert.strictEqual((yield* streamed(chat, { model: "no-done", fields })).failure?.concluded, "unmarked")
      assert.isUndefined((yield* streamed(chat, { model: "drop", fields })).failure?.concluded)
    })
  )

  it.live("what breaks off has failed, after what it had delivered", () =>
    Effect.gen(function* () {
      const { chat } = yield* given
      for (const model of ["drop", "no-done"]) {
        const { chunks, failure } = yield* streamed(chat, { model, fields })
        assert.deepStrictEqual([text(chunks), failure?.reason], ["Hello there", "transient"], model)
      }
      for (const model of ["drop", "garbage"]) {
        assert.strictEqual((yield* Effect.flip(completed(chat, { model, fields }))).reason, "transient", model)
      }
    })
  )

  it.live("is left as soon as nobody waits any more", () =>
    Effect.gen(function* () {
      const { chat, server } = yield* given
      const few = yield* streamed(chat, { model: "endless", fields }, 3)
      assert.isAtLeast(few.chunks.length, 3)
      yield* untilTrue(() => server.reached[0]?.broken === true)
      for (const work of [
        (controller: AbortController) => streamed(chat, { model: "waits", fields }, Infinity, controller),
        (controller: AbortController) => streamed(chat, { model: "silent", fields }, Infinity, controller),
        (controller: AbortController) => completed(chat, { model: "silent", fields }, controller)
      ]) {
        const before = server.reached.length
        const controller = new AbortController()
        const fiber = yield* Effect.forkChild(
          Effect.exit(Effect.asVoid<unknown, ProviderFailure, never>(work(controller)))
        )
        yield* untilTrue(() => server.reached.length > before)
        controller.abort()
        yield* Fiber.join(fiber)
        yield* untilTrue(() => server.reached[before]?.broken === true)
        yield* Effect.exit(Effect.asVoid<unknown, ProviderFailure, never>(work(controller)))
        assert.strictEqual(server.reached.length, before + 1, "nothing is asked once nobody waits")
      }
    })
  )
})

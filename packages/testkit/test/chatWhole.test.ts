import { assert, describe, it } from "@effect/vitest"
import { COMPLETION_SECONDS_MAX } from "@outbound/domain/data/chat/completeChat.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { abortable } from "@outbound/domain/sources/abortable.js"
import type { ChatModel, ChatUpstream } from "@outbound/domain/sources/ports/ChatUpstream.js"
import { noProviders } from "@outbound/domain/sources/ports/Providers.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { recordOf } from "../src/contracts/service/chatFixtures.js"
import { layer as memory } from "../src/memory/layer.js"
import { target } from "../src/providers/ChatServer.js"
import { makeClient, send } from "../src/service/Client.js"
import { over } from "../src/service/Service.js"

const completion = (content: string, usage?: JsonObject): JsonObject => ({
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  ...(usage === undefined ? {} : { usage })
})
const usage = (prompt: number, written: number): JsonObject => ({
  prompt_tokens: prompt,
  completion_tokens: written,
  total_tokens: prompt + written
})

interface Upstream {
  readonly answer: JsonObject
  /** Seconds until it answers. */
  readonly after?: number
  /** Longest that its operator lets it take. */
  readonly secondsMax?: number
  /** It fails so instead. */
  readonly fails?: ProviderFailure["reason"]
}

/** What a client gets of these upstreams in turn, and pays: a token is a character, and the prompt has two. */
const askedWith = (more: JsonObject, ...upstreams: ReadonlyArray<Upstream>) =>
  Effect.gen(function* () {
    const called: Array<string> = []
    const [first, ...others] = upstreams.map(({ after = 0, answer, fails, secondsMax = null }, at) => {
      const name = `u${at}`
      const upstream: ChatUpstream = {
        name,
        complete: (_call, signal) =>
          Effect.suspend(() => {
            called.push(name)
            if (fails !== undefined) return Effect.fail(new ProviderFailure({ provider: name, reason: fails }))
            const left = () => new ProviderFailure({ provider: name, reason: "transient" })
            return abortable(Effect.as(Effect.sleep(`${after} seconds`), answer), signal, left)
          }),
        stream: () => Effect.die(new Error("it was not asked for a stream"))
      }
      return target(upstream, "m", { order: at, secondsMax })
    })
    if (first === undefined) return yield* Effect.die(new Error("no upstream"))
    const tokens = { count: (texts: ReadonlyArray<string>) => texts.join("").length }
    const chatModels: ReadonlyArray<ChatModel> = [
      { model: "m", tier: "mini", targets: [first, ...others], tokens, contextLength: null }
    ]
    const work = Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live", credits: "300" })
      const input = { model: "m", messages: [{ role: "user", content: "hi" }], ...more }
      const fiber = yield* Effect.forkChild(send(client.apiKey, "llm_chat", input))
      yield* TestClock.adjust(`${3 * COMPLETION_SECONDS_MAX} seconds`)
      const { error, requestId, result } = yield* Fiber.join(fiber)
      const record = yield* recordOf(client, requestId)
      const problem = (error?.details["issues"] as ReadonlyArray<{ readonly message: string }> | undefined)?.[0]
      return {
        usage: result?.["usage"] ?? null,
        code: error?.code ?? null,
        said: problem?.message ?? null,
        called,
        charged: record["credits_charged"]
      }
    })
    return yield* Effect.provide(work, over(memory, { ...noProviders, chatModels }))
  })

const asked = (...upstreams: ReadonlyArray<Upstream>) => askedWith({}, ...upstreams)

it.effect("tools that an upstream would run itself are refused before it is asked, and all of them are named", () =>
  Effect.gen(function* () {
    const own = { type: "function", function: { name: "find" } }
    const answer = completion("abcd", usage(1, 2))
    const found = yield* askedWith({ tools: [own, { type: "web_search" }] }, { answer })
    assert.deepInclude(found, { code: "invalid_request", called: [], charged: "0" })
    assert.match(found.said ?? "", /upstreams run no tools/)
    assert.deepInclude(yield* askedWith({ tools: [own] }, { answer }), { code: null, called: ["u0"] })
  })
)

describe("a completion in one piece is charged", () => {
  it.effect("by its upstream's count", () =>
    Effect.gen(function* () {
      const found = yield* asked({ answer: completion("abcd", usage(1, 2)) })
      assert.deepInclude(found, { usage: usage(1, 2), charged: "0.0003" })
      const mute = yield* asked({ answer: completion("", usage(5, 0)) })
      assert.deepInclude(mute, { usage: usage(5, 0), charged: "0.0005" })
    })
  )

  it.effect("by ours where there is none, or where it can't be: words that cost nothing", () =>
    Effect.gen(function* () {
      for (const answer of [completion("abcd"), completion("abcd", usage(9, 0))]) {
        assert.deepInclude(yield* asked({ answer }), { usage: usage(2, 4), charged: "0.0006" })
      }
    })
  )

  it.effect(
    "with nothing if it is no completion: an error inside is passed on, and nonsense is the upstream's fault",
    () =>
      Effect.gen(function* () {
        const refusal = yield* asked({ answer: { error: { code: 400, message: "too long" }, usage: usage(1, 2) } })
        assert.deepInclude(refusal, { code: "invalid_request", said: "too long", charged: "0" })
        const nonsense = yield* asked({ answer: { answer: "abcd", usage: usage(1, 2) } })
        assert.deepInclude(nonsense, { code: "provider_unavailable", said: null, charged: "0" })
      })
  )
})

describe("a completion in one piece is waited for", () => {
  const answer = completion("abcd", usage(1, 2))
  const gone = { code: "provider_unavailable", charged: "0" }

  it.effect("to its very limit, and no longer", () =>
    Effect.gen(function* () {
      const late = yield* asked({ answer, after: COMPLETION_SECONDS_MAX + 0.1 })
      assert.deepInclude(late, { ...gone, called: ["u0"] })
      const inTime = yield* asked({ answer, after: COMPLETION_SECONDS_MAX - 0.1 })
      assert.deepInclude(inTime, { code: null, charged: "0.0003" })
    })
  )

  it.effect("as long as its operator lets an upstream take, and then another one is asked", () =>
    Effect.gen(function* () {
      const late = yield* asked({ answer, after: 9.005, secondsMax: 9 }, { answer: completion("ab", usage(1, 1)) })
      assert.deepInclude(late, { code: null, called: ["u0", "u1"], charged: "0.0002" })
      const inTime = yield* asked({ answer, after: 8.9, secondsMax: 9 }, { answer })
      assert.deepInclude(inTime, { code: null, called: ["u0"] })
    })
  )

  it.effect("from another upstream where the first surely did nothing, and from no other where it may have", () =>
    Effect.gen(function* () {
      const answer = completion("Yes.", usage(2, 4))
      for (const fails of ["transient", "rate_limited", "account"] as const) {
        const found = yield* asked({ answer, fails }, { answer })
        assert.deepStrictEqual([found.called, found.usage], [["u0", "u1"], answer["usage"]], fails)
      }
      for (const fails of ["unknown_outcome", "invalid"] as const) {
        const found = yield* asked({ answer, fails }, { answer })
        assert.deepStrictEqual([found.called, found.usage, found.charged], [["u0"], null, "0"], fails)
      }
    })
  )

  it.effect("for the same time from all upstreams together, and none is asked after it", () =>
    Effect.gen(function* () {
      const second = COMPLETION_SECONDS_MAX - 200
      const late = yield* asked({ answer, after: 201, secondsMax: 200 }, { answer, after: second + 1 })
      assert.deepInclude(late, { ...gone, called: ["u0", "u1"] })
      const inTime = yield* asked({ answer, after: 201, secondsMax: 200 }, { answer, after: second - 1 })
      assert.deepInclude(inTime, { code: null, charged: "0.0003" })
      const over = yield* asked({ answer, after: COMPLETION_SECONDS_MAX + 1 }, { answer })
      assert.deepInclude(over, { ...gone, called: ["u0"] })
      const longer = yield* asked({ answer, after: COMPLETION_SECONDS_MAX + 1, secondsMax: 900 }, { answer })
      assert.deepInclude(longer, { ...gone, called: ["u0"] })
    })
  )
})

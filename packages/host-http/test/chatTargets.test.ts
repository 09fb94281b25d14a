import { makeOpenAiChat } from "@outbound/adapters/llm/OpenAiChat.js"
import { assert, describe, it } from "@effect/vitest"
import { CallStories } from "@outbound/domain/control/CallStories.js"
import type { ChatModel, ChatTarget } from "@outbound/domain/sources/ports/ChatUpstream.js"
import { noProviders } from "@outbound/domain/sources/ports/Providers.js"
import { type ChatServer, makeChatServer, target } from "@outbound/testkit/providers/ChatServer.js"
import { layer as memory } from "@outbound/testkit/memory/layer.js"
import { makeClient, send } from "@outbound/testkit/service/Client.js"
import { makeListener } from "@outbound/testkit/service/Listener.js"
import { over, type Service } from "@outbound/testkit/service/Service.js"
import { Effect, Logger, Option, Random, Redacted, References, type Scope } from "effect"
import { inspect } from "node:util"

/** Takes words for tokens. Counts later, as for long texts; the sandbox counts at once. */
const tokens = { count: (texts: ReadonlyArray<string>) => Promise.resolve(texts.join(" ").split(" ").length) }

interface Bed {
  readonly near: ChatServer
  readonly far: ChatServer
  /** Asks a model that `near` and `far` serve as these; the first one first. */
  readonly ask: (
    targets: { readonly near: string; readonly far?: string } & Partial<
      Pick<ChatTarget, "order" | "weight" | "secondsMax">
    >,
    options?: { readonly stream?: boolean; readonly leavesAfter?: number }
  ) => Effect.Effect<
    { readonly said: string; readonly code: string | null; readonly charged: string | null; readonly id: string },
    never,
    Service
  >
}

/** Two upstreams over real HTTP, and a service whose models are made as the tests ask for them. */
const bed = <A, E>(use: (bed: Bed) => Effect.Effect<A, E, Service | CallStories | Scope.Scope>) =>
  Effect.gen(function* () {
    const [near, far] = [yield* makeChatServer, yield* makeChatServer]
    const upstream = (name: string, { baseUrl }: ChatServer) =>
      makeOpenAiChat({ name, baseUrl, apiKey: Redacted.make(`secret-of-${name}`) })
    const upstreams = { near: yield* upstream("near", near), far: yield* upstream("far", far) }
    const chatModels: Array<ChatModel> = []
    const service = over(memory, { ...noProviders, chatModels })
    const ask: Bed["ask"] = ({ far: farModel, near: nearModel, ...options }, { stream = false, ...leaving } = {}) =>
      Effect.gen(function* () {
        const model = JSON.stringify([nearModel, farModel, options])
        const first = target(upstreams.near, nearModel, options)
        const others = farModel === undefined ? [] : [target(upstreams.far, farModel, { order: 1 })]
        if (!chatModels.some((one) => one.model === model)) {
          chatModels.push({ model, tier: "large", targets: [first, ...others], tokens, contextLength: null })
        }
        const client = yield* makeClient({ kind: "live", credits: "300" })
        const listener = yield* makeListener(leaving)
        const input = { model, stream, messages: [{ role: "user", content: "hi" }] }
        const answer = yield* send(client.apiKey, "llm_chat", input, { sink: listener.sink })
        const { result } = yield* client.call("get_request", { request_id: answer.requestId })
        assert.strictEqual(result.credits_reserved, "0")
        const streamed = listener.events.map((event) => event.choices?.[0]?.delta?.content ?? "").join("")
        return {
          said: stream ? streamed : (answer.result?.choices[0].message.content ?? ""),
          code: answer.error?.code ?? null,
          charged: result.credits_charged,
          id: answer.requestId
        }
      })
    return yield* Effect.provide(use({ near, far, ask }), service)
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))

const untilTrue = (holds: () => boolean) =>
  Effect.promise(async () => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve))
  })

const asked = ({ reached }: ChatServer): number => reached.length

describe("a model with several upstreams", () => {
  it.live.each([false, true])(
    "goes to the next one when the first gives nothing, charged once (stream: %s)",
    (stream) =>
      bed(({ ask, far, near }) =>
        Effect.gen(function* () {
          let asks = 0
          const broken = ["500", "503", "401", "402", "403", "404", "429", "garbage", stream ? "error-first" : "drop"]
          for (const first of broken) {
            const { charged, code, said } = yield* ask({ near: first, far: "ok" }, { stream })
            assert.deepStrictEqual([said, code, charged], ["Hello there, friend.", null, "0.008"], first)
            assert.deepStrictEqual([asked(near), asked(far)], [++asks, asks])
          }
          const slow = yield* ask({ near: "silent", far: "ok", secondsMax: 0.2 }, { stream })
          assert.strictEqual(slow.said, "Hello there, friend.")
          // What was left isn't working on behind our back.
          yield* untilTrue(() => near.reached.at(-1)?.broken === true)
        })
      )
  )

  it.live("stays with the first one once something was delivered, or if the request itself is refused", () =>
    bed(({ ask, far }) =>
      Effect.gen(function* () {
        const broken = yield* ask({ near: "drop", far: "ok" }, { stream: true })
        assert.deepStrictEqual([broken.said, broken.code], ["Hello there", "provider_unavailable"])
        for (const stream of [false, true]) {
          const refused = yield* ask({ near: "400", far: "ok" }, { stream })
          assert.deepStrictEqual([refused.code, refused.charged], ["invalid_request", "0"])
        }
        assert.strictEqual(asked(far), 0)
      })
    )
  )

  it.live("says after all of them failed what can be done: wait for the first, or call the operator", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        for (const stream of [false, true]) {
          const mixed = yield* ask({ near: "401", far: "500" }, { stream })
          assert.deepStrictEqual([mixed.code, mixed.charged], ["provider_unavailable", "0"])
          const unpaid = yield* ask({ near: "402", far: "404" }, { stream })
          assert.deepStrictEqual([unpaid.code, unpaid.charged], ["tool_unavailable", "0"])
          const refused = yield* ask({ near: "503", far: "422" }, { stream })
          assert.strictEqual(refused.code, "invalid_request")
        }
      })
    )
  )

  it.live("its log tells the operator's task from a passing failure, and never what an upstream said", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        const logger = Logger.make(({ cause, fiber, logLevel, message }) => {
          const facts = fiber.getRef(References.CurrentLogAnnotations)
          lines.push(inspect([logLevel.toUpperCase(), message, facts, cause], { depth: 8 }))
        })
        const logged = (near: string, stream: boolean) =>
          Effect.gen(function* () {
            lines.length = 0
            yield* ask({ near }, { stream }).pipe(Effect.provide(Logger.layer([logger], { mergeWithExisting: true })))
            assert.notMatch(lines.join(), /refused|secret-of/, near)
            return lines.filter((line) => line.includes(`status: ${near}`))
          })
        for (const stream of [false, true]) {
          for (const status of ["401", "402", "403", "404"]) {
            const [line, ...others] = yield* logged(status, stream)
            assert.match(line ?? "", /ERROR.*check its base_url, key and credit/s, status)
            assert.match(line ?? "", /provider: 'near'/)
            assert.deepStrictEqual(others, [])
          }
          for (const status of ["400", "500"]) {
            assert.match((yield* logged(status, stream)).join(), /WARN.*provider failed/s, status)
          }
        }
      })
    )
  )

  it.live("leaves one alone that keeps failing, and goes on saying why", () =>
    bed(({ ask, far, near }) =>
      Effect.gen(function* () {
        for (let call = 0; call < 8; call++) assert.strictEqual((yield* ask({ near: "401" })).code, "tool_unavailable")
        assert.strictEqual(asked(near), 5)
        for (let call = 0; call < 4; call++) yield* ask({ near: "500", far: "ok" })
        // It failed just now, so it is the last to be asked.
        assert.deepStrictEqual([asked(near), asked(far)], [6, 4])
        yield* ask({ near: "429" })
        assert.strictEqual((yield* ask({ near: "429" })).code, "provider_unavailable")
        assert.strictEqual(asked(near), 7)
        // Another model of the same upstream isn't at fault.
        assert.strictEqual((yield* ask({ near: "ok" })).said, "Hello there, friend.")
      })
    )
  )

  it.live("among those of one order, each gets its share by weight", () =>
    bed(({ ask, far, near }) =>
      Effect.gen(function* () {
        const calls = Effect.repeat(ask({ near: "ok", far: "ok", order: 1, weight: 3 }), { times: 79 })
        yield* Random.withSeed(calls, "shares")
        assert.strictEqual(asked(near) + asked(far), 80)
        assert.closeTo(asked(near), 60, 10)
      })
    )
  )

  it.live("a client that leaves ends the second one too, and pays for what that one delivered", () =>
    bed(({ ask, far }) =>
      Effect.gen(function* () {
        const left = yield* ask({ near: "500", far: "endless" }, { stream: true, leavesAfter: 3 })
        assert.match(left.said, /^( more){3,}$/)
        assert.isNull(left.code)
        // Two tokens were asked, and each word is one.
        const words = left.said.length / " more".length
        assert.strictEqual(left.charged, ((2 + words) * 0.0005).toFixed(4).replace(/0+$/, ""))
        yield* untilTrue(() => far.reached[0]?.broken === true)
      })
    )
  )

  it.live.each([false, true])(
    "the call's record names the one that answered, and those before it (stream: %s)",
    (stream) =>
      bed(({ ask }) =>
        Effect.gen(function* () {
          const { of } = yield* CallStories
          const { id } = yield* ask({ near: "500", far: "ok" }, { stream })
          const { evidence } = Option.getOrThrow(yield* of(id))
          assert.deepStrictEqual(evidence, [{ source: "far", facts: { served: "ok", failed_before: ["near"] } }])
        })
      )
  )
})

import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { AnswerForm } from "@outbound/domain/verbs/Verb.js"
import { CHAT_PRICES } from "@outbound/domain/data/chat/price.js"
import { credits, format, fromMicros, minusOrZero } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Fiber, type Layer } from "effect"
import * as fc from "fast-check"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { SANDBOX_CHAT } from "@outbound/sandbox/providers/SandboxChat.js"
import { makeClient, send } from "../../service/Client.js"
import { makeListener } from "../../service/Listener.js"
import { Faults, type Service } from "../../service/Service.js"
import { ask, listen, recordOf } from "./chatFixtures.js"
import {
  afterWaiting,
  asking,
  assertBalance,
  assertIssues,
  assertRefused,
  balanceOf,
  resultOf,
  SUITE,
  untilAsked
} from "./support.js"

const TIERS = ["large", "small", "mini"] as const

/** What is reserved beside the words of a prompt: a fifth of them, the marks of one message, the template's. */
const reservedFor = (promptWords: number, completion: number): number =>
  promptWords + Math.floor(promptWords / 5) + 16 + 64 + completion

/** What `llm_chat` guarantees (contract: chat, calls; chat, charging). */
export const chatContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`llm_chat (${name})`, (it) => {
    it.effect("a completion costs its tokens at the price of its tier, to the micro-credit", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "100" })
        const charges = [
          ["large", "0.003"],
          ["small", "0.0015"],
          ["mini", "0.0006"]
        ] as const
        for (const [tier, charge] of charges) {
          const answer = yield* client.call("llm_chat", ask("one two three", { model: `sandbox-${tier}` }))
          const { choices, usage } = resultOf(answer)
          assert.deepStrictEqual(choices, [
            { index: 0, message: { role: "assistant", content: "one two three" }, finish_reason: "stop" }
          ])
          assert.deepStrictEqual(usage, { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 })
          assert.strictEqual(answer.svc.credits_charged, charge, tier)
        }
        yield* assertBalance(client, "99.9949")
      })
    )

    it.effect("charge = price × usage, and never more than was reserved", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "100000" })
        const words = fc.array(fc.stringMatching(/^\S{1,12}$/), { minLength: 1, maxLength: 30 })
        const shape = fc.record({
          tier: fc.constantFrom(...TIERS),
          words,
          system: words,
          limit: fc.integer({ min: 1, max: 40 }),
          n: fc.integer({ min: 1, max: 4 }),
          stream: fc.boolean()
        })
        for (const { limit, n, stream, system, tier, words: content } of fc.sample(shape, { numRuns: 40, seed: 7 })) {
          const messages = [
            { role: "system", content: system.join(" ") },
            { role: "user", content: [{ type: "text", text: content.join(" ") }] }
          ]
          const input = { model: `sandbox-${tier}`, messages, max_tokens: limit, n }
          const listener = yield* makeListener()
          const before = yield* balanceOf(client)
          const answer = yield* stream ? listen(client, input, listener) : client.call("llm_chat", input)
          assert.strictEqual(answer.status, 200, answer.text)
          const { usage } = stream ? listener.events.at(-2) : answer.result
          const tokens = system.length + content.length + Math.min(content.length, limit) * n
          assert.strictEqual(usage.total_tokens, tokens)
          const charge = fromMicros((CHAT_PRICES[tier] * BigInt(tokens)) / 1_000n)
          assert.strictEqual(answer.svc.credits_charged, format(charge))
          const after = yield* balanceOf(client)
          assert.strictEqual(after.balance, format(minusOrZero(credits(before.balance), charge)))
          assert.strictEqual(after.reserved, "0")
        }
      })
    )

    it.effect("the prompt's estimate and all that may be generated are reserved while it runs", () =>
      Effect.gen(function* () {
        const faults = yield* Faults
        const cases = [
          [{}, 4_096],
          [{ max_tokens: 10 }, 10],
          [{ max_completion_tokens: 20, max_tokens: 10 }, 20],
          [{ max_tokens: 10, n: 3 }, 30],
          [{ max_tokens: null, n: null }, 4_096]
        ] as const
        for (const [fields, completion] of cases) {
          const client = yield* makeClient({ credits: "100" })
          yield* faults.forgetCalls
          yield* faults.script(SANDBOX_CHAT, [Behaviour.Late({ after: "1 second" })])
          const fiber = yield* Effect.forkChild(client.call("llm_chat", ask("one two three four five", fields)))
          yield* untilAsked(SANDBOX_CHAT, 1)
          const { reserved } = yield* balanceOf(client)
          assert.strictEqual(reserved, format(fromMicros(500n * BigInt(reservedFor(5, completion)))))
          yield* TestClock.adjust("1 second")
          assert.strictEqual((yield* Fiber.join(fiber)).status, 200)
          assert.strictEqual((yield* balanceOf(client)).reserved, "0")
        }
      })
    )

    it.effect("what a balance does not cover is refused before anybody is asked", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "2" })
        const [answer, asked] = yield* asking(client.call("llm_chat", ask("hello"), { key: "short" }))
        assert.strictEqual(answer.status, 402)
        assertRefused(answer, "insufficient_credits", { required: "2.0885", credits_available: "2" })
        assert.deepStrictEqual(asked, [])
        const cheaper = yield* client.call("llm_chat", ask("hello", { max_tokens: 100 }))
        assert.strictEqual(resultOf(cheaper).usage.total_tokens, 2)
      })
    )

    it.effect("what may be generated is bounded by what was reserved, also at the upstream", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        const sent = (fields: JsonObject) =>
          Effect.gen(function* () {
            yield* faults.forgetCalls
            resultOf(yield* client.call("llm_chat", ask("a b", { temperature: 0.5, seed: 7, ...fields })))
            const [call] = yield* faults.calls(SANDBOX_CHAT)
            return call?.request as { readonly model: string; readonly fields: JsonObject }
          })
        const messages = [{ role: "user", content: "a b" }]
        const passed = { messages, temperature: 0.5, seed: 7 }
        assert.deepStrictEqual(yield* sent({}), {
          model: "sandbox-large",
          fields: { ...passed, max_tokens: 4_096 }
        })
        // Whichever of the two a caller sends, it is what was reserved; the upstream's adapter knows its name there.
        const limited = { ...passed, max_tokens: 9 }
        const both: ReadonlyArray<JsonObject> = [
          { max_completion_tokens: 9 },
          { max_completion_tokens: 9, max_tokens: 100_000 }
        ]
        for (const limits of both) {
          assert.deepStrictEqual((yield* sent(limits)).fields, limited)
        }
        const cut = yield* client.call("llm_chat", ask("one two three four", { max_tokens: 2 }))
        assert.strictEqual(resultOf(cut).choices[0].finish_reason, "length")
        assert.strictEqual(cut.result.choices[0].message.content, "one two")
      })
    )

    it.effect("only models on the list are asked, and a request is one", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const model of ["gpt-9", "sandbox-huge", "SANDBOX-MINI", "__proto__"]) {
          const [answer, asked] = yield* asking(client.call("llm_chat", ask("hello", { model })))
          assert.strictEqual(answer.status, 400)
          assertRefused(answer, "invalid_request", { reason: "model_not_allowed" })
          assert.deepStrictEqual(asked, [])
        }
        assertIssues(yield* client.call("llm_chat", {}), ["model", "messages"])
        assertIssues(yield* client.call("llm_chat", { model: "sandbox-mini", messages: [] }), ["messages"])
        assertIssues(yield* client.call("llm_chat", { model: "sandbox-mini", messages: [{ content: "x" }] }), [
          "messages.0.role"
        ])
        assertIssues(yield* client.call("llm_chat", ask("x", { max_tokens: 0, n: 0, stream: "yes" })), [
          "max_tokens",
          "n",
          "stream"
        ])
        assertIssues(yield* client.call("llm_chat", ask("x", { stream: true })), ["stream"])
        yield* assertBalance(client, "300")
      })
    )

    it.effect("it needs data:read; the list of models does not, and is free", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ scopes: ["campaign:write"] })
        assertRefused(yield* client.call("llm_chat", ask("x")), "forbidden", { required_scope: "data:read" })
        const models = yield* client.call("llm_models")
        assert.strictEqual(models.svc.credits_charged, "0")
        const prices = resultOf(models).data.map((one: Record<string, unknown>) => [
          one["id"],
          one["object"],
          one["tier"],
          one["credits_per_1000_tokens"]
        ])
        assert.deepStrictEqual(prices, [
          ["sandbox-large", "model", "large", "0.5"],
          ["sandbox-small", "model", "small", "0.25"],
          ["sandbox-mini", "model", "mini", "0.1"]
        ])
      })
    )

    it.effect("one model is looked up by its name, free, with any key", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ scopes: ["campaign:write"] })
        const all = resultOf(yield* client.call("llm_models")).data
        const one = yield* client.call("llm_model", { model: "sandbox-mini" })
        assert.deepStrictEqual(resultOf(one), all[2])
        assert.strictEqual(one.svc.credits_charged, "0")
        for (const model of ["gpt-9", "SANDBOX-MINI", "vendor/model", "__proto__", "x".repeat(5_000)]) {
          assertRefused(yield* client.call("llm_model", { model }), "not_found")
        }
      })
    )

    it.effect("a client that leaves before its completion ends the upstream call, free, and its key runs again", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        yield* faults.forgetCalls
        yield* faults.script(SANDBOX_CHAT, [Behaviour.Never()])
        const listener = yield* makeListener()
        const input = ask("hello", { stream: false })
        const fiber = yield* Effect.forkChild(listen(client, input, listener, { key: "gone" }))
        yield* untilAsked(SANDBOX_CHAT, 1)
        yield* listener.leave
        const answer = yield* Fiber.join(fiber)
        assert.strictEqual(answer.svc.credits_charged, "0")
        assert.deepStrictEqual(listener.texts, [])
        const record = yield* recordOf(client, answer.requestId)
        assert.deepInclude(record, {
          status: "succeeded",
          interrupted: true,
          error_code: null,
          credits_reserved: "0",
          credits_charged: "0"
        })
        yield* assertBalance(client, "300")
        const again = yield* client.call("llm_chat", input, { key: "gone" })
        assert.strictEqual(resultOf(again).choices[0].message.content, "hello")
        assert.notStrictEqual(again.requestId, answer.requestId)
        const third = yield* client.call("llm_chat", input, { key: "gone" })
        assert.deepStrictEqual([third.svc.replayed, third.requestId], [true, again.requestId])
        yield* assertBalance(client, "299.999")
      })
    )

    it.effect("where no model is configured it is not available", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ kind: "live", scopes: ["data:read"] })
        assertRefused(yield* client.call("llm_chat", ask("x")), "tool_unavailable", { tool: "llm_chat" })
        assert.deepStrictEqual(resultOf(yield* client.call("llm_models")).data, [])
      })
    )

    it.effect("a repeat is answered byte for byte, in the form of either address", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const at = (form: AnswerForm, input: JsonObject = ask("say it again")) =>
          send(client.apiKey, "llm_chat", input, { key: "again", form })
        const first = yield* at("envelope")
        const text = first.text.slice('{"result":'.length, first.text.indexOf(',"svc":'))
        const [again, asked] = yield* asking(at("envelope"))
        assert.isTrue(again.text.startsWith(`{"result":${text},"svc":`))
        assert.strictEqual(again.svc.replayed, true)
        const bare = yield* at("top_level")
        assert.isTrue(bare.text.startsWith(`${text.slice(0, -1)},"svc":`))
        assert.deepStrictEqual([bare.requestId, bare.svc.credits_charged], [first.requestId, "0.003"])
        assert.deepStrictEqual(asked, [])
        assertRefused(yield* at("top_level", ask("something else")), "idempotency_conflict", {
          reason: "different_request"
        })
        assert.strictEqual((yield* recordOf(client, first.requestId)).replayed_count, 2)
        yield* assertBalance(client, "299.997")
      })
    )

    it.effect("where the upstream reports no usage the tokenizer counts", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const plain = yield* client.call("llm_chat", ask("[[no-usage]] two three"))
        assert.deepStrictEqual(resultOf(plain).usage, { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 })
        const listener = yield* makeListener()
        const streamed = yield* listen(client, ask("[[no-usage]] two three"), listener)
        assert.strictEqual(listener.events.at(-2).usage.total_tokens, 6)
        assert.deepStrictEqual(
          [plain, streamed].map(({ svc }) => svc.credits_charged),
          ["0.003", "0.003"]
        )
      })
    )

    it.effect("an upstream that answers nonsense is not believed, and nothing of it is charged", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        const kinds = [Behaviour.Garbage(), Behaviour.Die({ defect: new Error("secret") })]
        for (const stream of [false, true]) {
          for (const kind of kinds) {
            yield* faults.script(SANDBOX_CHAT, [kind])
            const listener = yield* makeListener()
            const answer = yield* listen(client, ask("hello", { stream }), listener)
            assert.oneOf(answer.error?.code, ["provider_unavailable", "internal"])
            assert.notInclude(answer.text, "secret")
            assert.deepStrictEqual(listener.texts, [])
          }
        }
        yield* assertBalance(client, "300")
      })
    )

    it.effect("an upstream that never answers is left in the end, refunded", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        for (const stream of [false, true]) {
          yield* faults.script(SANDBOX_CHAT, [Behaviour.Never()])
          const call = Effect.flatMap(makeListener(), (listener) => listen(client, ask("hello", { stream }), listener))
          assertRefused(yield* afterWaiting(call, SANDBOX_CHAT, "300 seconds"), "provider_unavailable")
        }
        yield* assertBalance(client, "300")
      })
    )
  })
}

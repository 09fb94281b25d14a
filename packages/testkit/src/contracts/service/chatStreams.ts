import { assert, layer as describeLayer } from "@effect/vitest"
import { credits, format, minusOrZero } from "@outbound/domain/kernel/money/Credits.js"
import { Deferred, Effect, Fiber, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { SANDBOX_CHAT } from "@outbound/sandbox/providers/SandboxChat.js"
import { makeClient } from "../../service/Client.js"
import { makeListener } from "../../service/Listener.js"
import { Faults, type Service } from "../../service/Service.js"
import { ask, listen, recordOf, said } from "./chatFixtures.js"
import { asking, assertBalance, assertIssues, assertRefused, SUITE, untilAsked } from "./support.js"

/** What the streams of `llm_chat` guarantee (contract: chat, streams). */
export const chatStreamsContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`llm_chat, streaming (${name})`, (it) => {
    it.effect("a stream brings the upstream's chunks as they come, then usage and billing, then [DONE]", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const listener = yield* makeListener()
        const answer = yield* listen(client, ask("one two three"), listener)
        assert.strictEqual(said(listener), "one two three")
        assert.strictEqual(listener.texts.length, 3 + 1 + 1 + 1)
        const [last, done] = listener.events.slice(-2)
        assert.strictEqual(done, "[DONE]")
        assert.deepStrictEqual(last.choices, [])
        assert.deepStrictEqual(last.usage, { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 })
        assert.deepStrictEqual(last.svc, {
          request_id: answer.requestId,
          credits_charged: "0.003",
          credits_available: "299.997"
        })
        assert.strictEqual(last.id, listener.events[0].id)
        for (const event of listener.events.slice(0, -2)) assert.isUndefined(event.usage)
        const record = yield* recordOf(client, answer.requestId)
        assert.deepInclude(record, {
          verb: "llm_chat",
          status: "succeeded",
          interrupted: false,
          credits_charged: "0.003"
        })
        yield* assertBalance(client, "299.997")
      })
    )

    it.effect("the first token leaves when it comes, and none is asked for ahead of a slow reader", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const listener = yield* makeListener()
        const fiber = yield* Effect.forkChild(listen(client, ask("[[slow]] two three"), listener))
        const reaches = (count: number) =>
          Effect.gen(function* () {
            while (listener.texts.length < count) {
              yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
              yield* TestClock.adjust("10 millis")
            }
          })
        yield* reaches(1)
        assert.strictEqual(said(listener), "[[slow]]")
        yield* reaches(6)
        assert.strictEqual((yield* Fiber.join(fiber)).status, 200)

        const open = yield* Deferred.make<void>()
        const slow = yield* makeListener({ before: Deferred.await(open) })
        const held = yield* Effect.forkChild(listen(client, ask("one two three"), slow))
        yield* untilAsked(SANDBOX_CHAT, 2)
        assert.strictEqual(slow.texts.length, 0)
        yield* Deferred.succeed(open, undefined)
        assert.strictEqual((yield* Fiber.join(held)).status, 200)
        assert.strictEqual(said(slow), "one two three")
      })
    )

    it.effect("a stream is never replayed: its key says where its billing is", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const first = yield* listen(client, ask("once"), yield* makeListener(), { key: "stream" })
        const listener = yield* makeListener()
        const [again, asked] = yield* asking(listen(client, ask("once"), listener, { key: "stream" }))
        assert.strictEqual(again.status, 409)
        assertRefused(again, "stream_consumed", { request_id: first.requestId })
        assert.deepStrictEqual([asked, listener.texts], [[], []])
        const plain = yield* client.call("llm_chat", ask("once"), { key: "stream" })
        assertRefused(plain, "idempotency_conflict", { reason: "different_request" })
        yield* assertBalance(client, "299.999")
      })
    )

    it.effect("a repeat that comes while the stream runs waits for its end", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        yield* faults.forgetCalls
        yield* faults.script(SANDBOX_CHAT, [Behaviour.Late({ after: "2 seconds" })])
        const first = yield* Effect.forkChild(listen(client, ask("late"), yield* makeListener(), { key: "both" }))
        yield* untilAsked(SANDBOX_CHAT, 1)
        const second = yield* Effect.forkChild(listen(client, ask("late"), yield* makeListener(), { key: "both" }))
        yield* TestClock.adjust("2 seconds")
        const ran = yield* Fiber.join(first)
        assert.strictEqual(ran.status, 200)
        assertRefused(yield* Fiber.join(second), "stream_consumed", { request_id: ran.requestId })
      })
    )

    it.effect("a client that leaves stops the upstream, and pays for what was delivered", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const content = Array.from({ length: 500 }, (_, index) => `w${index}`).join(" ")
        const listener = yield* makeListener({ leavesAfter: 3 })
        const answer = yield* listen(client, ask(content), listener, { key: "gone" })
        assert.strictEqual(said(listener), "w0 w1 w2")
        const charged = credits("0.2515")
        assert.strictEqual(answer.svc.credits_charged, format(charged))
        const record = yield* recordOf(client, answer.requestId)
        assert.deepInclude(record, {
          status: "succeeded",
          interrupted: true,
          error_code: null,
          credits_reserved: "0",
          credits_charged: answer.svc.credits_charged
        })
        const again = yield* listen(client, ask(content), yield* makeListener(), { key: "gone" })
        assertRefused(again, "stream_consumed", { request_id: answer.requestId })
        yield* assertBalance(client, format(minusOrZero(credits("300"), charged)))
      })
    )

    it.effect("a client that leaves before anything came pays nothing", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        yield* faults.forgetCalls
        yield* faults.script(SANDBOX_CHAT, [Behaviour.Never()])
        const listener = yield* makeListener()
        const fiber = yield* Effect.forkChild(listen(client, ask("hello"), listener))
        yield* untilAsked(SANDBOX_CHAT, 1)
        yield* listener.leave
        const answer = yield* Fiber.join(fiber)
        assert.strictEqual(answer.svc.credits_charged, "0")
        assert.deepInclude(yield* recordOf(client, answer.requestId), { status: "succeeded", interrupted: true })
        yield* assertBalance(client, "300")
      })
    )

    it.effect("an upstream that refuses before anything happened is refunded, and the same key runs again", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        for (const stream of [false, true]) {
          const call = (content: string, key: string) =>
            Effect.flatMap(makeListener(), (listener) => listen(client, ask(content, { stream }), listener, { key }))
          const away = yield* call("[[unavailable]]", `away-${stream}`)
          assert.strictEqual(away.status, 503)
          assertRefused(away, "provider_unavailable", { retry_after_seconds: 5 })
          yield* faults.script(SANDBOX_CHAT, [Behaviour.Fail({ reason: "rate_limited", retryAfterSeconds: 11.2 })])
          assertRefused(yield* call("hello", `busy-${stream}`), "provider_unavailable", { retry_after_seconds: 12 })
          assert.strictEqual((yield* call("hello", `busy-${stream}`)).status, 200)
          const unpaid = yield* call("[[account]]", `account-${stream}`)
          assertRefused(unpaid, "tool_unavailable", { tool: "llm_chat" })
          assert.isUndefined(unpaid.error?.details?.["retry_after_seconds"])
          assert.strictEqual((yield* call("hello", `account-${stream}`)).error?.code, undefined)
          const refused = yield* call("[[refused]]", `no-${stream}`)
          assert.strictEqual(refused.status, 400)
          assertIssues(refused, [""])
        }
        yield* assertBalance(client, "299.996")
      })
    )

    it.effect("a stream whose finish and usage came is whole, also if the upstream then breaks off", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const listener = yield* makeListener()
        const answer = yield* listen(client, ask("[[no-end]] two three"), listener, { key: "whole" })
        assert.strictEqual(said(listener), "[[no-end]] two three")
        const [last, done] = listener.events.slice(-2)
        assert.strictEqual(done, "[DONE]")
        assert.deepStrictEqual(last.usage, { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 })
        assert.strictEqual(last.svc.credits_charged, "0.003")
        const record = yield* recordOf(client, answer.requestId)
        assert.deepInclude(record, { status: "succeeded", interrupted: false, credits_charged: "0.003" })
        const again = yield* listen(client, ask("[[no-end]] two three"), yield* makeListener(), { key: "whole" })
        assertRefused(again, "stream_consumed", { request_id: answer.requestId })
        yield* assertBalance(client, "299.997")
        // Without the usage nobody knows that everything came.
        const broken = yield* makeListener()
        yield* listen(client, ask("[[no-end]] [[no-usage]] three"), broken)
        assert.strictEqual(broken.events.at(-1).error.code, "provider_unavailable")
      })
    )

    it.effect("a stream that breaks off says so in its last event, and costs what was delivered", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const listener = yield* makeListener()
        const answer = yield* listen(client, ask("[[drop]] two three four five"), listener, { key: "broken" })
        assert.strictEqual(said(listener), "[[drop]] two three")
        const last = listener.events.at(-1)
        assert.strictEqual(last.error.code, "provider_unavailable")
        assert.deepStrictEqual(last.error.request_id, answer.requestId)
        const record = yield* recordOf(client, answer.requestId)
        assert.deepInclude(record, {
          status: "failed",
          error_code: "provider_unavailable",
          interrupted: true,
          credits_charged: "0.004"
        })
        yield* assertBalance(client, "299.996")
        const again = yield* makeListener()
        yield* listen(client, ask("[[drop]] two three four five"), again, { key: "broken" })
        assert.strictEqual(said(again), "[[drop]] two three")
      })
    )
  })
}

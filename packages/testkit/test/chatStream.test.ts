import { assert, describe, it } from "@effect/vitest"
import type { EventSink } from "@outbound/domain/calls/Calls.js"
import { END_SECONDS_MAX, SILENCE_SECONDS_MAX, STREAM_SECONDS_MAX } from "@outbound/domain/data/chat/streamChat.js"
import { inEffect, type NowOrLater } from "@outbound/domain/kernel/NowOrLater.js"
import { abortable } from "@outbound/domain/sources/abortable.js"
import type { ChatModel, ChatUpstream } from "@outbound/domain/sources/ports/ChatUpstream.js"
import { noProviders } from "@outbound/domain/sources/ports/Providers.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { recordOf } from "../src/contracts/service/chatFixtures.js"
import { layer as memory } from "../src/memory/layer.js"
import { target } from "../src/providers/ChatServer.js"
import { makeClient, send } from "../src/service/Client.js"
import { makeListener } from "../src/service/Listener.js"
import { over } from "../src/service/Service.js"

const chunk = (content: string, finish: string | null = null) =>
  JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })
const REPORT = JSON.stringify({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } })
const errorOf = (error: object) => JSON.stringify({ error })
const BUSY = errorOf({ code: 502, message: "the model is gone" })

type Ending = "ended" | "broken" | "unmarked" | "hangs" | "lives"

/** An upstream that sends these events, the first ones at once, and then ends so; and what was seen of it. */
const scripted = (
  name: string,
  first: ReadonlyArray<string>,
  then: ReadonlyArray<string>,
  ending: Ending = "ended"
) => {
  const failure = (concluded = {}) => new ProviderFailure({ provider: name, reason: "transient", ...concluded })
  const seen = { handed: 0, isLeft: false, isAskedOn: false }
  const upstream: ChatUpstream = {
    name,
    complete: () => Effect.fail(failure()),
    stream: (_call, signal, heard = () => undefined) => {
      signal.addEventListener("abort", () => (seen.isLeft = true))
      const endings: Readonly<Record<Ending, Effect.Effect<boolean, ProviderFailure>>> = {
        ended: Effect.succeed(true),
        broken: Effect.fail(failure()),
        unmarked: Effect.fail(failure({ concluded: "unmarked" })),
        hangs: Effect.never,
        lives: Effect.forever(Effect.andThen(Effect.sleep("30 seconds"), Effect.sync(heard)))
      }
      const rest = (take: (texts: ReadonlyArray<string>) => NowOrLater<boolean>) => {
        seen.isAskedOn = true
        const handOver = Effect.gen(function* () {
          for (const text of then) {
            seen.handed += 1
            if (!(yield* Effect.suspend(() => inEffect(take([text]))))) return false
          }
          return yield* endings[ending]
        })
        return abortable(handOver, signal, failure)
      }
      return Effect.succeed({ first: first as readonly [string, ...Array<string>], rest })
    }
  }
  return { upstream, seen }
}

type Scripted = ReturnType<typeof scripted>

/** What a client gets of the upstreams, and pays: a token is a character, and the prompt has two. */
const asked = (upstreams: ReadonlyArray<Scripted>, given: { readonly sink?: (its: EventSink) => EventSink } = {}) =>
  Effect.gen(function* () {
    const [one, ...others] = upstreams.map(({ upstream }, order) => target(upstream, "m", { order }))
    if (one === undefined) return yield* Effect.die(new Error("no upstream"))
    const tokens = { count: (texts: ReadonlyArray<string>) => texts.join("").length }
    const chatModels: ReadonlyArray<ChatModel> = [
      { model: "m", tier: "mini", targets: [one, ...others], tokens, contextLength: null }
    ]
    const work = Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live", credits: "300" })
      const listener = yield* makeListener()
      const sink = given.sink?.(listener.sink) ?? listener.sink
      const input = { model: "m", stream: true, messages: [{ role: "user", content: "hi" }] }
      const beganAtMillis = yield* Clock.currentTimeMillis
      const answering = Effect.zip(send(client.apiKey, "llm_chat", input, { sink }), Clock.currentTimeMillis)
      const fiber = yield* Effect.forkChild(answering)
      yield* TestClock.adjust(`${STREAM_SECONDS_MAX + 60} seconds`)
      const [{ error, requestId }, endedAtMillis] = yield* Fiber.join(fiber)
      const record = yield* recordOf(client, requestId)
      return {
        said: listener.events.map(({ choices }) => choices?.[0]?.delta?.content ?? "").join(""),
        texts: listener.texts,
        code: error?.code ?? null,
        waits: error?.details["retry_after_seconds"] ?? null,
        seconds: (endedAtMillis - beganAtMillis) / 1_000,
        interrupted: record["interrupted"],
        charged: record["credits_charged"],
        record
      }
    })
    return yield* Effect.provide(work, over(memory, { ...noProviders, chatModels }))
  })

/** A client that has gone after so many writes, of which nothing tells but the next write. */
const goneAfter =
  (writes: number) =>
  (sink: EventSink): EventSink => {
    let left = writes
    return { ...sink, onLeft: () => () => undefined, send: (head, data) => left-- > 0 && sink.send(head, data) }
  }

describe("the beginning of a stream", () => {
  it.effect("and its middle may hold signs of life, which no client sees", () =>
    Effect.gen(function* () {
      const its = scripted("u", ["ping", chunk("ab")], ["", "[KEEP-ALIVE]", chunk("cd", "stop"), REPORT])
      const found = yield* asked([its])
      assert.deepInclude(found, { said: "abcd", code: null, charged: "0.0003" })
      assert.notInclude(found.texts.join("\n"), "KEEP")
      assert.notInclude(found.texts.join("\n"), "ping")
    })
  )

  it.effect("that is an error: the next upstream is asked, and of the first one nothing is read on", () =>
    Effect.gen(function* () {
      for (const first of [[BUSY], ["ping", BUSY], ["{not json"], ["ping", "{not json"]]) {
        const broken = scripted("one", first, [chunk("never")])
        const found = yield* asked([broken, scripted("two", [chunk("abcd")], [chunk("ef", "stop"), REPORT])])
        assert.deepInclude(found, { said: "abcdef", code: null, charged: "0.0003" })
        assert.isFalse(broken.seen.isAskedOn)
        assert.isTrue(broken.seen.isLeft)
        const alone = yield* asked([scripted("one", first, [chunk("never")])])
        assert.deepInclude(alone, { said: "", code: "provider_unavailable", charged: "0" })
      }
    })
  )

  it.effect("that refuses the request is the client's to mend, and no other upstream is asked", () =>
    Effect.gen(function* () {
      const other = scripted("two", [chunk("never")], [])
      const refusal = errorOf({ code: 400, message: "too long", type: "invalid_request_error" })
      const found = yield* asked([scripted("one", [refusal], []), other])
      assert.deepInclude(found, { said: "", code: "invalid_request", charged: "0" })
      assert.isFalse(other.seen.isAskedOn)
    })
  )
})

describe("what comes of a stream before its first word", () => {
  const ROLE = JSON.stringify({ choices: [{ index: 0, delta: { role: "assistant" }, finish_reason: null }] })
  const END = chunk("", "stop")

  it.effect("is held back: without a word after it it is free, and the next upstream is asked", () =>
    Effect.gen(function* () {
      const other = () => scripted("two", [chunk("from afar", "stop")], [REPORT])
      for (const [first, then, ending] of [
        [[ROLE], [BUSY], "ended"],
        [[ROLE, BUSY], [], "ended"],
        [[ROLE], [], "ended"],
        [[ROLE], [ROLE], "broken"],
        [[REPORT], [], "ended"],
        [[ROLE], Array.from({ length: 15 }, () => ROLE), "broken"]
      ] as const) {
        assert.deepInclude(yield* asked([scripted("one", first, then, ending)]), { said: "", charged: "0" })
        const found = yield* asked([scripted("one", first, then, ending), other()])
        assert.deepInclude(found, { said: "from afar", code: null, charged: "0.0003" })
        assert.lengthOf(
          found.texts.filter((text) => text.includes("assistant")),
          0
        )
      }
    })
  )

  it.effect("is passed on with the first word, or the end, or as the seventeenth chunk, each of it once", () =>
    Effect.gen(function* () {
      for (const [first, then, roles] of [
        [[ROLE, ROLE], [ROLE, chunk("ab"), END, REPORT], 3],
        [[ROLE], [END, REPORT], 1],
        [[ROLE], [...Array.from({ length: 16 }, () => ROLE), chunk("ab", "stop"), REPORT], 17],
        [[ROLE, chunk("ab")], [ROLE, END, REPORT], 2]
      ] as const) {
        const found = yield* asked([scripted("one", first, then)])
        assert.deepInclude(found, { code: null, charged: "0.0003" })
        assert.lengthOf(
          found.texts.filter((text) => text.includes("assistant")),
          roles
        )
      }
      // From the seventeenth on it is an answer, so that nobody else is asked.
      const many = scripted(
        "one",
        [ROLE],
        Array.from({ length: 16 }, () => ROLE),
        "broken"
      )
      const found = yield* asked([many, scripted("two", [chunk("never", "stop")], [REPORT])])
      assert.deepInclude(found, { said: "", code: "provider_unavailable", charged: "0.0002" })
    })
  )

  it.effect("lets its upstream be silent as long as within an answer, and no longer", () =>
    Effect.gen(function* () {
      const its = scripted("one", [ROLE], [], "hangs")
      const found = yield* asked([its, scripted("two", [chunk("ab", "stop")], [REPORT])])
      assert.deepInclude(found, { said: "ab", code: null, seconds: SILENCE_SECONDS_MAX })
    })
  )
})

describe("a stream that breaks off", () => {
  it.effect("says how long to wait, if the upstream said it, and its request is ended", () =>
    Effect.gen(function* () {
      const busy = errorOf({ code: 503, message: "busy", details: [{ retryDelay: "37s" }] })
      const its = scripted("u", [chunk("abcd")], [busy, chunk("never")])
      const found = yield* asked([its])
      assert.deepInclude(found, { said: "abcd", code: "provider_unavailable", waits: 37, charged: "0.0006" })
      assert.deepInclude(its.seen, { isLeft: true, handed: 1 })
    })
  )

  it.effect("once it is whole is left; one that ended in order is not", () =>
    Effect.gen(function* () {
      const whole = scripted("u", [chunk("ab", "stop")], [REPORT], "broken")
      assert.deepInclude(yield* asked([whole]), { code: null, charged: "0.0003", interrupted: false })
      assert.isTrue(whole.seen.isLeft)
      for (const ending of ["ended", "unmarked"] as const) {
        const its = scripted("u", [chunk("ab")], [chunk("c", "stop")], ending)
        assert.deepInclude(yield* asked([its]), { code: null, charged: "0.0005", interrupted: false })
        assert.isFalse(its.seen.isLeft)
      }
    })
  )
})

describe("a stream that never ends", () => {
  it.effect("is waited for a moment once it is whole, and left then", () =>
    Effect.gen(function* () {
      const its = scripted("u", [chunk("ab", "stop")], [REPORT], "hangs")
      const found = yield* asked([its])
      assert.deepInclude(found, { said: "ab", code: null, charged: "0.0003", interrupted: false })
      assert.isAtMost(found.seconds, END_SECONDS_MAX + 2)
      assert.isTrue(its.seen.isLeft)
    })
  )

  it.effect("ends at its longest, to the moment, whatever signs of life it gives", () =>
    Effect.gen(function* () {
      const its = scripted("u", [chunk("ab")], [], "lives")
      const found = yield* asked([its])
      assert.deepInclude(found, { said: "ab", code: "provider_unavailable", charged: "0.0004" })
      assert.strictEqual(found.seconds, STREAM_SECONDS_MAX)
      assert.isTrue(its.seen.isLeft)
    })
  )
})

describe("a client that has gone without a word", () => {
  it.effect("pays for nothing if it had gone before the first chunk, and the upstream is left", () =>
    Effect.gen(function* () {
      const its = scripted("u", [chunk("ab")], [chunk("never", "stop"), REPORT])
      const found = yield* asked([its], { sink: goneAfter(0) })
      assert.deepInclude(found, { said: "", charged: "0", interrupted: true })
      assert.strictEqual(found.record["status"], "succeeded")
      assert.deepStrictEqual(its.seen, { handed: 0, isAskedOn: false, isLeft: true })
    })
  )

  it.effect("pays for what it was sent, and the upstream is left at the next write", () =>
    Effect.gen(function* () {
      const its = scripted("u", [chunk("abcd")], [chunk("ef"), chunk("never"), REPORT])
      const found = yield* asked([its], { sink: goneAfter(1) })
      assert.deepInclude(found, { said: "abcd", charged: "0.0006", interrupted: true })
      assert.deepInclude(its.seen, { handed: 1, isLeft: true })
    })
  )

  it.effect("after all that it gets pays by the upstream's report, which is not written to it", () =>
    Effect.gen(function* () {
      const its = scripted("u", [chunk("abcd", "stop")], [REPORT])
      const found = yield* asked([its], { sink: goneAfter(1) })
      assert.deepInclude(found, { said: "abcd", charged: "0.0003", interrupted: false })
    })
  )
})

it.effect("an upstream is never read ahead of its reader", () =>
  Effect.gen(function* () {
    const its = scripted("u", [chunk("ab")], [chunk("cd"), chunk("ef", "stop"), REPORT])
    const handed: Array<number> = []
    const slow = (sink: EventSink): EventSink => ({
      ...sink,
      send: (head, data) => {
        const before = its.seen.handed
        return Promise.resolve().then(async () => {
          await new Promise((resolve) => setImmediate(resolve))
          handed.push(its.seen.handed - before)
          return sink.send(head, data)
        })
      }
    })
    assert.deepInclude(yield* asked([its], { sink: slow }), { said: "abcdef", code: null, charged: "0.0003" })
    assert.isAtLeast(handed.length, 3)
    assert.isTrue(handed.every((more) => more === 0))
  })
)

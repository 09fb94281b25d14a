import { assert, describe, it } from "@effect/vitest"
import type { ChatModel, ChatUpstream } from "@outbound/domain/sources/ports/ChatUpstream.js"
import { noProviders } from "@outbound/domain/sources/ports/Providers.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect } from "effect"
import { recordOf } from "../src/contracts/service/chatFixtures.js"
import { layer as memory } from "../src/memory/layer.js"
import { target } from "../src/providers/ChatServer.js"
import { makeClient, send } from "../src/service/Client.js"
import { makeListener } from "../src/service/Listener.js"
import { over } from "../src/service/Service.js"

const chunk = (content: string, finish: string | null = null) =>
  JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })
const REPORT = JSON.stringify({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } })
const ERROR = JSON.stringify({ error: { code: 502, message: "the model is gone" } })

type Ending = "ended" | "broken" | "unmarked"

/** An upstream that sends these events, the first ones at once, and then ends so. */
const upstream = (first: ReadonlyArray<string>, then: ReadonlyArray<string>, ending: Ending): ChatUpstream => {
  const gone = new ProviderFailure({
    provider: "u",
    reason: "transient",
    ...(ending === "unmarked" ? { concluded: "unmarked" as const } : {})
  })
  return {
    name: "u",
    complete: () => Effect.fail(gone),
    stream: () =>
      Effect.succeed({
        first: first as readonly [string, ...Array<string>],
        rest: (take: (texts: ReadonlyArray<string>) => unknown) =>
          Effect.gen(function* () {
            for (const text of then) if (!(yield* Effect.sync(() => take([text])))) return false
            return ending === "ended" ? true : yield* Effect.fail(gone)
          })
      })
  }
}

/** What the client gets of it, and pays: a token is a character, and the prompt has two. */
const asked = (first: ReadonlyArray<string>, then: ReadonlyArray<string>, ending: Ending) => {
  const tokens = { count: (texts: ReadonlyArray<string>) => texts.join("").length }
  const targets = [target(upstream(first, then, ending), "m", { order: 0, secondsMax: null })] as const
  const chatModels: ReadonlyArray<ChatModel> = [{ model: "m", tier: "mini", targets, tokens, contextLength: null }]
  const work = Effect.gen(function* () {
    const client = yield* makeClient({ kind: "live", credits: "300" })
    const listener = yield* makeListener()
    const input = { model: "m", stream: true, messages: [{ role: "user", content: "hi" }] }
    const answer = yield* send(client.apiKey, "llm_chat", input, { sink: listener.sink })
    const record = yield* recordOf(client, answer.requestId)
    return {
      said: listener.events.map(({ choices }) => choices?.[0]?.delta?.content ?? "").join(""),
      reports: listener.events.filter(({ choices, svc }) => choices?.length === 0 && svc === undefined).length,
      isDone: listener.texts.at(-1)?.includes("[DONE]") ?? false,
      status: record["status"],
      code: record["error_code"],
      interrupted: record["interrupted"],
      charged: record["credits_charged"]
    }
  })
  return Effect.provide(work, over(memory, { ...noProviders, chatModels }))
}

const brokenOff = { isDone: false, status: "failed", code: "provider_unavailable", interrupted: true }
const whole = { isDone: true, status: "succeeded", code: null, interrupted: false }

describe("a stream that breaks off is charged for what was delivered, and nothing else", () => {
  for (const [what, event] of [
    ["an error", ERROR],
    ["nonsense", "{not json"],
    ["a choice that failed", JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "error" }] })]
  ] as const) {
    it.effect(`by ${what} in the middle: what comes after it counts no more`, () =>
      Effect.gen(function* () {
        const found = yield* asked([chunk("abcd")], [chunk("ef"), event, chunk("never"), REPORT], "ended")
        assert.deepInclude(found, { ...brokenOff, said: "abcdef", charged: "0.0008" })
      })
    )

    it.effect(`by ${what} that comes together with the first chunk`, () =>
      Effect.gen(function* () {
        const found = yield* asked([chunk("abcd"), event, chunk("never")], [chunk("never")], "ended")
        assert.deepInclude(found, { ...brokenOff, said: "abcd", charged: "0.0006" })
      })
    )

    it.effect(`by ${what} before any chunk: it is free`, () =>
      Effect.gen(function* () {
        const found = yield* asked([event], [chunk("never"), REPORT], "ended")
        assert.deepInclude(found, { said: "", isDone: false, status: "failed", charged: "0" })
      })
    )
  }

  it.effect("by its connection, without an end or with one that lacks its mark", () =>
    Effect.gen(function* () {
      for (const ending of ["broken", "unmarked"] as const) {
        const found = yield* asked([chunk("abcd")], [chunk("ef")], ending)
        assert.deepInclude(found, { ...brokenOff, said: "abcdef", charged: "0.0008" })
      }
    })
  )

  it.effect("unless its choices ended in order, and only the mark of the end is missing", () =>
    Effect.gen(function* () {
      const found = yield* asked([chunk("abcd")], [chunk("ef", "stop")], "unmarked")
      assert.deepInclude(found, { ...whole, said: "abcdef", charged: "0.0008" })
      const broken = yield* asked([chunk("abcd")], [chunk("ef", "stop")], "broken")
      assert.deepInclude(broken, { ...brokenOff, said: "abcdef", charged: "0.0008" })
    })
  )
})

describe("a stream that ends", () => {
  it.effect("is charged by the upstream's report, which no client sees twice", () =>
    Effect.gen(function* () {
      const found = yield* asked([chunk("abcd")], [chunk("ef", "stop"), REPORT], "ended")
      assert.deepInclude(found, { ...whole, said: "abcdef", reports: 0, charged: "0.0003" })
    })
  )

  it.effect("is charged by it too where the connection breaks after it", () =>
    Effect.gen(function* () {
      for (const ending of ["broken", "unmarked"] as const) {
        const found = yield* asked([chunk("abcd")], [chunk("ef", "stop"), REPORT], ending)
        assert.deepInclude(found, { ...whole, said: "abcdef", charged: "0.0003" })
      }
    })
  )

  it.effect("without a single chunk has failed, and is free", () =>
    Effect.gen(function* () {
      const found = yield* asked(["ping"], [""], "ended")
      assert.deepInclude(found, { said: "", isDone: false, status: "failed", charged: "0" })
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { BEAT_SECONDS } from "@outbound/domain/data/chat/keptAlive.js"
import {
  FIRST_SECONDS_MAX,
  LAST_FIRST_SECONDS_MAX,
  SILENCE_SECONDS_MAX,
  STREAM_SECONDS_MAX
} from "@outbound/domain/data/chat/streamChat.js"
import { abortable } from "@outbound/domain/sources/abortable.js"
import type { ChatModel, ChatUpstream } from "@outbound/domain/sources/ports/ChatUpstream.js"
import { noProviders } from "@outbound/domain/sources/ports/Providers.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { layer as memory } from "../src/memory/layer.js"
import { target } from "../src/providers/ChatServer.js"
import { makeClient, send } from "../src/service/Client.js"
import { makeListener } from "../src/service/Listener.js"
import { over } from "../src/service/Service.js"

const chunk = (content: string, finish: string | null = null) =>
  JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })
const REPORT = JSON.stringify({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } })

interface Silence {
  /** Seconds of silence before the first chunk, and before the second one. */
  readonly before?: number
  readonly between?: number
  /** Seconds after each of which it gives a sign of life without a chunk. */
  readonly signEvery?: number
  /** Refuses instead of sending a first chunk. */
  readonly refuses?: boolean
}

/** An upstream of which the model's words come after silences. */
const upstream = (name: string, { before = 0, between = 0, refuses = false, signEvery }: Silence): ChatUpstream => {
  const left = () => new ProviderFailure({ provider: name, reason: "transient" })
  const silence = (seconds: number, heard: () => void) =>
    signEvery === undefined
      ? Effect.sleep(`${seconds} seconds`)
      : Effect.repeat(Effect.andThen(Effect.sleep(`${signEvery} seconds`), Effect.sync(heard)), {
          times: seconds / signEvery - 1
        })
  return {
    name,
    complete: () => Effect.fail(left()),
    stream: (_call, signal, heard = () => undefined) =>
      abortable(
        Effect.andThen(
          silence(before, heard),
          refuses
            ? Effect.fail(new ProviderFailure({ provider: name, reason: "invalid", said: "too long" }))
            : Effect.succeed({
                first: [chunk(`${name} `)] as const,
                rest: (take: (texts: ReadonlyArray<string>) => unknown) =>
                  abortable(
                    Effect.as(
                      Effect.andThen(
                        silence(between, heard),
                        Effect.sync(() => take([chunk("ends", "stop"), REPORT]))
                      ),
                      true
                    ),
                    signal,
                    left
                  )
              })
        ),
        signal,
        left
      )
  }
}

/** What a client gets from these upstreams in turn, if it waits so long. */
const asked = (seconds: number, ...silences: ReadonlyArray<Silence & { readonly secondsMax?: number }>) =>
  Effect.gen(function* () {
    const [first, ...others] = silences.map(({ secondsMax = null, ...silence }, at) =>
      target(upstream(`u${at}`, silence), "m", { order: at, secondsMax })
    )
    if (first === undefined) return yield* Effect.die(new Error("no upstream"))
    const tokens = { count: () => 2 }
    const chatModels: ReadonlyArray<ChatModel> = [
      { model: "m", tier: "mini", targets: [first, ...others], tokens, contextLength: null }
    ]
    const work = Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live", credits: "300" })
      const listener = yield* makeListener()
      const input = { model: "m", stream: true, messages: [{ role: "user", content: "hi" }] }
      const fiber = yield* Effect.forkChild(send(client.apiKey, "llm_chat", input, { sink: listener.sink }))
      yield* TestClock.adjust(`${seconds} seconds`)
      const answer = yield* Fiber.join(fiber)
      const said = listener.events.map(({ choices }) => choices?.[0]?.delta?.content ?? "").join("")
      return { said, code: answer.error?.code ?? null, beats: listener.beats(), last: listener.texts.at(-1) ?? null }
    })
    return yield* Effect.provide(work, over(memory, { ...noProviders, chatModels }))
  })

describe("an upstream that is silent", () => {
  it.effect("but gives signs of life is waited for, and the client hears all the while that it is", () =>
    Effect.gen(function* () {
      const seen = yield* asked(600, { before: 480, between: 90, signEvery: 30 })
      assert.deepInclude(seen, { said: "u0 ends", code: null, last: "[DONE]" })
      assert.isAtLeast(seen.beats, 500 / BEAT_SECONDS)
    })
  )

  it.effect("without a sign is waited for, for minutes if no other is left, else for one", () =>
    Effect.gen(function* () {
      const alone = yield* asked(500, { before: LAST_FIRST_SECONDS_MAX - 1, between: SILENCE_SECONDS_MAX - 1 })
      assert.deepInclude(alone, { said: "u0 ends", code: null })
      const late = yield* asked(400, { before: LAST_FIRST_SECONDS_MAX + 1 })
      assert.deepInclude(late, { said: "", code: "provider_unavailable" })
      const two = yield* asked(500, { before: FIRST_SECONDS_MAX + 1 }, { before: LAST_FIRST_SECONDS_MAX - 1 })
      assert.deepInclude(two, { said: "u1 ends", code: null })
      const own = yield* asked(400, { before: 10, secondsMax: 9 }, {})
      assert.deepInclude(own, { said: "u1 ends", code: null })
      const allowed = yield* asked(400, { before: 200, secondsMax: 250 }, {})
      assert.deepInclude(allowed, { said: "u0 ends", code: null })
    })
  )

  it.effect("in the middle for too long has broken off, and so has one that never ends", () =>
    Effect.gen(function* () {
      const stuck = yield* asked(400, { between: SILENCE_SECONDS_MAX + 1 })
      assert.deepInclude(stuck, { said: "u0 ", code: "provider_unavailable" })
      const endless = yield* asked(STREAM_SECONDS_MAX + 10, { between: STREAM_SECONDS_MAX + 60, signEvery: 30 })
      assert.deepInclude(endless, { said: "u0 ", code: "provider_unavailable" })
    })
  )

  it.effect("and then refuses: the client that already heard something gets the refusal as its last event", () =>
    Effect.gen(function* () {
      const soon = yield* asked(60, { before: BEAT_SECONDS - 1, refuses: true })
      assert.deepInclude(soon, { code: "invalid_request", beats: 0, last: null })
      const late = yield* asked(60, { before: 2 * BEAT_SECONDS, refuses: true })
      assert.strictEqual(late.code, "invalid_request")
      assert.isAtLeast(late.beats, 1)
      assert.include(late.last, "too long")
    })
  )
})

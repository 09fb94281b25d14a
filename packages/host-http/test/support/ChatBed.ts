import { makeOpenAiChat } from "@outbound/adapters/llm/OpenAiChat.js"
import { assert } from "@effect/vitest"
import type { ChatModel } from "@outbound/domain/sources/ports/ChatUpstream.js"
import { noProviders } from "@outbound/domain/sources/ports/Providers.js"
import { target } from "@outbound/testkit/providers/ChatServer.js"
import {
  answers,
  makeScriptedUpstream,
  pieces,
  type Script,
  type ScriptedUpstream
} from "@outbound/testkit/providers/ScriptedUpstream.js"
import { layer as memory } from "@outbound/testkit/memory/layer.js"
import { makeClient, send } from "@outbound/testkit/service/Client.js"
import { makeListener } from "@outbound/testkit/service/Listener.js"
import { over, type Service } from "@outbound/testkit/service/Service.js"
import { Effect, Logger, Redacted, type Scope } from "effect"

/** One token a word. */
const tokens = { count: (texts: ReadonlyArray<string>) => texts.join("").match(/\S+/g)?.length ?? 0 }

export const USAGE = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }
export const TEN_WORDS = "one two three four five six seven eight nine ten "

export const event = (value: unknown): string =>
  `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`
export const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
  event({
    id: "gen-1",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more
  })
export const HELLO = [chunk({ role: "assistant", content: "Hello" }), chunk({ content: " there" })]
export const STOP = chunk({}, "stop")
export const REPORT = event({ id: "gen-1", choices: [], usage: USAGE })
export const DONE = event("[DONE]")

/** What a caller sees of a chat, and what its record says. */
export interface Seen {
  readonly said: string
  readonly code: string | null
  /** What the upstream said, where the caller is told. */
  readonly reason: string | null
  readonly charged: string
  readonly status: string
  readonly interrupted: boolean
  /** The last event of a stream. */
  readonly last: string | null
  // oxlint-disable-next-line typescript/no-explicit-any -- members of the wire form
  readonly usage: any
}

export interface Bed {
  readonly near: ScriptedUpstream
  readonly far: ScriptedUpstream
  /** Asks a model that does as the script says; `far`: another upstream to ask after it. */
  readonly ask: (
    script: Script,
    options?: {
      readonly stream?: boolean
      readonly far?: Script
      readonly input?: object
      readonly leavesAfter?: number
    }
  ) => Effect.Effect<Seen, never, Service>
}

export const bed = <A, E>(use: (bed: Bed) => Effect.Effect<A, E, Service | Scope.Scope>) =>
  Effect.gen(function* () {
    const [near, far] = [yield* makeScriptedUpstream, yield* makeScriptedUpstream]
    const apiKey = Redacted.make("a-secret")
    const upstreams = {
      near: yield* makeOpenAiChat({ name: "near", baseUrl: near.baseUrl, apiKey }),
      far: yield* makeOpenAiChat({ name: "far", baseUrl: far.baseUrl, apiKey })
    }
    const chatModels: Array<ChatModel> = []
    const ask: Bed["ask"] = (script, { far: other, input = {}, leavesAfter, stream = true } = {}) =>
      Effect.gen(function* () {
        const model = `m${chatModels.length}`
        near.script(model, script)
        if (other !== undefined) far.script(model, other)
        const others = other === undefined ? [] : [target(upstreams.far, model, { order: 1 })]
        chatModels.push({
          model,
          tier: "mini",
          targets: [target(upstreams.near, model), ...others],
          tokens,
          contextLength: null
        })
        const client = yield* makeClient({ kind: "live", credits: "300" })
        const listener = yield* makeListener(leavesAfter === undefined ? {} : { leavesAfter })
        const body = { model, stream, messages: [{ role: "user", content: "hi" }], ...input }
        const answer = yield* send(client.apiKey, "llm_chat", body, { sink: listener.sink })
        const { result: record } = yield* client.call("get_request", { request_id: answer.requestId })
        assert.strictEqual(record.credits_reserved, "0")
        const error = answer.error ?? null
        const streamed = listener.events.map(({ choices }) => choices?.[0]?.delta?.content ?? "").join("")
        const withUsage = listener.events.findLast(({ svc }) => svc !== undefined)
        return {
          said: stream ? streamed : (answer.result?.choices[0]?.message?.content ?? ""),
          code: error?.code ?? null,
          reason: (error?.details as { issues?: ReadonlyArray<{ message: string }> })?.issues?.[0]?.message ?? null,
          charged: record.credits_charged,
          status: record.status,
          interrupted: record.interrupted,
          last: listener.texts.at(-1) ?? null,
          usage: stream ? withUsage?.usage : answer.result?.usage
        }
      })
    return yield* Effect.provide(use({ near, far, ask }), over(memory, { ...noProviders, chatModels }))
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))

export const plain = (message: object, more: object = {}, choice: object = {}): Script =>
  answers(200, {
    id: "1",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop", ...choice }],
    usage: USAGE,
    ...more
  })

export const FAR = pieces([chunk({ content: "from afar" }), STOP, REPORT, DONE])

import { makeOpenAiChat } from "@outbound/adapters/llm/OpenAiChat.js"
import { assert, describe, it } from "@effect/vitest"
import { noProviders } from "@outbound/domain/sources/ports/Providers.js"
import { layer as memory } from "@outbound/testkit/memory/layer.js"
import { target } from "@outbound/testkit/providers/ChatServer.js"
import { makeScriptedUpstream } from "@outbound/testkit/providers/ScriptedUpstream.js"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Effect, Layer, Redacted, References } from "effect"
import { TestClock } from "effect/testing"
import type { ServerResponse } from "node:http"
import { layer as httpHost } from "../src/HttpHost.js"
import { Readiness } from "../src/health/Readiness.js"
import { HttpServer } from "../src/HttpServer.js"
import { open } from "./support/Wire.js"

const untilTrue = (holds: () => boolean) =>
  Effect.promise(async () => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve))
  })

describe("a stream whose model thinks", () => {
  it.effect("begins at its client after seconds, with a comment that every client passes over", () =>
    Effect.gen(function* () {
      const upstream = yield* makeScriptedUpstream
      const chat = yield* makeOpenAiChat({ name: "u", baseUrl: upstream.baseUrl, apiKey: Redacted.make("a-secret") })
      const tokens = { count: () => 1 }
      const model = { model: "m", tier: "mini", targets: [target(chat, "m")], tokens, contextLength: null } as const
      const host = httpHost({ host: "127.0.0.1", port: 0, metricsPort: null }).pipe(
        Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
        Layer.provideMerge(over(memory, { ...noProviders, chatModels: [model] })),
        Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
      )
      yield* Effect.gen(function* () {
        const waiting: Array<ServerResponse> = []
        upstream.script("m", ({ response }) => void waiting.push(response))
        const { port } = yield* HttpServer
        const { apiKey } = yield* makeClient({ kind: "live", credits: "300" })
        const wire = yield* open(port)
        const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], stream: true })
        wire.write(
          `POST /v1/llm/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${apiKey}\r\n` +
            `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
        )
        yield* untilTrue(() => waiting.length === 1)
        yield* TestClock.adjust("10 seconds")
        const begun = yield* wire.until(": keep-alive\n\n")
        assert.match(begun, /^HTTP\/1\.1 200 OK\r\n/)
        assert.match(begun, /content-type: text\/event-stream/i)
        assert.match(begun, /x-request-id: /i)
        assert.notInclude(begun, "data:")
        const [response] = waiting
        response?.writeHead(400, { "content-type": "application/json" }).end('{"error":"too long"}')
        const ended = yield* wire.until("0\r\n\r\n")
        assert.match(ended, /data: \{"error":\{"code":"invalid_request".*too long/)
        assert.notInclude(ended, "[DONE]")
      }).pipe(Effect.provide(host))
    })
  )
})

/** The whole service over HTTP, on PostgreSQL, with one chat model behind the upstream that is named to it. */
import { makeOpenAiChat } from "@outbound/adapters/llm/OpenAiChat.js"
import { tokensO200k } from "@outbound/adapters/llm/TokensO200k.js"
import * as NodeCrypto from "@outbound/adapters/platform/NodeCrypto.js"
import * as DisposableList from "@outbound/adapters/platform/DisposableList.js"
import * as HolidayCalendar from "@outbound/adapters/platform/HolidayCalendar.js"
import * as NodeIds from "@outbound/adapters/platform/NodeIds.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import * as PgStores from "@outbound/adapters/postgres/PgStores.js"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import { looking } from "@outbound/domain/control/console/Changes.js"
import { noProviders, Providers } from "@outbound/domain/sources/ports/Providers.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import * as HttpHost from "@outbound/host-http/HttpHost.js"
import { HttpServer } from "@outbound/host-http/HttpServer.js"
import { tuneHeap } from "@outbound/host-http/main/heap.js"
import * as Tracing from "@outbound/host-http/main/Tracing.js"
import { Readiness } from "@outbound/host-http/health/Readiness.js"
import * as ScriptedDocuments from "@outbound/testkit/providers/ScriptedDocuments.js"
import * as MemoryMail from "@outbound/testkit/mail/MemoryMail.js"
import * as MemoryWork from "@outbound/testkit/memory/MemoryWork.js"
import { Effect, Layer, ManagedRuntime, Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"

const [, , databaseUrl = "", upstreamUrl = ""] = process.argv

const providers = Layer.effect(
  Providers,
  Effect.map(makeOpenAiChat({ name: "bench", baseUrl: upstreamUrl, apiKey: Redacted.make("bench") }), (upstream) => {
    const target = { upstream, upstreamModel: "bench", fields: null, order: 0, weight: 1, secondsMax: null }
    const served = { tier: "mini", targets: [target], tokens: tokensO200k } as const
    const model = { model: "bench", contextLength: null, ...served } as const
    return Providers.of({ sandbox: { ...noProviders, chatModels: [model] }, live: noProviders })
  })
)

const ground = Layer.mergeAll(
  NodeIds.layer,
  HolidayCalendar.layer,
  DisposableList.layer,
  NodeCrypto.layer(Redacted.make(randomBytes(32).toString("base64url"))),
  Layer.succeed(Settings, { baseUrl: "http://127.0.0.1" }),
  MemoryMail.layer,
  ScriptedDocuments.layer,
  PgPool.layer({ url: Redacted.make(databaseUrl), applicationName: "bench" })
)
const stores = Layer.provideMerge(MemoryWork.layer, Layer.provideMerge(PgStores.layer, ground))
const base = Layer.provideMerge(providers, stores)
const host = HttpHost.layer({ host: "127.0.0.1", port: 0, metricsPort: null }).pipe(
  Layer.provide(Layer.mergeAll(Outbound.calls, Outbound.pages, looking)),
  Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
  Layer.provide(base),
  // As the program runs without a collector.
  Layer.provide(Tracing.layer(Option.none()))
)

// As the program does.
tuneHeap()
const runtime = ManagedRuntime.make(host)
const { port } = await runtime.runPromise(HttpServer)
console.log(JSON.stringify({ port }))
process.on("SIGTERM", () => void runtime.dispose().then(() => process.exit(0)))

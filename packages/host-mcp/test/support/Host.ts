import { Settings } from "@outbound/domain/Settings.js"
import { HttpServer } from "@outbound/host-http/HttpServer.js"
import { layer as httpHost } from "@outbound/host-http/HttpHost.js"
import { Readiness } from "@outbound/host-http/health/Readiness.js"
import { type Service, layerMemory } from "@outbound/testkit/service/Service.js"
import { Effect, Layer, Logger, LogLevel } from "effect"
import { surface } from "../../src/McpHost.js"

/** How long a test's leg waits for a human: no test is about the waiting itself. */
const WAIT_MILLIS = 200

/** Where a browser on this machine would find it: only its own pages, and those of this machine, may speak to it. */
const AT_HOME = { baseUrl: "http://localhost:8080" }

/** REST and the tools on one port, over the service in memory. */
export const TestHost = Layer.unwrapEffect(
  Effect.map(Effect.provideService(surface({ waitMillis: WAIT_MILLIS }), Settings, AT_HOME), (tools) =>
    httpHost({ host: "127.0.0.1", port: 0, metricsPort: null, surfaces: [tools] })
  )
).pipe(
  Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
  Layer.provideMerge(layerMemory),
  Layer.provide(Logger.minimumLogLevel(LogLevel.None))
)

export const baseUrl = Effect.map(HttpServer, ({ port }) => `http://127.0.0.1:${port}`)

export const withHost = <A, E>(test: Effect.Effect<A, E, HttpServer | Service>) => Effect.provide(test, TestHost)

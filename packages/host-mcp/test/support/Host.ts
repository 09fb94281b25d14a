import { Settings } from "@outbound/domain/kernel/Settings.js"
import { layer as httpHost } from "@outbound/host-http/HttpHost.js"
import { HttpServer } from "@outbound/host-http/HttpServer.js"
import { Readiness } from "@outbound/host-http/health/Readiness.js"
import { layerMemory } from "@outbound/testkit/service/Service.js"
import { Effect, Layer, References } from "effect"
import { type McpHostOptions, surface } from "../../src/McpHost.js"

/** How long a test's leg waits for a human: no test is about the waiting itself. */
const WAIT_MILLIS = 200

/** Where a browser on this machine would find it: only its own pages, and those of this machine, may speak to it. */
const AT_HOME = { baseUrl: "http://localhost:8080" }

/** REST and the tools on one port. */
const host = (options: McpHostOptions) =>
  Layer.unwrap(
    Effect.map(Effect.provideService(surface({ waitMillis: WAIT_MILLIS, ...options }), Settings, AT_HOME), (tools) =>
      httpHost({ host: "127.0.0.1", port: 0, metricsPort: null, surfaces: [tools] })
    )
  ).pipe(Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })))

export const baseUrl = Effect.map(HttpServer, ({ port }) => `http://127.0.0.1:${port}`)

type InMemory = Layer.Success<typeof layerMemory>

/** Runs a test on a host over the service in memory. */
export const withHost = <A, E>(test: Effect.Effect<A, E, HttpServer | InMemory>, options: McpHostOptions = {}) =>
  test.pipe(
    Effect.provide(host(options)),
    Effect.provide(layerMemory),
    Effect.provide(Layer.succeed(References.MinimumLogLevel, "None"))
  )

/** Runs a part of a test on another host of the same service. */
export const onAnotherHost = <A, E, R>(part: Effect.Effect<A, E, R>) => Effect.provide(part, Layer.fresh(host({})))

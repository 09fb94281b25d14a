import { layer as httpHost } from "@outbound/host-http/HttpHost.js"
import { HttpServer } from "@outbound/host-http/HttpServer.js"
import { Readiness } from "@outbound/host-http/health/Readiness.js"
import { layerMemory } from "@outbound/testkit/service/Service.js"
import { Effect, Layer, References } from "effect"

const host = httpHost({ host: "127.0.0.1", port: 0, metricsPort: null }).pipe(
  Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) }))
)

export const baseUrl = Effect.map(HttpServer, ({ port }) => `http://127.0.0.1:${port}`)

type InMemory = Layer.Success<typeof layerMemory>

/** Runs a test on a host over the service in memory. */
export const withHost = <A, E>(test: Effect.Effect<A, E, HttpServer | InMemory>) =>
  test.pipe(
    Effect.provide(host),
    Effect.provide(layerMemory),
    Effect.provide(Layer.succeed(References.MinimumLogLevel, "None"))
  )

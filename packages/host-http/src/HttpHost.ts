import { Calls } from "@outbound/domain/calls/Calls.js"
import { Console } from "@outbound/domain/console/Console.js"
import { Crypto } from "@outbound/domain/ports/Crypto.js"
import { Ids } from "@outbound/domain/ports/Ids.js"
import { Settings } from "@outbound/domain/Settings.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { Effect, Layer } from "effect"
import { CONSOLE_ROOT, consoleSurface } from "./console/ConsoleSurface.js"
import { healthSurface, metricsSurface } from "./health/HealthSurface.js"
import { Readiness } from "./health/Readiness.js"
import type { Limits } from "./http/Limits.js"
import { pages } from "./http/Pages.js"
import type { Surface } from "./http/Surface.js"
import { HttpServer, type ListenError, serve } from "./HttpServer.js"
import { openApiSurface } from "./openapi/OpenApiSurface.js"
import { restSurface } from "./rest/RestSurface.js"
import { seeOther } from "./web/Page.js"

export interface HttpHostOptions {
  readonly host: string
  readonly port: number
  /** Null: `/metrics` is served on the same port as everything else. */
  readonly metricsPort: number | null
  /** What else is served, such as the tool protocol. */
  readonly surfaces?: ReadonlyArray<Surface>
  readonly limits?: Partial<Limits>
}

/** Everything that this host serves: REST, the console, the reference, health, metrics, and what the program adds. */
export const layer = (
  options: HttpHostOptions
): Layer.Layer<HttpServer, ListenError, Calls | Console | Crypto | Ids | Readiness | Settings> =>
  Layer.scoped(
    HttpServer,
    Effect.gen(function* () {
      const calls = yield* Calls
      const console = yield* Console
      const crypto = yield* Crypto
      const readiness = yield* Readiness
      const { baseUrl } = yield* Settings
      return yield* serve({
        host: options.host,
        port: options.port,
        limits: options.limits ?? {},
        surfaces: ({ isStopping, metrics }) => [
          restSurface(calls, verbList),
          consoleSurface({ console, crypto, baseUrl }),
          openApiSurface(verbList, baseUrl),
          healthSurface(readiness, isStopping),
          ...(options.metricsPort === null ? [metricsSurface(metrics)] : []),
          pages("root", { "/": Effect.succeed(seeOther(CONSOLE_ROOT)) }),
          ...(options.surfaces ?? [])
        ],
        inner:
          options.metricsPort === null
            ? null
            : { port: options.metricsPort, surfaces: ({ metrics }) => [metricsSurface(metrics)] }
      })
    })
  )

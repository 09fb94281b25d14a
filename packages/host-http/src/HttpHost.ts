import { Calls } from "@outbound/domain/calls/Calls.js"
import { OAuth } from "@outbound/domain/control/oauth/OAuth.js"
import { SignUp } from "@outbound/domain/control/signUp/SignUp.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { Effect, Layer } from "effect"
import type { Registry } from "prom-client"
import { CONSOLE_ROOT, consoleSurface } from "./console/ConsoleSurface.js"
import { maybe } from "./console/pages.js"
import { DISCOVERY_LINKS, discoverySurface } from "./discovery/DiscoverySurface.js"
import { healthSurface, metricsSurface, notForwarded } from "./health/HealthSurface.js"
import { Readiness } from "./health/Readiness.js"
import type { Limits } from "./http/Limits.js"
import { pages } from "./http/Pages.js"
import type { Surface } from "./http/Exchange.js"
import { type Admits, HttpServer, type ListenError, serve } from "./HttpServer.js"
import type { Metrics } from "./metrics/Metrics.js"
import { oauthSurface } from "./oauth/OAuthSurface.js"
import { openApiSurface } from "./openapi/OpenApiSurface.js"
import { restSurface } from "./rest/RestSurface.js"
import { rpcSurface } from "./rpc/RpcSurface.js"
import { seeOther } from "./web/Page.js"

export interface HttpHostOptions {
  readonly host: string
  /** Null: it does not listen, and `/` is the embedding program's. */
  readonly port: number | null
  /** Null: `/metrics` is on the service's port. */
  readonly metricsPort: number | null
  /** Further surfaces, such as MCP. */
  readonly surfaces?: ReadonlyArray<Surface>
  readonly limits?: Partial<Limits>
  readonly trustedProxies?: ReadonlyArray<string>
  /** Whom to tell of a hole, as `security.txt` writes it. */
  readonly securityContact?: string | null
  /** Whether a request may have its path under the name that it came by. */
  readonly admits?: Admits
  /** Further metrics. */
  readonly watch?: (registry: Registry) => void
  /** How `/metrics` is written, if not from this process's registry alone. */
  readonly metricsOf?: (registry: Registry) => () => Promise<string>
}

type HostNeeds = Calls | OAuth | Readiness | Settings | Effect.Services<typeof consoleSurface>

/** All surfaces of a host: REST, RPC, console, reference, health, metrics, and further ones. */
export const layer = (options: HttpHostOptions): Layer.Layer<HttpServer, ListenError, HostNeeds> =>
  Layer.effect(
    HttpServer,
    Effect.gen(function* () {
      const calls = yield* Calls
      const console = yield* consoleSurface
      const oauth = yield* OAuth
      const readiness = yield* Readiness
      const signUp = yield* maybe(SignUp)
      const { baseUrl } = yield* Settings
      const shown = (metrics: Metrics) =>
        metricsSurface({ ...metrics, render: options.metricsOf?.(metrics.registry) ?? metrics.render })
      return yield* serve({
        host: options.host,
        port: options.port,
        limits: options.limits ?? {},
        trustedProxies: options.trustedProxies ?? [],
        ...(options.admits === undefined ? {} : { admits: options.admits }),
        surfaces: ({ isStopping, metrics, onStop }) => {
          options.watch?.(metrics.registry)
          return [
            restSurface(calls, verbList),
            rpcSurface(calls, verbList),
            console(onStop),
            oauthSurface(oauth, baseUrl),
            openApiSurface(verbList, baseUrl),
            discoverySurface({
              verbs: verbList,
              baseUrl,
              takesSignUps: signUp?.isOpen === true,
              securityContact: options.securityContact ?? null
            }),
            healthSurface(readiness, isStopping),
            ...(options.metricsPort === null ? [notForwarded(shown(metrics), baseUrl)] : []),
            ...(options.port === null
              ? []
              : [pages("root", { "/": Effect.succeed(seeOther(CONSOLE_ROOT, { link: DISCOVERY_LINKS })) })]),
            ...(options.surfaces ?? [])
          ]
        },
        inner:
          options.metricsPort === null
            ? null
            : { port: options.metricsPort, surfaces: ({ metrics }) => [shown(metrics)] }
      })
    })
  )

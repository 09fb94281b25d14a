import * as Outbound from "@outbound/domain/app/Outbound.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { surface as tools } from "@outbound/host-mcp/McpHost.js"
import { layerMemory } from "@outbound/testkit/service/Service.js"
import { Context, Effect, Layer, References } from "effect"
import { layer as httpHost } from "../../src/HttpHost.js"
import { Readiness } from "../../src/health/Readiness.js"
import { resourceMetadataUrl } from "../../src/oauth/Metadata.js"
import { signedIn } from "./OAuthBrowser.js"
import { freePort } from "@outbound/testkit/net/FreePorts.js"

/** Where a test's host really is. */
export class Base extends Context.Service<Base, string>()("@outbound/host-http/test/OAuthHost/Base") {}

/** REST, the console, OAuth and the tools over the service in memory, at an address that it knows. */
export const oauthHost = Layer.unwrap(
  Effect.map(Effect.promise(freePort), (port) => {
    const baseUrl = `http://127.0.0.1:${port}`
    const settings = Layer.succeed(Settings, { baseUrl })
    const host = Layer.unwrap(
      Effect.map(tools({ resourceMetadataUrl: resourceMetadataUrl(baseUrl), waitMillis: 200 }), (surface) =>
        httpHost({ host: "127.0.0.1", port, metricsPort: null, surfaces: [surface], trustedProxies: ["127.0.0.1"] })
      )
    )
    return host.pipe(
      // A fresh one: that of the service in memory has another address.
      Layer.provide(Layer.fresh(Outbound.oauth)),
      Layer.provide(settings),
      Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
      Layer.provideMerge(layerMemory),
      Layer.provideMerge(Layer.succeed(Base, baseUrl)),
      Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
    )
  })
)

export const withOAuth = <A, E>(test: Effect.Effect<A, E, Layer.Success<typeof oauthHost>>) =>
  Effect.provide(test, oauthHost)

/** The owner of a workspace, who signed in just now. */
export const owner = (email: string) =>
  Effect.gen(function* () {
    const console = yield* Console
    const base = yield* Base
    const token = yield* Effect.orDie(console.makeSignInLink(email))
    return yield* Effect.promise(() => signedIn(base, token))
  })

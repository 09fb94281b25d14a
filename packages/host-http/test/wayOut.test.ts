import { describe, it } from "@effect/vitest"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { linkMac } from "@outbound/domain/outreach/suppression/links.js"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { BASE_URL, layerMemory } from "@outbound/testkit/service/Service.js"
import { Effect, Layer, References } from "effect"
import { layer as httpHost } from "../src/HttpHost.js"
import { Readiness } from "../src/health/Readiness.js"
import { HttpServer } from "../src/HttpServer.js"
import { surface as unsubscribe } from "../src/unsubscribe/UnsubscribeSurface.js"
import { wayOutStory } from "./support/wayOut.js"

const host = Layer.unwrap(
  Effect.map(unsubscribe, (wayOut) => httpHost({ host: "127.0.0.1", port: 0, metricsPort: null, surfaces: [wayOut] }))
).pipe(
  Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
  Layer.provideMerge(layerMemory),
  Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
)

describe("the way out, over HTTP", () => {
  it.live("opening a link changes nothing, and each button reaches the owner, once", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpServer
      const { apiKey, ownerEmail, workspaceId } = yield* makeClient({ scopes: ["data:read", "campaign:write"] })
      const crypto = yield* Crypto
      const console = yield* Console
      const token = yield* Effect.orDie(console.makeSignInLink(ownerEmail))
      yield* Effect.promise(() =>
        wayOutStory({
          base: `http://127.0.0.1:${port}`,
          origin: BASE_URL,
          workspaceId,
          apiKey,
          macOf: (lead) => linkMac(crypto, workspaceId, lead),
          signInPath: () => Promise.resolve(`/console/sign-in?token=${token}`)
        })
      )
    }).pipe(Effect.provide(host))
  )
})

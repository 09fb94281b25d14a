import { Console } from "@outbound/domain/control/console/Console.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { layerMemory } from "@outbound/testkit/service/Service.js"
import { Effect, Layer, Option, References } from "effect"
import { csrfToken } from "../../src/console/Session.js"
import { Readiness } from "../../src/health/Readiness.js"
import { layer as httpHost } from "../../src/HttpHost.js"
import { HttpServer } from "../../src/HttpServer.js"

/** A host over the whole service in memory. */
export const ServiceHost = httpHost({ host: "127.0.0.1", port: 0, metricsPort: null }).pipe(
  Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
  Layer.provideMerge(layerMemory),
  Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
)

/** A signed-in member, who sends forms as a browser does. */
export const signedIn = (email: string) =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    const console = yield* Console
    const crypto = yield* Crypto
    const link = yield* Effect.orDie(console.makeSignInLink(email))
    const { secret, signedIn: by } = Option.getOrThrow(yield* console.signIn(link))
    const headers = { cookie: `__Host-outbound_session=${secret}`, origin: "https://outbound.test" }
    const csrf = csrfToken(crypto, secret)
    const url = `http://127.0.0.1:${port}`
    const answered = (response: Promise<Response>) =>
      Effect.promise(async () => {
        const got = await response
        return { status: got.status, location: got.headers.get("location") ?? "", text: await got.text() }
      })
    return {
      by,
      get: (path: string) => answered(fetch(url + path, { headers, redirect: "manual" })),
      post: (path: string, fields: Readonly<Record<string, string | ReadonlyArray<string>>>) =>
        answered(
          fetch(url + path, {
            method: "POST",
            headers,
            body: new URLSearchParams([
              ["csrf", csrf],
              ...Object.entries(fields).flatMap(([name, value]) =>
                (typeof value === "string" ? [value] : value).map((one) => [name, one])
              )
            ]),
            redirect: "manual"
          })
        )
    }
  })

/** The value of a hidden field, as a browser reads it. */
export const hiddenIn = (html: string, name: string): string =>
  (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")

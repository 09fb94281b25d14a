import * as Outbound from "@outbound/domain/Outbound.js"
import { Console } from "@outbound/domain/console/Console.js"
import { Settings } from "@outbound/domain/Settings.js"
import { surface as tools } from "@outbound/host-mcp/McpHost.js"
import { layerMemory } from "@outbound/testkit/service/Service.js"
import { Context, Effect, Layer, Logger, LogLevel } from "effect"
import { layer as httpHost } from "../../src/HttpHost.js"
import { Readiness } from "../../src/health/Readiness.js"
import { resourceMetadataUrl } from "../../src/oauth/Metadata.js"
import { freePort } from "../../system/support/Program.js"

/** Where a test's host really is. */
export class Base extends Context.Tag("@outbound/host-http/test/OAuthHost/Base")<Base, string>() {}

/** REST, the console, OAuth and the tools over the service in memory, at an address that it knows. */
export const oauthHost = Layer.unwrapEffect(
  Effect.map(Effect.promise(freePort), (port) => {
    const baseUrl = `http://127.0.0.1:${port}`
    const settings = Layer.succeed(Settings, { baseUrl })
    const host = Layer.unwrapEffect(
      Effect.map(tools({ resourceMetadataUrl: resourceMetadataUrl(baseUrl), waitMillis: 200 }), (surface) =>
        httpHost({ host: "127.0.0.1", port, metricsPort: null, surfaces: [surface] })
      )
    )
    return host.pipe(
      // A fresh one: that of the service in memory has another address.
      Layer.provide(Layer.fresh(Outbound.oauth)),
      Layer.provide(settings),
      Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
      Layer.provideMerge(layerMemory),
      Layer.provideMerge(Layer.succeed(Base, baseUrl)),
      Layer.provide(Logger.minimumLogLevel(LogLevel.None))
    )
  })
)

export const withOAuth = <A, E>(test: Effect.Effect<A, E, Layer.Layer.Success<typeof oauthHost>>) =>
  Effect.provide(test, oauthHost)

interface Got {
  readonly status: number
  readonly location: string | null
  readonly html: string
}

const attribute = (tag: string, name: string): string =>
  (new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "").replaceAll("&amp;", "&")

/** What a browser sends of a form that nobody touched: what is hidden, typed and ticked. */
const fieldsOf = (html: string, action: string): URLSearchParams => {
  const form = [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].find(
    ([, head = ""]) => attribute(head, "action") === action
  )
  const fields = new URLSearchParams()
  for (const [tag] of (form?.[2] ?? "").matchAll(/<input\b[^>]*>/g)) {
    const isTicked = !tag.includes('type="checkbox"') || /\bchecked\b/.test(tag)
    if (isTicked) fields.append(attribute(tag, "name"), attribute(tag, "value"))
  }
  return fields
}

/** The owner of a workspace in a browser without scripts, who signed in just now. */
export const owner = (email: string) =>
  Effect.gen(function* () {
    const console = yield* Console
    const base = yield* Base
    const token = yield* Effect.orDie(console.makeSignInLink(email))
    let cookie = ""
    const go = async (url: string, form?: URLSearchParams): Promise<Got> => {
      const response = await fetch(new URL(url, base), {
        redirect: "manual",
        headers: { cookie, ...(form === undefined ? {} : { origin: base }) },
        ...(form === undefined ? {} : { method: "POST", body: form })
      })
      cookie =
        response.headers
          .getSetCookie()
          .find((line) => line.startsWith("outbound_session="))
          ?.split(";")[0] ?? cookie
      return { status: response.status, location: response.headers.get("location"), html: await response.text() }
    }
    const signIn = async (): Promise<void> => {
      const { html } = await go(`/console/sign-in?token=${token}`)
      await go("/console/sign-in", fieldsOf(html, "/console/sign-in"))
    }
    /** Opens what a client asks for, and presses a button; the address at which the client is answered. */
    const decide = async (asked: URL, decision: "allow" | "deny"): Promise<string> => {
      const { location } = await go(asked.href)
      if (location === null) throw new Error("the request led nowhere")
      const { html } = await go(location)
      const action = decision === "allow" ? location : `${location}/deny`
      const done = await go(action, fieldsOf(html, action))
      if (done.location === null) throw new Error(`not decided: ${done.status} ${done.html}`)
      return done.location
    }
    yield* Effect.promise(signIn)
    return { go, decide }
  })

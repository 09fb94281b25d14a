import { refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { hostOf } from "@outbound/domain/kernel/people/Domain.js"
import { isLoopbackHost, Settings } from "@outbound/domain/kernel/Settings.js"
import { LinkHosts } from "@outbound/domain/wings/linkHosts/LinkHosts.js"
import { Effect } from "effect"
import { isIP } from "node:net"
import { notForwarded } from "../../health/HealthSurface.js"
import type { Exchange, Surface } from "../../http/Exchange.js"
import { text } from "../../http/Pages.js"
import { failure } from "../../http/Reply.js"
import { ICON_PATH } from "../../web/Page.js"
import { STYLE_PATH } from "../../web/Style.js"
import type { WingSurfaces } from "../WingSurfaces.js"
import { makeKnownHosts } from "./KnownHosts.js"

/** Asked by a proxy before it gets a certificate for a name. */
export const ASK_PATH = "/link-hosts/ask"

/** The longest name that there is. */
const HOST_CHARS_MAX = 253

/** The name that a request came by; null: an address, or no name that links could lead to. */
const nameOf = (exchange: Exchange): string | null => {
  const given = (exchange.header("host") ?? "")
    .toLowerCase()
    .replace(/:\d{1,5}$/, "")
    .replace(/\.$/, "")
  if (given.length > HOST_CHARS_MAX || !given.includes(".") || isIP(given) !== 0 || given.startsWith("[")) return null
  return isLoopbackHost(given) ? null : hostOf(given)
}

/** What a link host has: links, and what their pages are drawn with. */
const isOfLinks = (path: string): boolean => path.startsWith("/u/") || path === STYLE_PATH || path === ICON_PATH

/** Confirms to a check that this service answers under the name that was asked. */
const confirming = (hosts: LinkHosts["Service"]): Surface => ({
  name: "link check",
  owns: (path) => path.startsWith("/u/check/"),
  handle: (exchange) => {
    exchange.label = "link-check"
    const host = nameOf(exchange)
    const body = host === null ? null : hosts.answer(host, exchange.path)
    if (body === null || (exchange.method !== "GET" && exchange.method !== "HEAD")) {
      return exchange.send(failure(refuse("not_found", {}, "Path not found."), exchange.requestId))
    }
    exchange.send(text(200, body))
  }
})

/**
 * `?domain=<name>`: 200 if links lead to the name, otherwise 404. Proxies that get certificates on demand ask it, from beside
 * the service: what a proxy passes on of others is not answered.
 */
const asking = (known: Effect.Success<ReturnType<typeof makeKnownHosts>>, baseUrl: string): Surface =>
  notForwarded(
    {
      name: "link hosts",
      owns: (path) => path === ASK_PATH,
      handle: (exchange) => {
        exchange.label = "link-hosts-ask"
        const given = new URLSearchParams(exchange.search).get("domain") ?? ""
        const host = given.length > HOST_CHARS_MAX ? null : hostOf(given)
        const isName = host !== null && host === given.toLowerCase()
        const answered = (isName ? known.ask(host) : Effect.succeed(false)).pipe(
          Effect.map((isKnown) => (isKnown ? text(200, "yes\n") : text(404, "no\n"))),
          Effect.catch((error) =>
            Effect.as(Effect.logError("link hosts: the database is unavailable", error), text(503, "not known now\n"))
          )
        )
        exchange.run(answered)
      }
    },
    baseUrl
  )

const makeKnown = Effect.flatMap(LinkHosts, ({ isKnown }) => makeKnownHosts(isKnown))

export const linkHostSurfaces = {
  surfaces: Effect.map(Effect.all([LinkHosts, makeKnown, Settings]), ([hosts, known, { baseUrl }]) => [
    confirming(hosts),
    asking(known, baseUrl)
  ]),
  /** Under a name that links lead to there is nothing else: no console, no calls. The service's own name has everything. */
  admits: Effect.gen(function* () {
    const known = yield* makeKnown
    const { baseUrl } = yield* Settings
    const own = new URL(baseUrl).hostname
    const run = Effect.runPromiseWith(yield* Effect.context<never>())
    return (exchange: Exchange) => {
      if (isOfLinks(exchange.path)) return true
      const name = nameOf(exchange)
      if (name === null || name === own) return true
      const remembered = known.recall(name)
      return remembered === null ? run(Effect.map(known.ask(name), (isKnown) => !isKnown)) : !remembered
    }
  })
} satisfies WingSurfaces<LinkHosts | Settings>

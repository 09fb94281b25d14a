import { refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { isLoopbackHost } from "@outbound/domain/kernel/Settings.js"
import { Effect } from "effect"
import { pages, text } from "../http/Pages.js"
import type { Surface } from "../http/Exchange.js"
import { failure } from "../http/Reply.js"
import type { Metrics } from "../metrics/Metrics.js"
import type { Readiness } from "./Readiness.js"

/** A longer check counts as not ready. */
const READY_SECONDS_MAX = 5

/** `/healthz`: the process is alive. `/readyz`: it can serve; 503 if it can't or is stopping. */
export const healthSurface = (readiness: Readiness["Service"], isStopping: () => boolean): Surface => {
  const ready = readiness.ready.pipe(
    Effect.timeoutOrElse({ duration: `${READY_SECONDS_MAX} seconds`, orElse: () => Effect.succeed(false) }),
    Effect.map((isReady) => (isReady && !isStopping() ? text(200, "ready\n") : text(503, "not ready\n")))
  )
  return pages("health", { "/healthz": Effect.succeed(text(200, "alive\n")), "/readyz": ready })
}

export const metricsSurface = (metrics: Metrics): Surface =>
  pages("metrics", {
    "/metrics": Effect.map(Effect.promise(metrics.render), (body) => text(200, body, metrics.contentType))
  })

/** A proxy adds one of these, and a client can't take it away. */
const FORWARDED = [
  "x-forwarded-for",
  "forwarded",
  "via",
  "x-real-ip",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "x-client-ip",
  "true-client-ip",
  "cf-connecting-ip",
  "fastly-client-ip",
  "x-azure-clientip",
  "x-amzn-trace-id",
  "x-envoy-external-address"
]

/**
 * The surface for who reaches the host itself. To what a proxy passes on, its paths are unknown: proxies face the public.
 * Some add no header, but leave the name that was asked for: that of the base URL, unless it is this machine's own.
 */
export const notForwarded = (surface: Surface, baseUrl: string): Surface => {
  const { host, hostname } = new URL(baseUrl)
  const publicHost = isLoopbackHost(hostname) ? null : host
  return {
    ...surface,
    handle: (exchange) =>
      exchange.header("host")?.toLowerCase() === publicHost ||
      FORWARDED.some((name) => exchange.header(name) !== undefined)
        ? exchange.send(failure(refuse("not_found", {}, "Path not found."), exchange.requestId))
        : surface.handle(exchange)
  }
}

import { refuse } from "@outbound/domain/kernel/errors/Wire.js"
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
const FORWARDED = ["x-forwarded-for", "forwarded", "via"]

/** The surface for who reaches the host itself. To what a proxy passes on, its paths are unknown: proxies face the public. */
export const notForwarded = (surface: Surface): Surface => ({
  ...surface,
  handle: (exchange) =>
    FORWARDED.some((name) => exchange.header(name) !== undefined)
      ? exchange.send(failure(refuse("not_found", {}, "Path not found."), exchange.requestId))
      : surface.handle(exchange)
})

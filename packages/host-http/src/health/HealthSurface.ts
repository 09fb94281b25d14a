import { type Context, Effect } from "effect"
import { pages, text } from "../http/Pages.js"
import type { Surface } from "../http/Surface.js"
import type { Metrics } from "../metrics/Metrics.js"
import type { Readiness } from "./Readiness.js"

/** A check that takes longer says no. */
const READY_SECONDS_MAX = 5

/** `/healthz`: the process is alive. `/readyz`: it can serve; 503 where it cannot, and once it is stopping. */
export const healthSurface = (readiness: Context.Tag.Service<typeof Readiness>, isStopping: () => boolean): Surface => {
  // Disconnected: the check itself is left to end, since an interrupted statement may hit its connection's next user.
  const ready = Effect.disconnect(readiness.ready).pipe(
    Effect.timeoutTo({
      duration: `${READY_SECONDS_MAX} seconds`,
      onSuccess: (isReady) => isReady,
      onTimeout: () => false
    }),
    Effect.map((isReady) => (isReady && !isStopping() ? text(200, "ready\n") : text(503, "not ready\n")))
  )
  return pages("health", { "/healthz": Effect.succeed(text(200, "alive\n")), "/readyz": ready })
}

export const metricsSurface = (metrics: Metrics): Surface =>
  pages("metrics", {
    "/metrics": Effect.map(Effect.promise(metrics.render), (body) => text(200, body, metrics.contentType))
  })

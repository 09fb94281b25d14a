import type { IntentSource } from "@outbound/domain/sources/ports/IntentSource.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect } from "effect"
import { intentOf, magicIntentOf } from "../world/Intent.js"
import { world } from "../world/World.js"

/** Of an unavailable company a source says that it can't look at it, today or another day. */
const source = (declared: Omit<IntentSource, "check">): IntentSource => ({
  ...declared,
  check: (query) =>
    magicIntentOf(query.companyDomain)?.outcome === "unavailable"
      ? Effect.fail(new ProviderFailure({ provider: declared.name, reason: "invalid" }))
      : Effect.map(Clock.currentTimeMillis, (now) => intentOf(world(), query, now))
})

/** Job boards. */
export const sandboxJobs: IntentSource = source({
  name: "sandbox_jobs",
  costMicros: 5_000,
  missRate: 0.4,
  latencyMillis: 50,
  signals: ["hiring"]
})

/** What companies announce, and who joins them. */
export const sandboxWatch: IntentSource = source({
  name: "sandbox_watch",
  costMicros: 20_000,
  missRate: 0.5,
  latencyMillis: 80,
  signals: ["funding", "news", "job_change", "technology"]
})

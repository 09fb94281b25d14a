import { Effect } from "effect"
import { DAY_MILLIS } from "../../kernel/durations.js"
import type { Measure } from "../../outreach/health/Measurements.js"
import type { Wing } from "../Wing.js"
import { COUNTED_MILLIS, measuredBy } from "./Canary.js"
import * as CanaryAdmin from "./CanaryAdmin.js"
import { CanaryStore } from "./CanaryStore.js"
import { makeCanaryHandler, makeForgetCanaries, makeLostCanaries } from "./canaryJob.js"

/** What the canaries of the last days say. One that was planned a day before may be found within them. */
const makeMeasure = Effect.map(
  CanaryStore,
  (store): Measure =>
    (workspaceId, nowMillis) =>
      Effect.map(store.since(workspaceId, nowMillis - COUNTED_MILLIS - 3 * DAY_MILLIS), (canaries) =>
        measuredBy(canaries, nowMillis)
      )
)

/** Own mailboxes write to each other, to see where mail arrives. */
export const canaryWing = {
  name: "canary",
  jobs: { canary: makeCanaryHandler },
  lost: [makeLostCanaries],
  sweeps: { canaries: makeForgetCanaries },
  hears: [],
  measures: [makeMeasure],
  services: CanaryAdmin.layer
} satisfies Wing

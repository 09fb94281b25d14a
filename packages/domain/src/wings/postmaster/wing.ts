import { Effect } from "effect"
import type { Measure } from "../../outreach/health/Measurements.js"
import type { Wing } from "../Wing.js"
import { measuredBy } from "./Postmaster.js"
import * as PostmasterAdmin from "./PostmasterAdmin.js"
import { makeLostPostmasters, makePostmasterHandler } from "./postmasterJob.js"
import { PostmasterStore } from "./PostmasterStore.js"

const makeMeasure = Effect.map(
  PostmasterStore,
  (store): Measure =>
    (workspaceId, nowMillis) =>
      Effect.map(store.readings(workspaceId), (readings) => measuredBy(readings, nowMillis))
)

/** What Google's Postmaster Tools say of a workspace's domains. */
export const postmasterWing = {
  name: "postmaster",
  jobs: { postmaster: makePostmasterHandler },
  lost: [makeLostPostmasters],
  sweeps: {},
  hears: [],
  measures: [makeMeasure],
  services: PostmasterAdmin.layer
} satisfies Wing

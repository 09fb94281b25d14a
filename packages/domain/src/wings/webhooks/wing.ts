import type { Wing } from "../Wing.js"
import { makeDelivering, makeDeliveryPurge } from "./Deliveries.js"
import * as Webhooks from "./Webhooks.js"

/** Programs of a workspace's are told what its trail records. */
export const webhooksWing = {
  name: "webhooks",
  jobs: {},
  lost: [],
  sweeps: { webhooks: makeDeliveryPurge },
  rounds: [makeDelivering],
  hears: [],
  services: Webhooks.layer
} satisfies Wing

import type { Wing } from "../Wing.js"
import * as Payments from "./Payments.js"

/** Owners buy credits for money. */
export const paymentsWing = {
  name: "payments",
  jobs: {},
  lost: [],
  sweeps: {},
  rounds: [Payments.makeAsking],
  hears: [],
  services: Payments.layer
} satisfies Wing

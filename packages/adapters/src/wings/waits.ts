import type { Wait } from "../postgres/Wait.js"
import { canaryStamps, canaryWaits } from "./canary/waits.js"
import { crmStamps, crmWaits } from "./crm/waits.js"
import { linkHostStamps, linkHostWaits } from "./linkHosts/waits.js"
import { paymentWaits } from "./payments/waits.js"
import { postmasterStamps, postmasterWaits } from "./postmaster/waits.js"

/** The times of every wing that a clock set back moves, a line each. */
export const WING_WAITS: ReadonlyArray<Wait> = [
  ...canaryWaits,
  ...crmWaits,
  ...linkHostWaits,
  ...paymentWaits,
  ...postmasterWaits
]
export const WING_STAMPS: ReadonlyArray<Wait> = [...canaryStamps, ...crmStamps, ...linkHostStamps, ...postmasterStamps]

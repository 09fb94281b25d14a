import { furnishCanary } from "./canary/furnishCanary.js"
import { furnishCrm } from "./crm/furnishCrm.js"
import { furnishLinkHosts } from "./linkHosts/furnishLinkHosts.js"
import { furnishPayments } from "./payments/furnishPayments.js"
import { furnishPostmaster } from "./postmaster/furnishPostmaster.js"
import { furnishWebhooks } from "./webhooks/furnishWebhooks.js"
import { nothing } from "./Furnish.js"

/** What every wing lays before the console, each in a way of its own. */
export const WINGS_FURNISHED = [
  nothing,
  furnishCanary,
  furnishCrm,
  furnishLinkHosts,
  furnishPayments,
  furnishPostmaster,
  furnishWebhooks
] as const

import { furnishCrm } from "./crm/furnishCrm.js"
import { nothing } from "./Furnish.js"

/** What every wing lays before the console, each in a way of its own. */
export const WINGS_FURNISHED = [nothing, furnishCrm] as const

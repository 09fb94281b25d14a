import { DAY_MILLIS } from "../../kernel/durations.js"
import type { KeptOut } from "./SuppressionStore.js"

/** Nothing is sent while the CRM was last read longer ago than this: whom it keeps out is not known any more. */
export const CRM_STALE_MILLIS = DAY_MILLIS

/** How a person or a company stands in a CRM. */
export const CRM_STANDINGS = ["customer", "open_deal", "owned"] as const
export type CrmStanding = (typeof CRM_STANDINGS)[number]

/** The reason that a mark gives, the first of several. */
export const KEPT_OUT_OF: Readonly<Record<CrmStanding, KeptOut>> = {
  customer: "crm_customer",
  open_deal: "crm_open_deal",
  owned: "crm_owned"
}

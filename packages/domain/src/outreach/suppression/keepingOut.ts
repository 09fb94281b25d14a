import { DAY_MILLIS } from "../../kernel/durations.js"
import type { KeptOut } from "./SuppressionStore.js"

/** Nothing is sent while the CRM was last read longer ago than this: whom it keeps out is not known any more. */
export const CRM_STALE_MILLIS = DAY_MILLIS

/** How a person or a company stands in a CRM. */
export const CRM_STANDINGS = ["customer", "open_deal", "owned"] as const
export type CrmStanding = (typeof CRM_STANDINGS)[number]

/** The reason that a mark gives, the first of several. */
const KEPT_OUT_OF: Readonly<Record<CrmStanding, KeptOut>> = {
  customer: "crm_customer",
  open_deal: "crm_open_deal",
  owned: "crm_owned"
}

/** Why somebody is kept out who stands so in the CRM: the first counts. Null: they aren't. */
export const keptOutBy = (standings: ReadonlyArray<CrmStanding>): KeptOut | null => {
  const first = CRM_STANDINGS.find((standing) => standings.includes(standing))
  return first === undefined ? null : KEPT_OUT_OF[first]
}

/** Whether a CRM that keeps people out was read too long ago to say whom. Null: it was never read. */
export const isReadTooLongAgo = (readAtMillis: number | null, nowMillis: number): boolean =>
  readAtMillis === null || readAtMillis <= nowMillis - CRM_STALE_MILLIS

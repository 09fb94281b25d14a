import { DAY_MILLIS } from "../../kernel/durations.js"
import type { KeptOut } from "./SuppressionStore.js"

/** Nothing is sent while the CRM was last read longer ago than this: whom it keeps out is not known any more. */
export const CRM_STALE_MILLIS = DAY_MILLIS

/** How a person or a company stands in a CRM. */
const DEALINGS = ["customer", "open_deal", "owned"] as const

/** The same, and what its own fields say against mail to a person. Nobody can choose that these don't count. */
export const CRM_STANDINGS = ["opted_out", "bounced", ...DEALINGS] as const
export type CrmStanding = (typeof CRM_STANDINGS)[number]

/** The reason that a mark gives, the first of several. */
const KEPT_OUT_OF: Readonly<Record<CrmStanding, KeptOut>> = {
  opted_out: "crm_opted_out",
  bounced: "crm_bounced",
  customer: "crm_customer",
  open_deal: "crm_open_deal",
  owned: "crm_owned"
}

const firstOf = (standings: ReadonlyArray<CrmStanding>, among: ReadonlyArray<CrmStanding>): KeptOut | null => {
  const first = among.find((standing) => standings.includes(standing))
  return first === undefined ? null : KEPT_OUT_OF[first]
}

/** Why somebody is kept out who stands so in the CRM: the first counts. Null: they aren't. */
export const keptOutBy = (standings: ReadonlyArray<CrmStanding>): KeptOut | null => firstOf(standings, CRM_STANDINGS)

/** What there is between them and the workspace, whether or not they want mail: the first counts. */
export const dealingOf = (standings: ReadonlyArray<CrmStanding>): KeptOut | null => firstOf(standings, DEALINGS)

/** Whether a CRM was read too long ago to say whom. Null: it was never read. */
export const isReadTooLongAgo = (readAtMillis: number | null, nowMillis: number): boolean =>
  readAtMillis === null || readAtMillis <= nowMillis - CRM_STALE_MILLIS

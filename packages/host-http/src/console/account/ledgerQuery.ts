import { LEDGER_KINDS } from "@outbound/domain/calls/credits/CreditStore.js"
import type { LedgerAfter, LedgerFilter, LedgerLine } from "@outbound/domain/control/console/ConsoleReads.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** A day (UTC) in an address, as the midnight that began it; null where it is none. */
export const dayOf = (typed: string | null): number | null => {
  const millis = typed !== null && DATE.test(typed) ? Date.parse(typed) : Number.NaN
  return Number.isNaN(millis) ? null : millis
}

/** A day in an address. */
export const dayText = (dayMillis: number): string => new Date(dayMillis).toISOString().slice(0, 10)

/** Which entries the page's address asks for. What is no filter is ignored. */
export interface LedgerQuery extends LedgerFilter {
  readonly params: URLSearchParams
}

const uuidOf = (typed: string | null): string | null => (typed !== null && isUuid(typed) ? typed.toLowerCase() : null)

const VERB = /^[a-z_]{1,40}$/

export const ledgerQueryOf = (given: URLSearchParams): LedgerQuery => {
  const verb = given.get("verb")
  const filter: LedgerFilter = {
    dayMillis: dayOf(given.get("day")),
    keyId: uuidOf(given.get("key")),
    verb: verb !== null && VERB.test(verb) ? verb : null,
    requestId: uuidOf(given.get("request")),
    campaignId: uuidOf(given.get("campaign"))
  }
  return { ...filter, params: paramsOf(filter) }
}

export const paramsOf = (filter: Partial<LedgerFilter>): URLSearchParams => {
  const { campaignId, dayMillis, keyId, requestId, verb } = filter
  const params = new URLSearchParams()
  if (typeof dayMillis === "number") params.set("day", dayText(dayMillis))
  if (typeof keyId === "string") params.set("key", keyId)
  if (typeof verb === "string") params.set("verb", verb)
  if (typeof requestId === "string") params.set("request", requestId)
  if (typeof campaignId === "string") params.set("campaign", campaignId)
  return params
}

export const isFiltered = ({ params }: LedgerQuery): boolean => params.size > 0

/** Where the entries that match are shown. */
export const ledgerPath = (filter: Partial<LedgerFilter>): string => `/console/credits?${paramsOf(filter)}#ledger`

export const cursorOf = ({ entryId, kind }: LedgerLine): string => `${entryId}.${kind}`

export const entryOf = (text: string | null): LedgerAfter | null => {
  const [entryId = "", given] = (text ?? "").split(".")
  const kind = LEDGER_KINDS.find((one) => one === given)
  return isUuid(entryId) && kind !== undefined ? { entryId: entryId.toLowerCase(), kind } : null
}

import { type Credits, fromMicros, plus, times, wholeUnits } from "../../kernel/money/Credits.js"
import { PREMIUM_LEAD_PRICE, FIND_LEADS_PRICE } from "../../verbs/prices.js"

/** The bounds of a premium step with consent `within_budget`. */
export interface PremiumBounds {
  readonly limit: number
  /** For the whole call. */
  readonly ceiling: Credits
  /** For the step, from the key. */
  readonly allowance: Credits
}

const STANDARD_MICROS = Number(FIND_LEADS_PRICE)
const PREMIUM_MICROS = Number(PREMIUM_LEAD_PRICE)

/** Uses plain numbers because plans are made under locks: no ceiling exceeds `BUDGET_CREDITS_MAX`. */
const roomAfter = ({ allowance, ceiling, limit }: PremiumBounds): ((found: number) => number) => {
  const micros = Number(ceiling)
  const allowed = wholeUnits(allowance, PREMIUM_LEAD_PRICE)
  return (found) => {
    const affordable = Math.floor((micros - found * STANDARD_MICROS) / PREMIUM_MICROS)
    return Math.max(0, Math.min(limit - found, affordable, allowed))
  }
}

/** The most premium results after this many standard ones. */
export const premiumRoom = (bounds: PremiumBounds, found: number): number => roomAfter(bounds)(found)

/** The price of this many results of each kind. */
export const leadsCharge = (found: number, added: number): Credits =>
  plus(times(FIND_LEADS_PRICE, found), times(PREMIUM_LEAD_PRICE, added))

/** The maximum charge of the call, whatever its standard sources find. */
export const maximumWithin = (bounds: PremiumBounds): Credits => {
  const room = roomAfter(bounds)
  let most = 0
  for (let found = 0; found <= bounds.limit; found++) {
    most = Math.max(most, found * STANDARD_MICROS + room(found) * PREMIUM_MICROS)
  }
  return fromMicros(BigInt(most))
}

import { type Credits, fromMicros, plus, times, wholeUnits } from "../../kernel/money/Credits.js"
import { PREMIUM_LEAD_PRICE, FIND_LEADS_PRICE } from "../../verbs/prices.js"

/** What bounds the premium step of a call that consented to it by `within_budget`. */
export interface PremiumBounds {
  readonly limit: number
  /** Of the whole call. */
  readonly ceiling: Credits
  /** Of the step, as the key has it. */
  readonly allowance: Credits
}

const STANDARD_MICROS = Number(FIND_LEADS_PRICE)
const PREMIUM_MICROS = Number(PREMIUM_LEAD_PRICE)

/** Plans are made while others wait: whole numbers do, since no ceiling is above `BUDGET_CREDITS_MAX`. */
const roomAfter = ({ allowance, ceiling, limit }: PremiumBounds): ((found: number) => number) => {
  const micros = Number(ceiling)
  const allowed = wholeUnits(allowance, PREMIUM_LEAD_PRICE)
  return (found) => {
    const affordable = Math.floor((micros - found * STANDARD_MICROS) / PREMIUM_MICROS)
    return Math.max(0, Math.min(limit - found, affordable, allowed))
  }
}

/** How many premium results may follow so many standard ones. */
export const premiumRoom = (bounds: PremiumBounds, found: number): number => roomAfter(bounds)(found)

/** What so many results of each kind cost. */
export const leadsCharge = (found: number, added: number): Credits =>
  plus(times(FIND_LEADS_PRICE, found), times(PREMIUM_LEAD_PRICE, added))

/** The most that the call can come to, whatever its standard sources find. */
export const maximumWithin = (bounds: PremiumBounds): Credits => {
  const room = roomAfter(bounds)
  let most = 0
  for (let found = 0; found <= bounds.limit; found++) {
    most = Math.max(most, found * STANDARD_MICROS + room(found) * PREMIUM_MICROS)
  }
  return fromMicros(BigInt(most))
}

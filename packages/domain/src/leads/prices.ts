import { type Credits, credits, minusOrZero, plus, times, wholeUnits, zero } from "../money/Credits.js"

/** Of a lead that a standard source found (interface.md §8.2). */
export const FIND_LEADS_PRICE = credits("0.2")

/** Of one that a premium source added (completions.md §3). */
export const PREMIUM_LEAD_PRICE = credits("1")

/** What bounds the premium step of a call that consented to it by `within_budget`. */
export interface PremiumBounds {
  readonly limit: number
  /** Of the whole call. */
  readonly ceiling: Credits
  /** Of the step, as the key has it. */
  readonly allowance: Credits
}

/** How many premium results may follow so many standard ones. */
export const premiumRoom = ({ allowance, ceiling, limit }: PremiumBounds, found: number): number => {
  const left = minusOrZero(ceiling, times(FIND_LEADS_PRICE, found))
  return Math.max(
    0,
    Math.min(limit - found, wholeUnits(left, PREMIUM_LEAD_PRICE), wholeUnits(allowance, PREMIUM_LEAD_PRICE))
  )
}

/** What so many results of each kind cost. */
export const leadsCharge = (found: number, added: number): Credits =>
  plus(times(FIND_LEADS_PRICE, found), times(PREMIUM_LEAD_PRICE, added))

/** The most that the call can come to, whatever its standard sources find. */
export const maximumWithin = (bounds: PremiumBounds): Credits => {
  let most = zero
  for (let found = 0; found <= bounds.limit; found++) {
    const charge = leadsCharge(found, premiumRoom(bounds, found))
    if (charge > most) most = charge
  }
  return most
}

import type { ListedAttention } from "./AttentionStore.js"
import { foundBy } from "./plan.js"

/** How one approver looked at messages, over several requests. */
export interface Rate {
  readonly email: string
  readonly requests: number
  /** Real messages that they looked at, and those that they said were wrong. */
  readonly looked: number
  readonly wrong: number
  readonly planted: number
  readonly caught: number
}

/** Of each approver, by their address. */
export const ratesOf = (all: ReadonlyArray<ListedAttention>): ReadonlyArray<Rate> => {
  const rates = new Map<string, Rate>()
  for (const { email, looks, plan } of all) {
    const found = foundBy(plan, looks)
    const before = rates.get(email) ?? { email, requests: 0, looked: 0, wrong: 0, planted: 0, caught: 0 }
    rates.set(email, {
      email,
      requests: before.requests + 1,
      looked: before.looked + found.real.looked,
      wrong: before.wrong + found.real.wrong,
      planted: before.planted + found.planted.looked,
      caught: before.caught + found.planted.caught
    })
  }
  return [...rates.values()].sort((a, b) => (a.email < b.email ? -1 : 1))
}

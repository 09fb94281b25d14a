import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import type { Company } from "./Companies.js"
import { hash, share } from "./Hash.js"

/** What is known of the money that investors have put into a company. */
export interface Funding {
  readonly totalUsd: number
  /** The last round: YYYY-MM-DD. */
  readonly lastRoundDate: string
  readonly lastRoundUsd: number
}

const What = { funded: 0xa1, amount: 0xa2, share: 0xa3, date: 0xa4 } as const

const FUNDED_SHARE = 0.22
const FOUNDED_SINCE = 1998
const ROUNDS_UNTIL = Date.UTC(2026, 0, 1)

const rounded = (amount: number): number => Math.max(100_000, Math.round(amount / 100_000) * 100_000)

/** Of the younger companies about one in five has investors; null for the others. Fixed by the seed. */
export const fundingOf = (seed: number, company: Company): Funding | null => {
  const { foundedYear, headcount, index } = company
  if (foundedYear < FOUNDED_SINCE || share(hash(seed, What.funded, index)) >= FUNDED_SHARE) return null
  const lastRoundUsd = rounded(headcount * 20_000 * (0.5 + 4 * share(hash(seed, What.amount, index))))
  const earlier = share(hash(seed, What.share, index)) * 1.5
  const since = Date.UTC(foundedYear, 6, 1)
  const drawn = Math.sqrt(share(hash(seed, What.date, index)))
  const at = since + Math.floor((drawn * (ROUNDS_UNTIL - since)) / DAY_MILLIS) * DAY_MILLIS
  return {
    totalUsd: rounded(lastRoundUsd * (1 + earlier)),
    lastRoundDate: new Date(at).toISOString().slice(0, 10),
    lastRoundUsd
  }
}

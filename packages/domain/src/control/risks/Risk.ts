import type { Overlap } from "../../kernel/workspaces/WorkspaceStore.js"
import type { Credits } from "../../kernel/money/Credits.js"
import type { ApprovalSnapshot } from "../../calls/approvals/Snapshot.js"
import type { AttentionStanding } from "../attention/Attention.js"
import type { CampaignForecast } from "../Forecasts.js"

/** What a request's risks are read from. All of it is on its page too. */
export interface RiskFacts {
  readonly snapshot: ApprovalSnapshot
  /** What a launch would do; `unavailable`: it can't be told just now; null: not asked. */
  readonly forecast: CampaignForecast | "unavailable" | null
  /** Credits that can be spent now, where a purchase waits for a decision; otherwise null. */
  readonly available: Credits | null
  /** What a person has to look at first; null or absent: nothing. */
  readonly attention?: AttentionStanding | null
  /** What happens to people whom another campaign wrote to lately. */
  readonly overlap: Overlap
}

/**
 * How much a risk weighs:
 *
 * - `stop`: what is asked for would not do what it says, or can't be done;
 * - `look`: somebody should look before they decide;
 * - `note`: it is usual, and good to know.
 */
export const RISK_WEIGHTS = ["stop", "look", "note"] as const
export type RiskWeight = (typeof RISK_WEIGHTS)[number]

/** Something that a person should know before they decide. */
export interface Risk {
  readonly code: string
  readonly weight: RiskWeight
  /** How many there are; null: it can't be counted. */
  readonly count: number | null
  /** In a few words, for one and for several. The count stands before them. */
  readonly words: readonly [one: string, many: string]
  /** The id of the part of the page that shows it. */
  readonly anchor: string
}

/** One kind of risk. It finds none, or one, or one for each of several. */
export type RiskRule = (facts: RiskFacts) => ReadonlyArray<Risk>

/** A risk that is there where anything is to be counted. */
export const counted = (
  of: Pick<Risk, "anchor" | "code" | "weight" | "words">,
  count: number | undefined
): ReadonlyArray<Risk> => (count === undefined || count === 0 ? [] : [{ ...of, count }])

import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { Campaign } from "../../outreach/campaigns/CampaignStore.js"

/**
 * What became of those people of a campaign to whom a message left since a midnight (UTC). Each counts once, by the state
 * they are in, as on the campaign's own page.
 */
export interface CampaignPeriod extends Pick<Campaign, "campaignId" | "name" | "state"> {
  /** Messages that left in that time. */
  readonly sent: number
  /** To how many people. */
  readonly people: number
  readonly replied: number
  readonly interested: number
  readonly bounced: number
  readonly unsubscribed: number
}

/** What a workspace sent and heard on one day (UTC). */
export interface DayFigures {
  readonly dayMillis: number
  /** Messages that left. */
  readonly sent: number
  /** Of them, those that led to a bounce. */
  readonly bounced: number
  /** What people wrote: neither reports nor absences. */
  readonly replies: number
}

export interface PeriodReads {
  /** The `limit` campaigns that wrote to most people, most first. */
  readonly campaignsSince: (
    workspaceId: string,
    sinceMillis: number,
    limit: number
  ) => FromStore<ReadonlyArray<CampaignPeriod>>
  /** Days since a midnight (UTC) on which anything was, oldest first. */
  readonly figuresByDay: (workspaceId: string, sinceMillis: number) => FromStore<ReadonlyArray<DayFigures>>
}

/** By what a list of campaigns is sorted. */
export const PERIOD_ORDERS = ["replied", "interested", "bounced", "unsubscribed", "people", "sent"] as const
export type PeriodOrder = (typeof PERIOD_ORDERS)[number]

/** Which of them are shares of the people written to. */
const SHARES: ReadonlyArray<PeriodOrder> = ["replied", "interested", "bounced", "unsubscribed"]

/** The share of the people written to; null: none was. */
export const shareOf = (of: CampaignPeriod, what: PeriodOrder): number | null =>
  of.people === 0 || !SHARES.includes(what) ? null : of[what] / of.people

/** Highest first; of the same value, the one that wrote to more people. */
export const inOrder = (campaigns: ReadonlyArray<CampaignPeriod>, by: PeriodOrder): ReadonlyArray<CampaignPeriod> => {
  const valueOf = (one: CampaignPeriod): number => shareOf(one, by) ?? one[by]
  return campaigns.toSorted(
    (a, b) => valueOf(b) - valueOf(a) || b.people - a.people || (a.campaignId < b.campaignId ? -1 : 1)
  )
}

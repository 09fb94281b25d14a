/** What a forecast looks at, and when one person's next message can leave. Pure. */
import { DAY_MILLIS } from "../../kernel/durations.js"
import type { Pace } from "../../sources/ports/SendingProvider.js"
import type { Campaign } from "../campaigns/CampaignStore.js"
import { dayStart } from "./Dispatcher.js"
import { leftToday, type SendingWindow } from "./planner.js"
import { hindrances, rulesEndedBy } from "./sendRule.js"
import type { NextWindow } from "./SendingCalendar.js"
import type { Mailbox } from "./SendingStore.js"
import type { UseBook } from "./UseBook.js"

/** A mailbox, and how many messages that counted for its cap left today. */
export interface ForecastMailbox extends Pick<
  Mailbox,
  "mailboxId" | "kind" | "domain" | "address" | "restsUntilMillis"
> {
  readonly sentToday: number
}

/** A person whom nothing hinders. */
export interface ForecastLead {
  readonly campaignLeadId: string
  readonly mailboxId: string
  readonly stepsSent: number
  readonly nextAtMillis: number
  /** The company that the campaign's rules hold for; null: none. */
  readonly company: string | null
  /** Their own hours; null: the campaign's. */
  readonly hours: string | null
  /** The organisation that receives their mail, as far as it is known. */
  readonly receiver: string
}

/** A campaign, and whom it writes to. */
export interface ForecastPlan {
  readonly campaign: Pick<Campaign, "sequence" | "schedule" | "maxPerCompanyPerDay">
  /** What it sent to each company today. */
  readonly sentToCompanies: ReadonlyMap<string, number>
  readonly leads: ReadonlyArray<ForecastLead>
}

export interface ForecastFacts extends ForecastPlan {
  readonly nowMillis: number
  /** The other campaigns that run, which take of the same caps and mailboxes. */
  readonly others: ReadonlyArray<ForecastPlan>
  /** Whether the hours of campaigns apply. */
  readonly windows: boolean
  readonly nextWindow: NextWindow
  /** How fast the days of a purchased mailbox's provider pass; own mailboxes keep calendar days. */
  readonly pace: Pace
  readonly ownPace: Pace
  readonly caps: { readonly dailySends: number; readonly mailboxDailySends: number }
  /** What the whole workspace sent today. */
  readonly sentToday: number
  /** What own mailboxes sent, and to whom. */
  readonly use: UseBook
  /** Those that anybody's next message leaves from. */
  readonly mailboxes: ReadonlyArray<ForecastMailbox>
  /** Only the first message is asked for: the rest is not followed. */
  readonly isFirstEnough?: boolean
}

export interface Opening {
  readonly atMillis: number
  readonly closesAtMillis: number
}

/** When a message that is due at a time may leave. Remembers the last windows, which most questions are about. */
export const makeOpening = (
  { nextWindow, windows }: Pick<ForecastFacts, "nextWindow" | "windows">,
  schedule: Campaign["schedule"]
) => {
  const lasts = new Map<string | null, { readonly fromMillis: number } & SendingWindow>()
  return (hours: string | null, atMillis: number): Opening | null => {
    if (!windows) return { atMillis, closesAtMillis: dayStart(atMillis) + DAY_MILLIS }
    let last = lasts.get(hours)
    if (last === undefined || atMillis < last.fromMillis || atMillis >= last.closesAtMillis) {
      const window = nextWindow(schedule, hours, atMillis)
      if (window === null) return null
      last = { fromMillis: atMillis, ...window }
      lasts.set(hours, last)
    }
    return { atMillis: Math.max(atMillis, last.opensAtMillis), closesAtMillis: last.closesAtMillis }
  }
}

const OF_THE_DAY = rulesEndedBy("day")

/** What a campaign may still send to a company on a day. */
export const companyFacts = (
  { maxPerCompanyPerDay: max }: ForecastPlan["campaign"],
  sentToCompanies: ReadonlyMap<string, number>,
  company: string | null
) => ({
  company: company === null ? null : { left: max === null ? null : max - (sentToCompanies.get(company) ?? 0) }
})

/** What the caps of today leave of a mailbox's facts. */
type Capped = Pick<ForecastFacts, "nowMillis" | "caps" | "sentToday" | "windows" | "nextWindow" | "use">

/**
 * The earliest moment at which this person's next message can leave: due, within hours, rests and caps. People who are due
 * before them may delay it. Null: their hours never open.
 */
export const earliestOf = (
  facts: Capped,
  { campaign, sentToCompanies }: Omit<ForecastPlan, "leads">,
  mailbox: ForecastMailbox,
  { company, hours, nextAtMillis, receiver }: Pick<ForecastLead, "company" | "hours" | "nextAtMillis" | "receiver">
): number | null => {
  const { caps, nowMillis, use } = facts
  const opening = makeOpening(facts, campaign.schedule)
  const opens = opening(hours, Math.max(nowMillis, nextAtMillis, mailbox.restsUntilMillis ?? 0))
  if (opens === null) return null
  const tomorrow = dayStart(nowMillis) + DAY_MILLIS
  if (opens.atMillis >= tomorrow) return opens.atMillis
  const sent = { workspace: facts.sentToday, mailbox: mailbox.sentToday }
  const left = leftToday(caps, use.of(mailbox.mailboxId, receiver), sent, nowMillis)
  const isFull = hindrances(OF_THE_DAY, { left, ...companyFacts(campaign, sentToCompanies, company) }).length > 0
  return isFull ? (opening(hours, tomorrow)?.atMillis ?? null) : opens.atMillis
}

/** Who would be written to on which day, by the rules that decide each message. Pure. */
import type { Campaign } from "../campaigns/CampaignStore.js"
import type { Pace } from "../../sources/ports/SendingProvider.js"
import { dayStart } from "./Dispatcher.js"
import { gapMillis, mailboxCap, nextDue, type SendingWindow } from "./planner.js"
import type { NextWindow } from "./SendingCalendar.js"
import type { Mailbox } from "./SendingStore.js"
import { DAY_MILLIS } from "../../kernel/durations.js"

/** How many days (UTC) a forecast covers, today included. */
export const FORECAST_DAYS_MAX = 400

/** A mailbox, and how many messages that counted for its cap left today. */
export interface ForecastMailbox extends Pick<
  Mailbox,
  "mailboxId" | "kind" | "address" | "createdAtMillis" | "restsUntilMillis"
> {
  readonly sentToday: number
}

/** A person whom nothing hinders. */
export interface ForecastLead {
  readonly mailboxId: string
  readonly stepsSent: number
  readonly nextAtMillis: number
  /** The company that the campaign's rules hold for; null: none. */
  readonly company: string | null
  /** Their own hours; null: the campaign's. */
  readonly hours: string | null
}

export interface ForecastFacts {
  readonly nowMillis: number
  readonly campaign: Pick<Campaign, "sequence" | "schedule" | "maxPerCompanyPerDay">
  /** Whether the campaign's windows apply. */
  readonly windows: boolean
  readonly nextWindow: NextWindow
  /** How fast the days of a purchased mailbox's provider pass; own mailboxes keep calendar days. */
  readonly pace: Pace
  readonly ownPace: Pace
  readonly caps: { readonly dailySends: number; readonly mailboxDailySends: number }
  /** What the whole workspace sent today. */
  readonly sentToday: number
  /** What the campaign sent to each company today. */
  readonly sentToCompanies: ReadonlyMap<string, number>
  readonly mailboxes: ReadonlyArray<ForecastMailbox>
  readonly leads: ReadonlyArray<ForecastLead>
  /** Only the first message is asked for: the rest is not followed. */
  readonly isFirstEnough?: boolean
}

export interface Forecast {
  /** In the order of days, then of mailboxes. `date`: the day (UTC). */
  readonly days: ReadonlyArray<{ readonly date: string; readonly mailbox: string; readonly messages: number }>
  /** The earliest moment at which a message can leave. */
  readonly firstMessageAtMillis: number | null
  readonly lastMessageAtMillis: number | null
  /** People who are still owed a message after the last day. */
  readonly unfinished: number
}

interface Opening {
  readonly atMillis: number
  readonly closesAtMillis: number
}

/** When a message that is due at a time may leave. Remembers the last windows, which most questions are about. */
const makeOpening = ({ campaign, nextWindow, windows }: ForecastFacts) => {
  const lasts = new Map<string | null, { readonly fromMillis: number } & SendingWindow>()
  return (hours: string | null, atMillis: number): Opening | null => {
    if (!windows) return { atMillis, closesAtMillis: dayStart(atMillis) + DAY_MILLIS }
    let last = lasts.get(hours)
    if (last === undefined || atMillis < last.fromMillis || atMillis >= last.closesAtMillis) {
      const window = nextWindow(campaign.schedule, hours, atMillis)
      if (window === null) return null
      last = { fromMillis: atMillis, ...window }
      lasts.set(hours, last)
    }
    return { atMillis: Math.max(atMillis, last.opensAtMillis), closesAtMillis: last.closesAtMillis }
  }
}

/** A person's next message. */
interface Due {
  readonly dueMillis: number
  readonly company: string | null
}

/** Messages by due time, from `head` on. */
interface Queue {
  readonly stepsSent: number
  readonly times: Array<Due>
  head: number
  /** Those whose company had its share of the day, in order; they go back in front when it ends. */
  held: Array<Due>
}

/** A mailbox's people by their hours and the steps they were sent, each a queue, and what it may send next. */
interface Turn {
  readonly mailbox: ForecastMailbox
  /** By the steps that were sent. */
  readonly queuesOf: ReadonlyMap<string | null, ReadonlyArray<Queue>>
  readonly pace: Pace
  restsUntilMillis: number
  sentToday: number
  sentBefore: number
  next: Candidate | null
}

interface Candidate extends Opening, Due {
  readonly hours: string | null
  readonly queue: Queue
}

/** The queue whose head is due first; null: nothing is left to send. */
const firstOf = (queues: ReadonlyArray<Queue>): ({ readonly queue: Queue } & Due) | null => {
  let found: ({ readonly queue: Queue } & Due) | null = null
  for (const queue of queues) {
    const due = queue.times[queue.head]
    if (due !== undefined && (found === null || due.dueMillis < found.dueMillis)) found = { queue, ...due }
  }
  return found
}

const allOf = ({ queuesOf }: Turn): ReadonlyArray<Queue> => [...queuesOf.values()].flat()

const isSooner = (one: Candidate, other: Candidate | null): boolean =>
  other === null ||
  one.atMillis < other.atMillis ||
  (one.atMillis === other.atMillis && one.dueMillis < other.dueMillis)

/**
 * Follows the campaign day by day, as if nobody answered and no other campaign used its mailboxes: what is due first
 * leaves first, within windows, daily caps, ramps, the rests of own mailboxes and the limit for each company.
 */
export const forecast = (facts: ForecastFacts): Forecast => {
  const { campaign, caps, nowMillis } = facts
  const opening = makeOpening(facts)
  const turns = facts.mailboxes.map((mailbox): Turn => {
    const own = facts.leads.filter((lead) => lead.mailboxId === mailbox.mailboxId)
    const queuesOf = new Map<string | null, ReadonlyArray<Queue>>()
    for (const { hours } of own) {
      if (!queuesOf.has(hours)) {
        queuesOf.set(
          hours,
          campaign.sequence.map((_, stepsSent): Queue => ({ stepsSent, times: [], head: 0, held: [] }))
        )
      }
    }
    for (const { company, hours, nextAtMillis, stepsSent } of own.toSorted((a, b) => a.nextAtMillis - b.nextAtMillis)) {
      queuesOf.get(hours)?.[stepsSent]?.times.push({ dueMillis: nextAtMillis, company })
    }
    const pace = mailbox.kind === "own" ? facts.ownPace : facts.pace
    const { sentToday } = mailbox
    const restsUntilMillis = Math.max(nowMillis, mailbox.restsUntilMillis ?? nowMillis)
    return { mailbox, queuesOf, pace, restsUntilMillis, sentToday, sentBefore: sentToday, next: null }
  })
  const days: Array<Forecast["days"][number]> = []
  const today = dayStart(nowMillis)
  let firstMessageAtMillis: number | null = null
  let lastMessageAtMillis: number | null = null
  const isEnough = () => facts.isFirstEnough === true && firstMessageAtMillis !== null

  let sentToCompanies = new Map(facts.sentToCompanies)
  const hadItsShare = (company: string | null): boolean =>
    company !== null &&
    campaign.maxPerCompanyPerDay !== null &&
    (sentToCompanies.get(company) ?? 0) >= campaign.maxPerCompanyPerDay

  /** The first whose company may be written to today; those before are held until tomorrow. */
  const firstAllowed = (queues: ReadonlyArray<Queue>) => {
    for (;;) {
      const first = firstOf(queues)
      if (first === null || !hadItsShare(first.company)) return first
      first.queue.held.push({ dueMillis: first.dueMillis, company: first.company })
      first.queue.head += 1
    }
  }

  const release = (queue: Queue) => {
    if (queue.held.length === 0) return
    queue.times.splice(0, queue.head, ...queue.held)
    queue.head = 0
    queue.held = []
  }

  /** The next message of a mailbox, if it may leave before the day ends. */
  const nextOf = (turn: Turn, fromMillis: number, endMillis: number): Candidate | null => {
    let found: Candidate | null = null
    for (const [hours, queues] of turn.queuesOf) {
      const first = firstAllowed(queues)
      if (first === null) continue
      const opens = opening(hours, Math.max(first.dueMillis, fromMillis, turn.restsUntilMillis))
      if (opens === null || opens.atMillis >= endMillis) continue
      const candidate = { ...opens, ...first, hours }
      if (isSooner(candidate, found)) found = candidate
    }
    if (found === null) return null
    return turn.sentToday < mailboxCap(turn.mailbox, caps.mailboxDailySends, found.atMillis) ? found : null
  }

  const send = (turn: Turn, { atMillis, closesAtMillis, company, hours, queue }: Candidate, workspaceLeft: number) => {
    const { mailbox, pace, queuesOf } = turn
    const stepsSent = queue.stepsSent + 1
    queue.head += 1
    // Later messages are followed later, so that each queue stays in order.
    const next = queuesOf.get(hours)?.[stepsSent]
    next?.times.push({ dueMillis: nextDue(campaign, stepsSent, atMillis, pace, hours), company })
    if (company !== null) sentToCompanies.set(company, (sentToCompanies.get(company) ?? 0) + 1)
    if (mailbox.kind === "own") {
      const left = Math.min(workspaceLeft, mailboxCap(mailbox, caps.mailboxDailySends, atMillis) - turn.sentToday)
      const seed = `${mailbox.mailboxId} ${atMillis}`
      const dayEnds = dayStart(atMillis) + DAY_MILLIS
      const gap = { nowMillis: atMillis, closesAtMillis: Math.min(closesAtMillis, dayEnds), left, seed }
      turn.restsUntilMillis = atMillis + gapMillis(gap)
    }
    turn.sentToday += 1
    firstMessageAtMillis ??= atMillis
    lastMessageAtMillis = Math.max(lastMessageAtMillis ?? 0, atMillis)
  }

  const follow = (dayMillis: number, sentBefore: number) => {
    const [fromMillis, endMillis] = [Math.max(nowMillis, dayMillis), dayMillis + DAY_MILLIS]
    for (const turn of turns) turn.next = nextOf(turn, fromMillis, endMillis)
    for (let left = caps.dailySends - sentBefore; left > 0 && !isEnough();) {
      let chosen: { readonly turn: Turn; readonly next: Candidate } | null = null
      for (const turn of turns) {
        const { next } = turn
        if (next !== null && isSooner(next, chosen?.next ?? null)) chosen = { turn, next }
      }
      if (chosen === null) break
      // Another mailbox may have written to the company since.
      if (!hadItsShare(chosen.next.company)) {
        send(chosen.turn, chosen.next, left)
        left -= 1
      }
      chosen.turn.next = nextOf(chosen.turn, fromMillis, endMillis)
    }
    const date = new Date(dayMillis).toISOString().slice(0, 10)
    for (const turn of turns) {
      const messages = turn.sentToday - turn.sentBefore
      if (messages > 0) days.push({ date, mailbox: turn.mailbox.address, messages })
      turn.sentToday = 0
      turn.sentBefore = 0
      allOf(turn).forEach(release)
    }
    sentToCompanies = new Map()
  }

  for (
    let day = 0;
    day < FORECAST_DAYS_MAX && !isEnough() && turns.some((turn) => firstOf(allOf(turn)) !== null);
    day += 1
  ) {
    follow(today + day * DAY_MILLIS, day === 0 ? facts.sentToday : 0)
  }
  const unfinished = turns.flatMap(allOf).reduce((sum, { head, times }) => sum + times.length - head, 0)
  return { days, firstMessageAtMillis, lastMessageAtMillis, unfinished }
}

/** Who would be written to on which day, by the rules that decide each message. Pure. */
import type { Campaign } from "../campaigns/Campaign.js"
import type { Pace } from "../../sources/ports/SendingProvider.js"
import { dayStart } from "./Dispatcher.js"
import { gapMillis, mailboxCap, nextDue, nextWindow } from "./planner.js"
import type { Mailbox } from "./SendingStore.js"
import { DAY_MILLIS } from "./zone.js"

/** How many days (UTC) a forecast covers, today included. */
export const FORECAST_DAYS_MAX = 400

/** A mailbox, and how many messages that counted for its cap left today. */
export interface ForecastMailbox extends Pick<Mailbox, "mailboxId" | "kind" | "address" | "createdAtMillis"> {
  readonly sentToday: number
}

/** A person whom nothing hinders. */
export interface ForecastLead {
  readonly mailboxId: string
  readonly stepsSent: number
  readonly nextAtMillis: number
}

export interface ForecastFacts {
  readonly nowMillis: number
  readonly campaign: Pick<Campaign, "sequence" | "schedule">
  /** Whether the campaign's windows apply. */
  readonly windows: boolean
  /** How fast the days of a purchased mailbox's provider pass; own mailboxes keep calendar days. */
  readonly pace: Pace
  readonly ownPace: Pace
  readonly caps: { readonly dailySends: number; readonly mailboxDailySends: number }
  /** What the whole workspace sent today. */
  readonly sentToday: number
  readonly mailboxes: ReadonlyArray<ForecastMailbox>
  readonly leads: ReadonlyArray<ForecastLead>
}

export interface Forecast {
  /** In the order of days, then of mailboxes. `date`: the day (UTC). */
  readonly days: ReadonlyArray<{ readonly date: string; readonly mailbox: string; readonly messages: number }>
  readonly lastMessageAtMillis: number | null
  /** People who are still owed a message after the last day. */
  readonly unfinished: number
}

interface Opening {
  readonly atMillis: number
  readonly closesAtMillis: number
}

/** When a message that is due at a time may leave. Remembers the last window, which most questions are about. */
const makeOpening = ({ campaign, windows }: ForecastFacts) => {
  let last = { fromMillis: Infinity, opensAtMillis: 0, closesAtMillis: 0 }
  return (atMillis: number): Opening | null => {
    if (!windows) return { atMillis, closesAtMillis: dayStart(atMillis) + DAY_MILLIS }
    if (atMillis < last.fromMillis || atMillis >= last.closesAtMillis) {
      const window = nextWindow(campaign.schedule, atMillis)
      if (window === null) return null
      last = { fromMillis: atMillis, ...window }
    }
    return { atMillis: Math.max(atMillis, last.opensAtMillis), closesAtMillis: last.closesAtMillis }
  }
}

/** Due times in order, from `head` on. */
interface Queue {
  readonly stepsSent: number
  readonly times: Array<number>
  head: number
}

/** A mailbox's people by the steps they were sent: a queue per step, and what it may send next. */
interface Turn {
  readonly mailbox: ForecastMailbox
  readonly queues: ReadonlyArray<Queue>
  readonly pace: Pace
  restsUntilMillis: number
  sentToday: number
  sentBefore: number
  next: Candidate | null
}

interface Candidate extends Opening {
  readonly dueMillis: number
  readonly queue: Queue
}

/** The queue whose head is due first; null: nothing is left to send. */
const firstOf = (queues: ReadonlyArray<Queue>): { readonly queue: Queue; readonly dueMillis: number } | null => {
  let found: { readonly queue: Queue; readonly dueMillis: number } | null = null
  for (const queue of queues) {
    const dueMillis = queue.times[queue.head]
    if (dueMillis !== undefined && (found === null || dueMillis < found.dueMillis)) found = { queue, dueMillis }
  }
  return found
}

const isSooner = (one: Candidate, other: Candidate | null): boolean =>
  other === null ||
  one.atMillis < other.atMillis ||
  (one.atMillis === other.atMillis && one.dueMillis < other.dueMillis)

/**
 * Follows the campaign day by day, as if nobody answered and no other campaign used its mailboxes: what is due first
 * leaves first, within windows, daily caps, ramps and the rests of own mailboxes.
 */
export const forecast = (facts: ForecastFacts): Forecast => {
  const { campaign, caps, nowMillis } = facts
  const opening = makeOpening(facts)
  const turns = facts.mailboxes.map((mailbox): Turn => {
    const own = facts.leads.filter((lead) => lead.mailboxId === mailbox.mailboxId)
    const queues = campaign.sequence.map((_, stepsSent): Queue => {
      const due = own.filter((lead) => lead.stepsSent === stepsSent)
      const times = due.map(({ nextAtMillis }) => nextAtMillis).sort((a, b) => a - b)
      return { stepsSent, times, head: 0 }
    })
    const pace = mailbox.kind === "own" ? facts.ownPace : facts.pace
    const { sentToday } = mailbox
    return { mailbox, queues, pace, restsUntilMillis: nowMillis, sentToday, sentBefore: sentToday, next: null }
  })
  const days: Array<Forecast["days"][number]> = []
  const today = dayStart(nowMillis)
  let lastMessageAtMillis: number | null = null

  /** The next message of a mailbox, if it may leave before the day ends. */
  const nextOf = (turn: Turn, fromMillis: number, endMillis: number): Candidate | null => {
    const first = firstOf(turn.queues)
    if (first === null) return null
    const opens = opening(Math.max(first.dueMillis, fromMillis, turn.restsUntilMillis))
    if (opens === null || opens.atMillis >= endMillis) return null
    const isWithinCap = turn.sentToday < mailboxCap(turn.mailbox, caps.mailboxDailySends, opens.atMillis)
    return isWithinCap ? { ...opens, ...first } : null
  }

  const send = (turn: Turn, { atMillis, closesAtMillis, queue }: Candidate, workspaceLeft: number) => {
    const { mailbox, pace, queues } = turn
    const stepsSent = queue.stepsSent + 1
    queue.head += 1
    // Later messages are followed later, so that each queue stays in order.
    queues[stepsSent]?.times.push(nextDue(campaign, stepsSent, atMillis, pace))
    if (mailbox.kind === "own") {
      const left = Math.min(workspaceLeft, mailboxCap(mailbox, caps.mailboxDailySends, atMillis) - turn.sentToday)
      const seed = `${mailbox.mailboxId} ${atMillis}`
      const dayEnds = dayStart(atMillis) + DAY_MILLIS
      const gap = { nowMillis: atMillis, closesAtMillis: Math.min(closesAtMillis, dayEnds), left, seed }
      turn.restsUntilMillis = atMillis + gapMillis(gap)
    }
    turn.sentToday += 1
    lastMessageAtMillis = Math.max(lastMessageAtMillis ?? 0, atMillis)
  }

  const follow = (dayMillis: number, sentBefore: number) => {
    const [fromMillis, endMillis] = [Math.max(nowMillis, dayMillis), dayMillis + DAY_MILLIS]
    for (const turn of turns) turn.next = nextOf(turn, fromMillis, endMillis)
    for (let left = caps.dailySends - sentBefore; left > 0; left -= 1) {
      let chosen: { readonly turn: Turn; readonly next: Candidate } | null = null
      for (const turn of turns) {
        const { next } = turn
        if (next !== null && isSooner(next, chosen?.next ?? null)) chosen = { turn, next }
      }
      if (chosen === null) break
      send(chosen.turn, chosen.next, left)
      chosen.turn.next = nextOf(chosen.turn, fromMillis, endMillis)
    }
    const date = new Date(dayMillis).toISOString().slice(0, 10)
    for (const turn of turns) {
      const messages = turn.sentToday - turn.sentBefore
      if (messages > 0) days.push({ date, mailbox: turn.mailbox.address, messages })
      turn.sentToday = 0
      turn.sentBefore = 0
    }
  }

  for (let day = 0; day < FORECAST_DAYS_MAX && turns.some(({ queues }) => firstOf(queues) !== null); day += 1) {
    follow(today + day * DAY_MILLIS, day === 0 ? facts.sentToday : 0)
  }
  const unfinished = turns
    .flatMap(({ queues }) => queues)
    .reduce((sum, { head, times }) => sum + times.length - head, 0)
  return { days, lastMessageAtMillis, unfinished }
}

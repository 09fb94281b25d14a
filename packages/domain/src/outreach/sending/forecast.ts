/** Who would be written to on which day, by the rules that decide each message. Pure. */
import { DAY_MILLIS } from "../../kernel/durations.js"
import type { Pace } from "../../sources/ports/SendingProvider.js"
import { dayStart } from "./Dispatcher.js"
import {
  companyFacts,
  type ForecastFacts,
  type ForecastLead,
  type ForecastMailbox,
  type ForecastPlan,
  makeOpening,
  type Opening
} from "./forecastFacts.js"
import { DayRamps } from "./forecastRamp.js"
import { gapMillis, leastOf, nextDue } from "./planner.js"
import { dayOf } from "./ramp.js"
import { applies } from "./sendRule.js"

/** How many days (UTC) a forecast covers, today included. */
export const FORECAST_DAYS_MAX = 400

/** Of the asked campaign alone. */
export interface Forecast {
  /** In the order of days, then of mailboxes. `date`: the day (UTC). */
  readonly days: ReadonlyArray<{ readonly date: string; readonly mailbox: string; readonly messages: number }>
  /** The earliest moment at which a message can leave, and to whom. */
  readonly first: { readonly atMillis: number; readonly campaignLeadId: string } | null
  readonly lastMessageAtMillis: number | null
  /** People who are still owed a message after the last day. */
  readonly unfinished: number
}

/** A person's next message. */
interface Due {
  readonly dueMillis: number
  readonly company: string | null
  readonly receiver: string
  readonly leadId: string
}

/** Messages by due time, from `head` on. */
interface Queue {
  readonly stepsSent: number
  readonly times: Array<Due>
  head: number
  /** Those whose company or receiver had its share of the day, in order; they go back in front when it ends. */
  held: Array<Due>
}

/** A campaign that is followed, and what it sent to each company on the day that is followed. */
interface Followed {
  readonly campaign: ForecastPlan["campaign"]
  readonly isAsked: boolean
  readonly opening: ReturnType<typeof makeOpening>
  sentToCompanies: Map<string, number>
}

/** A campaign's people of a mailbox with the same hours, by the steps that they were sent. */
interface Group {
  readonly of: Followed
  readonly hours: string | null
  readonly queues: ReadonlyArray<Queue>
  /** What is due first of the queues; undefined: they changed since the last look. */
  first: First | null | undefined
}

interface First extends Due {
  readonly queue: Queue
}

/** A mailbox, everybody it writes to, and what it may send next. */
interface Turn {
  readonly mailbox: ForecastMailbox
  readonly groups: ReadonlyArray<Group>
  readonly pace: Pace
  restsUntilMillis: number
  sentToday: number
  /** Of the asked campaign, on this day. */
  messages: number
  next: Candidate | null
}

interface Candidate extends Opening, Due {
  readonly group: Group
  readonly queue: Queue
}

const isDueBefore = (one: Due, other: Due): boolean =>
  one.dueMillis < other.dueMillis || (one.dueMillis === other.dueMillis && one.leadId < other.leadId)

/** The queue whose head is due first; null: nothing is left to send. */
const firstOf = (queues: ReadonlyArray<Queue>): First | null => {
  let found: { readonly queue: Queue; readonly due: Due } | null = null
  for (const queue of queues) {
    const due = queue.times[queue.head]
    if (due !== undefined && (found === null || isDueBefore(due, found.due))) found = { queue, due }
  }
  return found && { queue: found.queue, ...found.due }
}

const firstIn = (group: Group): First | null => {
  if (group.first === undefined) group.first = firstOf(group.queues)
  return group.first
}

/** As claims are made: who is due first, by id among those who are due at once. */
const isSooner = (one: Candidate, other: Candidate | null): boolean =>
  other === null || isBefore(one.atMillis, one, other)

/** Whether a message that leaves then leaves before this one. */
const isBefore = (atMillis: number, due: Due, other: Candidate): boolean =>
  atMillis < other.atMillis || (atMillis === other.atMillis && isDueBefore(due, other))

const byDue = (one: ForecastLead, other: ForecastLead): number =>
  one.nextAtMillis - other.nextAtMillis || (one.campaignLeadId < other.campaignLeadId ? -1 : 1)

/** The people of each mailbox, by campaign and hours. */
const groupsByMailbox = (facts: ForecastFacts): ReadonlyMap<string, ReadonlyArray<Group>> => {
  const groupsOf = new Map<string, Array<Group>>()
  for (const [index, plan] of [facts, ...facts.others].entries()) {
    const of: Followed = {
      campaign: plan.campaign,
      isAsked: index === 0,
      opening: makeOpening(facts, plan.campaign.schedule),
      sentToCompanies: new Map(plan.sentToCompanies)
    }
    const found = new Map<string, Group>()
    for (const lead of plan.leads.toSorted(byDue)) {
      const { campaignLeadId, company, hours, mailboxId, nextAtMillis, receiver, stepsSent } = lead
      const key = `${mailboxId} ${hours ?? ""}`
      let group = found.get(key)
      if (group === undefined) {
        const queues = plan.campaign.sequence.map((_, sent): Queue => ({
          stepsSent: sent,
          times: [],
          head: 0,
          held: []
        }))
        group = { of, hours, queues, first: undefined }
        found.set(key, group)
        groupsOf.set(mailboxId, [...(groupsOf.get(mailboxId) ?? []), group])
      }
      group.queues[stepsSent]?.times.push({ dueMillis: nextAtMillis, company, receiver, leadId: campaignLeadId })
    }
  }
  return groupsOf
}

/**
 * Follows the campaign day by day, beside all others that run, as if nobody answered: what is due first leaves first, within
 * windows, daily caps, ramps, the rests of own mailboxes and the limits for each company and receiving organisation.
 */
export const forecast = (facts: ForecastFacts): Forecast => {
  const { caps, nowMillis } = facts
  const groupsOf = groupsByMailbox(facts)
  const turns = facts.mailboxes.flatMap((mailbox): ReadonlyArray<Turn> => {
    const groups = groupsOf.get(mailbox.mailboxId)
    if (groups === undefined) return []
    const pace = mailbox.kind === "own" ? facts.ownPace : facts.pace
    const { sentToday } = mailbox
    const restsUntilMillis = Math.max(nowMillis, mailbox.restsUntilMillis ?? nowMillis)
    return [{ mailbox, groups, pace, restsUntilMillis, sentToday, messages: 0, next: null }]
  })
  const followed = new Set(turns.flatMap(({ groups }) => groups.map(({ of }) => of)))
  const asked = turns.flatMap(({ groups }) => groups.filter(({ of }) => of.isAsked).flatMap((group) => group.queues))
  const days: Array<Forecast["days"][number]> = []
  const today = dayStart(nowMillis)
  let first: Forecast["first"] = null
  let lastMessageAtMillis: number | null = null
  const book = facts.use.copy()
  let ramps = new DayRamps(caps, book, dayOf(today))
  const isEnough = () => facts.isFirstEnough === true && first !== null

  /** What the workspace sent on the day that is followed. */
  let sentByAll = facts.sentToday

  const leftOf = ({ mailbox, sentToday }: Turn, receiver: string | null) =>
    ramps.left(mailbox, receiver, { workspace: sentByAll, mailbox: sentToday })

  /** Whether the person's company and their receiver take one more message today. */
  const isOpen = (turn: Turn, { campaign, sentToCompanies }: Followed, { company, receiver }: Due): boolean =>
    !applies("company_limit_reached", companyFacts(campaign, sentToCompanies, company)) &&
    !applies("receiver_limit_reached", { left: leftOf(turn, receiver) })

  /** The first who may be written to today; those before are held until tomorrow. */
  const firstAllowed = (turn: Turn, group: Group): First | null => {
    for (;;) {
      const found = firstIn(group)
      if (found === null || isOpen(turn, group.of, found)) return found
      const { company, dueMillis, leadId, queue, receiver } = found
      queue.held.push({ dueMillis, company, leadId, receiver })
      queue.head += 1
      group.first = undefined
    }
  }

  const release = (group: Group) => {
    for (const queue of group.queues) {
      if (queue.held.length === 0) continue
      queue.times.splice(0, queue.head, ...queue.held)
      queue.head = 0
      queue.held = []
      group.first = undefined
    }
  }

  /** The next message of a mailbox, if it may leave before the day ends. */
  const nextOf = (turn: Turn, fromMillis: number, endMillis: number): Candidate | null => {
    const freeMillis = Math.max(fromMillis, turn.restsUntilMillis)
    let found: Candidate | null = null
    /** No hours open before a message is due and the mailbox is free. */
    const isTooLate = (due: Due): boolean => {
      const soonest = Math.max(due.dueMillis, freeMillis)
      return soonest >= endMillis || (found !== null && !isBefore(soonest, due, found))
    }
    for (const group of turn.groups) {
      // Those behind the head leave no sooner. Most groups are passed over by this.
      const head = firstIn(group)
      if (head === null || isTooLate(head)) continue
      const due = firstAllowed(turn, group)
      if (due === null || isTooLate(due)) continue
      const opens = group.of.opening(group.hours, Math.max(due.dueMillis, freeMillis))
      if (opens === null || opens.atMillis >= endMillis) continue
      const candidate = { ...opens, ...due, group }
      if (isSooner(candidate, found)) found = candidate
    }
    return applies("cap_reached", { left: leftOf(turn, null) }) ? null : found
  }

  const send = (turn: Turn, candidate: Candidate) => {
    const { atMillis, closesAtMillis, company, group, leadId, queue, receiver } = candidate
    const { campaign, isAsked, sentToCompanies } = group.of
    const { mailbox, pace } = turn
    const stepsSent = queue.stepsSent + 1
    queue.head += 1
    group.first = undefined
    // Later messages are followed later, so that each queue stays in order.
    const next = group.queues[stepsSent]
    next?.times.push({
      dueMillis: nextDue(campaign, stepsSent, atMillis, pace, group.hours),
      company,
      receiver,
      leadId
    })
    if (company !== null) sentToCompanies.set(company, (sentToCompanies.get(company) ?? 0) + 1)
    if (mailbox.kind === "own") {
      const left = leastOf(leftOf(turn, null))
      const seed = `${mailbox.mailboxId} ${atMillis}`
      const dayEnds = dayStart(atMillis) + DAY_MILLIS
      const gap = { nowMillis: atMillis, closesAtMillis: Math.min(closesAtMillis, dayEnds), left, seed }
      turn.restsUntilMillis = atMillis + gapMillis(gap)
      ramps.note(mailbox, receiver)
    }
    turn.sentToday += 1
    sentByAll += 1
    if (!isAsked) return
    turn.messages += 1
    first ??= { atMillis, campaignLeadId: leadId }
    lastMessageAtMillis = Math.max(lastMessageAtMillis ?? 0, atMillis)
  }

  const follow = (dayMillis: number) => {
    const [fromMillis, endMillis] = [Math.max(nowMillis, dayMillis), dayMillis + DAY_MILLIS]
    ramps = new DayRamps(caps, book, dayOf(dayMillis))
    for (const turn of turns) turn.next = nextOf(turn, fromMillis, endMillis)
    while (!isEnough()) {
      let chosen: { readonly turn: Turn; readonly next: Candidate } | null = null
      for (const turn of turns) {
        const { next } = turn
        if (next !== null && isSooner(next, chosen?.next ?? null)) chosen = { turn, next }
      }
      if (chosen === null) break
      // Another mailbox may have written there since.
      const mayLeave = !applies("cap_reached", { left: leftOf(chosen.turn, null) })
      if (mayLeave && isOpen(chosen.turn, chosen.next.group.of, chosen.next)) send(chosen.turn, chosen.next)
      chosen.turn.next = nextOf(chosen.turn, fromMillis, endMillis)
    }
    const date = new Date(dayMillis).toISOString().slice(0, 10)
    for (const turn of turns) {
      if (turn.messages > 0) days.push({ date, mailbox: turn.mailbox.address, messages: turn.messages })
      turn.sentToday = 0
      turn.messages = 0
    }
    sentByAll = 0
    for (const { groups } of turns) groups.forEach(release)
    for (const of of followed) of.sentToCompanies = new Map()
  }

  for (let day = 0; day < FORECAST_DAYS_MAX && !isEnough() && firstOf(asked) !== null; day += 1) {
    follow(today + day * DAY_MILLIS)
  }
  const unfinished = asked.reduce((sum, { head, times }) => sum + times.length - head, 0)
  return { days, first, lastMessageAtMillis, unfinished }
}

/** When mail may be sent and when it is due. Pure: uses the campaign's data and the platform's time zone tables. */
import { HOUR_MILLIS, DAY_MILLIS } from "../../kernel/durations.js"
import type { WorkspaceCaps } from "../../kernel/workspaces/WorkspaceStore.js"
import type { Campaign } from "../campaigns/CampaignStore.js"
import { type Schedule, WEEKDAYS, type Weekday } from "../../kernel/sequences/Sequence.js"
import type { Pace } from "../../sources/ports/SendingProvider.js"
import { zoneOf } from "../campaigns/recipientHours.js"
import { jitter } from "../../kernel/jitter.js"
import { dayOf, rampCaps, type SenderUse, type Use } from "./ramp.js"
import { takenOn } from "./UseBook.js"
import { instantOf, localOf, stretches } from "./zone.js"

/** Days to wait for a reply after the last step before the sequence counts as finished. */
export const ANSWER_WAIT_DAYS = 10

/** A schedule opens within this many days, even if a clock change or holidays skip some of its days. */
const WINDOW_WITHIN_DAYS = 400

/** Sending is allowed from `opensAtMillis` (inclusive) to `closesAtMillis` (exclusive). */
export interface SendingWindow {
  readonly opensAtMillis: number
  readonly closesAtMillis: number
}

/** 1970-01-01 was a Thursday. */
const weekdayOf = (localDay: number): Weekday => WEEKDAYS[(((localDay + 3) % 7) + 7) % 7] as Weekday

/** The parts of a local day within the schedule's hours; setting clocks back can split them in two. */
const windowsOfDay = (schedule: Schedule, localDay: number): ReadonlyArray<SendingWindow> => {
  const opens = localDay * DAY_MILLIS + schedule.startHour * HOUR_MILLIS
  const closes = localDay * DAY_MILLIS + schedule.endHour * HOUR_MILLIS
  const around = stretches(schedule.timezone, opens - DAY_MILLIS, closes + DAY_MILLIS)
  const found: Array<SendingWindow> = []
  for (const { from, offset, to } of around) {
    const opensAtMillis = Math.max(from, opens - offset)
    const closesAtMillis = Math.min(to, closes - offset)
    if (opensAtMillis >= closesAtMillis) continue
    const last = found.at(-1)
    if (last?.closesAtMillis === opensAtMillis) found[found.length - 1] = { ...last, closesAtMillis }
    else found.push({ opensAtMillis, closesAtMillis })
  }
  return found
}

const never = (): boolean => false

/**
 * The window open at `fromMillis`, or the next one; null: none, which can't happen for a valid schedule. `isHoliday`: of
 * a local day, by its number since 1970-01-01.
 */
export const nextWindow = (
  schedule: Schedule,
  fromMillis: number,
  isHoliday: (localDay: number) => boolean = never
): SendingWindow | null => {
  const today = Math.floor(localOf(schedule.timezone, fromMillis) / DAY_MILLIS)
  // Clocks set back across midnight repeat the end of the previous day.
  for (let day = today - 1; day <= today + WINDOW_WITHIN_DAYS; day += 1) {
    if (!schedule.days.includes(weekdayOf(day)) || isHoliday(day)) continue
    const window = windowsOfDay(schedule, day).find(({ closesAtMillis }) => closesAtMillis > fromMillis)
    if (window !== undefined) return window
  }
  return null
}

/** The same local time, `days` calendar days later. */
export const daysAfter = (timezone: string, fromMillis: number, days: number): number =>
  days === 0 ? fromMillis : instantOf(timezone, localOf(timezone, fromMillis) + days * DAY_MILLIS)

/**
 * When the next step is due after `stepsSent` steps; after the last one, when the wait for a reply ends. Waits are
 * calendar days in the person's zone or the campaign's, so the hour stays the same across clock changes. A provider with
 * its own length of day has no zone.
 */
export const nextDue = (
  campaign: Pick<Campaign, "sequence" | "schedule">,
  stepsSent: number,
  sentAtMillis: number,
  pace: Pace,
  hours: string | null
): number => {
  const days = campaign.sequence[stepsSent]?.waitDays ?? ANSWER_WAIT_DAYS
  return pace.dayMillis === DAY_MILLIS
    ? daysAfter(zoneOf(campaign.schedule, hours), sentAtMillis, days)
    : sentAtMillis + days * pace.dayMillis
}

/** How many messages may still be sent today; none if 0 or less. */
export interface Left {
  readonly workspace: number
  readonly mailbox: number
  /** By all own mailboxes of its domain; null: it is no own mailbox. */
  readonly domain: number | null
  /** By it and its domain to the organisation that receives the message; null: no own mailbox, or not known yet. */
  readonly receiver: number | null
}

/** What may be sent in a day, and what was. */
export interface Room {
  readonly cap: number
  readonly taken: number
}

/** What the ramp gives an own mailbox in a day, its domain, and both towards the organisation that receives the message. */
export interface Rooms {
  readonly mailbox: Pick<Room, "cap">
  readonly domain: Room
  readonly at: { readonly mailbox: Room; readonly domain: Room } | null
}

const leftIn = ({ cap, taken }: Room): number => cap - taken

/** The caps beside the ramp; null: a purchased mailbox, which is warmed up. `sent`: what left, may have left, or is about to. */
export const leftBeside = (
  caps: Pick<WorkspaceCaps, "dailySends" | "mailboxDailySends">,
  rooms: Rooms | null,
  sent: Pick<Left, "workspace" | "mailbox">
): Left => {
  const cap = Math.min(caps.mailboxDailySends, rooms?.mailbox.cap ?? Infinity)
  return {
    workspace: caps.dailySends - sent.workspace,
    mailbox: cap - sent.mailbox,
    domain: rooms && leftIn(rooms.domain),
    receiver: rooms?.at == null ? null : Math.min(leftIn(rooms.at.mailbox), leftIn(rooms.at.domain))
  }
}

/** Today (UTC). `use`: of an own mailbox; null: a purchased one. */
export const leftToday = (
  caps: Pick<WorkspaceCaps, "dailySends" | "mailboxDailySends">,
  use: SenderUse | null,
  sent: Pick<Left, "workspace" | "mailbox">,
  nowMillis: number
): Left => {
  if (use === null) return leftBeside(caps, null, sent)
  const today = dayOf(nowMillis)
  const { at, domain, mailbox } = rampCaps(use, today)
  const roomIn = (days: Use, cap: number): Room => ({ cap, taken: takenOn(days, today) })
  const there = at &&
    use.at && { mailbox: roomIn(use.at.mailbox, at.mailbox), domain: roomIn(use.at.domain, at.domain) }
  return leftBeside(caps, { mailbox: { cap: mailbox }, domain: roomIn(use.domain, domain), at: there }, sent)
}

const NO_CAPS = { dailySends: Infinity, mailboxDailySends: Infinity }
const NOTHING_SENT = { workspace: 0, mailbox: 0 }

/** How many messages an own mailbox may still send to an organisation today; as many as it can, if none is named. */
export const receiverLeft = (use: SenderUse, nowMillis: number): number =>
  leftToday(NO_CAPS, use, NOTHING_SENT, nowMillis).receiver ?? Infinity

/** How many messages workspace, mailbox and domain may all still send today. */
export const leastOf = ({ domain, mailbox, workspace }: Omit<Left, "receiver">): number =>
  Math.min(mailbox, workspace, domain ?? Infinity)

/** Whether a mailbox may send one more today, as far as its own cap and its domain go. */
export const hasRoom = (cap: number, use: SenderUse | null, sentToday: number, nowMillis: number): boolean =>
  leastOf(leftToday({ ...NO_CAPS, mailboxDailySends: cap }, use, { workspace: 0, mailbox: sentToday }, nowMillis)) > 0

/** Most messages that these mailboxes can send together in a day as today is. */
export const dailyLimit = (
  caps: Pick<WorkspaceCaps, "dailySends" | "mailboxDailySends">,
  senders: ReadonlyArray<{ readonly domain: string; readonly use: SenderUse | null }>,
  nowMillis: number
): number => {
  const ofDomains = new Map<string, { readonly sum: number; readonly cap: number }>()
  for (const { domain, use } of senders) {
    const ramp = use && rampCaps(use, dayOf(nowMillis))
    const rooms = ramp && { mailbox: { cap: ramp.mailbox }, domain: { cap: ramp.domain, taken: 0 }, at: null }
    const left = leftBeside(caps, rooms, NOTHING_SENT)
    // Purchased mailboxes have no ramp, even at the same domain.
    const name = left.domain === null ? "" : domain
    ofDomains.set(name, { sum: (ofDomains.get(name)?.sum ?? 0) + left.mailbox, cap: left.domain ?? Infinity })
  }
  const limits = [...ofDomains.values()].map(({ cap, sum }) => Math.min(cap, sum))
  return Math.min(
    caps.dailySends,
    limits.reduce((all, limit) => all + limit, 0)
  )
}

/** Most messages that a mailbox may send today: what it sent, and what it and its domain may still send. */
export const mailboxCap = (cap: number, use: SenderUse | null, sentToday: number, nowMillis: number): number => {
  const left = leftToday({ ...NO_CAPS, mailboxDailySends: cap }, use, { workspace: 0, mailbox: sentToday }, nowMillis)
  return Math.min(sentToday + left.mailbox, sentToday + Math.max(0, left.domain ?? Infinity))
}

/** Shortest and longest rest of a mailbox between two messages. */
export const GAP_MIN_MILLIS = 1_000
export const GAP_MAX_MILLIS = HOUR_MILLIS

/**
 * How long a mailbox rests after a message. Spreads the remaining messages over the rest of the window, at irregular
 * intervals. Never more than the even share, so that all of them fit before it closes.
 */
export const gapMillis = (options: {
  readonly nowMillis: number
  readonly closesAtMillis: number
  /** How many messages the mailbox may still send today. */
  readonly left: number
  readonly seed: string
}): number => {
  const share = Math.max(0, options.closesAtMillis - options.nowMillis) / Math.max(1, options.left)
  const gap = share * (0.5 + 0.5 * jitter(options.seed))
  return Math.round(Math.min(GAP_MAX_MILLIS, Math.max(GAP_MIN_MILLIS, gap)))
}

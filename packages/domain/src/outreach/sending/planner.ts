/** When mail may be sent and when it is due. Pure: uses the campaign's data and the platform's time zone tables. */
import { HOUR_MILLIS, DAY_MILLIS } from "../../kernel/durations.js"
import type { Campaign } from "../campaigns/CampaignStore.js"
import { type Schedule, WEEKDAYS, type Weekday } from "../../kernel/sequences/Sequence.js"
import type { Pace } from "../../sources/ports/SendingProvider.js"
import { zoneOf } from "../campaigns/recipientHours.js"
import type { MailboxKind } from "./MailboxMachine.js"
import { jitter } from "../../kernel/jitter.js"
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

/**
 * Daily cap (UTC) of an own mailbox while it is new, by its age in whole days: a mailbox that suddenly sends a lot is
 * taken for a spammer. After the last row only the workspace's cap applies, 25 unless its owner chose another.
 * Documented in docs/guides/own-mailboxes.md.
 */
export const RAMP: ReadonlyArray<{ readonly beforeDay: number; readonly sends: number }> = [
  { beforeDay: 3, sends: 5 },
  { beforeDay: 7, sends: 8 },
  { beforeDay: 14, sends: 12 },
  { beforeDay: 21, sends: 16 },
  { beforeDay: 28, sends: 20 }
]

/** Today's ramp cap of a mailbox added at `createdAtMillis`; null: no longer new. */
export const rampCap = (createdAtMillis: number, nowMillis: number): number | null => {
  const ageDays = Math.floor((nowMillis - createdAtMillis) / DAY_MILLIS)
  return RAMP.find(({ beforeDay }) => ageDays < beforeDay)?.sends ?? null
}

/** Most messages that a mailbox may send today. `cap`: the workspace's cap per mailbox. */
export const mailboxCap = (
  { createdAtMillis, kind }: { readonly kind: MailboxKind; readonly createdAtMillis: number },
  cap: number,
  nowMillis: number
): number => Math.min(cap, (kind === "own" ? rampCap(createdAtMillis, nowMillis) : null) ?? cap)

/** How many messages a workspace and one of its mailboxes may still send today; none if 0 or less. */
export interface Left {
  readonly workspace: number
  readonly mailbox: number
}

/** `sent`: what left today (UTC), may have left, or is about to. */
export const leftToday = (
  caps: { readonly dailySends: number; readonly mailboxDailySends: number },
  mailbox: { readonly kind: MailboxKind; readonly createdAtMillis: number },
  sent: Left,
  nowMillis: number
): Left => ({
  workspace: caps.dailySends - sent.workspace,
  mailbox: mailboxCap(mailbox, caps.mailboxDailySends, nowMillis) - sent.mailbox
})

/** How many messages both may still send today. */
export const leastOf = ({ mailbox, workspace }: Left): number => Math.min(mailbox, workspace)

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

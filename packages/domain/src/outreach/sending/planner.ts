/**
 * When mail may leave, and when it is due: pure, from what a campaign says and the tables of the platform's time zones.
 */
import type { Campaign } from "../campaigns/Campaign.js"
import { type Schedule, WEEKDAYS, type Weekday } from "../../kernel/sequences/Sequence.js"
import type { Pace } from "../../sources/ports/SendingProvider.js"
import type { MailboxKind } from "./MailboxMachine.js"
import { DAY_MILLIS, instantOf, localOf, stretches } from "./zone.js"

const HOUR_MILLIS = 3_600_000

/** After the last step a person's answer is waited for so long before their sequence counts as finished. */
export const ANSWER_WAIT_DAYS = 10

/** A schedule of one day a week opens within so many days, even where a change of the clocks swallows it once. */
const WINDOW_WITHIN_DAYS = 16

/** Sending may take place from `opensAtMillis`, before `closesAtMillis`. */
export interface SendingWindow {
  readonly opensAtMillis: number
  readonly closesAtMillis: number
}

/** 1970-01-01 was a Thursday. */
const weekdayOf = (localDay: number): Weekday => WEEKDAYS[(((localDay + 3) % 7) + 7) % 7] as Weekday

/** The instants of one local day that lie between the schedule's hours; clocks put back may part them in two. */
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

/**
 * The window that is open at `fromMillis`, or the one that opens next; null where none comes, which no schedule that a
 * campaign may have brings about.
 */
export const nextWindow = (schedule: Schedule, fromMillis: number): SendingWindow | null => {
  const today = Math.floor(localOf(schedule.timezone, fromMillis) / DAY_MILLIS)
  // Clocks put back over midnight repeat the end of the day before.
  for (let day = today - 1; day <= today + WINDOW_WITHIN_DAYS; day += 1) {
    if (!schedule.days.includes(weekdayOf(day))) continue
    const window = windowsOfDay(schedule, day).find(({ closesAtMillis }) => closesAtMillis > fromMillis)
    if (window !== undefined) return window
  }
  return null
}

/** The same local time, so many calendar days later. */
export const daysAfter = (timezone: string, fromMillis: number, days: number): number =>
  days === 0 ? fromMillis : instantOf(timezone, localOf(timezone, fromMillis) + days * DAY_MILLIS)

/**
 * When the next step is due after `stepsSent` of them; after the last one, when the wait for an answer is over. Waits
 * are calendar days of the campaign's zone, so that the hour stays over a change of the clocks; a provider with days of
 * its own length has none.
 */
export const nextDue = (
  campaign: Pick<Campaign, "sequence" | "schedule">,
  stepsSent: number,
  sentAtMillis: number,
  pace: Pace
): number => {
  const days = campaign.sequence[stepsSent]?.waitDays ?? ANSWER_WAIT_DAYS
  return pace.dayMillis === DAY_MILLIS
    ? daysAfter(campaign.schedule.timezone, sentAtMillis, days)
    : sentAtMillis + days * pace.dayMillis
}

/**
 * How many messages a mailbox of the owner's may send on a day (UTC) while it is new, by its age in whole days: who
 * suddenly writes a lot from a mailbox that never did is taken for a spammer. After the last row only the workspace's
 * own cap holds, which is 25 unless its owner chose another. Told in docs/guides/own-mailboxes.md.
 */
export const RAMP: ReadonlyArray<{ readonly beforeDay: number; readonly sends: number }> = [
  { beforeDay: 3, sends: 5 },
  { beforeDay: 7, sends: 8 },
  { beforeDay: 14, sends: 12 },
  { beforeDay: 21, sends: 16 },
  { beforeDay: 28, sends: 20 }
]

/** What a mailbox added at `createdAtMillis` may send today at most; null: it is grown up. */
export const rampCap = (createdAtMillis: number, nowMillis: number): number | null => {
  const ageDays = Math.floor((nowMillis - createdAtMillis) / DAY_MILLIS)
  return RAMP.find(({ beforeDay }) => ageDays < beforeDay)?.sends ?? null
}

/** What a mailbox may send today at most, where the workspace's cap for each of its mailboxes is `cap`. */
export const mailboxCap = (
  { createdAtMillis, kind }: { readonly kind: MailboxKind; readonly createdAtMillis: number },
  cap: number,
  nowMillis: number
): number => Math.min(cap, (kind === "own" ? rampCap(createdAtMillis, nowMillis) : null) ?? cap)

/** The shortest and the longest rest of a mailbox between two messages. */
export const GAP_MIN_MILLIS = 1_000
export const GAP_MAX_MILLIS = HOUR_MILLIS

/** A number from 0 up to 1 that the seed alone decides (FNV-1a with a final mix). */
export const jitter = (seed: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < seed.length; at += 1) hash = Math.imul(hash ^ seed.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/**
 * How long a mailbox rests after a message: it spreads what it may still send today over what is left of the window,
 * and keeps no beat. Never more than the even share, so that the day's messages find their place before it closes.
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

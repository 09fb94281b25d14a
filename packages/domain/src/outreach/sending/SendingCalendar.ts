import { type Context, Effect } from "effect"
import { PublicHolidays } from "../../kernel/ports/PublicHolidays.js"
import type { Schedule } from "../../kernel/sequences/Sequence.js"
import { holidaysFor, zoneOf } from "../campaigns/recipientHours.js"
import { nextWindow, type SendingWindow } from "./planner.js"
import { DAY_MILLIS } from "./zone.js"

/** The next window of people with these hours (null: the campaign's own); null: none. */
export type NextWindow = (schedule: Schedule, hours: string | null, fromMillis: number) => SendingWindow | null

export const yearOf = (localDay: number): number => new Date(localDay * DAY_MILLIS).getUTCFullYear()

/** When a campaign may write to whom: its schedule, in the person's zone, without the holidays that it skips. */
export const nextWindowBy =
  (holidays: Context.Tag.Service<typeof PublicHolidays>): NextWindow =>
  (schedule, hours, fromMillis) => {
    const countries = holidaysFor(schedule, hours)
    const isHoliday = (day: number) => countries.some((country) => holidays.of(country, yearOf(day)).has(day))
    return nextWindow({ ...schedule, timezone: zoneOf(schedule, hours) }, fromMillis, isHoliday)
  }

export const makeNextWindow = Effect.map(PublicHolidays, nextWindowBy)

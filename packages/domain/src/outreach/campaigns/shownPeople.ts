import { type Context, Effect } from "effect"
import { PublicHolidays } from "../../kernel/ports/PublicHolidays.js"
import type { Schedule } from "../../kernel/sequences/Sequence.js"
import { yearOf } from "../sending/SendingCalendar.js"
import { DAY_MILLIS } from "../sending/zone.js"
import { hasOwnZone, holidaysFor, zoneOf } from "./recipientHours.js"

/** How many holidays of a country an approval names. */
const NEXT_HOLIDAYS = 5

/** The next holidays of a country, by local date, within a year and some days. */
const nextOf = (holidays: Context.Tag.Service<typeof PublicHolidays>, country: string, nowMillis: number) => {
  const today = Math.floor(nowMillis / DAY_MILLIS)
  const year = yearOf(today)
  return [...holidays.of(country, year), ...holidays.of(country, year + 1)]
    .filter(([day]) => day >= today)
    .sort(([one], [other]) => one - other)
    .slice(0, NEXT_HOLIDAYS)
    .map(([day, name]) => ({ date: new Date(day * DAY_MILLIS).toISOString().slice(0, 10), name }))
}

const counted = (names: ReadonlyArray<string>): ReadonlyArray<readonly [string, number]> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
}

/** How many people are written to in which zone, and whose holidays are skipped. Says nothing of what has no rule. */
export const makeShownPeople = Effect.map(
  PublicHolidays,
  (holidays) => (schedule: Schedule, hours: ReadonlyArray<string | null>, nowMillis: number) => {
    const { recipientTimezone, skipHolidays } = schedule
    const countries = counted(hours.flatMap((one) => [...holidaysFor(schedule, one)]))
    return {
      ...(recipientTimezone === true
        ? {
            timezones: counted(hours.map((one) => zoneOf(schedule, one))).map(([timezone, people]) => ({
              timezone,
              people
            })),
            timezone_unknown: hours.filter((one) => !hasOwnZone(one)).length
          }
        : {}),
      ...(skipHolidays === undefined
        ? {}
        : {
            holidays: countries.map(([country, people]) => ({
              country,
              people,
              next: nextOf(holidays, country, nowMillis)
            }))
          })
    }
  }
)

export type ShownPeople = ReturnType<Effect.Effect.Success<typeof makeShownPeople>>

import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { PublicHolidays } from "@outbound/domain/kernel/ports/PublicHolidays.js"
import { Layer } from "effect"

/** Days of every year that the two countries keep, by month and day. */
const FIXED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  DE: { "01-01": "New Year's Day", "05-01": "Labour Day", "10-03": "Unity Day", "12-25": "Christmas Day" },
  US: { "01-01": "New Year's Day", "07-04": "Independence Day", "12-25": "Christmas Day" }
}

/** A calendar that knows two countries. */
export const layer = Layer.succeed(PublicHolidays, {
  of: (country, year) =>
    new Map(
      Object.entries(FIXED[country] ?? {}).map(([day, name]) => [
        Date.parse(`${year}-${day}T00:00:00Z`) / DAY_MILLIS,
        name
      ])
    )
})

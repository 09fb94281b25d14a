import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { PublicHolidays } from "@outbound/domain/kernel/ports/PublicHolidays.js"
import type Holidays from "date-holidays"
import { Layer } from "effect"
import { createRequire } from "node:module"

const load = createRequire(import.meta.url)

/** Most years of a country that are kept: every country in some years. */
const YEARS_MAX = 2_000

/** A holiday without work. Others, such as Mother's Day, are days like any other. */
const TYPE = "public"

/**
 * A holiday begins on the local date that stands first in `date`, and may take several days. Where people begin it in
 * the evening before, as in Israel, the library gives the day.
 */
const read = (Library: typeof Holidays, country: string, year: number): ReadonlyMap<number, string> => {
  const days = new Map<number, string>()
  for (const { date, end, name, start, type } of new Library(country, { languages: "en" }).getHolidays(year)) {
    if (type !== TYPE) continue
    const first = Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / DAY_MILLIS
    const count = Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY_MILLIS))
    for (let day = first; day < first + count; day += 1) if (!days.has(day)) days.set(day, name)
  }
  return days
}

/** Nationwide holidays by the library `date-holidays`. The host's own zone doesn't matter. */
export const layer = Layer.sync(PublicHolidays, () => {
  const known = new Map<string, ReadonlyMap<number, string>>()
  let library: typeof Holidays | null = null
  return {
    of: (country, year) => {
      const key = `${country} ${year}`
      const found = known.get(key)
      if (found !== undefined) return found
      // Not at start: it takes a third of a second and 24 MB, and most hosts never ask.
      library ??= load("date-holidays") as typeof Holidays
      const days = read(library, country, year)
      if (known.size >= YEARS_MAX) known.clear()
      known.set(key, days)
      return days
    }
  }
})

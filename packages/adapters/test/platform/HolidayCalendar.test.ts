import { assert, describe, it } from "@effect/vitest"
import { HOLIDAY_COUNTRIES } from "@outbound/domain/kernel/places/holidayCountries.js"
import { countryOfCode } from "@outbound/domain/kernel/people/Countries.js"
import { PublicHolidays } from "@outbound/domain/kernel/ports/PublicHolidays.js"
import Holidays from "date-holidays"
import { Effect } from "effect"
import * as HolidayCalendar from "../../src/platform/HolidayCalendar.js"

const dates = (country: string, year: number) =>
  Effect.map(PublicHolidays, (holidays) =>
    Object.fromEntries(
      [...holidays.of(country, year)].map(([day, name]) => [
        new Date(day * 86_400_000).toISOString().slice(5, 10),
        name
      ])
    )
  )

describe("the calendar of public holidays", () => {
  it("requests may name every country of ISO 3166-1 that the library knows, and no other", () => {
    const known = Object.keys(new Holidays().getCountries()).filter((code) => countryOfCode(code)?.code === code)
    assert.deepStrictEqual([...HOLIDAY_COUNTRIES].toSorted(), known.toSorted())
  })

  it.effect("knows the days of each country, by its own date, in English", () =>
    Effect.gen(function* () {
      const german = yield* dates("DE", 2027)
      assert.containsAllKeys(german, ["01-01", "03-26", "03-29", "05-01", "05-06", "05-17", "10-03", "12-25", "12-26"])
      assert.strictEqual(german["01-01"], "New Year's Day")
      // Of one state alone, and no day off.
      assert.doesNotHaveAnyKeys(german, ["01-06", "05-09", "12-24"])
      const american = yield* dates("US", 2026)
      // The fourth of July is a Saturday.
      assert.containsAllKeys(american, ["07-03", "07-04", "11-26"])
      assert.containsAllKeys(yield* dates("JP", 2026), ["05-03", "05-04", "05-05", "05-06"])
      // Three days; and one that begins in the evening before.
      assert.containsAllKeys(yield* dates("AE", 2026), ["03-20", "03-21", "03-22"])
      assert.containsAllKeys(yield* dates("IL", 2026), ["09-12", "09-13", "09-21"])
      assert.isEmpty(yield* dates("QA", 2026))
    }).pipe(Effect.provide(HolidayCalendar.layer))
  )

  it.effect("every country has days in each year, all of them dates", () =>
    Effect.gen(function* () {
      const holidays = yield* PublicHolidays
      for (const country of HOLIDAY_COUNTRIES) {
        for (const year of [2026, 2027]) {
          const days = [...holidays.of(country, year).keys()]
          assert.isNotEmpty(days, country)
          assert.isTrue(days.every(Number.isInteger), country)
        }
      }
    }).pipe(Effect.provide(HolidayCalendar.layer))
  )
})

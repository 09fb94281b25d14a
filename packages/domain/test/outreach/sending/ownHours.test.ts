import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import { type Schedule, type Weekday, WEEKDAYS } from "../../../src/kernel/sequences/Sequence.js"
import { hoursUnder } from "../../../src/outreach/campaigns/recipientHours.js"
import { nextDue } from "../../../src/outreach/sending/planner.js"
import { nextWindowBy } from "../../../src/outreach/sending/SendingCalendar.js"
import { localOf, stretches } from "../../../src/outreach/sending/zone.js"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const BEGIN = Date.UTC(2027, 0, 1)
const ZONES = Intl.supportedValuesOf("timeZone")

/** Somebody works on no 1st, 2nd or 17th. */
const HOLIDAYS = [1, 2, 17]
const NONE: ReadonlyMap<number, string> = new Map()
const daysOff = new Map<number, ReadonlyMap<number, string>>()
const daysOffIn = (year: number) => {
  const known = daysOff.get(year)
  if (known !== undefined) return known
  const days = new Map(
    Array.from({ length: 366 }, (_, index) => Date.UTC(year, 0, 1 + index))
      .filter((day) => HOLIDAYS.includes(new Date(day).getUTCDate()))
      .map((day) => [day / DAY, "A day off"] as const)
  )
  daysOff.set(year, days)
  return days
}
const nextWindow = nextWindowBy({ of: (country, year) => (country === "DE" ? daysOffIn(year) : NONE) })

/** The clock on the wall there, by the platform and nothing of ours. */
const wallOf = (timezone: string) => {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    weekday: "short",
    day: "numeric",
    hour: "numeric",
    hourCycle: "h23"
  })
  return (millis: number) => {
    // "3 Sun, 23", in a third of the time that its parts take.
    const found = /^(\d+) (\w+), (\d+)$/.exec(format.format(millis))
    assert.isNotNull(found)
    const [, date, weekday, hour] = found ?? []
    return { weekday: String(weekday).toLowerCase() as Weekday, date: Number(date), hour: Number(hour) }
  }
}

const schedules = FastCheck.record({
  days: FastCheck.subarray([...WEEKDAYS], { minLength: 1 }),
  startHour: FastCheck.integer({ min: 0, max: 23 }),
  hours: FastCheck.integer({ min: 1, max: 24 })
}).map(({ days, hours, startHour }): Schedule => ({
  timezone: "UTC",
  days,
  startHour,
  endHour: Math.min(24, startHour + hours),
  recipientTimezone: true,
  skipHolidays: ["recipient"]
}))

const isOpenAt = (schedule: Schedule, wall: ReturnType<ReturnType<typeof wallOf>>) =>
  schedule.days.includes(wall.weekday) &&
  wall.hour >= schedule.startHour &&
  wall.hour < schedule.endHour &&
  !HOLIDAYS.includes(wall.date)

describe("people's own hours", () => {
  it("every window of a year, in every zone, lies within the local hours, and none is missed", () => {
    const chosen = FastCheck.sample(schedules, { numRuns: ZONES.length, seed: 27 })
    for (const [index, timezone] of ZONES.entries()) {
      const schedule = chosen[index]!
      const hours = hoursUnder(schedule, { custom: { timezone, country: "DE" } })
      assert.strictEqual(hours, `${timezone} DE`)
      const wall = wallOf(timezone)
      const told = `${timezone} ${JSON.stringify(schedule)}`
      let at = BEGIN
      let openMillis = 0
      while (at < BEGIN + 366 * DAY) {
        const window = nextWindow(schedule, hours, at)
        if (window === null) break
        const { closesAtMillis, opensAtMillis } = window
        assert.isTrue(closesAtMillis > at && opensAtMillis < closesAtMillis, told)
        for (const millis of [opensAtMillis, (opensAtMillis + closesAtMillis) / 2, closesAtMillis - 1]) {
          assert.isTrue(isOpenAt(schedule, wall(millis)), `${told}: ${new Date(millis).toISOString()}`)
        }
        openMillis += Math.max(0, Math.min(closesAtMillis, BEGIN + 366 * DAY) - Math.max(opensAtMillis, BEGIN))
        at = closesAtMillis
      }
      let expected = 0
      for (const { from, offset, to } of stretches(timezone, BEGIN, BEGIN + 366 * DAY)) {
        const [begins, ends] = [from + offset, to + offset]
        for (let midnight = Math.floor(begins / DAY) * DAY; midnight < ends; midnight += DAY) {
          const day = new Date(midnight)
          const weekday = WEEKDAYS[(day.getUTCDay() + 6) % 7]!
          if (!schedule.days.includes(weekday) || HOLIDAYS.includes(day.getUTCDate())) continue
          const opens = Math.max(begins, midnight + schedule.startHour * HOUR)
          const closes = Math.min(ends, midnight + schedule.endHour * HOUR)
          expected += Math.max(0, closes - opens)
        }
      }
      if (at < BEGIN + 366 * DAY) assert.strictEqual(expected, 0, told)
      else assert.strictEqual(openMillis, expected, told)
    }
  })

  it("a follow-up is due at the person's own hour, whatever their clocks did", () => {
    const campaign = {
      schedule: { ...FastCheck.sample(schedules, { numRuns: 1, seed: 1 })[0]!, timezone: "America/New_York" },
      sequence: [0, 5].map((waitDays) => ({ subject: "Hello", body: "Hi", waitDays }))
    }
    for (const timezone of ZONES) {
      for (let day = 0; day < 366; day += 1) {
        const sentAt = BEGIN + day * DAY + 10 * HOUR
        const due = nextDue(campaign, 1, sentAt, { dayMillis: DAY, windows: true }, timezone)
        const [before, after] = [localOf(timezone, sentAt), localOf(timezone, due)]
        // An hour that is skipped there comes later by the size of the gap.
        assert.isTrue(after - before - 5 * DAY >= 0 && after - before - 5 * DAY <= HOUR, `${timezone} ${day}`)
      }
    }
  })
})

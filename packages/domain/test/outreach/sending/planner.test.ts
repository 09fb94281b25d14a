import { jitter } from "@outbound/domain/kernel/jitter.js"
import { assert, describe, it } from "@effect/vitest"
import { type Schedule, WEEKDAYS } from "@outbound/domain/kernel/sequences/Sequence.js"
import {
  daysAfter,
  GAP_MAX_MILLIS,
  GAP_MIN_MILLIS,
  gapMillis,
  nextDue,
  nextWindow
} from "@outbound/domain/outreach/sending/planner.js"
import { localOf, stretches } from "@outbound/domain/outreach/sending/zone.js"
import * as FastCheck from "fast-check"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const schedule = (timezone: string, given: Partial<Schedule> = {}): Schedule => ({
  timezone,
  days: WEEKDAYS,
  startHour: 9,
  endHour: 17,
  ...given
})

const at = (text: string): number => Date.parse(text)

/** The window as text, or null. */
const windowAt = (given: Schedule, from: string) => {
  const window = nextWindow(given, at(from))
  return window === null
    ? null
    : [new Date(window.opensAtMillis).toISOString(), new Date(window.closesAtMillis).toISOString()].map((text) =>
        text.replace(":00.000Z", "Z")
      )
}

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "America/Havana",
  "Africa/Casablanca",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Asia/Gaza",
  "Asia/Beirut",
  "Australia/Lord_Howe",
  "Australia/Adelaide",
  "Pacific/Chatham",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Pacific/Marquesas",
  "America/Santiago",
  "Antarctica/Troll"
] as const

/** What a schedule says of one instant, read from the platform by another way than the planner's. */
const isOpen = ({ days, endHour, startHour, timezone }: Schedule, millis: number): boolean => {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    weekday: "short",
    hour: "2-digit",
    hourCycle: "h23"
  }).formatToParts(millis)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ""
  const hour = Number(part("hour"))
  return days.some((day) => day === part("weekday").toLowerCase()) && hour >= startHour && hour < endHour
}

const schedules = FastCheck.record({
  timezone: FastCheck.constantFrom(...ZONES),
  days: FastCheck.subarray([...WEEKDAYS], { minLength: 1 }),
  hours: FastCheck.tuple(FastCheck.integer({ min: 0, max: 23 }), FastCheck.integer({ min: 1, max: 24 })).filter(
    ([start, end]) => start < end
  )
}).map(({ days, hours: [startHour, endHour], timezone }): Schedule => ({ timezone, days, startHour, endHour }))

const [FROM, TO] = [at("2009-01-01T00:00Z"), at("2031-01-01T00:00Z")]

/** When the zones change their clocks in those years. */
const CHANGES = new Map(
  ZONES.map((zone) => [
    zone as string,
    stretches(zone, FROM, TO)
      .slice(1)
      .map((stretch) => stretch.from)
  ])
)

/** Instants of those years, half of them within hours of a change. */
const instants = (timezone: string) => {
  const changes = CHANGES.get(timezone) ?? []
  const anywhere = FastCheck.integer({ min: FROM, max: TO })
  return changes.length === 0
    ? anywhere
    : FastCheck.oneof(
        anywhere,
        FastCheck.tuple(FastCheck.constantFrom(...changes), FastCheck.integer({ min: -30 * HOUR, max: 30 * HOUR })).map(
          ([change, off]) => change + off
        )
      )
}

const situations = schedules.chain((given) => FastCheck.tuple(FastCheck.constant(given), instants(given.timezone)))

describe("sending windows", () => {
  it("are the hours of the campaign's days in its zone", () => {
    const weekdays = schedule("Europe/Berlin", { days: ["mon", "tue", "wed", "thu", "fri"] })
    // 2026-03-27 is a Friday; the clocks go forward on the Sunday after it.
    assert.deepStrictEqual(windowAt(weekdays, "2026-03-27T05:00Z"), ["2026-03-27T08:00Z", "2026-03-27T16:00Z"])
    assert.deepStrictEqual(windowAt(weekdays, "2026-03-27T15:59Z"), ["2026-03-27T08:00Z", "2026-03-27T16:00Z"])
    assert.deepStrictEqual(windowAt(weekdays, "2026-03-27T16:00Z"), ["2026-03-30T07:00Z", "2026-03-30T15:00Z"])
    assert.deepStrictEqual(windowAt(schedule("Asia/Kathmandu"), "2026-06-01T00:00Z"), [
      "2026-06-01T03:15Z",
      "2026-06-01T11:15Z"
    ])
    assert.deepStrictEqual(windowAt(schedule("UTC", { startHour: 0, endHour: 24 }), "2026-06-01T12:00Z"), [
      "2026-06-01T00:00Z",
      "2026-06-02T00:00Z"
    ])
  })

  it("an hour that the clocks skip opens no window, one that they repeat is open twice", () => {
    const two = schedule("Europe/Berlin", { startHour: 2, endHour: 3 })
    assert.deepStrictEqual(windowAt(two, "2026-03-28T12:00Z"), ["2026-03-30T00:00Z", "2026-03-30T01:00Z"])
    assert.deepStrictEqual(windowAt(two, "2026-10-24T12:00Z"), ["2026-10-25T00:00Z", "2026-10-25T02:00Z"])
    const sundays = { ...two, days: ["sun"] as const }
    assert.deepStrictEqual(windowAt(sundays, "2026-03-23T00:00Z"), ["2026-04-05T00:00Z", "2026-04-05T01:00Z"])
    // Half an hour only, at 02:00 local.
    assert.deepStrictEqual(
      windowAt(schedule("Australia/Lord_Howe", { startHour: 1, endHour: 3 }), "2026-04-04T12:00Z"),
      ["2026-04-04T14:00Z", "2026-04-04T16:30Z"]
    )
  })

  it("a day that a zone left out has no window", () => {
    // Samoa had no 30 December 2011: it went over the date line.
    const fridays = schedule("Pacific/Apia", { days: ["fri"] })
    assert.deepStrictEqual(windowAt(fridays, "2011-12-28T00:00Z"), ["2012-01-05T19:00Z", "2012-01-06T03:00Z"])
  })

  it("clocks put back over midnight open the evening before once more", () => {
    // Until 2011 Newfoundland went back at 00:01, to 23:01 of the day before.
    const saturdays = schedule("America/St_Johns", { days: ["sat"], startHour: 22, endHour: 24 })
    assert.deepStrictEqual(windowAt(saturdays, "2010-11-07T00:00Z"), ["2010-11-07T00:30Z", "2010-11-07T02:30Z"])
    for (const from of ["2010-11-07T02:30Z", "2010-11-07T02:30:59Z"]) {
      assert.deepStrictEqual(windowAt(saturdays, from), ["2010-11-07T02:31Z", "2010-11-07T03:30Z"])
    }
  })

  it("are none on holidays, also on one that has begun", () => {
    const noon = at("2026-06-01T12:00Z")
    const holidays = [noon, noon + DAY].map((millis) => Math.floor(millis / DAY))
    const window = nextWindow(schedule("UTC"), noon, (day) => holidays.includes(day))
    assert.deepStrictEqual(window, {
      opensAtMillis: at("2026-06-03T09:00Z"),
      closesAtMillis: at("2026-06-03T17:00Z")
    })
  })

  it("hold exactly what the schedule says of every instant, in every zone, over every change", () => {
    FastCheck.assert(
      FastCheck.property(
        situations,
        FastCheck.array(FastCheck.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
        ([given, from], points) => {
          const window = nextWindow(given, from)
          assert.isNotNull(window)
          if (window === null) return
          const { closesAtMillis, opensAtMillis } = window
          assert.isTrue(opensAtMillis < closesAtMillis && closesAtMillis > from)
          assert.isTrue(isOpen(given, opensAtMillis) && isOpen(given, closesAtMillis - 1))
          for (const point of points) {
            assert.isTrue(isOpen(given, Math.floor(opensAtMillis + point * (closesAtMillis - 1 - opensAtMillis))))
            const between = Math.floor(from + point * (opensAtMillis - 1 - from))
            if (opensAtMillis > from) assert.isFalse(isOpen(given, between), new Date(between).toISOString())
          }
          // Any time within it gives the same window.
          assert.deepStrictEqual(nextWindow(given, Math.max(from, opensAtMillis)), window)
        }
      ),
      { numRuns: 1_000 }
    )
  })
})

describe("waits", () => {
  const sequence = [
    { subject: "a", body: "b", waitDays: 0 },
    { subject: null, body: "c", waitDays: 3 }
  ]
  const pace = { dayMillis: DAY, windows: true }

  it("are calendar days of the campaign's zone: the hour stays over a change of the clocks", () => {
    const campaign = { sequence, schedule: schedule("Europe/Berlin") }
    assert.strictEqual(nextDue(campaign, 1, at("2026-03-27T08:30Z"), pace, null), at("2026-03-30T07:30Z"))
    assert.strictEqual(nextDue(campaign, 1, at("2026-10-23T07:30Z"), pace, null), at("2026-10-26T08:30Z"))
    assert.strictEqual(nextDue(campaign, 2, at("2026-06-01T07:30Z"), pace, null), at("2026-06-11T07:30Z"))
  })

  it("an hour that is skipped is as much later; one that is repeated is its first", () => {
    assert.strictEqual(daysAfter("Europe/Berlin", at("2026-03-28T01:30Z"), 1), at("2026-03-29T01:30Z"))
    assert.strictEqual(daysAfter("Europe/Berlin", at("2026-10-24T00:30Z"), 1), at("2026-10-25T00:30Z"))
    // The second of the two is the same moment no day later.
    assert.strictEqual(daysAfter("Europe/Berlin", at("2026-10-25T01:30Z"), 0), at("2026-10-25T01:30Z"))
    assert.strictEqual(daysAfter("Australia/Lord_Howe", at("2026-10-02T15:45Z"), 1), at("2026-10-03T15:45Z"))
  })

  it("where a provider's days are of another length, they are that many of them", () => {
    const campaign = { sequence, schedule: schedule("Europe/Berlin") }
    assert.strictEqual(nextDue(campaign, 1, 1_000, { dayMillis: 1_000, windows: false }, null), 4_000)
  })

  it("keep their order, and the local hour where there is one", () => {
    FastCheck.assert(
      FastCheck.property(situations, FastCheck.integer({ min: 0, max: 90 }), ([{ timezone }, from], days) => {
        const due = daysAfter(timezone, from, days)
        assert.isTrue(days === 0 ? due === from : due > from - DAY)
        const asked = localOf(timezone, from) + days * DAY
        const got = localOf(timezone, due)
        // Samoa's missing day is the longest that clocks ever went forward.
        assert.isTrue(got === asked || (got > asked && got - asked <= DAY), `${timezone} ${from} ${days}`)
      }),
      { numRuns: 1_000 }
    )
  })
})

describe("pace of own mailboxes", () => {
  it("the last message leaves within what is left of the window, whatever the hour", () => {
    const gap = (nowMillis: number, left: number) =>
      gapMillis({ nowMillis, closesAtMillis: nowMillis + MINUTE, left, seed: "m" })
    const whole = Math.round(MINUTE * (0.5 + 0.5 * jitter("m")))
    assert.deepStrictEqual([gap(0, 1), gap(DAY, 1), gap(DAY, 0)], [whole, whole, whole])
    assert.strictEqual(gap(DAY, 2), Math.round((MINUTE / 2) * (0.5 + 0.5 * jitter("m"))))
  })

  it("rests are within their bounds, never longer than the even share, and decided by their seed alone", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.integer({ min: -HOUR, max: DAY }),
        FastCheck.integer({ min: 0, max: 1_000 }),
        FastCheck.string(),
        (remaining, left, seed) => {
          const options = { nowMillis: 0, closesAtMillis: remaining, left, seed }
          const gap = gapMillis(options)
          assert.strictEqual(gapMillis(options), gap)
          assert.isTrue(gap >= GAP_MIN_MILLIS && gap <= GAP_MAX_MILLIS)
          const share = Math.max(0, remaining) / Math.max(1, left)
          assert.isTrue(gap <= Math.max(GAP_MIN_MILLIS, Math.ceil(share)))
          assert.isTrue(gap >= Math.min(GAP_MAX_MILLIS, Math.floor(share / 2)))
        }
      )
    )
    const seeds = Array.from({ length: 1_000 }, (_, index) => jitter(`message-${index}`))
    assert.isTrue(seeds.every((one) => one >= 0 && one < 1))
    assert.approximately(seeds.reduce((sum, one) => sum + one, 0) / seeds.length, 0.5, 0.05)
  })
})

describe("planning", () => {
  it("5,000 leads over a change of the clocks take well under 100 ms", () => {
    const campaign = { sequence: [{ subject: "a", body: "b", waitDays: 4 }], schedule: schedule("Europe/Berlin") }
    const from = at("2026-03-26T08:00Z")
    const plan = () => {
      for (let lead = 0; lead < 5_000; lead += 1) {
        const due = nextDue(campaign, 0, from + lead * 17 * 1_000, { dayMillis: DAY, windows: true }, null)
        if (lead % 10 === 0) nextWindow(campaign.schedule, due)
      }
    }
    // Of the processor, and the best of some, because a busy machine shares its caches too.
    const costs = Array.from({ length: 5 }, () => {
      const begun = process.cpuUsage()
      plan()
      const { system, user } = process.cpuUsage(begun)
      return (system + user) / 1_000
    })
    assert.isBelow(Math.min(...costs), 100)
  })
})

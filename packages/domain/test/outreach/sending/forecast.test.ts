import { DAY_MILLIS as DAY } from "../../../src/kernel/durations.js"
import { nextWindowBy } from "../../../src/outreach/sending/SendingCalendar.js"
import { assert, describe, it } from "@effect/vitest"
import { OWN_PACE } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { forecast, FORECAST_DAYS_MAX } from "@outbound/domain/outreach/sending/forecast.js"
import {
  earliestOf,
  type ForecastFacts,
  type ForecastMailbox
} from "@outbound/domain/outreach/sending/forecastFacts.js"
import { STARTS, UNDECLARED } from "@outbound/domain/outreach/sending/ramp.js"
import { UseBook } from "@outbound/domain/outreach/sending/UseBook.js"
import * as FC from "fast-check"

/** A Monday, at noon. */
const NOW = Date.UTC(2026, 5, 1, 12)

const schedule = {
  timezone: "Europe/Berlin",
  days: ["mon", "tue", "wed", "thu", "fri"],
  startHour: 9,
  endHour: 17
} as const

const mailbox = (id: string, more: Partial<ForecastMailbox> = {}): ForecastMailbox => ({
  mailboxId: id,
  kind: "purchased",
  address: `${id}@mail.example`,
  domain: "mail.example",
  sentToday: 0,
  restsUntilMillis: null,
  ...more
})

const step = (waitDays: number) => ({ subject: "Hello", body: "Hi", waitDays })

const factsOf = (people: number, waits: ReadonlyArray<number>, more: Partial<ForecastFacts> = {}): ForecastFacts => {
  const mailboxes = more.mailboxes ?? [mailbox("a")]
  return {
    nowMillis: NOW,
    campaign: { schedule, sequence: [step(0), ...waits.map(step)], maxPerCompanyPerDay: null },
    windows: true,
    nextWindow: nextWindowBy({ of: () => new Map() }),
    pace: OWN_PACE,
    ownPace: OWN_PACE,
    caps: { dailySends: 500, mailboxDailySends: 25 },
    sentToday: 0,
    sentToCompanies: new Map(),
    use: new UseBook(
      mailboxes
        .filter(({ kind }) => kind === "own")
        .map(({ domain, mailboxId }) => ({ mailboxId, domain, ...UNDECLARED })),
      []
    ),
    others: [],
    mailboxes,
    leads: Array.from({ length: people }, (_, i) => ({
      campaignLeadId: `lead-${String(i).padStart(5, "0")}`,
      mailboxId: mailboxes[i % mailboxes.length]?.mailboxId ?? "",
      stepsSent: 0,
      nextAtMillis: NOW,
      company: null,
      hours: null,
      receiver: `corp-${i}.example`
    })),
    ...more
  }
}

const total = ({ days }: ReturnType<typeof forecast>) => days.reduce((sum, { messages }) => sum + messages, 0)

const weekday = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()

describe("a forecast", () => {
  it("says when the first message can leave: within hours, caps and rests", () => {
    const first = (more: Partial<ForecastFacts>) =>
      forecast({ ...factsOf(3, [2], more), isFirstEnough: true }).first?.atMillis ?? null
    const tomorrow = Date.UTC(2026, 5, 2, 7)
    assert.strictEqual(first({}), NOW)
    assert.strictEqual(first({ nowMillis: NOW + 4 * 3_600_000 }), tomorrow)
    assert.strictEqual(first({ sentToday: 500 }), tomorrow)
    assert.strictEqual(first({ mailboxes: [mailbox("a", { sentToday: 25 })] }), tomorrow)
    const rests = { restsUntilMillis: NOW + 600_000 }
    assert.strictEqual(first({ mailboxes: [mailbox("a", rests)] }), NOW + 600_000)
    assert.strictEqual(first({ mailboxes: [mailbox("a", rests), mailbox("b")] }), NOW)
    assert.isNull(first({ leads: [] }))
    assert.isNull(first({ caps: { dailySends: 0, mailboxDailySends: 25 } }))
    // It is the first of what the whole forecast says.
    assert.strictEqual(forecast(factsOf(3, [2])).first?.atMillis, NOW)
  })

  it("keeps to the hours of the campaign, skips its days off, and waits as the sequence says", () => {
    const found = forecast(factsOf(60, [3]))
    assert.deepStrictEqual(
      found.days.map(({ date, messages }) => [date, messages]),
      [
        ["2026-06-01", 25],
        ["2026-06-02", 25],
        ["2026-06-03", 10],
        ["2026-06-04", 25],
        ["2026-06-05", 25],
        ["2026-06-08", 10]
      ]
    )
    assert.strictEqual(found.lastMessageAtMillis, Date.UTC(2026, 5, 8, 7))
    assert.strictEqual(found.unfinished, 0)
  })

  it("counts what left today, of the mailbox and of the workspace", () => {
    const mailboxes = [mailbox("a", { sentToday: 20 }), mailbox("b")]
    const first = (more: Partial<ForecastFacts>) =>
      forecast(factsOf(60, [], { mailboxes, ...more })).days.filter(({ date }) => date === "2026-06-01")
    const counts = (days: ReturnType<typeof first>) => days.map(({ messages }) => messages)
    assert.deepStrictEqual(counts(first({ sentToday: 20 })), [5, 25])
    assert.strictEqual(
      counts(first({ sentToday: 497 })).reduce((sum, count) => sum + count, 0),
      3
    )
  })

  it("follows the ramp of a new mailbox of one's own, which grows by what it sends", () => {
    const own = mailbox("own", { kind: "own" })
    const facts = factsOf(120, [], { mailboxes: [own], nowMillis: Date.UTC(2026, 5, 1, 7) })
    const found = forecast(facts)
    const counts = found.days.map(({ messages }) => messages)
    assert.deepStrictEqual(counts.slice(0, 9), [5, 6, 7, 8, 9, 9, 10, 12, 14])
    assert.strictEqual(total(found), 120)
    // It changes nothing of what it was asked with.
    assert.deepStrictEqual(forecast(facts), found)
  })

  it("mailboxes of a domain share what it may send, in all and to one organisation", () => {
    const mailboxes = ["a", "b", "c", "d", "e", "f"].map((id) => mailbox(id, { kind: "own" }))
    const perDay = (receiver: (index: number) => string) => {
      const facts = factsOf(60, [], { mailboxes, nowMillis: Date.UTC(2026, 5, 1, 7) })
      const leads = facts.leads.map((lead, index) => ({ ...lead, receiver: receiver(index) }))
      const sums = new Map<string, number>()
      for (const { date, messages } of forecast({ ...facts, leads }).days) {
        sums.set(date, (sums.get(date) ?? 0) + messages)
      }
      return [...sums.values()]
    }
    assert.deepStrictEqual(
      perDay((index) => `corp-${index}.example`),
      [STARTS.domain.first, 24, 16]
    )
    assert.deepStrictEqual(perDay(() => "google.com").slice(0, 3), [STARTS.domainAt.first, 12, 14])
  })

  it("ends after its last day, and counts whom it does not reach", () => {
    const found = forecast(factsOf(5, [], { caps: { dailySends: 0, mailboxDailySends: 25 } }))
    assert.deepStrictEqual(found, { days: [], first: null, lastMessageAtMillis: null, unfinished: 5 })
    const slow = forecast(factsOf(1_000, [], { caps: { dailySends: 1, mailboxDailySends: 25 }, windows: false }))
    assert.strictEqual(total(slow), FORECAST_DAYS_MAX)
    assert.strictEqual(slow.unfinished, 1_000 - FORECAST_DAYS_MAX)
  })

  it("sends every person each step once, and never more than a cap allows", () => {
    const some = FC.record({
      people: FC.integer({ min: 0, max: 300 }),
      waits: FC.array(FC.integer({ min: 0, max: 9 }), { maxLength: 3 }),
      boxes: FC.integer({ min: 1, max: 4 }),
      kind: FC.constantFrom("purchased" as const, "own" as const),
      daily: FC.integer({ min: 10, max: 80 }),
      each: FC.integer({ min: 1, max: 25 })
    })
    FC.assert(
      FC.property(some, ({ boxes, daily, each, kind, people, waits }) => {
        const mailboxes = Array.from({ length: boxes }, (_, i) => mailbox(`box-${i}`, { kind }))
        const caps = { dailySends: daily, mailboxDailySends: each }
        const found = forecast(factsOf(people, waits, { mailboxes, caps }))
        if (found.unfinished === 0) assert.strictEqual(total(found), people * (waits.length + 1))
        const ofDay = new Map<string, number>()
        for (const { date, messages } of found.days) {
          assert.isAtMost(messages, each)
          assert.notInclude([0, 6], weekday(date))
          ofDay.set(date, (ofDay.get(date) ?? 0) + messages)
        }
        for (const messages of ofDay.values()) assert.isAtMost(messages, daily)
      }),
      { numRuns: 100 }
    )
  })

  it("sends a company its share of each day, from all mailboxes together, and keeps nobody else back", () => {
    const mailboxes = [mailbox("a"), mailbox("b")]
    const facts = factsOf(12, [1], { mailboxes, windows: false })
    const leads = facts.leads.map((lead, i) => ({
      ...lead,
      company: i < 6 ? "acme.test" : i < 8 ? "other.test" : null
    }))
    const campaign = { ...facts.campaign, maxPerCompanyPerDay: 2 }
    const found = forecast({ ...facts, campaign, leads, sentToCompanies: new Map([["acme.test", 1]]) })
    const each = new Map<string, number>()
    for (const { date, messages } of found.days) each.set(date, (each.get(date) ?? 0) + messages)
    // The second day has two for acme.test, two for other.test and the four that have no company. In all 12 for acme.test.
    assert.deepStrictEqual([...each.values()], [1 + 2 + 4, 2 + 2 + 4, 2, 2, 2, 2, 1])
    assert.strictEqual(total(found), 24)
    assert.strictEqual(found.unfinished, 0)
  })

  it("counts what other campaigns take of the same mailboxes and caps: what is due first leaves first", () => {
    const other = (people: number, dueMillis: number, mailboxId = "a") => {
      const { campaign, leads, sentToCompanies } = factsOf(people, [])
      const others = leads.map((lead) => ({
        ...lead,
        campaignLeadId: `other-${lead.campaignLeadId}`,
        mailboxId,
        nextAtMillis: dueMillis
      }))
      return { campaign, leads: others, sentToCompanies }
    }
    const counts = (others: ReadonlyArray<ReturnType<typeof other>>, more: Partial<ForecastFacts> = {}) =>
      forecast(factsOf(30, [], { others, ...more })).days.map(({ date, messages }) => [date, messages])
    assert.deepStrictEqual(counts([]), [
      ["2026-06-01", 25],
      ["2026-06-02", 5]
    ])
    // Sixty are due before them: two days and ten messages of the third.
    assert.deepStrictEqual(counts([other(60, NOW - 1)]), [
      ["2026-06-03", 15],
      ["2026-06-04", 15]
    ])
    // Those who are due later wait.
    assert.deepStrictEqual(counts([other(60, NOW + 1)]), counts([]))
    const mailboxes = [mailbox("a"), mailbox("b")]
    const apart = factsOf(30, [], { mailboxes: [mailbox("a")] }).leads
    const beside = { leads: apart, mailboxes }
    assert.deepStrictEqual(counts([other(60, NOW - 1, "b")], beside), counts([]))
    // The cap of the workspace is one for all.
    const caps = { dailySends: 30, mailboxDailySends: 25 }
    assert.deepStrictEqual(counts([other(60, NOW - 1, "b")], { ...beside, caps })[0], ["2026-06-01", 5])
  })

  it("of one person says when they can be written to, never in the past", () => {
    const facts = factsOf(1, [])
    const [lead] = facts.leads
    const [box] = facts.mailboxes
    const earliest = (more: Partial<ForecastFacts>, of: Partial<ForecastMailbox> = {}, by: Partial<typeof lead> = {}) =>
      earliestOf({ ...facts, ...more }, { ...facts, ...more }, { ...box!, ...of }, { ...lead!, ...by })
    const tomorrow = Date.UTC(2026, 5, 2, 7)
    assert.strictEqual(earliest({}), NOW)
    assert.strictEqual(earliest({}, {}, { nextAtMillis: NOW - DAY }), NOW)
    assert.strictEqual(earliest({}, {}, { nextAtMillis: tomorrow - 1 }), tomorrow)
    assert.strictEqual(earliest({ nowMillis: NOW + 5 * 3_600_000 }), tomorrow)
    assert.strictEqual(earliest({}, { restsUntilMillis: NOW + 60_000 }), NOW + 60_000)
    assert.strictEqual(earliest({ sentToday: 500 }), tomorrow)
    assert.strictEqual(earliest({}, { sentToday: 25 }), tomorrow)
    const campaign = { ...facts.campaign, maxPerCompanyPerDay: 1 }
    const sentToCompanies = new Map([["acme.test", 1]])
    assert.strictEqual(earliest({ campaign, sentToCompanies }, {}, { company: "acme.test" }), tomorrow)
    assert.strictEqual(earliest({ campaign, sentToCompanies }, {}, { company: "other.test" }), NOW)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { leftToday, mailboxCap, receiverLeft } from "@outbound/domain/outreach/sending/planner.js"
import {
  declaredOf,
  type RampStart,
  STARTS,
  GROWTH,
  rampCaps,
  rampOn,
  type SenderUse,
  troubleOf,
  UNDECLARED,
  type Use,
  USE_DAYS,
  type UseDay
} from "@outbound/domain/outreach/sending/ramp.js"
import { UseBook, type UseRow } from "@outbound/domain/outreach/sending/UseBook.js"
import * as FC from "fast-check"

const TODAY = 20_000
const NOW = TODAY * DAY_MILLIS + 12 * 3_600_000
const START = STARTS.mailbox
const FIRST = START.first

const used = (ago: number, delivered: number, bad: Partial<UseDay> = {}): UseDay => ({
  day: TODAY - ago,
  taken: 0,
  delivered,
  refused: 0,
  bounced: 0,
  complained: 0,
  ...bad
})

const capOf = (use: Use, start: RampStart = START) => rampOn(use, start, TODAY).cap

/** What a mailbox may send on each of these days, if it always sends all that it may. */
const fully = (days: number, isUsed: (day: number) => boolean = () => true): ReadonlyArray<number> => {
  const use: Array<UseDay> = []
  return Array.from({ length: days }, (_, day) => {
    const { cap } = rampOn(use, START, day)
    if (isUsed(day)) use.push({ ...used(0, cap), day })
    return cap
  })
}

const days = FC.array(
  FC.record({
    delivered: FC.integer({ min: 0, max: 60 }),
    refused: FC.integer({ min: 0, max: 6 }),
    bounced: FC.integer({ min: 0, max: 4 }),
    complained: FC.constantFrom(0, 0, 0, 0, 1)
  }),
  { minLength: 1, maxLength: 40 }
)

describe("the ramp of an own mailbox", () => {
  it("starts at the first level and grows by a fifth of what was delivered", () => {
    assert.strictEqual(capOf([]), 5)
    assert.deepStrictEqual(fully(12), [5, 6, 7, 8, 9, 10, 12, 14, 16, 19, 22, 26])
    assert.strictEqual(capOf([used(1, 10)]), 12)
    assert.strictEqual(capOf([used(1, 2)]), 5)
  })

  it("a weekend takes nothing of it", () => {
    const isWeekday = (day: number) => day % 7 < 5
    const caps = fully(60, isWeekday).filter((_, day) => isWeekday(day))
    caps.forEach((cap, index) => assert.isAtLeast(cap, caps[index - 1] ?? 0))
  })

  it("decays while nothing is sent, and after two weeks begins anew", () => {
    const caps = Array.from({ length: USE_DAYS + 2 }, (_, ago) => capOf([used(ago + 1, 25)]))
    caps.forEach((cap, index) => assert.isAtMost(cap, caps[index - 1] ?? Infinity))
    assert.strictEqual(caps[0], 30)
    assert.isBelow(caps[7] ?? 0, 20)
    assert.strictEqual(caps[USE_DAYS], FIRST)
  })

  it("is never more than a fifth above what was delivered in the last two weeks, nor above yesterday's", () => {
    FC.assert(
      FC.property(days, (told) => {
        const use: Array<UseDay> = []
        let before: number | null = null
        told.forEach((day, index) => {
          const { cap } = rampOn(use, START, index)
          const best = Math.max(0, ...use.slice(-USE_DAYS).map(({ delivered }) => delivered))
          assert.isAtMost(cap, Math.max(FIRST, GROWTH * best))
          // Nobody sends more than they may.
          if (before !== null) assert.isAtMost(cap, Math.max(FIRST, GROWTH * before + 1e-9))
          before = cap
          use.push({ taken: 0, ...day, delivered: Math.min(day.delivered, cap), day: index })
        })
      }),
      { numRuns: 2_000 }
    )
  })

  it("halves at once when people refuse, bounce or complain, and grows again from there", () => {
    assert.strictEqual(capOf([used(1, 20)]), 24)
    assert.strictEqual(capOf([used(1, 20), used(0, 0, { refused: 4 })]), 12)
    assert.strictEqual(capOf([used(1, 20), used(0, 8, { bounced: 3 })]), 12)
    // Too few to prove anything.
    assert.strictEqual(capOf([used(1, 20), used(0, 20, { refused: 2 })]), 24)
    assert.strictEqual(capOf([used(1, 20), used(0, 90, { bounced: 3 })]), 24)
    // It stays down, and is not halved twice for the same people.
    assert.strictEqual(capOf([used(3, 20), used(2, 5, { refused: 4 })]), 11)
    assert.strictEqual(capOf([used(4, 20), used(3, 5, { refused: 4 }), used(2, 12), used(1, 14)]), 16)
    assert.strictEqual(capOf([used(2, 10, { refused: 9 }), used(1, 1)]), 3)
    // Never to nothing: what nobody tries nobody knows.
    const bad = Array.from({ length: USE_DAYS }, (_, ago) => used(ago, 0, { refused: 5 }))
    assert.strictEqual(capOf(bad), 1)
  })

  it("complaints halve it, and let it not grow while they are too many of the window's mail", () => {
    const at = STARTS.mailboxAt
    assert.strictEqual(capOf([used(1, 20), used(0, 8, { complained: 1 })], at), 12)
    // One complainer is believed about their own organisation alone.
    assert.strictEqual(capOf([used(1, 20), used(0, 8, { complained: 1 })]), 24)
    assert.strictEqual(capOf([used(1, 20), used(0, 8, { complained: 3 })]), 12)
    // Full use does not raise it.
    const later = [used(6, 20), used(5, 8, { complained: 1 }), ...[4, 3, 2, 1].map((ago) => used(ago, 12))]
    assert.isAtMost(capOf(later, at), 12)
    // One in a thousand is what receivers bear.
    const many = Array.from({ length: 12 }, (_, ago) => used(ago + 1, 80))
    assert.strictEqual(capOf([...many, used(0, 40, { complained: 1 })], at), 96)
  })

  it("says what slowed it", () => {
    const { slowed } = rampOn([used(2, 20), used(1, 5, { refused: 4 })], START, TODAY)
    assert.deepStrictEqual(slowed, [{ day: TODAY - 1, why: "refused", count: 4, of: 9, cap: 12 }])
  })

  it("three days are seen together, the fourth is not", () => {
    const refused = (...ago: ReadonlyArray<number>) => ago.map((one) => used(one, 2, { refused: 1 }))
    assert.lengthOf(rampOn(refused(2, 1, 0), START, TODAY).slowed, 1)
    assert.lengthOf(rampOn(refused(3, 1, 0), START, TODAY).slowed, 0)
  })

  it("troubles of several days are seen together, those of long ago are not", () => {
    assert.strictEqual(troubleOf([used(2, 3, { refused: 1 }), used(1, 2, { refused: 2 })])?.why, "refused")
    assert.isNull(troubleOf([used(1, 30, { refused: 2, bounced: 1 })]))
    const daysApart = (days: number) => capOf([used(1 + days, 3, { refused: 1 }), used(1, 3, { refused: 2 })])
    assert.isBelow(daysApart(2), FIRST)
    assert.strictEqual(daysApart(3), FIRST)
  })
})

describe("what an owner declares", () => {
  const declared = (sends: number, ageDays: number, ago = 0) => ({
    declaredSends: sends,
    declaredSinceMillis: NOW - (ago + ageDays) * DAY_MILLIS,
    declaredAtMillis: NOW - ago * DAY_MILLIS
  })
  const capOfDeclared = (of: ReturnType<typeof declared>) => rampOn([], START, TODAY, declaredOf(of)).cap

  it("counts at once as delivered, as far as a mailbox of that age could have grown", () => {
    assert.strictEqual(capOfDeclared(declared(40, 90)), 40)
    assert.strictEqual(capOfDeclared(declared(40, 5)), 12)
    assert.strictEqual(capOfDeclared(declared(40, 0)), FIRST)
    assert.deepStrictEqual(declaredOf(UNDECLARED), [])
  })

  it("decays as use does, and is forgotten after two weeks", () => {
    assert.isBelow(capOfDeclared(declared(40, 90, 7)), 30)
    assert.strictEqual(capOfDeclared(declared(40, 90, 15)), FIRST)
  })

  it("adds up for the domain, and counts half towards one organisation", () => {
    const mailboxes = ["a", "b"].map((mailboxId, ago) => ({
      mailboxId,
      domain: "acme.test",
      ...declared(20, 90, ago)
    }))
    const use = new UseBook(mailboxes, []).of("a", "google.com")
    assert.deepStrictEqual(rampCaps(use!, TODAY), { mailbox: 20, domain: 40, at: { mailbox: 10, domain: 20 } })
  })
})

describe("what is left today", () => {
  const caps = { dailySends: 500, mailboxDailySends: 25 }
  const row = (mailboxId: string, receiver: string | null, day: UseDay): UseRow => ({ mailboxId, receiver, ...day })
  const none = (mailboxId: string) => ({ mailboxId, domain: "acme.test", ...UNDECLARED })
  const book = (...rows: ReadonlyArray<UseRow>) => new UseBook(["a", "b"].map(none), rows)

  it("a purchased mailbox has its cap alone", () => {
    assert.deepStrictEqual(leftToday(caps, null, { workspace: 10, mailbox: 2 }, NOW), {
      workspace: 490,
      mailbox: 23,
      domain: null,
      receiver: null
    })
    assert.isNull(book().of("c"))
  })

  it("a domain's mailboxes share what the domain and each organisation take", () => {
    const rows = book(
      row("a", "google.com", { ...used(0, 2), taken: 2 }),
      row("b", "google.com", { ...used(0, 4), taken: 4 }),
      row("b", null, { ...used(0, 0), taken: 1 })
    )
    const left = (mailboxId: string, receiver: string | null, sent: number) =>
      leftToday(caps, rows.of(mailboxId, receiver), { workspace: 7, mailbox: sent }, NOW)
    assert.deepStrictEqual(left("a", null, 2), { workspace: 493, mailbox: 3, domain: 13, receiver: null })
    assert.deepStrictEqual(left("a", "google.com", 2), { workspace: 493, mailbox: 3, domain: 13, receiver: 3 })
    assert.strictEqual(left("b", "google.com", 5).receiver, 1)
    assert.strictEqual(receiverLeft(rows.of("b", "else.test")!, NOW), STARTS.mailboxAt.first)
  })

  it("what other mailboxes of the domain sent to an organisation binds one that wrote to nobody there", () => {
    const rows = book(row("b", "google.com", { ...used(0, 8), taken: 8 }))
    const left = (mailboxId: string, receiver: string) =>
      leftToday(caps, rows.of(mailboxId, receiver), { workspace: 8, mailbox: 0 }, NOW).receiver
    assert.strictEqual(left("a", "google.com"), STARTS.domainAt.first - 8)
    assert.strictEqual(left("a", "else.test"), STARTS.mailboxAt.first)
  })

  it("a mailbox's cap of the day is what it sent, and what it and its domain may still send", () => {
    const use = (taken: number): SenderUse =>
      new UseBook(["a", "b"].map(none), [row("b", null, { ...used(0, 0), taken })]).of("a")!
    assert.strictEqual(mailboxCap(25, use(0), 0, NOW), FIRST)
    assert.strictEqual(mailboxCap(3, use(0), 0, NOW), 3)
    assert.strictEqual(mailboxCap(25, use(18), 0, NOW), 2)
    assert.strictEqual(mailboxCap(25, use(30), 4, NOW), 4)
    assert.strictEqual(mailboxCap(25, null, 4, NOW), 25)
  })
})

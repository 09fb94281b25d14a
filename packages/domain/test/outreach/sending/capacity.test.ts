import { assert, describe, it } from "@effect/vitest"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import {
  dailyLimit,
  hasRoom,
  leastOf,
  leftBeside,
  leftToday,
  mailboxCap,
  receiverLeft
} from "@outbound/domain/outreach/sending/planner.js"
import { type Declared, dayOf, type SenderUse, type Use } from "@outbound/domain/outreach/sending/ramp.js"

const NOW = Date.UTC(2026, 2, 10, 12)
const TODAY = dayOf(NOW)
const CAPS = { dailySends: 100, mailboxDailySends: 30 }

/** So many messages left that day, and nothing bad was heard. */
const sent = (taken: number, day = TODAY): Use =>
  taken === 0 ? [] : [{ day, taken, delivered: 0, refused: 0, bounced: 0, complained: 0 }]

const declared = (sends: number): ReadonlyArray<Declared> => (sends === 0 ? [] : [{ day: TODAY, sends }])

/** What an own mailbox and its domain sent today, in all and to one organisation, and what their owners declare. */
const use = (of: {
  readonly mailbox?: number
  readonly domain?: number
  readonly at?: readonly [mailbox: number, domain: number]
  readonly declares?: readonly [mailbox: number, domain: number]
}): SenderUse => ({
  mailbox: sent(of.mailbox ?? 0),
  domain: sent(of.domain ?? 0),
  at: of.at === undefined ? null : { mailbox: sent(of.at[0]), domain: sent(of.at[1]) },
  declared: { mailbox: declared(of.declares?.[0] ?? 0), domain: declared(of.declares?.[1] ?? 0) }
})

describe("what may still be sent today", () => {
  it("of a purchased mailbox is what the workspace's caps leave", () => {
    const left = { workspace: 90, mailbox: 27, domain: null, receiver: null }
    assert.deepStrictEqual(leftToday(CAPS, null, { workspace: 10, mailbox: 3 }, NOW), left)
    assert.deepStrictEqual(leftBeside(CAPS, null, { workspace: 10, mailbox: 3 }), left)
  })

  it("of an own mailbox is what its ramp leaves too, of it and of its domain", () => {
    // A new mailbox begins with 5 a day, a new domain with 20.
    const left = leftToday(CAPS, use({ mailbox: 2, domain: 12 }), { workspace: 10, mailbox: 2 }, NOW)
    assert.deepStrictEqual(left, { workspace: 90, mailbox: 3, domain: 8, receiver: null })
    const grown = leftToday(CAPS, use({ declares: [500, 900] }), { workspace: 0, mailbox: 4 }, NOW)
    assert.deepStrictEqual(grown, { workspace: 100, mailbox: 26, domain: 900, receiver: null })
  })

  it("to an organisation is the least of what it takes of the mailbox and of the domain", () => {
    // Of a new mailbox 5 a day, of a new domain 10.
    const at = (mailbox: number, domain: number) => use({ at: [mailbox, domain] })
    assert.deepStrictEqual(
      [at(1, 2), at(0, 8), at(6, 6)].map((one) => leftToday(CAPS, one, { workspace: 0, mailbox: 0 }, NOW).receiver),
      [4, 2, -1]
    )
    assert.deepStrictEqual(
      [at(1, 2), at(0, 8), use({})].map((one) => receiverLeft(one, NOW)),
      [4, 2, Infinity]
    )
  })

  it("counts what left today alone", () => {
    const before = { ...use({}), domain: sent(12, TODAY - 1) }
    assert.strictEqual(leftToday(CAPS, before, { workspace: 0, mailbox: 0 }, NOW).domain, 20)
    assert.strictEqual(leftToday(CAPS, use({ domain: 12 }), { workspace: 0, mailbox: 0 }, NOW + DAY_MILLIS).domain, 20)
  })

  it("in all is the least of workspace, mailbox and domain", () => {
    const least = (workspace: number, mailbox: number, domain: number | null) => leastOf({ workspace, mailbox, domain })
    assert.deepStrictEqual([least(1, 2, 3), least(2, 1, 3), least(3, 2, 1), least(3, 2, null)], [1, 1, 1, 2])
  })
})

describe("a mailbox", () => {
  it("has room until its own cap, or its domain's ramp, is reached", () => {
    assert.deepStrictEqual([hasRoom(30, null, 29, NOW), hasRoom(30, null, 30, NOW)], [true, false])
    assert.deepStrictEqual([hasRoom(30, use({}), 4, NOW), hasRoom(30, use({}), 5, NOW)], [true, false])
    assert.deepStrictEqual(
      [19, 20, 21].map((domain) => hasRoom(30, use({ domain }), 0, NOW)),
      [true, false, false]
    )
  })

  it("may send today what it sent, and what it and its domain may still send", () => {
    assert.strictEqual(mailboxCap(30, null, 4, NOW), 30)
    assert.strictEqual(mailboxCap(30, use({ mailbox: 2, domain: 2 }), 2, NOW), 5)
    assert.strictEqual(mailboxCap(3, use({ mailbox: 2, domain: 2 }), 2, NOW), 3)
    assert.strictEqual(mailboxCap(30, use({ mailbox: 2, domain: 18 }), 2, NOW), 4)
    // The others of its domain sent more than it may, so that it sends no more than it did.
    assert.strictEqual(mailboxCap(30, use({ mailbox: 2, domain: 25 }), 2, NOW), 2)
  })
})

describe("what mailboxes may send together in a day", () => {
  const limit = (senders: ReadonlyArray<readonly [domain: string, use: SenderUse | null]>, caps = CAPS) =>
    dailyLimit(
      caps,
      senders.map(([domain, of]) => ({ domain, use: of })),
      NOW
    )
  const own = use({})
  const grown = use({ declares: [500, 0] })

  it("is the sum of what each may, of own ones no more than their domain, and never more than the workspace", () => {
    assert.strictEqual(limit([]), 0)
    assert.strictEqual(limit([["a.test", null]]), 30)
    assert.strictEqual(
      limit([
        ["a.test", null],
        ["a.test", null],
        ["b.test", null]
      ]),
      90
    )
    assert.strictEqual(
      limit([
        ["a.test", null],
        ["a.test", null],
        ["b.test", null],
        ["b.test", null]
      ]),
      100
    )
    assert.strictEqual(limit([["a.test", own]]), 5)
    assert.strictEqual(
      limit([
        ["a.test", own],
        ["a.test", own]
      ]),
      10
    )
    assert.strictEqual(limit([["a.test", grown]]), 20)
    assert.strictEqual(
      limit([
        ["a.test", grown],
        ["a.test", grown]
      ]),
      20
    )
    assert.strictEqual(
      limit([
        ["a.test", grown],
        ["b.test", grown]
      ]),
      40
    )
    assert.strictEqual(limit([["a.test", own]], { dailySends: 100, mailboxDailySends: 3 }), 3)
  })

  it("has no ramp for purchased mailboxes, also at the domain of own ones; what was sent today takes nothing of it", () => {
    assert.strictEqual(
      limit([
        ["a.test", null],
        ["a.test", grown],
        ["a.test", null]
      ]),
      80
    )
    assert.strictEqual(limit([["a.test", use({ mailbox: 4, domain: 19 })]]), 5)
  })
})

import { assert, describe, it } from "@effect/vitest"
import {
  decideSend,
  endOf,
  hindrances,
  removalOf,
  rulesEndedBy,
  SEND_CHECKS,
  type SendDecision,
  type SendFacts,
  windowFor
} from "../../../src/outreach/sending/sendRule.js"

const NOW = Date.UTC(2026, 2, 10, 12)

const left = { workspace: 1, mailbox: 1, domain: null, receiver: null }

/** Nothing forbids this message. */
const CLEAR: SendFacts = {
  nowMillis: NOW,
  lead: { state: "ready", stepsSent: 0, nextAtMillis: NOW },
  steps: 2,
  approval: "used",
  campaign: "active",
  window: null,
  isSuspended: false,
  mailbox: { state: "active", restsUntilMillis: null },
  messages: [],
  elsewhere: [],
  bars: { sources: [], isContacted: false, keptOut: null },
  isCrmUnread: false,
  overlap: "refuse",
  company: null,
  isBound: true,
  hasWritten: false,
  left
}

const company = (change: Partial<NonNullable<SendFacts["company"]>>) => ({
  company: { isStopped: false, hasWritten: false, left: null, ...change }
})

const bars = (change: Partial<SendFacts["bars"]>) => ({ bars: { ...CLEAR.bars, ...change } })

const lead = (change: Partial<SendFacts["lead"]>) => ({ lead: { ...CLEAR.lead, ...change } })

/** One fact that forbids it, and what is then decided. */
const FORBIDDING: ReadonlyArray<readonly [what: string, change: Partial<SendFacts>, decided: SendDecision]> = [
  ["the sequence is over", lead({ stepsSent: 2 }), { may: "never", why: "ended" }],
  ["the person replied", lead({ state: "replied" }), { may: "never", why: "ended" }],
  ["no approval covers the lead", lead({ state: "pending" }), { may: "later", why: "not_approved" }],
  ["no approval is named", { approval: null }, { may: "later", why: "not_approved" }],
  ["the approval has not executed", { approval: "approved" }, { may: "later", why: "not_approved" }],
  ["the campaign is paused", { campaign: "paused" }, { may: "later", why: "campaign_not_running" }],
  ["the step is not due", lead({ nextAtMillis: NOW + 1 }), { may: "later", why: "not_due" }],
  ["no time is set for the step", lead({ nextAtMillis: null }), { may: "later", why: "not_due" }],
  ["a host holds it", { messages: [{ state: "claimed", stepIndex: 0 }] }, { may: "later", why: "in_flight" }],
  ["the person opted out", bars({ sources: ["owner_import", "reply"] }), { may: "never", why: "opted_out" }],
  [
    "its owner blocked the person",
    bars({ sources: ["owner_import"], isContacted: true }),
    { may: "never", why: "platform_blocked" }
  ],
  ["the CRM keeps the person out", bars({ keptOut: "crm_customer" }), { may: "never", why: "kept_out" }],
  ["they said no in the CRM", bars({ keptOut: "crm_opted_out" }), { may: "never", why: "kept_out" }],
  ["the CRM was not read for a day", { isCrmUnread: true }, { may: "later", why: "crm_unread" }],
  ["another campaign wrote lately", bars({ isContacted: true, keptOut: "crm_owned" }), { may: "never", why: "capped" }],
  [
    "another campaign wrote lately, and people wait for that",
    { ...bars({ isContacted: true }), overlap: "queue" },
    { may: "later", why: "contacted_elsewhere" }
  ],
  ["it may have been sent", { messages: [{ state: "unknown", stepIndex: 0 }] }, { may: "later", why: "already_tried" }],
  ["it was sent", { messages: [{ state: "sent", stepIndex: 0 }] }, { may: "later", why: "already_tried" }],
  ["sending is suspended", { isSuspended: true }, { may: "later", why: "suspended" }],
  [
    "the window is closed",
    { window: { opensAtMillis: NOW + 1, closesAtMillis: NOW + 2 } },
    { may: "later", why: "window_closed" }
  ],
  [
    "the window closes now",
    { window: { opensAtMillis: NOW - 2, closesAtMillis: NOW } },
    { may: "later", why: "window_closed" }
  ],
  [
    "the mailbox rests",
    { mailbox: { state: "active", restsUntilMillis: NOW + 1 } },
    { may: "later", why: "mailbox_rests" }
  ],
  ["the mailbox was not shown", { isBound: false }, { may: "later", why: "mailbox_not_shown" }],
  ["there is no mailbox", { mailbox: null }, { may: "later", why: "mailbox_not_sending" }],
  [
    "another campaign's message may be on its way",
    { elsewhere: [{ state: "unknown" }] },
    { may: "later", why: "another_campaign_writes" }
  ],
  ["the person wrote", { hasWritten: true }, { may: "later", why: "they_wrote" }],
  ["a colleague answered", company({ isStopped: true }), { may: "never", why: "company_answered" }],
  ["a colleague wrote", company({ hasWritten: true }), { may: "later", why: "company_wrote" }],
  ["the company's share of the day is used up", company({ left: 0 }), { may: "later", why: "company_limit_reached" }],
  ["the workspace's day is used up", { left: { ...left, workspace: 0 } }, { may: "later", why: "cap_reached" }],
  ["the mailbox's day is used up", { left: { ...left, mailbox: 0 } }, { may: "later", why: "cap_reached" }],
  ["the domain's day is used up", { left: { ...left, domain: 0 } }, { may: "later", why: "cap_reached" }],
  [
    "the receiver's share is used up",
    { left: { ...left, receiver: 0 } },
    { may: "later", why: "receiver_limit_reached" }
  ]
]

describe("the rule of sending", () => {
  it("sends what nothing forbids", () => assert.deepStrictEqual(decideSend(CLEAR), { may: "send" }))

  it("sends to a company of which nobody answered, and which may still be sent one message", () => {
    assert.deepStrictEqual(decideSend({ ...CLEAR, ...company({}) }), { may: "send" })
    assert.deepStrictEqual(decideSend({ ...CLEAR, ...company({ left: 1 }) }), { may: "send" })
  })

  for (const [what, change, decided] of FORBIDDING) {
    it(`sends nothing if ${what}`, () => assert.deepStrictEqual(decideSend({ ...CLEAR, ...change }), decided))
  }

  it("tries again what provably was not sent", () =>
    assert.deepStrictEqual(decideSend({ ...CLEAR, messages: [{ state: "failed", stepIndex: 0 }] }), { may: "send" }))

  it("sends from the moment its window opens until it closes", () => {
    for (const window of [
      { opensAtMillis: NOW, closesAtMillis: NOW + 1 },
      { opensAtMillis: NOW - 1, closesAtMillis: NOW + 1 }
    ]) {
      assert.deepStrictEqual(decideSend({ ...CLEAR, window }), { may: "send" })
    }
  })

  it("a campaign's window is its own, and for people with hours of their own it is that of their hours", () => {
    const [own, ofHours] = [1, 2].map((day) => ({ opensAtMillis: NOW + day, closesAtMillis: NOW + day + 10 }))
    assert.deepStrictEqual(windowFor(own!, null, null), own)
    assert.deepStrictEqual(windowFor(own!, null, ofHours!), own)
    assert.deepStrictEqual(windowFor(own!, "Europe/Berlin", ofHours!), ofHours)
    // Without a window of its own a campaign sends at any time, to everybody.
    assert.isNull(windowFor(null, null, null))
    assert.isNull(windowFor(null, "Europe/Berlin", ofHours!))
    // What nobody knows yet is closed, at any time.
    const window = windowFor(own!, "Europe/Berlin", null)
    for (const nowMillis of [0, NOW, NOW + 5]) {
      const facts = { ...CLEAR, lead: { ...CLEAR.lead, nextAtMillis: nowMillis }, nowMillis, window }
      assert.deepStrictEqual(decideSend(facts), { may: "later", why: "window_closed" })
    }
  })

  it("sends from a mailbox whose rest is over", () =>
    assert.deepStrictEqual(decideSend({ ...CLEAR, mailbox: { state: "active", restsUntilMillis: NOW } }), {
      may: "send"
    }))

  it("sends the next step after one that was sent, or that may have been", () => {
    for (const state of ["sent", "unknown"] as const) {
      const facts = { ...CLEAR, ...lead({ stepsSent: 1 }), messages: [{ state, stepIndex: 0 }] }
      assert.deepStrictEqual(decideSend(facts), { may: "send" })
    }
  })

  it("removes who can't be emailed any more, with the reason that wins, and nobody else", () => {
    const reasons: Readonly<Record<string, ReturnType<typeof removalOf>>> = {
      "the person opted out": "opted_out",
      "its owner blocked the person": "platform_blocked",
      "the CRM keeps the person out": "crm_customer",
      "they said no in the CRM": "crm_opted_out",
      "another campaign wrote lately": "capped",
      "a colleague answered": "company_answered"
    }
    assert.isNull(removalOf(CLEAR))
    for (const [what, change] of FORBIDDING) {
      assert.strictEqual(removalOf({ ...CLEAR, ...change }), reasons[what] ?? null, what)
    }
  })

  it("removes nobody while a message is under way or not due, nor whose sequence is over", () => {
    const out = { ...CLEAR, ...bars({ sources: ["reply"] }) }
    assert.strictEqual(removalOf(out), "opted_out")
    for (const change of [
      { messages: [{ state: "claimed", stepIndex: 0 }] } as const,
      lead({ nextAtMillis: NOW + 1 }),
      lead({ stepsSent: 2 })
    ]) {
      assert.isNull(removalOf({ ...out, ...change }))
    }
  })

  it("names all that hinders a message now, in the order asked, and nothing else", () => {
    const facts = { ...CLEAR, isSuspended: true, hasWritten: true }
    assert.deepStrictEqual(hindrances(["suspended", "cap_reached", "they_wrote"], facts), ["suspended", "they_wrote"])
    assert.deepStrictEqual(hindrances(["they_wrote", "not_due", "suspended"], facts), ["they_wrote", "suspended"])
    assert.deepStrictEqual(hindrances(["suspended"], CLEAR), [])
  })

  it("leaves a limit alone that nobody set", () => {
    assert.deepStrictEqual(decideSend({ ...CLEAR, left: { ...left, receiver: null } }), { may: "send" })
    assert.deepStrictEqual(decideSend({ ...CLEAR, left: { ...left, receiver: 1 } }), { may: "send" })
  })

  it("a lead is removed for what nothing ends, and for nothing else", () => {
    for (const [what, , decided] of FORBIDDING) {
      assert.strictEqual(decided.may === "send" ? null : endOf(decided.why) === "never", decided.may === "never", what)
    }
  })

  it("what a new day ends are the limits of a day, and they look at nothing else", () => {
    assert.deepStrictEqual(rulesEndedBy("day"), ["company_limit_reached", "receiver_limit_reached", "cap_reached"])
    const full = { left: { ...left, mailbox: 0, receiver: 0 }, company: { left: 0 } }
    assert.deepStrictEqual(hindrances(rulesEndedBy("day"), full), rulesEndedBy("day"))
    assert.isEmpty(hindrances(rulesEndedBy("day"), { left, company: { left: 1 } }))
  })

  it("every rule is ended by one thing", () => {
    const ended = (["never", "person", "work", "due", "hours", "rest", "contact", "day"] as const).flatMap(rulesEndedBy)
    assert.sameMembers(ended, [...SEND_CHECKS])
    assert.lengthOf(ended, SEND_CHECKS.length)
  })
})

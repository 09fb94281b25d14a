import { assert, describe, it } from "@effect/vitest"
import { NO_COMPANY_RULES } from "../../../src/outreach/campaigns/companyRules.js"
import { DEFAULT_SCHEDULE } from "@outbound/domain/kernel/sequences/Sequence.js"
import type { CampaignView, SendingView } from "../../../src/control/console/ConsoleReads.js"
import { nextWindowBy } from "../../../src/outreach/sending/SendingCalendar.js"
import { whyNotSending } from "../../../src/control/console/whyNotSending.js"

/** A Tuesday, at noon UTC. */
const NOON = Date.UTC(2026, 2, 10, 12)
const HOUR = 3_600_000

const sending = (given: Partial<SendingView> = {}): SendingView => ({
  kind: "live",
  postalAddress: "1 Main Street",
  suspendedAtMillis: null,
  suspendedReason: null,
  dailySends: 500,
  mailboxDailySends: 25,
  sendsToday: 3,
  mailboxes: { provisioning: 0, active: 2, paused: 0, failed: 0 },
  mailboxesWithRoom: 2,
  isCrmUnread: false,
  ...given
})

const NEXT_WINDOW = nextWindowBy({ of: () => new Map() })

const view = (
  waiting: Partial<CampaignView["waiting"]> = {},
  campaign: Partial<CampaignView["campaign"]> = {}
): CampaignView => ({
  campaign: {
    workspaceId: "w",
    campaignId: "c",
    name: "Spring",
    state: "active",
    pauseReason: null,
    sequence: [{ subject: "Hello", body: "Hi", waitDays: 0 }],
    schedule: DEFAULT_SCHEDULE,
    ...NO_COMPANY_RULES,
    chosenVariants: null,
    winnerRule: null,
    recipientsVersion: 1,
    createdAtMillis: NOON,
    launchedAtMillis: NOON,
    ...campaign
  },
  leads: {},
  steps: [],
  mailboxes: [],
  waiting: { covered: 5, uncovered: 0, withoutMailbox: 0, nextAtMillis: NOON - 1, ...waiting },
  hours: []
})

const why = (of: CampaignView, by: SendingView, atMillis: number, nextMessageAtMillis: number | null = null) =>
  whyNotSending(of, by, NEXT_WINDOW, nextMessageAtMillis, atMillis)

const kinds = (...args: Parameters<typeof why>) => why(...args).map(({ kind }) => kind)

describe("why a campaign is not sending", () => {
  it("nothing is said of one that sends", () => {
    assert.deepStrictEqual(why(view(), sending(), NOON), [])
  })

  it("a state that does not send is said, and why it is paused", () => {
    assert.deepStrictEqual(kinds(view({}, { state: "draft" }), sending(), NOON), ["draft"])
    assert.deepStrictEqual(why(view({}, { state: "paused", pauseReason: "capacity" }), sending(), NOON), [
      { kind: "paused", reason: "capacity" }
    ])
  })

  it("of one that has ended nothing else is said", () => {
    const off = sending({ suspendedAtMillis: NOON, postalAddress: null })
    assert.deepStrictEqual(kinds(view({}, { state: "completed" }), off, NOON), ["completed"])
  })

  it("every hindrance of the workspace is said at once", () => {
    const off = sending({
      suspendedAtMillis: NOON,
      suspendedReason: "test",
      postalAddress: null,
      sendsToday: 500,
      mailboxes: { provisioning: 1, active: 0, paused: 3, failed: 0 },
      mailboxesWithRoom: 0
    })
    assert.deepStrictEqual(why(view(), off, NOON), [
      { kind: "suspended", reason: "test" },
      { kind: "no_postal_address" },
      { kind: "no_active_mailbox", provisioning: 1, paused: 3 },
      { kind: "workspace_cap", cap: 500 }
    ])
  })

  it("mailboxes at their own cap are told from a workspace at its cap", () => {
    assert.deepStrictEqual(kinds(view(), sending({ mailboxesWithRoom: 0 }), NOON), ["mailbox_caps"])
    assert.deepStrictEqual(kinds(view(), sending({ mailboxesWithRoom: 0, sendsToday: 500 }), NOON), ["workspace_cap"])
  })

  it("who waits is told apart", () => {
    const waiting = { uncovered: 2, withoutMailbox: 1, nextAtMillis: NOON + HOUR }
    assert.deepStrictEqual(kinds(view(waiting), sending(), NOON), ["awaiting_approval", "mailboxes_off", "not_due"])
    assert.deepStrictEqual(kinds(view({ covered: 0, nextAtMillis: null }), sending(), NOON), ["nobody_left"])
  })

  it("people who are due and may not be written to today are not passed over in silence", () => {
    const tomorrow = NOON + 12 * HOUR
    for (const kind of ["sandbox", "live"] as const) {
      assert.deepStrictEqual(why(view(), sending({ kind }), NOON, tomorrow), [
        { kind: "limits", nextAtMillis: tomorrow }
      ])
      assert.deepStrictEqual(why(view(), sending({ kind }), NOON, NOON + HOUR / 3), [])
    }
    assert.deepStrictEqual(kinds(view(), sending({ mailboxesWithRoom: 0 }), NOON, tomorrow), ["mailbox_caps"])
  })

  it("a closed window is said with when it opens, but in the sandbox, which sends at any hour", () => {
    const night = NOON + 8 * HOUR
    assert.deepStrictEqual(why(view(), sending(), night), [{ kind: "window_closed", opensAtMillis: NOON + 21 * HOUR }])
    assert.deepStrictEqual(why(view(), sending({ kind: "sandbox" }), night), [])
  })

  it("people with their own hours are waited for where a message is due, until the first of their windows opens", () => {
    const of = (...hours: CampaignView["hours"]): CampaignView => ({
      ...view({}, { schedule: { ...DEFAULT_SCHEDULE, recipientTimezone: true } }),
      hours
    })
    const berlin = { hours: "Europe/Berlin", people: 3, nextAtMillis: NOON - 1 }
    const [auckland, tokyo] = ["Pacific/Auckland", "Asia/Tokyo"].map((hours) => ({ ...berlin, hours }))
    assert.isEmpty(kinds(of(berlin, auckland!), sending(), NOON))
    const opensAtMillis = Date.UTC(2026, 2, 10, 20)
    assert.deepStrictEqual(why(of(tokyo!, auckland!), sending(), NOON), [{ kind: "window_closed", opensAtMillis }])
    const later = { ...berlin, nextAtMillis: NOON + HOUR }
    assert.deepStrictEqual(kinds(of(later, auckland!), sending(), NOON), ["window_closed"])
  })
})

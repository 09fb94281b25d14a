import { assert, it } from "@effect/vitest"
import { backoff } from "../../../src/kernel/backoff.js"
import type { TrailEvent } from "../../../src/kernel/trail/TrailEvent.js"
import type { RestRow } from "../../../src/outreach/health/HealthReads.js"
import { slowedByUse, TIGHTENED_MAX, tightenedSince } from "../../../src/outreach/health/tightened.js"
import { UNDECLARED } from "../../../src/outreach/sending/ramp.js"
import { RECEIVER_REST_MILLIS } from "../../../src/outreach/sending/refusals.js"
import { UseBook } from "../../../src/outreach/sending/UseBook.js"

const NOW = Date.UTC(2027, 0, 4)

const event = (given: Partial<TrailEvent>): TrailEvent => ({
  eventId: "e",
  workspaceId: "w",
  observedAtMillis: NOW,
  kind: "mailbox_paused",
  source: "system",
  campaignId: null,
  campaignLeadId: null,
  replyId: null,
  requestId: null,
  operationId: null,
  email: null,
  detail: { mailbox: "a@acme.test", reason: "bounces", status: "5.1.1", says: "no such user" },
  ...given
})

const rest = (given: Partial<RestRow>): RestRow => ({
  domain: "acme.test",
  mailbox: "a@acme.test",
  receiver: "mx.test",
  restsUntilMillis: NOW + backoff(1, RECEIVER_REST_MILLIS),
  times: 1,
  status: "5.7.1",
  says: "",
  ...given
})

it("each pause of the service's own is told with its reason, and none of a person's", () => {
  const byPerson = [event({ source: "console" }), event({ source: "api", kind: "paused", campaignId: "c" })]
  assert.deepStrictEqual(tightenedSince(byPerson, [], [], 0), [])
  assert.deepStrictEqual(
    tightenedSince(
      [
        event({}),
        event({ kind: "paused", campaignId: "c", observedAtMillis: NOW - 1, detail: { reason: "capacity" } }),
        event({ kind: "paused", observedAtMillis: NOW - 2, detail: {} })
      ],
      [],
      [],
      0
    ),
    [
      { atMillis: NOW, what: "Paused the mailbox a@acme.test.", why: "bounces: 5.1.1: no such user" },
      { atMillis: NOW - 1, what: "Paused the campaign c.", why: "capacity" },
      { atMillis: NOW - 2, what: "Paused a campaign.", why: "" }
    ]
  )
})

it("a rest began so long before its end as it lasts, which grows with each in succession", () => {
  const second = rest({ times: 2, restsUntilMillis: NOW, says: "blocked" })
  assert.deepStrictEqual(
    tightenedSince([], [rest({}), second], [], 0).map(({ atMillis, why }) => [atMillis, why]),
    [
      [NOW, "refused: 5.7.1"],
      [NOW - backoff(2, RECEIVER_REST_MILLIS), "refused: 5.7.1 blocked"]
    ]
  )
  assert.include(
    tightenedSince([], [second], [], 0)[0]?.what,
    "a@acme.test write to nobody at mx.test until 2027-01-04"
  )
})

it("the newest come first, those of one moment by their words, and only what is asked for", () => {
  const events = [
    event({ observedAtMillis: NOW - 1 }),
    event({ detail: { mailbox: "b@acme.test" } }),
    event({ detail: { mailbox: "a@acme.test" } }),
    event({ observedAtMillis: NOW - 2 })
  ]
  assert.deepStrictEqual(
    tightenedSince(events, [], [], NOW - 1).map(({ atMillis, what }) => [NOW - atMillis, what]),
    [
      [0, "Paused the mailbox a@acme.test."],
      [0, "Paused the mailbox b@acme.test."],
      [1, "Paused the mailbox a@acme.test."]
    ]
  )
  const many = Array.from({ length: TIGHTENED_MAX + 1 }, (_, index) => event({ observedAtMillis: NOW - index }))
  assert.lengthOf(tightenedSince(many, [], [], 0), TIGHTENED_MAX)
})

it("ramps that were halved are told of the mailbox, the domain, and the domain towards each organisation", () => {
  const day = NOW / 86_400_000
  const used = { day, taken: 0, delivered: 2, refused: 3, bounced: 0, complained: 0 }
  const rows = [
    { mailboxId: "a", receiver: "mx.test", ...used },
    { mailboxId: "b", receiver: "mx.test", ...used, day: day - 1, refused: 0 }
  ]
  const mailboxes = ["a", "b"].map((mailboxId) => ({ mailboxId, domain: "acme.test", ...UNDECLARED }))
  const addresses = new Map(["a", "b"].map((id) => [id, `${id}@acme.test`]))
  const slowed = slowedByUse(new UseBook(mailboxes, rows), addresses, NOW)
  const why = "refused: 3 of 5 were refused by policy"
  assert.deepStrictEqual(tightenedSince([], [], slowed, NOW), [
    { atMillis: NOW, what: "Halved what a@acme.test may send a day, to 2.", why },
    { atMillis: NOW, what: "Halved what acme.test may send a day, to 10.", why },
    { atMillis: NOW, what: "Halved what acme.test may send to mx.test a day, to 5.", why }
  ])
  assert.deepStrictEqual(tightenedSince([], [], slowed, NOW + 1), [])
})

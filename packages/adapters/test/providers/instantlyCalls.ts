import type { CapacityOrder } from "@outbound/domain/sources/ports/SendingProvider.js"
import type { VendorScheduled, VendorTerms } from "@outbound/domain/sources/ports/VendorScheduled.js"
import type { Answer, Exchange } from "@outbound/testkit/vendors/Exchange.js"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Effectful, personAt, provenBy, replyTo } from "./effectfulCalls.js"

export const terms: VendorTerms = {
  title: "t",
  marker: "ob-1",
  steps: [
    { subject: ["One"], body: ["Body"], waitDays: 0 },
    { subject: null, body: ["Body"], waitDays: 3 },
    { subject: null, body: ["Body"], waitDays: 5 }
  ],
  schedule: { timezone: "America/Detroit", days: ["mon", "sun"], startHour: 9, endHour: 24 },
  mailboxes: ["m1@try-acme.test"],
  dailySends: 40,
  mailboxDailySends: 20
}

export const person = personAt("a")

export const order: CapacityOrder = {
  workspaceId: "w",
  marker: "o",
  brand: "acme",
  identity: { firstName: "Ada", lastName: "Lovelace" },
  domains: [{ domain: "try-acme.com", mailboxes: ["ada@try-acme.com", "a.lovelace@try-acme.com"] }],
  orderedAtMillis: 0
}

/** As the vendor answers an order: every list, every number, and the card. */
export const ordered = (members: Readonly<Record<string, unknown>>): Answer => ({
  json: {
    order_placed: false,
    order_is_valid: true,
    unavailable_domains: [],
    invalid_accounts: [],
    total_price: 80,
    payment_method_last_4_digits: "4242",
    payment_method_name_on_card: "Ada Lovelace",
    order_items: [],
    ...members
  }
})

const asks = (method: string, path: string, body: Readonly<Record<string, unknown>>, answer: unknown): Exchange => ({
  request: { method, path: `/api/v2${path}`, body },
  answer: { json: answer }
})

let lists = 0

const capacityOf = ({ capacity }: VendorScheduled) => {
  if (capacity === null) throw new Error("it sells mailboxes")
  return capacity
}

const brief: VendorTerms = { ...terms, steps: terms.steps.slice(0, 1), mailboxes: [] }
const there = { id: "l1", email: person.email, status: 1 }
const ORDERS = "/dfy-email-account-orders"
const reply = replyTo(person, { ref: "c1", person: { ref: null, email: person.email } })
const received = {
  id: "e1",
  timestamp_created: "2027-01-04T12:00:00.000Z",
  message_id: "<theirs@people.test>",
  eaccount: reply.from.address
}
const listsPerson = asks("POST", "/leads/list", {}, { items: [there] })
const nobody: Answer = { json: { items: [] } }

/** Every call that buys, sends, or changes something there. */
export const effectful: Readonly<Record<string, Effectful>> = {
  "an order": {
    exchanges: [
      { ...asks("POST", ORDERS, { simulation: true }, null), answer: ordered({}) },
      { ...asks("POST", ORDERS, { simulation: false }, null), answer: ordered({ order_placed: true }) }
    ],
    faulty: 1,
    ask: (provider) => capacityOf(provider).order(order)
  },
  "a new campaign": {
    exchanges: [asks("POST", "/campaigns", {}, { id: "c1" })],
    ask: (provider) => provider.create(brief)
  },
  "a push": {
    exchanges: [
      asks("POST", "/leads/list", { campaign: "c1" }, { items: [] }),
      asks("POST", "/leads/add", { campaign_id: "c1" }, { created_leads: [there] })
    ],
    faulty: 1,
    ask: (provider) => provider.push("c1", [person])
  },
  "a person's values": {
    exchanges: [asks("PATCH", "/leads/l1", { custom_variables: {} }, there)],
    ask: (provider) => provider.amend("c1", "l1", person)
  },
  "a start": {
    exchanges: [asks("POST", "/campaigns/c1/activate", {}, {})],
    ask: (provider) => provider.activate("c1")
  },
  "a pause": {
    exchanges: [asks("POST", "/campaigns/c1/pause", {}, {})],
    ask: (provider) => provider.pause("c1")
  },
  "a campaign's terms": {
    exchanges: [asks("PATCH", "/campaigns/c1", {}, {})],
    ask: (provider) => provider.configure("c1", brief)
  },
  "a mailbox's limit": {
    exchanges: [
      asks("PATCH", "/campaigns/c1", {}, {}),
      asks("PATCH", "/accounts/m1%40try-acme.test", { daily_limit: 20 }, {})
    ],
    faulty: 1,
    ask: (provider) => provider.configure("c1", { ...brief, mailboxes: terms.mailboxes })
  },
  "an answer": {
    exchanges: [
      { request: { method: "GET", path: "/api/v2/emails" }, answer: { json: { items: [received] } } },
      asks("POST", "/emails/reply", { reply_to_uuid: "e1" }, {})
    ],
    faulty: 1,
    ask: (provider) => {
      lists += 1
      // It lists messages 20 times a minute alone.
      return Effect.andThen(lists % 15 === 0 ? TestClock.adjust("1 minute") : Effect.void, provider.reply(reply))
    }
  },
  "a person taken out": {
    exchanges: provenBy(listsPerson, asks("DELETE", "/leads", { ids: ["l1"] }, {}), nobody),
    faulty: 1,
    ask: (provider) => provider.withdraw("c1", { ref: null, email: person.email })
  },
  "a person forgotten": {
    exchanges: provenBy(listsPerson, asks("DELETE", "/leads", { ids: ["l1"] }, {}), nobody),
    faulty: 1,
    ask: (provider) => provider.forget("c1", "l1")
  },
  "an address blocked": {
    exchanges: provenBy(
      { request: { method: "GET", path: "/api/v2/block-lists-entries" }, answer: nobody },
      asks("POST", "/block-lists-entries", { bl_value: person.email }, {}),
      { json: { items: [{ bl_value: person.email }] } }
    ),
    faulty: 1,
    ask: (provider) => provider.block(person.email)
  },
  "an interest": {
    exchanges: [asks("POST", "/leads/update-interest-status", { interest_value: 4 }, {})],
    ask: (provider) => provider.setInterest({ ...reply, email: person.email, interest: "won" })
  },
  "a warmup": {
    exchanges: [
      {
        request: { method: "GET", path: "/api/v2/accounts" },
        answer: {
          json: { items: order.domains[0]?.mailboxes.map((email) => ({ email, status: 1, warmup_status: 0 })) }
        }
      },
      asks("POST", "/accounts/warmup/enable", {}, {}),
      asks("POST", "/accounts/test/vitals", {}, { success_list: [] })
    ],
    faulty: 1,
    ask: (provider) => capacityOf(provider).progress(order)
  }
}

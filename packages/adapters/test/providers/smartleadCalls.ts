import type { VendorTerms } from "@outbound/domain/sources/ports/VendorScheduled.js"
import type { Exchange } from "@outbound/testkit/vendors/Exchange.js"
import { type Effectful, personAt, provenBy, replyTo } from "./effectfulCalls.js"

const ref = "c1"
const CAMPAIGN = `/campaigns/${ref}`
const id = "7"

const terms: VendorTerms = {
  title: "t",
  marker: "ob-1",
  steps: [{ subject: ["One"], body: ["Body"], waitDays: 0 }],
  schedule: { timezone: "America/Detroit", days: ["mon"], startHour: 9, endHour: 17 },
  mailboxes: [],
  dailySends: 40,
  mailboxDailySends: 20
}

const person = personAt("a")
const { email } = person
const reply = replyTo(person, { ref, person: { ref: id, email } })

const asks = (method: string, path: string, json: unknown = { ok: true }): Exchange => ({
  request: { method, path: `/api/v1${path}` },
  answer: { json }
})

/** No connection is left from before for what is asked first. */
const closing = ({ answer, request }: Exchange): Exchange => ({
  request,
  answer: { ...answer, headers: { connection: "close" } }
})

/** The settings and the schedule, which come before the rest of a campaign's terms. */
const SETTINGS = asks("POST", `${CAMPAIGN}/settings`)
const SCHEDULE = asks("POST", `${CAMPAIGN}/schedule`)
const SET = asks("GET", CAMPAIGN, {
  id: ref,
  scheduler_cron_value: { tz: "America/Detroit", days: [1], startHour: "09:00", endHour: "17:00" }
})
const noSequences = asks("GET", `${CAMPAIGN}/sequences`, [])
const sequences = asks("POST", `${CAMPAIGN}/sequences`)
const ours = { ...terms, mailboxes: ["m1@try-acme.test"] }
const account = { id: 3, from_email: "m1@try-acme.test" }
const accounts: Exchange = {
  request: { method: "GET", path: "/api/v1/email-accounts/", query: { offset: "0" } },
  answer: { json: [account] }
}
const noMoreAccounts: Exchange = {
  request: { method: "GET", path: "/api/v1/email-accounts/", query: { offset: "1" } },
  answer: { json: [] }
}
const allBut = [SETTINGS, SCHEDULE, SET, noSequences, sequences, accounts, noMoreAccounts]

const isIn = { id, email, lead_campaign_data: [{ campaign_id: ref }] }
const finds = asks("GET", "/leads/", isIn)
const thread = (history: ReadonlyArray<unknown>) => asks("GET", `${CAMPAIGN}/leads/${id}/message-history`, { history })
const theirs = {
  type: "REPLY",
  stats_id: "s1",
  message_id: "<theirs@people.test>",
  time: "2027-01-04T12:00:00.000Z",
  email_body: "Yes"
}
const members = (status: string): Exchange => ({
  request: { method: "GET", path: `/api/v1${CAMPAIGN}/leads` },
  answer: { json: [{ status, lead: { id, email } }] }
})

/** Every call that sends, or changes something there. */
export const effectful: Readonly<Record<string, Effectful>> = {
  "a new campaign": {
    exchanges: [asks("POST", "/campaigns/create", { ok: true, id: ref })],
    ask: (provider) => provider.create(terms)
  },
  "a campaign's settings": {
    exchanges: [SETTINGS, ...[SCHEDULE, SET, noSequences, sequences].map(closing)],
    ask: (provider) => provider.configure(ref, terms)
  },
  "a campaign's schedule": {
    exchanges: [SETTINGS, SCHEDULE, SET, noSequences, sequences],
    faulty: 1,
    ask: (provider) => provider.configure(ref, terms)
  },
  "a campaign's messages": {
    exchanges: [SETTINGS, SCHEDULE, SET, noSequences, sequences],
    faulty: 4,
    ask: (provider) => provider.configure(ref, terms)
  },
  "a mailbox's limit": {
    exchanges: [...allBut, asks("GET", `${CAMPAIGN}/email-accounts`, [account]), asks("POST", "/email-accounts/3")],
    faulty: 8,
    ask: (provider) => provider.configure(ref, ours)
  },
  "a campaign's mailbox": {
    exchanges: [
      ...allBut,
      asks("GET", `${CAMPAIGN}/email-accounts`, []),
      asks("POST", "/email-accounts/3"),
      asks("POST", `${CAMPAIGN}/email-accounts`)
    ],
    faulty: 9,
    ask: (provider) => provider.configure(ref, ours)
  },
  "a campaign's mailbox taken away": {
    exchanges: [
      ...allBut,
      asks("GET", `${CAMPAIGN}/email-accounts`, [account, { ...account, id: 4 }]),
      asks("POST", "/email-accounts/3"),
      asks("DELETE", `${CAMPAIGN}/email-accounts`)
    ],
    faulty: 9,
    ask: (provider) => provider.configure(ref, ours)
  },
  "a push": {
    exchanges: [asks("POST", `${CAMPAIGN}/leads`, { ok: true })],
    ask: (provider) => provider.push(ref, [person])
  },
  "a person's values": {
    exchanges: [asks("POST", `${CAMPAIGN}/leads/${id}`)],
    ask: (provider) => provider.amend(ref, id, person)
  },
  "a start": {
    exchanges: [asks("POST", `${CAMPAIGN}/status`)],
    ask: (provider) => provider.activate(ref)
  },
  "a pause": {
    exchanges: [asks("POST", `${CAMPAIGN}/status`)],
    ask: (provider) => provider.pause(ref)
  },
  "an answer": {
    exchanges: [thread([theirs]), asks("POST", `${CAMPAIGN}/reply-email-thread`)],
    faulty: 1,
    ask: (provider) => provider.reply(reply)
  },
  "a person taken out": {
    exchanges: provenBy(finds, asks("DELETE", `${CAMPAIGN}/leads/${id}`), { json: {} }, [thread([])]),
    faulty: 2,
    ask: (provider) => provider.withdraw(ref, { ref: null, email })
  },
  "a person who answered, paused": {
    exchanges: [
      finds,
      thread([theirs]),
      ...provenBy(members("INPROGRESS"), asks("POST", `${CAMPAIGN}/leads/${id}/pause`), {
        json: [{ status: "PAUSED", lead: { id, email } }]
      })
    ],
    faulty: 3,
    ask: (provider) => provider.withdraw(ref, { ref: null, email })
  },
  "a person forgotten": {
    exchanges: provenBy(members("COMPLETED"), asks("DELETE", `${CAMPAIGN}/leads/${id}`), { json: [] }),
    faulty: 1,
    ask: (provider) => provider.forget(ref, id)
  },
  "an address blocked": {
    exchanges: provenBy(asks("GET", "/leads/get-domain-block-list", []), asks("POST", "/leads/add-domain-block-list"), {
      json: [{ email_or_domain: email }]
    }),
    faulty: 1,
    ask: (provider) => provider.block(email)
  },
  "an interest": {
    exchanges: [finds, asks("POST", `${CAMPAIGN}/leads/${id}/category`)],
    faulty: 1,
    ask: (provider) => provider.setInterest({ ...reply, email, interest: "won" })
  }
}

import { assert, describe, it } from "@effect/vitest"
import type { VendorTerms } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { vendorScheduledContract } from "@outbound/testkit/contracts/providers/vendorScheduled.js"
import type { Answer, Received } from "@outbound/testkit/vendors/Exchange.js"
import { serveVendor } from "@outbound/testkit/vendors/ServedVendor.js"
import { smartleadOver } from "@outbound/testkit/vendors/SmartleadWorld.js"
import { VendorWorld } from "@outbound/testkit/vendors/VendorWorld.js"
import { Cause, Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { textOfHtml } from "../../src/providers/sending/html.js"
import { smartlead } from "../../src/providers/smartlead/Smartlead.js"
import { everyByteOf, personAt as person, sendingAt } from "./effectfulCalls.js"
import { effectful } from "./smartleadCalls.js"

const KEY = "a-key-of-the-tests"
const NOON = Date.UTC(2027, 0, 4, 12)

const adapterAt = sendingAt(smartlead, "/api/v1", KEY)

const harness = (settings: Readonly<Record<string, unknown>> = {}) =>
  Effect.gen(function* () {
    const world = new VendorWorld(String)
    for (const name of ["m1", "m2", "m3"]) {
      world.mailboxes.push({ address: `${name}@try-acme.test`, displayName: "Jo", isActive: name !== "m3" })
    }
    const served = yield* serveVendor(smartleadOver(world))
    return { ...(yield* adapterAt(served.url, settings)), world, served, readable: textOfHtml }
  })

vendorScheduledContract("smartlead", harness())

everyByteOf("smartlead", adapterAt, effectful)

const terms: VendorTerms = {
  title: "t",
  marker: "ob-1",
  steps: [
    { subject: ["{One|Two} ", { variable: "ob_s1" }], body: ["Body"], waitDays: 0 },
    { subject: null, body: ["Body"], waitDays: 3 }
  ],
  schedule: { timezone: "America/Los_Angeles", days: ["mon", "sun"], startHour: 9, endHour: 24 },
  mailboxes: ["m1@try-acme.test", "m2@try-acme.test"],
  dailySends: 30,
  mailboxDailySends: 20
}

const postsTo = (received: ReadonlyArray<Received>, end: string) =>
  received.filter(({ method, path }) => method === "POST" && path.endsWith(end)).map(({ body }) => body)

/** Answers everything so. */
const answering = (answer: Answer) =>
  Effect.flatMap(
    serveVendor(() => answer),
    ({ url }) => adapterAt(url)
  )

describe("smartlead", () => {
  it.effect("is never left to defaults that track, go on after an answer, or pass over who said no", () =>
    Effect.gen(function* () {
      const { provider, served } = yield* harness()
      const ref = yield* provider.create(terms)
      yield* provider.push(ref, [person("a")])
      yield* provider.configure(ref, terms)
      assert.deepStrictEqual(postsTo(served.received, "/settings"), [
        {
          track_settings: ["DONT_TRACK_EMAIL_OPEN", "DONT_TRACK_LINK_CLICK"],
          stop_lead_settings: "REPLY_TO_AN_EMAIL",
          unsubscribe_text: "",
          send_as_plain_text: true,
          follow_up_percentage: 100
        }
      ])
      assert.deepStrictEqual(postsTo(served.received, "/schedule"), [
        {
          timezone: "America/Los_Angeles",
          days_of_the_week: [0, 1],
          start_hour: "09:00",
          end_hour: "23:59",
          min_time_btw_emails: 10,
          max_new_leads_per_day: 30
        }
      ])
      assert.deepStrictEqual(postsTo(served.received, "/leads")[0]?.settings, {
        ignore_global_block_list: false,
        ignore_unsubscribe_list: false,
        ignore_community_bounce_list: false,
        ignore_duplicate_leads_in_other_campaign: false,
        return_lead_ids: true
      })
      // What its templates would choose from is left as it is written.
      assert.strictEqual(postsTo(served.received, "/sequences")[0]?.sequences[0].subject, "{One\u00a6Two} {{ob_s1}}")
    }).pipe(Effect.orDie)
  )

  it.effect("says hours in the other form where the first is refused or has no effect, and starts no other ones", () =>
    Effect.gen(function* () {
      const given = (body: Received["body"]) => body.schedule ?? null
      for (const takes of ["flat", "nested", "neither"] as const) {
        let kept: Readonly<Record<string, unknown>> | null = null
        const { url } = yield* serveVendor(({ body, method, path }) => {
          if (method === "POST" && path.endsWith("/schedule")) {
            const { days, days_of_the_week, end_hour, start_hour, timezone } = given(body) ?? body
            const isTaken = takes === "neither" ? false : (given(body) !== null) === (takes === "nested")
            if (isTaken) {
              kept = { tz: timezone, days: days ?? days_of_the_week, startHour: start_hour, endHour: end_hour }
            }
            return isTaken || takes === "neither" ? { json: { success: true } } : { status: 422, json: { error: "no" } }
          }
          if (path.endsWith("/email-accounts")) return { json: [{ id: 1, from_email: "m1@try-acme.test" }] }
          if (path.endsWith("/email-accounts/")) return { json: { data: [] } }
          if (path.endsWith("/sequences")) return { json: { success: true, data: [] } }
          const told = { id: 1, status: "DRAFTED", track_settings: ["DONT_EMAIL_OPEN"], stop_lead_settings: null }
          return { json: { success: true, data: { ...told, scheduler_cron_value: kept } } }
        })
        const { provider } = yield* adapterAt(url)
        yield* Effect.ignore(provider.configure("1", terms))
        const found = yield* provider.differences("1", terms)
        const hours = (["timezone", "days", "hours"] as const).map((member) => ({ member, found: null }))
        const expected: typeof found = [
          ...(takes === "neither" ? hours : []),
          { member: "messages", found: "[]" },
          // It lists what is not tracked: links are.
          { member: "tracking", found: "true" },
          { member: "stop_on_reply", found: null }
        ]
        assert.deepStrictEqual(found, expected)
      }
    }).pipe(Effect.orDie)
  )

  it.effect("keeps the cap by the limits of mailboxes, and sends from those that it was told and no other", () =>
    Effect.gen(function* () {
      const { provider, served, world } = yield* harness()
      const ref = yield* provider.create(terms)
      yield* provider.configure(ref, terms)
      assert.deepStrictEqual(world.campaign(ref)?.terms.mailboxes, ["m1@try-acme.test", "m2@try-acme.test"])
      assert.deepStrictEqual(postsTo(served.received, "/email-accounts/1"), [{ max_email_per_day: 15 }])
      yield* provider.configure(ref, { ...terms, mailboxes: ["m2@try-acme.test"], dailySends: 50 })
      assert.deepStrictEqual(world.campaign(ref)?.terms.mailboxes, ["m2@try-acme.test"])
      assert.deepStrictEqual(postsTo(served.received, "/email-accounts/2").at(-1), { max_email_per_day: 20 })
      // Messages that are there are not said again.
      assert.lengthOf(postsTo(served.received, "/sequences"), 1)
      const nobody = yield* Effect.flip(provider.configure(ref, { ...terms, mailboxes: ["x@try-acme.test"] }))
      assert.strictEqual(nobody.reason, "invalid")
    }).pipe(Effect.orDie)
  )

  it.effect("pauses, and never stops for good", () =>
    Effect.gen(function* () {
      const { provider, served } = yield* harness()
      const ref = yield* provider.create(terms)
      yield* provider.activate(ref)
      yield* provider.pause(ref)
      assert.deepStrictEqual(postsTo(served.received, "/status"), [{ status: "START" }, { status: "PAUSED" }])
    }).pipe(Effect.orDie)
  )

  it.effect("sells no mailboxes", () =>
    Effect.gen(function* () {
      const { provider } = yield* harness()
      assert.isNull(provider.capacity)
    }).pipe(Effect.orDie)
  )

  it.effect("takes people whom it has already for no failure, and looks for them", () =>
    Effect.gen(function* () {
      const { provider } = yield* harness()
      const ref = yield* provider.create(terms)
      yield* provider.push(ref, [person("a")])
      // It answers 409 where it took nobody.
      assert.deepStrictEqual(yield* provider.push(ref, [person("a")]), { confirmed: [], refused: [] })
      const many = ["a", "b", "c", "d", "e", "f", "g"].map(person)
      assert.lengthOf((yield* provider.push(ref, many)).confirmed, 6)
      const emails = [...many.map(({ email }) => email), "nobody@people.test"]
      assert.lengthOf(yield* provider.locate(ref, emails), 7)
      const other = yield* provider.create({ ...terms, marker: "ob-2" })
      assert.isEmpty(yield* provider.locate(other, ["a@people.test"]))
    }).pipe(Effect.orDie)
  )

  it.effect("keeps people who replied so that they can be answered, and sends them nothing more", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOON)
      const { provider, served, world } = yield* harness()
      const ref = yield* provider.create(terms)
      yield* provider.push(ref, [person("a")])
      yield* provider.configure(ref, terms)
      yield* provider.activate(ref)
      world.work(NOON)
      world.answer(ref, "a@people.test", "I am away", NOON)
      // It takes no program's answer for one, and would go on.
      const one = world.campaign(ref)?.people[0]
      if (one !== undefined) one.status = "active"
      yield* provider.withdraw(ref, { ref: null, email: "a@people.test" })
      assert.lengthOf(world.campaign(ref)?.people ?? [], 1)
      assert.lengthOf(postsTo(served.received, "/pause"), 1)
      assert.isEmpty(served.received.filter(({ method }) => method === "DELETE"))
      yield* provider.withdraw(ref, { ref: null, email: "a@people.test" })
      assert.lengthOf(postsTo(served.received, "/pause"), 1)
    }).pipe(Effect.orDie)
  )

  it.effect("takes nothing for proof that somebody left but that they are seen not to be there", () =>
    Effect.gen(function* () {
      const gone = { ref: null, email: "a@people.test" }
      const asked = (answer: Answer) =>
        Effect.flatMap(answering(answer), ({ provider }) => provider.withdraw("1", gone))
      yield* asked({ json: {} })
      yield* asked({ json: { id: 7, email: "a@people.test", lead_campaign_data: [{ campaign_id: 2 }] } })
      for (const answer of [
        { json: { id: 7, email: "a@people.test" } },
        { json: { id: 7, email: "b@people.test", lead_campaign_data: [] } },
        { json: { id: 7, email: "a@people.test", lead_campaign_data: [{ campaign_id: 1 }], history: [] } },
        { text: "<p>Moved</p>" }
      ]) {
        assert.strictEqual((yield* Effect.flip(asked(answer))).reason, "transient", JSON.stringify(answer))
      }
      // A path that is not there any more proves nothing either.
      assert.strictEqual((yield* Effect.flip(asked({ status: 404 }))).reason, "invalid")
    }).pipe(Effect.orDie)
  )

  it.effect("reads a message and who sent it once, some at a time", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOON)
      const { provider, served, world } = yield* harness()
      const ref = yield* provider.create(terms)
      yield* provider.push(
        ref,
        Array.from({ length: 12 }, (_, index) => person(`p${index}`))
      )
      yield* provider.configure(ref, terms)
      yield* provider.activate(ref)
      world.work(NOON)
      let cursor: string | null = null
      let pages = 0
      const mailboxes: Array<string> = []
      for (let hasMore = true; hasMore; pages += 1) {
        const page: Effect.Success<ReturnType<typeof provider.events>> = yield* provider.events(ref, cursor)
        mailboxes.push(...page.events.flatMap((event) => (event.kind === "sent" ? [event.mailbox] : [])))
        ;({ cursor, hasMore } = page)
      }
      assert.strictEqual(pages, 3)
      assert.lengthOf(mailboxes, 12)
      assert.sameMembers([...new Set(mailboxes)], ["m1@try-acme.test", "m2@try-acme.test"])
      const histories = () => served.received.filter(({ path }) => path.endsWith("/message-history")).length
      const before = histories()
      const again = yield* provider.events(ref, cursor)
      assert.isEmpty(again.events.filter(({ kind }) => kind === "sent"))
      assert.strictEqual(histories(), before)
    }).pipe(Effect.orDie)
  )

  it.effect("reads people, threads and answers in the forms of its own documentation too", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOON)
      const theirs = "Thanks, tell me more"
      const at = (minute: number) => new Date(NOON - 60_000 * (60 - minute)).toISOString()
      const { url } = yield* serveVendor(({ path, query }) => {
        if (path.endsWith("/statistics")) return { json: { success: true, data: [] } }
        if (path.endsWith("/inbox-replies")) {
          const last = { id: "e1", subject: "Re: Hello", body: theirs, received_at: at(30) }
          const where = { sent_from: "Sam <a@people.test>", sent_to: "m1@try-acme.test" }
          const row = { id: "m", campaign_lead_map_id: "9", lead: { email: "a@people.test" }, campaign: { id: 1 } }
          return { json: { messages: [{ ...row, last_message: { ...last, ...where } }], total_count: 1 } }
        }
        const rows = [{ id: 7, email: "a@people.test", status: "INPROGRESS" }]
        return { json: { total: 1, leads: query.get("offset") === "0" ? rows : [] } }
      })
      const { provider } = yield* adapterAt(url)
      const { events } = yield* provider.events("1", null)
      const replies = events.filter(({ kind }) => kind === "reply")
      assert.lengthOf(replies, 1)
      assert.deepInclude(replies[0], {
        person: { ref: null, email: "a@people.test" },
        fromEmail: "a@people.test",
        mailbox: "m1@try-acme.test",
        text: theirs,
        atMillis: Date.parse(at(30))
      })
      const { people } = yield* provider.everybody("1", null)
      assert.deepStrictEqual(
        people.map(({ email, ref }) => ({ email, ref })),
        [{ email: "a@people.test", ref: "7" }]
      )
      const thread = yield* serveVendor(({ path }) =>
        path.endsWith("/message-history")
          ? {
              json: {
                messages: [
                  { id: "1", subject: "Hello", direction: "outbound", sent_at: at(1) },
                  { id: "2", subject: "Re: Hello", direction: "inbound", received_at: at(2) }
                ]
              }
            }
          : { json: { id: 7, email: "a@people.test", lead_campaign_data: [{ campaign_id: 1 }], status: "PAUSED" } }
      )
      const answered = yield* adapterAt(thread.url)
      // They replied, so they are paused and not taken out.
      yield* Effect.ignore(answered.provider.withdraw("1", { ref: null, email: "a@people.test" }))
      assert.isEmpty(thread.received.filter(({ method }) => method === "DELETE"))
    }).pipe(Effect.orDie)
  )

  it.effect("reads more answers than it tells of at once, and none of another campaign", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOON)
      const { provider, world } = yield* harness()
      const ref = yield* provider.create(terms)
      const names = Array.from({ length: 45 }, (_, index) => `q${index}`)
      yield* provider.push(ref, names.map(person))
      yield* provider.configure(ref, terms)
      for (const [index, name] of names.entries()) {
        world.answer(ref, `${name}@people.test`, "Yes", NOON + index * 60_000)
      }
      const read = (from: string | null) =>
        Effect.gen(function* () {
          let cursor = from
          const texts: Array<string> = []
          for (let hasMore = true; hasMore;) {
            const page: Effect.Success<ReturnType<typeof provider.events>> = yield* provider.events(ref, cursor)
            texts.push(...page.events.flatMap((event) => (event.kind === "reply" ? [event.person.email] : [])))
            ;({ cursor, hasMore } = page)
          }
          return { cursor, texts }
        })
      const first = yield* read(null)
      assert.lengthOf(new Set(first.texts), 45)
      world.answer(ref, "q3@people.test", "And one more", NOON + 60 * 60_000)
      const { texts } = yield* read(first.cursor)
      assert.include(texts, "q3@people.test")
      assert.isBelow(texts.length, 45)
    }).pipe(Effect.orDie)
  )

  it.effect("leaves the outcome open where it may have acted, and proves it where it can't have", () =>
    Effect.gen(function* () {
      const { provider, served, world } = yield* harness()
      const ref = yield* provider.create(terms)
      const asks = [
        ["/campaigns/create", provider.create(terms)],
        ["/leads", provider.push(ref, [person("z")])],
        ["/status", provider.activate(ref)]
      ] as const
      for (const [path, ask] of asks) {
        for (const fate of ["cut before", "cut after", { status: 503 }] as const) {
          served.fate("POST", path, fate)
          assert.strictEqual((yield* Effect.flip(ask)).reason, "unknown_outcome", `${path} ${JSON.stringify(fate)}`)
        }
        for (const [status, reason] of [
          [429, "rate_limited"],
          [401, "account"],
          [422, "invalid"]
        ] as const) {
          served.fate("POST", path, { status })
          assert.strictEqual((yield* Effect.flip(ask)).reason, reason)
        }
      }
      assert.isAbove(world.campaigns.length, 1)
      const nobody = yield* adapterAt("http://127.0.0.1:9")
      assert.strictEqual((yield* Effect.flip(nobody.provider.push(ref, [person("a")]))).reason, "transient")
    }).pipe(Effect.orDie)
  )

  it.effect("tells refusals that look like success, and errors in both of their forms", () =>
    Effect.gen(function* () {
      const failing = (answer: Answer) =>
        Effect.flatMap(answering(answer), ({ provider }) => Effect.flip(provider.push("1", [person("a")])))
      assert.strictEqual((yield* failing({ json: { success: false, message: "no" } })).reason, "invalid")
      const exhausted = { ok: false, is_lead_limit_exhausted: true, error: "The lead credit limit has been reached" }
      assert.strictEqual((yield* failing({ json: exhausted })).reason, "account")
      const reached = { ok: true, upload_count: 0, total_leads: 1, is_lead_limit_exhausted: true }
      assert.strictEqual((yield* failing({ json: reached })).reason, "account")
      const lastOne = { ...reached, upload_count: 1, emailToLeadIdMap: { newlyAddedLeads: { "a@people.test": 7 } } }
      const { provider } = yield* answering({ json: lastOne })
      assert.lengthOf((yield* provider.push("1", [person("a"), person("b")])).confirmed, 1)
      const nested = yield* failing({ status: 429, json: { error: { code: "RATE", message: "slow", retry_after: 7 } } })
      assert.deepInclude(nested, { reason: "rate_limited", retryAfterSeconds: 7 })
      const flat = yield* failing({ status: 422, json: { error: "bad zone", code: "INVALID" } })
      assert.include(String(flat.cause), "bad zone")
      assert.strictEqual((yield* failing({ json: { emailToLeadIdMap: "none" } })).reason, "unknown_outcome")
    }).pipe(Effect.orDie)
  )

  it.effect("keeps its key in the address alone: no failure and no log tells it", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.make(
        ({ cause, message }) => void lines.push(JSON.stringify([message, Cause.pretty(cause)]))
      )
      const told = Effect.gen(function* () {
        const { provider, served } = yield* harness()
        yield* provider.find("ob-1")
        assert.isTrue(served.received.every(({ query }) => query.get("api_key") === KEY))
        const broken: ReadonlyArray<Answer> = [
          { status: 401, json: { error: `no such key ${KEY}` } },
          { status: 500, json: { message: KEY } },
          { text: `<p>${KEY}</p>` }
        ]
        for (const answer of broken) {
          const { provider: failing } = yield* answering(answer)
          const failure = yield* Effect.flip(failing.activate("1").pipe(Effect.andThen(failing.find("x"))))
          lines.push(JSON.stringify(failure), String(failure.cause))
        }
        const nobody = yield* adapterAt("http://127.0.0.1:9")
        lines.push(JSON.stringify(yield* Effect.flip(nobody.provider.find("x"))))
      })
      yield* Effect.provide(told, Logger.layer([logger]))
      assert.isNotEmpty(lines)
      assert.isEmpty(lines.filter((line) => line.includes(KEY)))
    }).pipe(Effect.orDie)
  )
})

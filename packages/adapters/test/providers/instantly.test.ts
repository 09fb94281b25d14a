import { assert, describe, it } from "@effect/vitest"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { inKnownZone } from "@outbound/domain/outreach/sending/vendor/knownZone.js"
import { SECRET } from "@outbound/testkit/contracts/providers/sources.js"
import { vendorScheduledContract } from "@outbound/testkit/contracts/providers/vendorScheduled.js"
import type { Answer, Received } from "@outbound/testkit/vendors/Exchange.js"
import { instantlyName, instantlyOver } from "@outbound/testkit/vendors/InstantlyWorld.js"
import { makeReplayServer } from "@outbound/testkit/vendors/ReplayServer.js"
import { serveVendor } from "@outbound/testkit/vendors/ServedVendor.js"
import { VendorWorld } from "@outbound/testkit/vendors/VendorWorld.js"
import { Effect } from "effect"
import { instantly, TIMEZONES } from "../../src/providers/instantly/Instantly.js"
import { textOfHtml } from "../../src/providers/sending/html.js"
import { everyByteOf, personAt, sendingAt } from "./effectfulCalls.js"
import { effectful, order, ordered, person, terms } from "./instantlyCalls.js"
import { heldAnswers, watchRequests } from "./published/watch.js"

watchRequests(["instantly"])

const adapterAt = sendingAt(instantly, "/api/v2", SECRET)

const harness = (settings: Readonly<Record<string, unknown>> = {}) =>
  Effect.gen(function* () {
    const world = new VendorWorld(instantlyName)
    yield* heldAnswers("instantly")
    const served = yield* serveVendor(instantlyOver(world))
    return { ...(yield* adapterAt(served.url, settings)), world, served, readable: textOfHtml }
  })

vendorScheduledContract("instantly", harness())

everyByteOf("instantly", adapterAt, effectful)

const bodiesOf = (received: ReadonlyArray<Received>, end: string) =>
  received.flatMap(({ body, path }) => (path.endsWith(end) ? [body] : []))

describe("instantly", () => {
  it.effect("has stopped only where nothing of it goes on by itself, whatever held it up", () =>
    Effect.gen(function* () {
      const server = yield* makeReplayServer
      const { provider } = yield* adapterAt(server.url)
      const request = { method: "GET", path: "/api/v2/campaigns/c1" }
      for (const [status, standing] of [
        [0, "stopped"],
        [2, "stopped"],
        [3, "ended"],
        [1, "sending"],
        [4, "sending"],
        [-1, "sending"],
        [-2, "sending"],
        [-99, "sending"],
        [7, "sending"]
      ] as const) {
        server.on({ request, answer: { json: { id: "c1", status } } })
        assert.strictEqual(yield* provider.standing("c1"), standing, String(status))
      }
    })
  )

  it.effect("is not started where a tag adds mailboxes, somebody gets copies, or a wait counts in hours", () =>
    Effect.gen(function* () {
      const { provider, served } = yield* harness()
      const ref = yield* provider.create(terms)
      yield* provider.configure(ref, terms)
      const body = served.received.find(({ method, path }) => method === "PATCH" && path.endsWith(ref))?.body
      assert.isEmpty(yield* provider.differences(ref, terms))
      const [sequence] = body.sequences
      const steps = [{ ...sequence.steps[0], delay_unit: "hours" }, ...sequence.steps.slice(1)]
      for (const [members, told] of [
        [["senders"], { email_tag_list: ["a-tag"] }],
        [["copies"], { bcc_list: ["boss@their-account.test"] }],
        [["messages"], { sequences: [{ steps }] }],
        [["messages"], { sequences: [{ steps: [...sequence.steps, sequence.steps[0]] }] }],
        [["timezone", "days", "hours"], { campaign_schedule: { schedules: [] } }],
        [["tracking"], { link_tracking: true }],
        [["stop_on_reply"], { stop_on_reply: null }],
        [["daily_limit"], { daily_limit: 41 }]
      ] as const) {
        const other = yield* serveVendor(() => ({ json: { ...body, id: ref, status: 2, ...told } }))
        const found = yield* (yield* adapterAt(other.url)).provider.differences(ref, terms)
        assert.deepStrictEqual(
          found.map(({ member }) => member),
          [...members],
          JSON.stringify(told)
        )
      }
    }).pipe(Effect.orDie)
  )

  it.effect("is never left to defaults that track, go on after an answer, or write to whom they should not", () =>
    Effect.gen(function* () {
      const { provider, served } = yield* harness()
      const ref = yield* provider.create(terms)
      yield* provider.configure(ref, terms)
      for (const body of [...bodiesOf(served.received, "/campaigns"), ...bodiesOf(served.received, ref)]) {
        assert.deepInclude(body, {
          stop_on_reply: true,
          stop_on_auto_reply: false,
          open_tracking: false,
          link_tracking: false,
          insert_unsubscribe_header: true,
          allow_risky_contacts: false,
          disable_bounce_protect: false,
          cc_list: [],
          bcc_list: [],
          email_tag_list: [],
          daily_limit: 40,
          email_list: ["m1@try-acme.test"]
        })
        const [schedule] = body.campaign_schedule.schedules
        assert.deepStrictEqual(schedule.timing, { from: "09:00", to: "23:59" })
        assert.strictEqual(schedule.timezone, "America/Detroit")
        assert.deepStrictEqual(
          Object.entries(schedule.days).flatMap(([day, sends]) => (sends === true ? [day] : [])),
          ["0", "1"]
        )
        // A wait counts before the next message there.
        assert.deepStrictEqual(
          body.sequences[0].steps.map(({ delay }: { delay: number }) => delay),
          [3, 5, 0]
        )
      }
      assert.deepStrictEqual(bodiesOf(served.received, "/accounts/m1%40try-acme.test"), [{ daily_limit: 20 }])
      assert.isTrue(served.received.every(({ headers }) => headers["authorization"] === `Bearer ${SECRET}`))
      const monday = yield* harness({ first_weekday: "monday" })
      yield* monday.provider.create(terms)
      assert.deepInclude(monday.served.received[0]?.body.campaign_schedule.schedules[0].days, {
        "0": true,
        "6": true,
        "1": false
      })
    }).pipe(Effect.orDie)
  )

  it.effect("takes nobody out without naming them", () =>
    Effect.gen(function* () {
      const { provider, served, world } = yield* harness()
      const ref = yield* provider.create(terms)
      yield* provider.push(ref, [person, { ...person, campaignLeadId: "m", email: "b@people.test" }])
      yield* provider.withdraw(ref, { ref: null, email: person.email })
      const deleted = served.received.filter(({ method }) => method === "DELETE")
      assert.lengthOf(deleted, 1)
      assert.lengthOf(deleted[0]?.body.ids, 1)
      assert.lengthOf(world.campaign(ref)?.people ?? [], 1)
      assert.strictEqual((yield* Effect.flip(provider.withdraw(ref, { ref: null, email: "" }))).reason, "invalid")
    }).pipe(Effect.orDie)
  )

  it.effect(
    "asks the vendor to add only those who aren't in the campaign, and to skip nobody for other campaigns",
    () =>
      Effect.gen(function* () {
        const { provider, served, world } = yield* harness()
        const ref = yield* provider.create(terms)
        const people = ["a", "b", "c"].map(personAt)
        yield* provider.push(ref, people.slice(0, 2))
        const again = yield* provider.push(ref, people)
        assert.sameMembers(
          again.confirmed.map(({ campaignLeadId }) => campaignLeadId),
          ["a", "b", "c"]
        )
        yield* provider.push(ref, people)
        const added = bodiesOf(served.received, "/leads/add")
        assert.deepStrictEqual(
          added.map(({ leads }) => leads.map(({ email }: { email: string }) => email)),
          [["a@people.test", "b@people.test"], ["c@people.test"]]
        )
        for (const body of added) assert.deepInclude(body, { skip_if_in_campaign: false, skip_if_in_workspace: false })
        assert.lengthOf(world.campaign(ref)?.people ?? [], 3)
      }).pipe(Effect.orDie)
  )

  it.effect("leaves the outcome open where it may have acted, and proves it where it can't have", () =>
    Effect.gen(function* () {
      const { provider, served } = yield* harness()
      const ref = yield* provider.create(terms)
      // Somebody else each time: who was added before the cut is known to be there.
      let people = 0
      const pushed = Effect.suspend(() => provider.push(ref, [personAt(`p${people++}`)]))
      const asks = [
        ["POST", "/campaigns", provider.create(terms)],
        ["POST", "/leads/add", pushed],
        ["POST", "/activate", provider.activate(ref)]
      ] as const
      for (const [method, path, ask] of asks) {
        for (const fate of ["cut before", "cut after", { status: 503 }] as const) {
          served.fate(method, path, fate)
          assert.strictEqual((yield* Effect.flip(ask)).reason, "unknown_outcome", `${path} ${JSON.stringify(fate)}`)
        }
        for (const [status, reason] of [
          [429, "rate_limited"],
          [402, "account"],
          [400, "invalid"]
        ] as const) {
          served.fate(method, path, { status })
          assert.strictEqual((yield* Effect.flip(ask)).reason, reason)
        }
      }
      const nobody = yield* adapterAt("http://127.0.0.1:9")
      assert.strictEqual((yield* Effect.flip(nobody.provider.push(ref, [person]))).reason, "transient")
    }).pipe(Effect.orDie)
  )

  it.effect("waits for its turn to list messages, 20 times a minute", () =>
    Effect.gen(function* () {
      const { provider } = yield* harness()
      const ref = yield* provider.create(terms)
      for (let times = 0; times < 20; times += 1) yield* provider.events(ref, null)
      const limited = yield* Effect.flip(provider.events(ref, null))
      assert.strictEqual(limited.reason, "rate_limited")
      assert.isAbove(limited.retryAfterSeconds ?? 0, 0)
    }).pipe(Effect.orDie)
  )

  it.effect("takes what it did not see to the end of a list for nothing that is not there", () =>
    Effect.gen(function* () {
      const other = { id: "c9", name: "another's", email: "b@people.test", domain: "other.test" }
      const { received, url } = yield* serveVendor(() => ({ json: { items: [other], next_starting_after: "more" } }))
      const { provider } = yield* adapterAt(url)
      for (const [pages, ask] of [
        [20, provider.find("ob-1")],
        [20, provider.locate("c1", ["a@people.test"])],
        [50, provider.existing ?? Effect.die("it lists mailboxes")],
        [50, provider.capacity?.placed?.(order) ?? Effect.die("it lists orders")]
      ] as const) {
        const before = received.length
        assert.strictEqual((yield* Effect.flip<unknown, ProviderFailure, never>(ask)).reason, "transient")
        assert.strictEqual(received.length - before, pages)
      }
    })
  )

  it.effect("looks at no more of the domains that it suggests than it ever names", () =>
    Effect.gen(function* () {
      const domains = Array.from({ length: 1_000 }, (_, index) => `acme-${index}.com`)
      const served = yield* serveVendor(({ path }): Answer => ({
        json: path.endsWith("/similar") ? { domains } : { results: [] }
      }))
      const { provider } = yield* adapterAt(served.url)
      assert.deepStrictEqual(yield* provider.capacity?.suggestDomains("Acme", 2) ?? Effect.succeed(null), [])
      assert.lengthOf(bodiesOf(served.received, "/check"), 3)
    }).pipe(Effect.orDie)
  )

  it.effect("orders after a quote, once, and tells a refusal that looks like success", () =>
    Effect.gen(function* () {
      let placed = false
      let answer: Answer = ordered({})
      const served = yield* serveVendor(({ body, method, path }): Answer => {
        if (path.endsWith("/similar")) return { json: { domains: ["try-acme.com", "get-acme.org", "go-acme.com"] } }
        if (path.endsWith("/check")) {
          return {
            json: { results: body.domains.map((domain: string) => ({ domain, available: domain !== "get-acme.org" })) }
          }
        }
        if (path.endsWith("/vitals")) return { json: { success_list: [{ domain: "try-acme.com", allPass: true }] } }
        if (path.endsWith("/accounts")) {
          const mailbox = { setup_pending: false, status: 1, warmup_status: 0 }
          return { json: { items: order.domains[0]?.mailboxes.map((email) => ({ email, ...mailbox })) } }
        }
        if (method === "GET")
          return { json: { items: placed ? [{ domain: "try-acme.com", timestamp_cancelled: null }] : [] } }
        return body.simulation === true ? ordered({}) : answer
      })
      const { provider } = yield* adapterAt(served.url)
      const { capacity } = provider
      if (capacity?.placed === undefined) return assert.fail("it sells mailboxes")
      assert.deepStrictEqual(yield* capacity.suggestDomains("Acme!", 2), ["try-acme.com", "go-acme.com"])
      assert.isFalse(yield* capacity.placed(order))
      answer = ordered({ order_placed: false, order_error: "payment_failed", payment_failure_reason: "card_expired" })
      const refused = yield* Effect.flip(capacity.order(order))
      assert.deepStrictEqual([refused.reason, refused.cause], ["invalid", "payment_failed: card_expired"])
      answer = ordered({ order_placed: true })
      yield* capacity.order(order)
      placed = true
      assert.isTrue(yield* capacity.placed(order))
      const orders = bodiesOf(
        served.received.filter(({ method }) => method === "POST"),
        "/dfy-email-account-orders"
      )
      assert.deepStrictEqual(
        orders.map(({ simulation }) => simulation),
        [true, false, true, false]
      )
      assert.deepStrictEqual(orders[3]?.items[0].accounts[1], {
        email_address_prefix: "a.lovelace",
        first_name: "Ada",
        last_name: "Lovelace"
      })
      served.fate("POST", "/dfy-email-account-orders", "answered")
      served.fate("POST", "/dfy-email-account-orders", "cut after")
      assert.strictEqual((yield* Effect.flip(capacity.order(order))).reason, "unknown_outcome")
      const { domains } = yield* capacity.progress(order)
      assert.deepStrictEqual(
        domains.map(({ mailboxes, status }) => [status, mailboxes.length]),
        [["active", 2]]
      )
      assert.deepStrictEqual(bodiesOf(served.received, "/warmup/enable"), [{ emails: order.domains[0]?.mailboxes }])
    }).pipe(Effect.orDie)
  )

  it("keeps the hours of the zones that people live in", () => {
    assert.lengthOf(TIMEZONES, 102)
    assert.lengthOf(new Set(TIMEZONES), 102)
    const from = Date.UTC(2026, 10, 20)
    const nine = (timezone: string) =>
      inKnownZone({ timezone, days: ["mon", "fri"], startHour: 9, endHour: 17 }, TIMEZONES, from)
    const kept = ["UTC", "America/New_York", "America/Denver", "America/Phoenix", "Europe/London", "Europe/Paris"]
    for (const timezone of [
      ...kept,
      "Europe/Berlin",
      "Asia/Tokyo",
      "Asia/Seoul",
      "Asia/Singapore",
      "Australia/Sydney"
    ]) {
      assert.deepInclude(nine(timezone), { startHour: 9, endHour: 17 }, timezone)
    }
    assert.deepInclude(nine("America/Los_Angeles"), { timezone: "America/Anchorage", startHour: 8, endHour: 16 })
  })
})

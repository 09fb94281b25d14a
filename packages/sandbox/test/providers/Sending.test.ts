import { assert, describe, it } from "@effect/vitest"
import type { InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import type { CapacityOrder, OutgoingMessage } from "@outbound/domain/sources/ports/SendingProvider.js"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { sandboxSendingContract } from "@outbound/testkit/contracts/sandboxSending.js"
import { providerSet } from "@outbound/sandbox/providers/Sandbox.js"
import { makeSandboxSending } from "@outbound/sandbox/providers/SandboxSending.js"
import { PERSONAS } from "@outbound/sandbox/world/Personas.js"
import { contactOf } from "@outbound/sandbox/world/Contacts.js"
import { world } from "@outbound/sandbox/world/World.js"
import { Clock, Effect, Queue, Ref } from "effect"
import * as FC from "fast-check"
import { TestClock } from "effect/testing"

const message = (to: string, over: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  workspaceId: "w",
  campaignId: "c",
  campaignLeadId: "l",
  stepIndex: 0,
  messageId: `m-${to}@try-acme.example`,
  from: { address: "ada.byron@try-acme.example", name: "Ada Byron" },
  to: { address: to, name: null },
  subject: "A question",
  text: "Hello,\n\nis <this> {sender} of interest?\n\nAda",
  references: [],
  unsubscribeUrl: "https://outbound.example/u/1",
  mark: { header: "X-Lunedaki", value: "mark" },
  ...over
})

/** Delivers, and gives what came into the inbox. */
const delivered = (...messages: ReadonlyArray<OutgoingMessage>) =>
  Effect.gen(function* () {
    const inbox = yield* Ref.make<ReadonlyArray<InboundEvent>>([])
    const sending = makeSandboxSending({ receive: (events) => Ref.update(inbox, (before) => [...before, ...events]) })
    yield* Effect.forEach(messages, sending.deliver)
    return yield* Ref.get(inbox)
  })

const silently = makeSandboxSending({ receive: () => Effect.void })

describe("a persona", () => {
  it.effect.each(PERSONAS)("%s@ reacts to the first message within 5 seconds", (persona) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const now = yield* Clock.currentTimeMillis
      for (const to of [`${persona}@magic.test`, `${persona}+7@magic.test`, `${persona.toUpperCase()}+x@Magic.Test`]) {
        const sent = message(to)
        const events = yield* delivered(sent)
        assert.lengthOf(events, 1)
        for (const event of events) {
          assert.strictEqual(event.classification, persona)
          assert.strictEqual(event.inReplyTo, sent.messageId)
          assert.strictEqual(event.workspaceId, "w")
          assert.strictEqual(event.toEmail, sent.from.address)
          assert.isTrue(event.receivedAtMillis > now && event.receivedAtMillis <= now + 2000)
          assert.strictEqual(event.kind, persona === "bounce" ? "bounce" : "reply")
          assert.deepStrictEqual(
            event.bounce,
            persona === "bounce" ? { type: "hard", status: "5.1.1", reason: "user_unknown" } : null
          )
          assert.strictEqual(event.fromEmail.startsWith("mailer-daemon@"), persona === "bounce")
          assert.notInclude(event.bodyText, "undefined")
          assert.isAbove(event.bodyText.length, 20)
        }
      }
    })
  )

  it.effect("writes as people do: an answer above the quoted original, in several variants, its HTML escaped", () =>
    Effect.gen(function* () {
      const events = yield* delivered(...Array.from({ length: 60 }, (_, n) => message(`interested+${n}@magic.test`)))
      assert.isTrue(
        events.every(({ bodyText, subject }) => subject === "Re: A question" && /of interest\?/.test(bodyText))
      )
      assert.isAbove(new Set(events.map(({ bodyText }) => bodyText.slice(0, 25))).size, 4)
      const html = events.flatMap(({ bodyHtml }) => (bodyHtml === null ? [] : [bodyHtml]))
      assert.isAbove(html.length, 5)
      assert.isTrue(html.every((text) => text.includes("&lt;this&gt;") && !text.includes("<this>")))
    })
  )

  it.effect("tells its event once: the same message brings the same event, another message another", () =>
    Effect.gen(function* () {
      const sent = message("interested@magic.test")
      const [first, second] = yield* delivered(sent, sent)
      assert.deepStrictEqual(first, second)
      const [other] = yield* delivered({ ...sent, messageId: "another@try-acme.example" })
      assert.notStrictEqual(other?.providerEventId, first?.providerEventId)
    })
  )

  it.effect("keeps quiet about follow-ups, answers in a thread, and what is none of its business", () =>
    Effect.gen(function* () {
      const events = yield* delivered(
        message("interested@magic.test", { stepIndex: 1 }),
        message("interested@magic.test", { references: ["m-1@try-acme.example"] }),
        message("silent@magic.test"),
        message("silent+9@magic.test"),
        message("valid@magic.test"),
        message("undocumented@magic.test"),
        message("interested@elsewhere.test"),
        message(`nobody.at.all@${world().companies[0]?.domain}`)
      )
      assert.deepStrictEqual(events, [])
    })
  )

  it.effect("is everybody of the world: each keeps to their own, and most say nothing", () =>
    Effect.gen(function* () {
      const addresses = Array.from({ length: 1000 }, (_, n) => contactOf(world(), n * 37).workEmail).filter(
        (email) => email !== null
      )
      const messages = addresses.map((email) => message(email))
      const events = yield* delivered(...messages)
      assert.deepStrictEqual(yield* delivered(...messages), events)
      assert.approximately(events.length / messages.length, 0.45, 0.06)
      assert.deepStrictEqual([...new Set(events.map((event) => event.classification))].sort(), [...PERSONAS].sort())
    })
  )

  it.effect("whose event can't be kept leaves the message unsent, for another attempt", () =>
    Effect.gen(function* () {
      const sending = makeSandboxSending({
        receive: () => Effect.fail(new StoreUnavailable({ operation: "inbound.receive", cause: "down" }))
      })
      const failure = yield* Effect.flip(sending.deliver(message("interested@magic.test")))
      assert.strictEqual(failure.reason, "transient")
      yield* sending.deliver(message("silent@magic.test"))
    })
  )
})

const orderOf = (brand: string, domains: ReadonlyArray<number>): CapacityOrder => ({
  workspaceId: "w",
  marker: "operation",
  brand,
  identity: { firstName: "Ada", lastName: "Byron" },
  domains: domains.map((mailboxes, n) => ({
    domain: `d${n}-${brand}.example`,
    mailboxes: Array.from({ length: mailboxes }, (_, m) => `ada${m}@d${n}-${brand}.example`)
  })),
  orderedAtMillis: 10_000
})

/** `A` active, `F` failed, `.` pending: each domain, and its mailboxes behind a colon. */
const drawn = (brand: string, domains: ReadonlyArray<number>, afterMillis: number) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(10_000 + afterMillis)
    const order = orderOf(brand, domains)
    yield* silently.order(order)
    yield* silently.order(order)
    const { domains: progress } = yield* silently.progress(order)
    const letter = { active: "A", failed: "F", pending: "." }
    return progress
      .map((it) => `${letter[it.status]}:${it.mailboxes.map(({ status }) => letter[status]).join("")}`)
      .join(" ")
  })

describe("provisioning", () => {
  it.effect.each([
    ["acme", [2], 0, ".:.."],
    ["acme", [2], 1499, ".:.."],
    ["acme", [2], 1500, "A:AA"],
    ["acme", [2, 1, 1], 1000, "A:AA A:A .:."],
    ["acme", [2, 1, 1], 1999, "A:AA A:A A:A"],
    ["slow-acme", [2], 9999, ".:.."],
    ["slow-acme", [5, 5], 9999, "A:AAAAA .:....."],
    ["slow-acme", [5, 5], 10_000, "A:AAAAA A:AAAAA"],
    ["fail-acme", [2, 1], 0, ".:.. .:."],
    ["fail-acme", [2, 1], 1999, "F:FF F:F"],
    ["partial-acme", [5, 2], 1999, "A:AAAAA F:FF"],
    ["partial-acme", [5, 5, 1], 1999, "A:AAAAA A:AAAAA F:F"],
    ["partial-acme", [3], 1999, "A:AAF"],
    ["partial-acme", [1], 1999, "A:F"],
    ["slow", [1], 1999, "A:A"],
    ["failsafe", [1], 1999, "A:A"],
    ["acme", [1], -5000, ".:."]
  ] as const)("%s", ([brand, domains, after, expected]) =>
    Effect.map(drawn(brand, domains, after), (actual) => assert.strictEqual(actual, expected))
  )

  it.effect("says why something failed, and only then", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(20_000)
      for (const brand of ["acme", "fail-acme", "partial-acme"]) {
        const { domains } = yield* silently.progress(orderOf(brand, [2]))
        assert.strictEqual(
          domains.every(({ detail }) => detail === null),
          brand === "acme"
        )
      }
    })
  )

  it("paces a day as a second, whatever the hour", () => {
    assert.deepStrictEqual(silently.pace, { dayMillis: 1000, windows: false })
  })

  it("suggests as many domains as wanted for any brand: distinct, valid DNS names, reserved, none of the world's", () => {
    const brands = FC.stringMatching(/^[a-z0-9-]{2,30}$/)
    FC.assert(
      FC.property(
        FC.oneof(brands, FC.constantFrom("--", "-a", "a-", "a--b", "xn--a", "slow-x")),
        FC.integer({ min: 0, max: 60 }),
        (brand, count) => {
          const domains = Effect.runSync(silently.suggestDomains(brand, count))
          assert.lengthOf(domains, count)
          assert.strictEqual(new Set(domains).size, count)
          for (const domain of domains) {
            assert.match(domain, /^(?=.{1,63}\.)[a-z0-9]+(-[a-z0-9]+)*\.(test|example)$/)
            assert.isFalse(world().companyByDomain.has(domain))
          }
          assert.deepStrictEqual(Effect.runSync(silently.suggestDomains(brand, 60)).slice(0, count), domains)
        }
      ),
      { numRuns: 200 }
    )
    assert.deepStrictEqual(Effect.runSync(silently.suggestDomains("acme", 3)), [
      "try-acme.example",
      "get-acme.example",
      "acme-team.example"
    ])
  })
})

describe("the sandbox's providers", () => {
  it("serve every verb, each under a name of its own", () => {
    const set = providerSet({ receive: () => Effect.void })
    const sources = [...set.leadSources, ...set.contactEnrichers, ...set.mobileFinders, ...set.emailVerifiers]
    assert.deepStrictEqual(
      [set.leadSources, set.contactEnrichers, set.mobileFinders, set.emailVerifiers].map(({ length }) => length),
      [3, 2, 1, 2]
    )
    assert.isNotNull(set.sending)
    assert.strictEqual(new Set(sources.map(({ name }) => name)).size, sources.length)
    assert.isTrue(sources.every(({ missRate, name }) => missRate >= 0 && missRate <= 1 && /^[a-z_]+$/.test(name)))
  })
})

const directly = Effect.gen(function* () {
  const events = yield* Queue.unbounded<InboundEvent>()
  const { deliver, reply } = makeSandboxSending({
    receive: (received) => Effect.asVoid(Queue.offerAll(events, received))
  })
  return {
    deliver,
    reply,
    comesBack: (count: number) => Queue.takeN(events, count),
    more: Queue.size(events)
  }
})

sandboxSendingContract("direct", directly, "virtual")

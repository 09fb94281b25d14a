import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { assert, describe, it } from "@effect/vitest"
import type { OutgoingReply } from "@outbound/domain/sources/ports/SendingProvider.js"
import type {
  PeopleThere,
  VendorEvent,
  VendorPerson,
  VendorScheduled,
  VendorTerms
} from "@outbound/domain/sources/ports/VendorScheduled.js"
import { Effect, Option, type Scope } from "effect"
import { TestClock } from "effect/testing"
import type { VendorWorld } from "../../vendors/VendorWorld.js"

export interface VendorHarness {
  readonly provider: VendorScheduled
  readonly world: VendorWorld
  /** A message as its reader sees it, where the vendor keeps it in another form. */
  readonly readable: (text: string) => string
}

const NOON = Date.UTC(2027, 0, 4, 12)

const terms = (marker: string): VendorTerms => ({
  title: "Heads of {sales}",
  marker,
  steps: [
    {
      subject: ["Hello ", { variable: "ob_s1" }],
      body: ["Hi <b> ", { variable: "ob_b1" }, "\n{{x}} & bye"],
      waitDays: 0
    },
    { subject: null, body: ["Again"], waitDays: 3 }
  ],
  schedule: { timezone: "Africa/Abidjan", days: ["mon", "tue"], startHour: 9, endHour: 17 },
  mailboxes: ["m1@try-acme.test", "m2@try-acme.test"],
  dailySends: 40,
  mailboxDailySends: 20
})

const person = (name: string): VendorPerson => ({
  campaignLeadId: `lead-${name}`,
  email: `${name}@people.test`,
  firstName: "Pat",
  lastName: null,
  companyName: null,
  subjectValues: { ob_s1: "{{Pat}}" },
  bodyValues: { ob_b1: 'a <i> & "{{firstName}}"' }
})

/** What every vendor that schedules by itself does behind its port. */
export const vendorScheduledContract = (
  name: string,
  harness: Effect.Effect<VendorHarness, never, Scope.Scope>
): void => {
  /** A campaign with these people, sending. */
  const sending = ({ provider }: VendorHarness, marker: string, people: ReadonlyArray<VendorPerson>) =>
    Effect.gen(function* () {
      const ref = yield* provider.create(terms(marker))
      yield* provider.push(ref, people)
      yield* provider.configure(ref, terms(marker))
      yield* provider.activate(ref)
      return ref
    })

  const all = ({ provider }: VendorHarness, ref: string, from: string | null = null) =>
    Effect.gen(function* () {
      const events: Array<VendorEvent> = []
      let cursor = from
      for (let page = 0; page < 20; page += 1) {
        const read = yield* provider.events(ref, cursor)
        events.push(...read.events)
        cursor = read.cursor
        if (!read.hasMore) break
      }
      return { events, cursor }
    })

  describe(`a vendor that schedules, behind its port (${name})`, () => {
    it.effect("reads a campaign back, and names what is not as its terms say", () =>
      Effect.gen(function* () {
        const { provider } = yield* harness
        const wanted = terms("ob-read-back")
        const ref = yield* provider.create(wanted)
        yield* provider.configure(ref, wanted)
        assert.isEmpty(yield* provider.differences(ref, wanted))
        const [first, ...others] = wanted.steps
        const changes: ReadonlyArray<readonly [member: string, terms: VendorTerms]> = [
          ["timezone", { ...wanted, schedule: { ...wanted.schedule, timezone: "Asia/Tehran" } }],
          ["days", { ...wanted, schedule: { ...wanted.schedule, days: ["mon", "sun"] } }],
          ["hours", { ...wanted, schedule: { ...wanted.schedule, endHour: 24 } }],
          ["messages", { ...wanted, steps: [{ ...first!, body: ["Another"] }, ...others] }],
          ["messages", { ...wanted, steps: others }],
          ["senders", { ...wanted, mailboxes: ["m1@try-acme.test"] }]
        ]
        for (const [member, other] of changes) {
          const found = yield* provider.differences(ref, other)
          assert.deepStrictEqual(
            found.map((one) => one.member),
            [member]
          )
        }
        // What was approved may be sent from more mailboxes than there are.
        yield* provider.configure(ref, { ...wanted, mailboxes: ["m1@try-acme.test"], dailySends: 20 })
        assert.isEmpty(yield* provider.differences(ref, wanted))
      }).pipe(Effect.orDie)
    )

    it.effect("makes a campaign that does not send, found by our marker, until it is told to", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(NOON)
        const given = yield* harness
        const { provider, world } = given
        assert.isTrue(Option.isNone(yield* provider.find("ob-1")))
        yield* provider.create(terms("ob-10"))
        const ref = yield* provider.create(terms("ob-1"))
        yield* provider.create(terms("ob-2"))
        assert.strictEqual(Option.getOrNull(yield* provider.find("ob-1")), ref)
        assert.strictEqual(yield* provider.standing(ref), "stopped")
        yield* provider.push(ref, [person("a")])
        world.work(NOON)
        assert.isEmpty(world.sent)
        yield* provider.configure(ref, terms("ob-1"))
        yield* provider.activate(ref)
        assert.strictEqual(yield* provider.standing(ref), "sending")
        world.work(NOON)
        assert.lengthOf(world.sent, 1)
        yield* provider.pause(ref)
        assert.strictEqual(yield* provider.standing(ref), "stopped")
        yield* provider.activate(ref)
        world.work(NOON + 4 * DAY_MILLIS)
        assert.strictEqual(yield* provider.standing(ref), "ended")
        assert.strictEqual(yield* provider.standing("00000000-0000-7000-8000-00000000dead"), "gone")
      }).pipe(Effect.orDie)
    )

    it.effect("lists every mailbox of its account, and which of them can send", () =>
      Effect.gen(function* () {
        const { provider, world } = yield* harness
        if (provider.existing === undefined) return
        const mailboxes = ["n1", "n2", "n3"].map((name) => ({
          address: `${name}@try-acme.test`,
          displayName: "Jo",
          isActive: name !== "n2"
        }))
        world.mailboxes.push(...mailboxes)
        assert.deepStrictEqual((yield* provider.existing).slice(-3), mailboxes)
      }).pipe(Effect.orDie)
    )

    it.effect("sends what it was given to the letter, templates and markup included", () =>
      Effect.gen(function* () {
        const given = yield* harness
        yield* sending(given, "ob-1", [person("a")])
        given.world.work(NOON)
        const [sent] = given.world.sent
        assert.strictEqual(given.readable(sent?.subject ?? "").replaceAll("\u200b", ""), "Hello {{Pat}}")
        assert.strictEqual(given.readable(sent?.text ?? ""), 'Hi <b> a <i> & "{{firstName}}"\n{{x}} & bye')
      }).pipe(Effect.orDie)
    )

    it.effect("takes everybody once, says whom it took, and finds who is there", () =>
      Effect.gen(function* () {
        const given = yield* harness
        const { provider, world } = given
        const ref = yield* provider.create(terms("ob-1"))
        const people = ["a", "b", "c", "d", "e"].map(person)
        world.loses.add("b@people.test")
        const { confirmed } = yield* provider.push(ref, people)
        assert.sameMembers(
          confirmed.map(({ campaignLeadId }) => campaignLeadId),
          ["lead-a", "lead-c", "lead-d", "lead-e"]
        )
        yield* provider.push(ref, people)
        assert.lengthOf(world.campaign(ref)?.people ?? [], 5)
        const found = yield* provider.locate(ref, [
          "a@people.test",
          "nobody@people.test",
          "d@people.test",
          "e@people.test"
        ])
        assert.sameMembers(
          found.map(({ email }) => email),
          ["a@people.test", "d@people.test", "e@people.test"]
        )
        const named = new Map(confirmed.map(({ campaignLeadId, ref: vendorRef }) => [campaignLeadId, vendorRef]))
        assert.strictEqual(found.find(({ email }) => email === "d@people.test")?.ref, named.get("lead-d"))
      }).pipe(Effect.orDie)
    )

    it.effect("takes somebody whom another campaign of the account has", () =>
      Effect.gen(function* () {
        const { provider, world } = yield* harness
        const first = yield* provider.create(terms("ob-1"))
        yield* provider.push(first, [person("a")])
        const second = yield* provider.create(terms("ob-2"))
        const { confirmed } = yield* provider.push(second, [person("a"), person("b")])
        assert.sameMembers(
          confirmed.map(({ campaignLeadId }) => campaignLeadId),
          ["lead-a", "lead-b"]
        )
        assert.deepStrictEqual(
          [first, second].map((ref) => world.campaign(ref)?.people.length),
          [1, 2]
        )
      }).pipe(Effect.orDie)
    )

    it.effect("lists everybody who is in a campaign, whatever became of them, to the end, and nobody else", () =>
      Effect.gen(function* () {
        const given = yield* harness
        const { provider, world } = given
        const ref = yield* sending(given, "ob-1", ["a", "b", "c", "d", "e"].map(person))
        yield* sending(given, "ob-2", [person("x")])
        const empty = yield* provider.create(terms("ob-3"))
        world.work(NOON)
        world.answer(ref, "a@people.test", "Tell me more", NOON)
        world.end(ref, "b@people.test", "bounced", NOON)
        world.end(ref, "c@people.test", "unsubscribed", NOON)
        const listed = (of: string) =>
          Effect.gen(function* () {
            const people: Array<PeopleThere["people"][number]> = []
            let cursor: string | null = null
            for (let page = 0; page < 20; page += 1) {
              const read: PeopleThere = yield* provider.everybody(of, cursor)
              people.push(...read.people)
              cursor = read.cursor
              if (cursor === null) return people
            }
            return assert.fail("it has no end")
          })
        const peopleAtVendor = () =>
          (world.campaign(ref)?.people ?? []).map(({ email, ref: name }) => ({ email, ref: name }))
        assert.lengthOf(peopleAtVendor(), 5)
        const named = (people: ReadonlyArray<PeopleThere["people"][number]>) =>
          people.map(({ email, ref: name }) => ({ email, ref: name }))
        assert.sameDeepMembers(named(yield* listed(ref)), peopleAtVendor())
        yield* provider.forget(ref, peopleAtVendor()[3]?.ref ?? "")
        assert.lengthOf(peopleAtVendor(), 4)
        assert.sameDeepMembers(named(yield* listed(ref)), peopleAtVendor())
        assert.deepStrictEqual(yield* listed(empty), [])
        // That it can't be read proves nothing.
        yield* Effect.flip(provider.everybody("00000000-0000-7000-8000-00000000dead", null))
      }).pipe(Effect.orDie)
    )

    it.effect("says whether it merges a person's values, whatever stands in them, and takes others", () =>
      Effect.gen(function* () {
        const given = yield* harness
        const { provider, world } = given
        const ref = yield* sending(given, "ob-1", [person("a")])
        const held = (wanted: VendorPerson) =>
          Effect.gen(function* () {
            const [one] = (yield* provider.everybody(ref, null)).people
            return { isHeld: one?.holds(wanted), ref: one?.ref ?? "" }
          })
        const before = person("a")
        const after = { ...before, bodyValues: { ob_b1: "l’adresse:\n1 < 2 & {{x}}" } }
        assert.isTrue((yield* held(before)).isHeld)
        const there = yield* held(after)
        assert.isFalse(there.isHeld)
        yield* provider.amend(ref, there.ref, after)
        assert.isTrue((yield* held(after)).isHeld)
        assert.isFalse((yield* held(before)).isHeld)
        assert.isFalse((yield* held({ ...after, subjectValues: { ob_s1: "Other" } })).isHeld)
        world.work(NOON)
        assert.strictEqual(given.readable(world.sent[0]?.text ?? ""), "Hi <b> l’adresse:\n1 < 2 & {{x}}\n{{x}} & bye")
      }).pipe(Effect.orDie)
    )

    it.effect("takes one person out, provably, and nobody else; blocks an address, provably", () =>
      Effect.gen(function* () {
        const given = yield* harness
        const { provider, world } = given
        const ref = yield* sending(given, "ob-1", ["a", "b", "c"].map(person))
        const refOf = (email: string) => world.campaign(ref)?.people.find((one) => one.email === email)?.ref ?? null
        yield* provider.withdraw(ref, { ref: null, email: "a@people.test" })
        yield* provider.withdraw(ref, { ref: refOf("b@people.test"), email: "" })
        yield* provider.withdraw(ref, { ref: null, email: "a@people.test" })
        const nobody = yield* Effect.flip(provider.withdraw(ref, { ref: null, email: "" }))
        assert.strictEqual(nobody.reason, "invalid")
        world.work(NOON)
        assert.deepStrictEqual(
          world.sent.map(({ email }) => email),
          ["c@people.test"]
        )
        const last = refOf("c@people.test") ?? ""
        world.end(ref, "c@people.test", "unsubscribed", NOON)
        yield* provider.withdraw(ref, { ref: last, email: "c@people.test" })
        yield* provider.forget(ref, last)
        yield* provider.forget(ref, last)
        assert.isNull(refOf("c@people.test"))
        yield* provider.block("a@people.test")
        yield* provider.block("a@people.test")
        assert.isTrue(world.blocked.has("a@people.test"))
      }).pipe(Effect.orDie)
    )

    it.effect("tells what happened, oldest first, and goes on from where it was read", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(NOON)
        const given = yield* harness
        const { world } = given
        const ref = yield* sending(given, "ob-1", ["a", "b", "c", "d"].map(person))
        world.work(NOON)
        world.answer(ref, "a@people.test", "Tell me more", NOON + 1_000)
        world.end(ref, "b@people.test", "bounced", NOON + 2_000)
        world.end(ref, "c@people.test", "unsubscribed", NOON + 3_000)
        const first = yield* all(given, ref)
        let { cursor } = first
        const events = [...first.events]
        // Some tell what became of people in turns.
        for (let turns = 0; turns < 3; turns += 1) {
          const more = yield* all(given, ref, cursor)
          events.push(...more.events)
          cursor = more.cursor
        }
        const known = new Map(events.map((event) => [event.eventId, event]))
        const kinds = [...known.values()].map(({ kind, person: { email } }) => `${kind} ${email.slice(0, 1)}`)
        assert.includeMembers(kinds, ["sent a", "sent b", "sent c", "sent d", "reply a", "bounced b", "unsubscribed c"])
        assert.lengthOf(
          kinds.filter((kind) => !kind.startsWith("finished")),
          7
        )
        const reply = [...known.values()].find(({ kind }) => kind === "reply")
        assert.deepInclude(reply, { text: "Tell me more", fromEmail: "a@people.test", isAutomatic: false })
        assert.match(reply?.kind === "reply" ? (reply.messageId ?? "") : "", /^[^<>]+@answers\.test$/)
        const sent = events.find(({ kind }) => kind === "sent")
        assert.deepInclude(sent, { stepIndex: 0 })
      }).pipe(Effect.orDie)
    )

    it.effect("replies in the writer's thread, and can tell afterwards whether it was sent", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(NOON)
        const given = yield* harness
        const { provider, world } = given
        const ref = yield* sending(given, "ob-1", [person("a")])
        world.work(NOON)
        world.answer(ref, "a@people.test", "Tell me more", NOON)
        const { events } = yield* all(given, ref)
        const received = events.find(({ kind }) => kind === "reply")
        if (received?.kind !== "reply") return assert.fail("the answer was not told")
        const reply: OutgoingReply = {
          workspaceId: "w",
          campaignId: "c",
          campaignLeadId: "lead-a",
          messageId: "ours@try-acme.test",
          from: { address: received.mailbox, name: "Jo" },
          to: "a@people.test",
          subject: "Re: Hello",
          text: "Gladly:\n<soon> & more",
          references: ["first@try-acme.test", received.messageId ?? ""]
        }
        const outgoing = { ...reply, ref, person: received.person }
        yield* provider.reply(outgoing)
        assert.lengthOf(world.answered, 1)
        assert.strictEqual(world.answered[0]?.to, "a@people.test")
        assert.strictEqual(given.readable(world.answered[0]?.text ?? ""), "Gladly:\n<soon> & more")
        assert.strictEqual(yield* provider.findSent(outgoing, NOON), "sent")
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* provider.findSent({ ...outgoing, text: "Never sent" }, NOON), "unknowable")
        yield* provider.setInterest({
          workspaceId: "w",
          campaignId: "c",
          campaignLeadId: "lead-a",
          email: "a@people.test",
          interest: "interested",
          ref
        })
        assert.isNotNull(world.campaign(ref)?.people[0]?.interest)
      }).pipe(Effect.orDie)
    )
  })
}

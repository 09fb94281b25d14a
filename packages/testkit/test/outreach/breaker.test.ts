import { assert, describe, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import {
  bouncesHigh,
  bounceVerdict,
  domainOf,
  HEALTH_MESSAGES_MIN,
  makeBreaker,
  makePauseMailbox,
  makeRestAt,
  type MailboxPause,
  ownReceiver,
  REPORTERS_MIN,
  SOFT_BOUNCES_MAX,
  unhealthy
} from "@outbound/domain/outreach/sending/Breaker.js"
import {
  MEASURED_REST_MILLIS,
  RECEIVER_FORGIVEN_MILLIS,
  RECEIVER_REST_MILLIS,
  REFUSALS_MILLIS
} from "@outbound/domain/outreach/sending/refusals.js"
import type { MessageOutcome } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { type Mailbox, type Message, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, Layer, Option } from "effect"
import { leadOf } from "../../src/contracts/campaignFixtures.js"
import { DAY, freshId, HOUR, NOON } from "../../src/contracts/fixtures.js"
import { givenLaunched, givenMailboxes, givenSending } from "../../src/contracts/outboundFixtures.js"
import { Memory } from "../../src/memory/Memory.js"
import { layer as memory } from "../../src/memory/layer.js"
import { keyOf } from "../../src/memory/Table.js"
import * as TestIds from "../../src/memory/TestIds.js"

const service = Layer.merge(memory, TestIds.layer)

const story = <E>(name: string, body: Effect.Effect<void, E, Layer.Success<typeof service>>) =>
  it.effect(name, () => Effect.provide(body, service))

type Kind = "live" | "sandbox"

/** A mailbox of a workspace, with what was sent from it. */
const given = (kind: Kind = "live", people = 40) =>
  Effect.gen(function* () {
    const { atomically, read, write } = yield* Memory
    const [sending, trail] = [yield* SendingStore, yield* TrailStore]
    const { campaign, leads, mailboxes, workspaceId } = yield* givenSending(people, { workspace: { kind } })
    const { mailboxId } = mailboxes[0]!
    /** The next message to the person of this number. */
    const sent = (person: number, message: Partial<Message> = {}, at: { receiver?: string } = {}) =>
      Effect.gen(function* () {
        const made: Message = {
          workspaceId,
          messageId: freshId(),
          campaignId: campaign.campaignId,
          campaignLeadId: leads[person]!.campaignLeadId,
          mailboxId,
          stepIndex: 0,
          variant: null,
          state: "sent",
          claimedAtMillis: NOON,
          sentAtMillis: NOON,
          ...message
        }
        const key = keyOf(workspaceId, made.messageId)
        yield* atomically(
          write(({ messages, receivers }) => {
            messages.set(key, made)
            if (at.receiver !== undefined) receivers.set(key, at.receiver)
          })
        )
        return made
      })
    const mailbox = Effect.map(atomically(sending.lockMailbox(workspaceId, mailboxId)), Option.getOrThrow)
    const filter = { workspaceId, campaignId: null, email: null, sinceMillis: null, untilMillis: null, after: null }
    const kinds = ["mailbox_paused", "paused", "stop"] as const
    const told = Effect.map(trail.page({ ...filter, kinds, limit: 9 }), (events) =>
      events.map(({ detail, kind, source }) => ({ kind, detail, source }))
    )
    const outcomeOf = ({ messageId }: Message) =>
      read(({ outcomes }) => outcomes.get(keyOf(workspaceId, messageId)) ?? null)
    const isWatched = read((tables) => tables.bouncesHigh.get(keyOf(workspaceId, mailboxId)) ?? null)
    const rest = (receiver: string) =>
      Effect.map(sending.receiverRest(workspaceId, mailboxId, receiver), Option.getOrNull)
    return { atomically, campaign, isWatched, leads, mailbox, mailboxId, outcomeOf, rest, sent, told, workspaceId }
  })

/** A campaign that writes from another mailbox as well, and what becomes of it. */
const sharing = ({ mailbox, workspaceId }: Effect.Success<ReturnType<typeof given>>) =>
  Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const mailboxes = [yield* mailbox, ...(yield* givenMailboxes(workspaceId, 1))]
    const { campaign } = yield* givenLaunched(workspaceId, mailboxes, ["one@x.test", "two@x.test"])
    return Effect.map(campaigns.get(workspaceId, campaign.campaignId), (found) => Option.getOrThrow(found).state)
  })

describe("what a bounce says", () => {
  type Bounce = NonNullable<Parameters<typeof bounceVerdict>[0]>
  const verdict = (status: string, given: Partial<Bounce> = {}) => bounceVerdict({ type: "soft", status, ...given })

  it("about an address that does not exist is hard, and what nobody read is soft", () => {
    assert.strictEqual(bounceVerdict(null), "soft")
    assert.strictEqual(verdict("5.1.1", { type: "hard" }), "hard")
    assert.strictEqual(verdict("5.1.1", { type: "hard", ends: true }), "hard")
    assert.deepStrictEqual(
      [verdict("4.2.2"), verdict("4.4.1"), verdict("5.2.2"), verdict("5.3.0")],
      ["soft", "soft", "soft", "soft"]
    )
  })

  it("about this person's mailbox or list alone ends their lead", () => {
    for (const found of [
      verdict("5.0.0", { reason: "restricted" }),
      verdict("5.7.129"),
      verdict("5.7.129", { type: "hard", reason: "user_unknown" }),
      verdict("5.2.1"),
      verdict("5.1.3"),
      verdict("5.2.2", { reason: "suspended" }),
      verdict("4.2.2", { ends: true }),
      verdict("5.7.1", { ends: true }),
      verdict("5.0.0", { reason: "reputation", ends: true })
    ])
      assert.strictEqual(found, "restricted")
    assert.strictEqual(verdict("5.2.1", { reason: "full" }), "soft")
  })

  it("about the sender says nothing about the person", () => {
    for (const found of [
      verdict("5.7.1"),
      verdict("4.7.0"),
      verdict("5.7.1", { type: "hard", reason: "unknown" }),
      verdict("5.0.0", { reason: "reputation" }),
      verdict("5.1.1", { type: "hard", reason: "content" })
    ])
      assert.strictEqual(found, "refused")
  })
})

describe("a mailbox's health", () => {
  const health = (sent: number, hardBounces: number, complaints = 0) => ({ sent, hardBounces, complaints })

  it("is bad above a thousandth of complaints or three hundredths of hard bounces, from twenty messages on", () => {
    assert.isNull(unhealthy(health(HEALTH_MESSAGES_MIN - 1, 19, 19)))
    assert.strictEqual(unhealthy(health(HEALTH_MESSAGES_MIN, 1)), "bounces")
    assert.strictEqual(unhealthy(health(HEALTH_MESSAGES_MIN, 0, 1)), "complaints")
    assert.strictEqual(unhealthy(health(HEALTH_MESSAGES_MIN, 5, 5)), "complaints")
    assert.isNull(unhealthy(health(HEALTH_MESSAGES_MIN, 0)))
    assert.deepStrictEqual([unhealthy(health(100, 3)), unhealthy(health(100, 4))], [null, "bounces"])
    assert.deepStrictEqual([unhealthy(health(1_000, 0, 1)), unhealthy(health(999, 0, 1))], [null, "complaints"])
  })

  it("is bad by reports of one kind only if there are as many as count", () => {
    assert.isNull(unhealthy(health(20, 2, 2), 3))
    assert.isNull(unhealthy(health(20, 2, 1), 3))
    assert.strictEqual(unhealthy(health(20, 3, 2), 3), "bounces")
    assert.strictEqual(unhealthy(health(20, 0, 3), 3), "complaints")
  })

  it("is watched from two hundredths of hard bounces on", () => {
    const watched = (sent: number, hardBounces: number) => bouncesHigh({ sent, hardBounces })
    assert.deepStrictEqual(
      [watched(19, 19), watched(20, 1), watched(50, 1), watched(51, 1)],
      [false, true, true, false]
    )
    assert.isFalse(watched(100, 0))
  })
})

it("an address belongs to what follows its last sign, in lower case, and to who operates that", () => {
  assert.strictEqual(domainOf('"a@b"@Mail.Example.COM'), "mail.example.com")
  assert.strictEqual(ownReceiver("ann@Mail.Example.COM"), "example.com")
  assert.strictEqual(ownReceiver("ann@LOCALHOST"), "localhost")
})

describe("a paused mailbox", () => {
  const paused = (pause: Partial<MailboxPause>, given: Partial<Mailbox> = {}) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const campaigns = yield* CampaignStore
      const { campaign: alone, mailbox, told, workspaceId } = yield* givenOne
      const own = yield* mailbox
      const [other, resting] = [
        (yield* givenMailboxes(workspaceId, 1))[0]!,
        (yield* givenMailboxes(workspaceId, 1, { state: "paused", pauseReason: "owner" }))[0]!
      ]
      const launched = (...mailboxes: ReadonlyArray<Mailbox>) =>
        Effect.map(
          givenLaunched(workspaceId, mailboxes, ["one@x.test", "two@x.test"]),
          ({ campaign }) => campaign.campaignId
        )
      const ids = {
        alone: alone.campaignId,
        withAnother: yield* launched(own, other),
        withResting: yield* launched(own, resting),
        elsewhere: yield* launched(other)
      }
      const pauseMailbox = yield* makePauseMailbox
      const why: MailboxPause = { reason: "owner", detail: { note: "mine" }, campaigns: "without_another", ...pause }
      const stopped = yield* atomically(pauseMailbox({ ...own, ...given }, why, NOON))
      const states = Object.fromEntries(
        yield* Effect.forEach(Object.entries(ids), ([name, id]) =>
          Effect.map(campaigns.get(workspaceId, id), (found) => {
            const { pauseReason, state } = Option.getOrThrow(found)
            return [name, pauseReason === null ? state : `${state}: ${pauseReason}`] as const
          })
        )
      )
      return { own, now: yield* mailbox, stopped, ids, states, told: yield* told }
    })
  const givenOne = given("live", 2)
  const going = { alone: "active", withAnother: "active", withResting: "active", elsewhere: "active" }
  const stopped = "paused: capacity"

  story(
    "stops the campaigns that have no other one that sends, and says so",
    Effect.gen(function* () {
      const found = yield* paused({ reason: "bounces" })
      assert.deepStrictEqual(found.states, { ...going, alone: stopped, withResting: stopped })
      assert.sameMembers(found.stopped, [found.ids.alone, found.ids.withResting])
      assert.deepInclude(found.now, { state: "paused", pauseReason: "bounces" })
      assert.deepStrictEqual(found.told, [
        { kind: "mailbox_paused", detail: { mailbox: found.own.address, note: "mine" }, source: "system" },
        { kind: "paused", detail: { reason: "capacity", provider_verified: true }, source: "system" },
        { kind: "paused", detail: { reason: "capacity", provider_verified: true }, source: "system" }
      ])
    })
  )

  story(
    "stops each campaign that writes from it, if it is asked to, and names who did it",
    Effect.gen(function* () {
      const found = yield* paused({ campaigns: "each", source: "console" })
      assert.deepStrictEqual(found.states, { ...going, alone: stopped, withAnother: stopped, withResting: stopped })
      assert.deepStrictEqual(
        found.told.map(({ kind, source }) => [kind, source]),
        [["mailbox_paused", "console"], ...Array.from({ length: 3 }, () => ["paused", "system"])]
      )
    })
  )

  story(
    "or one that never sent changes nothing",
    Effect.gen(function* () {
      for (const state of ["paused", "provisioning", "failed"] as const) {
        const found = yield* paused({ campaigns: "each" }, { state })
        assert.deepStrictEqual([found.stopped, found.states, found.told], [[], going, []])
        assert.strictEqual(found.now.state, "active", "it is left as it is")
      }
    })
  )
})

describe("a rest at an organisation that refuses", () => {
  const first = RECEIVER_REST_MILLIS.first
  const rests = Effect.gen(function* () {
    const { atomically, mailboxId, rest, workspaceId } = yield* given("live", 1)
    const sending = yield* SendingStore
    const restAt = yield* makeRestAt
    const refused = (atMillis: number, why = { status: "5.7.1", says: "no" }) =>
      Effect.gen(function* () {
        yield* atomically(restAt({ workspaceId, mailboxId }, "big.example", why, atMillis))
        const found = (yield* rest("big.example"))!
        return [found.times, found.restsUntilMillis - atMillis]
      })
    const put = (times: number, restsUntilMillis: number, status = "5.7.1") =>
      atomically(
        sending.setReceiverRest({
          workspaceId,
          mailboxId,
          receiver: "big.example",
          restsUntilMillis,
          times,
          status,
          says: "before"
        })
      )
    return { refused, put, rest: rest("big.example") }
  })

  story(
    "is twice as long each time, until it was quiet for a week",
    Effect.gen(function* () {
      const { put, refused, rest } = yield* rests
      assert.deepStrictEqual(yield* refused(NOON, { status: "5.7.1", says: "no, ann@big.example\r\n" }), [1, first])
      const { says, status } = (yield* rest)!
      assert.deepStrictEqual([status, says], ["5.7.1", "no, (address)"])
      assert.deepStrictEqual(yield* refused(NOON + 2 * HOUR), [2, 2 * first])
      assert.deepStrictEqual(yield* refused(NOON + 5 * HOUR), [3, 4 * first])
      yield* put(3, NOON)
      assert.deepStrictEqual(yield* refused(NOON + RECEIVER_FORGIVEN_MILLIS), [4, 8 * first])
      yield* put(3, NOON)
      assert.deepStrictEqual(yield* refused(NOON + RECEIVER_FORGIVEN_MILLIS + 1), [1, first])
    })
  )

  story(
    "goes on if it is longer, counts on where it is at its longest, and not from a clock that was set back",
    Effect.gen(function* () {
      const { put, refused, rest } = yield* rests
      yield* put(1, NOON + MEASURED_REST_MILLIS.first, "")
      assert.deepStrictEqual(yield* refused(NOON), [1, MEASURED_REST_MILLIS.first])
      assert.strictEqual((yield* rest)?.says, "before")
      yield* put(9, NOON + RECEIVER_REST_MILLIS.max)
      assert.deepStrictEqual(yield* refused(NOON), [10, RECEIVER_REST_MILLIS.max])
      yield* put(1, NOON + MEASURED_REST_MILLIS.first + 1, "")
      assert.deepStrictEqual(yield* refused(NOON), [2, 2 * first])
    })
  )
})

describe("what became of a mailbox's messages", () => {
  /** Twenty messages are there; what the newest ones came to is recorded one by one. */
  const recorded = (kind: Kind, outcome: MessageOutcome, count: number, how: { isByMail: boolean; says?: string }) =>
    Effect.gen(function* () {
      const its = yield* given(kind)
      const shared = yield* sharing(its)
      const breaker = yield* makeBreaker
      const messages = yield* Effect.forEach(Array.from({ length: HEALTH_MESSAGES_MIN }), (_, person) =>
        its.sent(person)
      )
      for (const message of messages.slice(0, count))
        yield* its.atomically(breaker.record(message, outcome, how, NOON + HOUR))
      const outcomes = yield* Effect.forEach(messages.slice(0, count), its.outcomeOf)
      assert.isTrue(outcomes.every((one) => one === outcome))
      const { pauseReason, state } = yield* its.mailbox
      assert.strictEqual(yield* shared, "active", "it has another mailbox")
      return { state, pauseReason, told: yield* its.told, isWatched: yield* its.isWatched }
    })

  story(
    "stops it where it is too bad, with the figures and the server's words without addresses",
    Effect.gen(function* () {
      const says = "550 ann@x.test is unknown"
      const bounced = yield* recorded("live", "hard_bounce", 1, { isByMail: false, says })
      assert.deepInclude(bounced, { state: "paused", pauseReason: "bounces", isWatched: NOON + HOUR })
      const figures = { reason: "bounces", sent: 20, hard_bounces: 1, complaints: 0 }
      assert.deepInclude(bounced.told[0]?.detail, { ...figures, says: "550 (address) is unknown" })
      const unwanted = yield* recorded("live", "complaint", 1, { isByMail: false })
      assert.deepInclude(unwanted, { state: "paused", pauseReason: "complaints", isWatched: null })
      assert.notProperty(unwanted.told[0]?.detail ?? {}, "says")
      assert.deepStrictEqual(
        unwanted.told.map(({ kind }) => kind),
        ["mailbox_paused", "paused"]
      )
    })
  )

  story(
    "stops it by mail only if enough people say so, since its recipients may have written that",
    Effect.gen(function* () {
      const few = yield* recorded("live", "complaint", REPORTERS_MIN - 1, { isByMail: true })
      assert.deepInclude(few, { state: "active", pauseReason: null, told: [] })
      const enough = yield* recorded("live", "complaint", REPORTERS_MIN, { isByMail: true })
      assert.deepInclude(enough, { state: "paused", pauseReason: "complaints" })
    })
  )

  story(
    "never stops one of the sandbox",
    Effect.gen(function* () {
      const found = yield* recorded("sandbox", "hard_bounce", 9, { isByMail: false })
      assert.deepInclude(found, { state: "active", told: [], isWatched: null })
    })
  )

  story(
    "is no more watched once it is better, and one that is gone is left alone",
    Effect.gen(function* () {
      const its = yield* given()
      const breaker = yield* makeBreaker
      const record = (message: Message, outcome: MessageOutcome) =>
        its.atomically(breaker.record(message, outcome, { isByMail: true }, NOON))
      for (let person = 0; person < 20; person += 1) yield* its.sent(person)
      yield* record(yield* its.sent(20), "hard_bounce")
      assert.strictEqual(yield* its.isWatched, NOON)
      for (let more = 0; more < 40; more += 1) yield* its.sent(more % 20)
      yield* record(yield* its.sent(21), "complaint")
      assert.isNull(yield* its.isWatched)
      const elsewhere = yield* its.sent(22, { mailboxId: freshId() })
      yield* record(elsewhere, "hard_bounce")
      assert.strictEqual(yield* its.outcomeOf(elsewhere), "hard_bounce")
      for (let person = 0; person < 20; person += 1) yield* its.sent(person, { mailboxId: elsewhere.mailboxId })
      yield* record(elsewhere, "complaint")
      assert.isEmpty(yield* its.told)
    })
  )
})

describe("refusals of the sender", () => {
  const WHY = { status: "5.7.1", says: "550 5.7.1 ann@big.example: blocked" }

  /** `there`: the organisations, each of a person who is refused in turn. */
  const refused = (
    there: ReadonlyArray<string>,
    given_: { kind?: Kind; receiver?: string | null; email?: string; activeAtMillis?: number; atMillis?: number } = {}
  ) =>
    Effect.gen(function* () {
      const { activeAtMillis, atMillis = NOON + HOUR, email = "ann@big.example", kind = "live", receiver } = given_
      const its = yield* given(kind)
      const shared = yield* sharing(its)
      const sending = yield* SendingStore
      const breaker = yield* makeBreaker
      const mailbox = yield* its.mailbox
      if (activeAtMillis !== undefined) yield* its.atomically(sending.updateMailboxes([{ ...mailbox, activeAtMillis }]))
      const messages = []
      for (const [person, organisation] of there.entries()) {
        const message = yield* its.sent(person, { state: "failed", sentAtMillis: null }, { receiver: organisation })
        messages.push(message)
        const refusal = { ...WHY, receiver: receiver === undefined ? organisation : receiver }
        yield* its.atomically(breaker.refused(message, email, refusal, atMillis))
      }
      const outcomes = new Set(yield* Effect.forEach(messages, its.outcomeOf))
      const { pauseReason, state } = yield* its.mailbox
      assert.strictEqual(yield* shared, "active", "it has another mailbox")
      return { state, pauseReason, outcomes: [...outcomes], told: yield* its.told, its }
    })

  const times = (count: number, name: string) => Array.from({ length: count }, () => name)

  story(
    "by one organisation rest the mail to it, from so many people on, and not the mailbox",
    Effect.gen(function* () {
      const few = yield* refused(times(4, "big.example"))
      assert.deepInclude(few, { state: "active", outcomes: ["refused"], told: [] })
      assert.isNull(yield* few.its.rest("big.example"))
      const enough = yield* refused(times(5, "big.example"))
      assert.deepInclude(enough, { state: "active", told: [] })
      const rest = yield* enough.its.rest("big.example")
      assert.deepInclude(rest, { times: 1, status: "5.7.1", restsUntilMillis: NOON + 2 * HOUR })
      assert.strictEqual(rest?.says, "550 5.7.1 (address): blocked")
    })
  )

  story(
    "by several organisations stop the mailbox, with the figures",
    Effect.gen(function* () {
      const found = yield* refused(["a.example", "b.example", "c.example", "a.example", "b.example"])
      assert.deepInclude(found, { state: "paused", pauseReason: "bounces" })
      assert.deepInclude(found.told[0]?.detail, {
        reason: "refused",
        status: "5.7.1",
        refused: 5,
        people: 5,
        receivers: 3,
        says: "550 5.7.1 (address): blocked"
      })
      assert.deepStrictEqual(
        found.told.map(({ kind }) => kind),
        ["mailbox_paused", "paused"]
      )
    })
  )

  story(
    "whose organisation nobody named count where the message went, else where its recipient's mail is received",
    Effect.gen(function* () {
      const known = yield* refused(times(5, "known.example"), { receiver: null })
      assert.isNotNull(yield* known.its.rest("known.example"))
      assert.isNull(yield* known.its.rest("big.example"))
      for (const [email, receiver, went] of [
        ["ann@mail.big.example", null, undefined],
        ["ann@elsewhere.example", "big.example", "gateway.example"]
      ] as const) {
        const its = yield* given()
        const breaker = yield* makeBreaker
        const sending = yield* SendingStore
        for (let person = 0; person < 5; person += 1) {
          const { messageId } = yield* its.sent(person, {}, { receiver: "big.example" })
          yield* its.atomically(sending.setOutcome(its.workspaceId, messageId, "refused"))
        }
        const last = yield* its.sent(5, {}, went === undefined ? {} : { receiver: went })
        yield* its.atomically(breaker.refused(last, email, { ...WHY, receiver }, NOON))
        assert.isNotNull(yield* its.rest("big.example"), email)
      }
    })
  )

  story(
    "are counted for three days, and from when the mailbox was resumed",
    Effect.gen(function* () {
      const five = times(5, "big.example")
      const restAt = (atMillis: number, activeAtMillis?: number) =>
        Effect.flatMap(
          refused(five, { atMillis, ...(activeAtMillis === undefined ? {} : { activeAtMillis }) }),
          ({ its }) => its.rest("big.example")
        )
      assert.isNotNull(yield* restAt(NOON + REFUSALS_MILLIS))
      assert.isNull(yield* restAt(NOON + REFUSALS_MILLIS + 1))
      assert.isNotNull(yield* restAt(NOON + HOUR, NOON))
      assert.isNull(yield* restAt(NOON + HOUR, NOON + 1))
      assert.isNull(yield* restAt(NOON + REFUSALS_MILLIS + 1, NOON - DAY))
    })
  )

  story(
    "of the sandbox stop nothing, and neither do those of a mailbox that is gone",
    Effect.gen(function* () {
      const found = yield* refused(["a.test", "b.test", "c.test", "a.test", "b.test"], { kind: "sandbox" })
      assert.deepInclude(found, { state: "active", outcomes: [null], told: [] })
      const its = yield* given()
      const breaker = yield* makeBreaker
      const message = yield* its.sent(0, { mailboxId: freshId() })
      yield* its.atomically(breaker.refused(message, "a@b.example", { ...WHY, receiver: null }, NOON))
      assert.isNull(yield* its.outcomeOf(message))
    })
  )
})

describe("a person whose mail bounces", () => {
  const person = (bounces: number) =>
    Effect.gen(function* () {
      const its = yield* given("live", 1)
      const replies = yield* ReplyStore
      const { campaignLeadId } = its.leads[0]!
      for (let bounce = 0; bounce < bounces; bounce += 1) {
        yield* its.atomically(
          replies.insert({
            workspaceId: its.workspaceId,
            replyId: freshId(),
            campaignId: its.campaign.campaignId,
            campaignLeadId,
            threadId: null,
            fromEmail: "mailer-daemon@example.com",
            toEmail: null,
            subject: "",
            snippet: "",
            bodyText: "",
            bodyHtml: null,
            bodyTruncated: false,
            classification: "bounce",
            messageId: null,
            inReplyTo: null,
            receivedAtMillis: NOON
          })
        )
      }
      const lead = Effect.orDie(leadOf(its.workspaceId, campaignLeadId))
      return { ...its, lead, breaker: yield* makeBreaker }
    })

  story(
    "again and again gets no more messages, and not sooner",
    Effect.gen(function* () {
      const few = yield* person(SOFT_BOUNCES_MAX - 1)
      yield* few.atomically(few.breaker.softBounce(yield* few.lead, NOON))
      assert.strictEqual((yield* few.lead).state, "ready")
      assert.isEmpty(yield* few.told)
      const many = yield* person(SOFT_BOUNCES_MAX)
      yield* many.atomically(many.breaker.softBounce(yield* many.lead, NOON))
      assert.strictEqual((yield* many.lead).state, "bounced")
      assert.deepStrictEqual(
        (yield* many.told).map(({ detail, kind }) => [kind, detail]),
        [["stop", { reason: "soft_bounces" }]]
      )
    })
  )

  story(
    "because their server takes none from us gets no more either, with its code as the reason",
    Effect.gen(function* () {
      const { atomically, breaker, lead, told } = yield* person(0)
      yield* atomically(breaker.restricted(yield* lead, "5.7.2", NOON))
      assert.strictEqual((yield* lead).state, "bounced")
      assert.deepStrictEqual(
        (yield* told).map(({ detail, kind }) => [kind, detail]),
        [["stop", { reason: "refused_by_provider", status: "5.7.2" }]]
      )
    })
  )
})

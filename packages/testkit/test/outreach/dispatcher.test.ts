import { assert, describe, it } from "@effect/vitest"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import {
  CLAIM_GOOD_MILLIS,
  CLAIM_STALE_MILLIS,
  Dispatcher,
  OWN_CLAIM_STALE_MILLIS
} from "@outbound/domain/outreach/sending/Dispatcher.js"
import type { Message } from "@outbound/domain/outreach/sending/SendingStore.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { noProviders } from "@outbound/domain/sources/ports/Providers.js"
import type { OutboundScheduled, OutgoingMessage } from "@outbound/domain/sources/ports/SendingProvider.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect, Fiber, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { leadOf } from "../../src/contracts/campaignFixtures.js"
import { DAY, freshId, MINUTE, NOON } from "../../src/contracts/fixtures.js"
import { givenMailboxes, givenSending } from "../../src/contracts/outboundFixtures.js"
import { Memory } from "../../src/memory/Memory.js"
import { layer as memory } from "../../src/memory/layer.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import { keyOf } from "../../src/memory/Table.js"
import { over } from "../../src/service/Service.js"

/** What the provider was given, and what it does with the next messages. */
const handed: Array<OutgoingMessage> = []
let deliver: Effect.Effect<void, ProviderFailure> = Effect.void

const refusing = Effect.die(new Error("it is not asked for this"))
const provider: OutboundScheduled = {
  ...({ capacity: refusing, pauseCampaign: () => refusing, reply: () => refusing } as object as OutboundScheduled),
  schedules: "outbound",
  name: "scripted",
  pace: { dayMillis: DAY, windows: false },
  deliver: (message) => Effect.suspend(() => (handed.push(message), deliver))
}

/** A workspace whose messages are due at noon. `kind`: the sandbox has no such provider. */
const given = (people: number, kind: "live" | "sandbox" = "live") =>
  Effect.gen(function* () {
    handed.length = 0
    deliver = Effect.void
    yield* TestClock.setTime(NOON)
    const { read } = yield* Memory
    const trail = yield* TrailStore
    const of = yield* givenSending(people, { workspace: { kind, caps: CAPS }, mailboxes: 3 })
    const { workspaceId } = of
    const messages = read((tables) => tables.messages.where("workspace", workspaceId))
    const states = Effect.map(messages, (all) => all.map(({ state }) => state))
    const leads = Effect.forEach(of.leads, ({ campaignLeadId }) => Effect.orDie(leadOf(workspaceId, campaignLeadId)))
    const filter = { workspaceId, campaignId: null, email: null, sinceMillis: null, untilMillis: null, after: null }
    const told = Effect.map(trail.page({ ...filter, kinds: ["removed", "stop", "sent"], limit: 99 }), (events) =>
      events.map(({ detail, email, kind }) => ({ kind, detail, email }))
    )
    return { ...of, messages, states, leads: of.leads, now: leads, told }
  })

const CAPS = {
  dailySends: 500,
  dailyReplies: 100,
  mailboxDailyReplies: 20,
  mailboxDailySends: 100,
  refusalsMin: 5,
  mailboxRefusalsPercent: 20,
  receiverRefusalsPercent: 40
}

/** A claim that its host did not end, of this age. */
const abandoned = (of: Effect.Success<ReturnType<typeof given>>, lead: number, message: Partial<Message>) =>
  Effect.gen(function* () {
    const { atomically, write } = yield* Memory
    const made: Message = {
      workspaceId: of.workspaceId,
      messageId: freshId(),
      campaignId: of.campaign.campaignId,
      campaignLeadId: of.leads[lead]!.campaignLeadId,
      mailboxId: of.mailboxes[0]!.mailboxId,
      stepIndex: 0,
      variant: null,
      state: "claimed",
      claimedAtMillis: NOON,
      sentAtMillis: null,
      ...message
    }
    yield* atomically(write(({ messages }) => messages.set(keyOf(of.workspaceId, made.messageId), made)))
    return made
  })

const service = over(memory, { ...noProviders, sending: provider })

const story = <E>(name: string, body: Effect.Effect<void, E, Layer.Success<typeof service>>) =>
  it.effect(name, () => Effect.provide(body, service))

describe("the dispatcher", () => {
  const round = Effect.flatMap(Dispatcher, (dispatcher) => dispatcher.round)

  story(
    "hands each due message over once, as its mailbox to its person, and says how many",
    Effect.gen(function* () {
      const of = yield* given(3)
      assert.strictEqual(yield* round, 3)
      assert.deepStrictEqual(yield* of.states, ["sent", "sent", "sent"])
      assert.sameMembers(
        handed.map(({ to }) => to.address),
        ["person-0@example.com", "person-1@example.com", "person-2@example.com"]
      )
      assert.strictEqual(yield* round, 0)
      assert.lengthOf(handed, 3)
    })
  )

  story(
    "hands nothing over whose turn comes when its checks are old: it is due as before",
    Effect.gen(function* () {
      const of = yield* given(17)
      // Eight at once, so that the last one waits for two others.
      deliver = Effect.sleep("29 seconds")
      const fiber = yield* Effect.forkChild(round)
      yield* TestClock.adjust(3 * CLAIM_GOOD_MILLIS)
      assert.strictEqual(yield* Fiber.join(fiber), 17)
      assert.lengthOf(handed, 16)
      const states = yield* of.states
      assert.lengthOf(
        states.filter((state) => state === "sent"),
        16
      )
      const [left, ...others] = (yield* of.now).filter(({ state }) => state === "ready")
      assert.isEmpty(others)
      assert.isAtMost(left?.nextAtMillis ?? Infinity, yield* Clock.currentTimeMillis)
      deliver = Effect.void
      assert.strictEqual(yield* round, 1)
      assert.lengthOf(handed, 17)
    })
  )

  story(
    "sends nothing where no provider schedules by us any more, and tries again later",
    Effect.gen(function* () {
      const of = yield* given(1)
      const scheduled = provider as { schedules: string }
      scheduled.schedules = "vendor"
      assert.strictEqual(
        yield* Effect.ensuring(
          round,
          Effect.sync(() => void (scheduled.schedules = "outbound"))
        ),
        1
      )
      assert.isEmpty(handed)
      assert.deepStrictEqual(yield* of.states, ["failed"])
      const [lead] = yield* of.now
      assert.strictEqual(lead?.state, "ready")
      assert.isAbove(lead?.nextAtMillis ?? 0, NOON)
    })
  )

  story(
    "takes a provider without an answer for one that may have sent: nobody is written to again",
    Effect.gen(function* () {
      for (const answer of [
        Effect.never,
        Effect.die(new Error("a defect")),
        Effect.fail(new ProviderFailure({ provider: "scripted", reason: "unknown_outcome" }))
      ]) {
        const of = yield* given(1)
        deliver = answer
        const fiber = yield* Effect.forkChild(round)
        yield* TestClock.adjust("31 seconds")
        yield* Fiber.join(fiber)
        assert.deepStrictEqual(yield* of.states, ["unknown"])
        yield* TestClock.adjust("3 days")
        yield* round
        assert.lengthOf(handed, 1)
      }
    })
  )

  story(
    "tries again what the provider says that it did not send, and what could not be written",
    Effect.gen(function* () {
      const { failNext } = yield* MemoryFaults
      const refused = yield* given(1)
      deliver = Effect.fail(new ProviderFailure({ provider: "scripted", reason: "transient" }))
      yield* round
      assert.deepStrictEqual([yield* refused.states, (yield* refused.now)[0]?.state], [["failed"], "ready"])
      // The words of their country are in the approval, which can't be read at first.
      const of = yield* given(1)
      const { atomically, write } = yield* Memory
      const words = { place: "message", countries: [], missing: [], texts: { eea: "Warum wir schreiben." } } as const
      yield* atomically(
        write(({ approvals, leads }) => {
          for (const { approvalId } of approvals.filter(({ workspaceId }) => workspaceId === of.workspaceId)) {
            approvals.update(keyOf(of.workspaceId, approvalId), (approval) => ({
              ...approval,
              snapshot: { ...approval.snapshot, words } as typeof approval.snapshot
            }))
          }
          for (const { campaignLeadId } of of.leads) {
            const named = { language: "de", notice: "eea", isLinked: false } as const
            leads.update(keyOf(of.workspaceId, campaignLeadId), (lead) => ({ ...lead, words: named }))
          }
        })
      )
      yield* failNext("ApprovalStore.find", 1)
      yield* round
      assert.isEmpty(handed)
      assert.deepStrictEqual([yield* of.states, (yield* of.now)[0]?.state], [["failed"], "ready"])
      yield* TestClock.adjust("1 day")
      yield* round
      assert.strictEqual((yield* of.states).at(-1), "sent")
    })
  )

  story(
    "keeps a claim whose end it could not record, and goes on with the others",
    Effect.gen(function* () {
      const { failNext } = yield* MemoryFaults
      const of = yield* given(2)
      yield* failNext("SendingStore.endMessage", 1)
      assert.strictEqual(yield* round, 2)
      assert.sameMembers(yield* of.states, ["claimed", "sent"])
      yield* TestClock.adjust(CLAIM_STALE_MILLIS + 1)
      const { end } = yield* Dispatcher
      assert.strictEqual(yield* end, 1)
      assert.sameMembers(yield* of.states, ["unknown", "sent"])
    })
  )

  story(
    "records what it handed over, though its caller goes",
    Effect.gen(function* () {
      const of = yield* given(1)
      deliver = Effect.sleep("5 seconds")
      const fiber = yield* Effect.forkChild(round)
      yield* TestClock.adjust("1 second")
      const gone = yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(gone)
      assert.deepStrictEqual(yield* of.states, ["sent"])
    })
  )

  story(
    "gives up a claim after two minutes, that of an own mailbox after a quarter of an hour",
    Effect.gen(function* () {
      const of = yield* given(3)
      const { end } = yield* Dispatcher
      const { atomically, write } = yield* Memory
      const [own] = yield* givenMailboxes(of.workspaceId, 1, { kind: "own" })
      const claims = [
        yield* abandoned(of, 0, {}),
        yield* abandoned(of, 1, { claimedAtMillis: NOON + 1 }),
        yield* abandoned(of, 2, { mailboxId: own!.mailboxId })
      ]
      const stateOf = (message: Message) =>
        Effect.map(of.messages, (all) => all.find(({ messageId }) => messageId === message.messageId)?.state)
      const states = Effect.forEach(claims, stateOf)
      yield* TestClock.setTime(NOON + CLAIM_STALE_MILLIS + 1)
      assert.strictEqual(yield* end, 1)
      assert.deepStrictEqual(yield* states, ["unknown", "claimed", "claimed"])
      const [lead] = (yield* of.now).filter(({ campaignLeadId }) => campaignLeadId === claims[0]?.campaignLeadId)
      assert.strictEqual(lead?.state, "failed")
      yield* TestClock.setTime(NOON + OWN_CLAIM_STALE_MILLIS)
      assert.strictEqual(yield* end, 1)
      assert.deepStrictEqual(yield* states, ["unknown", "unknown", "claimed"])
      yield* TestClock.setTime(NOON + OWN_CLAIM_STALE_MILLIS + 1)
      assert.strictEqual(yield* end, 1)
      assert.deepStrictEqual(yield* states, ["unknown", "unknown", "unknown"])
      yield* atomically(write(({ messages }) => messages.deleteFirst(9, () => true)))
    })
  )

  story(
    "ends lost claims in the order of their leads, as every transaction locks them",
    Effect.gen(function* () {
      const of = yield* given(3)
      const { end } = yield* Dispatcher
      for (const [later, lead] of [1, 2, 0].entries())
        yield* abandoned(of, lead, { claimedAtMillis: NOON - 10 * MINUTE + later })
      assert.strictEqual(yield* end, 3)
      const people = of.leads.toSorted((a, b) => (a.campaignLeadId < b.campaignLeadId ? -1 : 1))
      assert.deepStrictEqual(
        (yield* of.told).map(({ email }) => email),
        people.map(({ email }) => email).toReversed()
      )
    })
  )

  story(
    "takes out who may not be written to, puts off who was just written to, ends who waited or was lost",
    Effect.gen(function* () {
      const of = yield* given(4)
      const { atomically, write } = yield* Memory
      const suppressions = yield* SuppressionStore
      const { sweep } = yield* Dispatcher
      const [barred, waited, lost, contacted] = of.leads
      const { addressHash, email } = barred!
      const stateOf = (lead: typeof barred) =>
        Effect.map(of.now, (all) => all.find(({ campaignLeadId }) => campaignLeadId === lead?.campaignLeadId)!)
      const suppression = { workspaceId: of.workspaceId, addressHash, source: "unsubscribe", atMillis: NOON } as const
      yield* atomically(suppressions.add(suppression))
      yield* atomically(
        write(({ contacts, leads, queuedOverlaps }) => {
          leads.update(keyOf(of.workspaceId, waited!.campaignLeadId), (lead) => ({
            ...lead,
            state: "active",
            stepsSent: of.campaign.sequence.length,
            nextAtMillis: NOON
          }))
          queuedOverlaps.set(of.workspaceId, true)
          const contact = { workspaceId: of.workspaceId, addressHash: contacted!.addressHash, campaignId: freshId() }
          contacts.set(freshId(), { ...contact, atMillis: NOON - DAY })
        })
      )
      yield* abandoned(of, 2, { claimedAtMillis: NOON - 10 * MINUTE })
      assert.strictEqual(yield* sweep, 4)
      assert.deepStrictEqual(
        (yield* Effect.forEach([barred, waited, lost, contacted], stateOf)).map(({ state }) => state),
        ["removed", "finished", "failed", "ready"]
      )
      assert.strictEqual((yield* stateOf(contacted)).nextAtMillis, NOON + 29 * DAY + 1)
      assert.deepInclude(yield* of.told, { kind: "removed", detail: { reason: "opted_out" }, email })
      assert.strictEqual(yield* sweep, 0)
    })
  )
})

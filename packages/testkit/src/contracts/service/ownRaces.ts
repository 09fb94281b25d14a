import { assert } from "@effect/vitest"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { Inbox } from "@outbound/domain/outreach/replies/Inbox.js"
import { Dispatcher, layer as dispatching } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { HeldMailboxes } from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import { OwnDispatch } from "@outbound/domain/outreach/sending/OwnDispatch.js"
import { WaitingLimit } from "@outbound/domain/outreach/sending/OwnSession.js"
import { nextWindow } from "@outbound/domain/outreach/sending/planner.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { makeWindowSweep } from "@outbound/domain/outreach/sending/SendingCalendar.js"
import { Clock, Context, Effect, Fiber, Latch, Layer } from "effect"
import { TestClock } from "effect/testing"
import { MailBehaviour, MemoryMail } from "../../mail/MemoryMail.js"
import { describeStories } from "./describeStories.js"
import {
  assertOnce,
  campaign,
  type OwnService,
  ownPass,
  ownTurn,
  people,
  recipients,
  sentIn,
  stops,
  taken,
  team,
  type Team,
  THURSDAY
} from "./ownStories.js"
import { eventLoopTurn, patience } from "../../service/patience.js"
import { deliveries, launched, sender, silent, trailOf, work } from "./stories.js"

const HOUR = 3_600_000
const DAY = 24 * HOUR

const ONE_STEP = [{ subject: "Hello", body: "Hi" }]
const AGAIN = { body: "Again", wait_days: 1 }

/** Somebody sets the clock, forwards or backwards. */
const setBy = (millis: number) =>
  Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => TestClock.setTime(nowMillis + millis))

type Around = <A, E>(claim: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** The store as it is, with something that happens around its claims. */
const storeWith = (around: Around) =>
  Layer.effect(
    SendingStore,
    Effect.map(SendingStore, (store) =>
      SendingStore.of({
        ...store,
        claimOne: (options) => around(store.claimOne(options)),
        claimDue: (options) => around(store.claimDue(options))
      })
    )
  )

/** A host of its own sends what is due from its mailboxes, one message from each. How many it sent. */
const hostSends = (around: Around = (claim) => claim) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.fresh(Outbound.ownRounds).pipe(Layer.provide(storeWith(around))))
    yield* yield* makeWindowSweep
    yield* Context.get(context, HeldMailboxes).renew
    return yield* Context.get(context, OwnDispatch).round
  }).pipe(Effect.scoped, Effect.orDie)

/** Hosts that start anew every hour, and remember nothing. */
const hoursOfHosts = (hours: number) =>
  Effect.forEach(Array.from({ length: hours }), () => Effect.andThen(hostSends(), TestClock.adjust("1 hour")), {
    discard: true
  })

/** Somebody answers a message of the team's. */
const answers = ({ client }: Team, { messageId, to }: { readonly messageId: string; readonly to: string }) =>
  Effect.gen(function* () {
    const inbound = yield* Inbound
    yield* inbound.receive([
      {
        workspaceId: client.workspaceId,
        provider: "test",
        providerEventId: messageId,
        kind: "reply",
        source: "provider_poll",
        inReplyTo: messageId,
        messageId: null,
        fromEmail: to,
        toEmail: null,
        subject: "Re: Hello",
        bodyText: "Tell me more",
        bodyHtml: null,
        classification: "interested",
        bounce: null,
        receivedAtMillis: yield* Clock.currentTimeMillis
      }
    ])
  })

/** Long enough for what waits for no clock to go on. */
const turnsOfTheLoop = Effect.repeat(eventLoopTurn, { times: 20 })

/** What holds when more is due than the database can claim. */
export const ownCrowdsContract = <E>(name: string, service: Layer.Layer<OwnService, E>) => {
  describeStories(service)(`claims that take long (${name})`, (it) => {
    it.effect("no server is kept waiting for a claim that is far off, and who waited is written to later", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(THURSDAY + 10 * HOUR)
        const owner = yield* team(20)
        yield* campaign(owner, { recipients: people(20, "crowd-") })
        const open = yield* Latch.make()
        let looks = 0
        let claims = 0
        const counting = Layer.effect(
          SendingStore,
          Effect.map(SendingStore, (store) =>
            SendingStore.of({
              ...store,
              nextOfOwn: (options) => {
                looks += 1
                return Effect.andThen(turnsOfTheLoop, store.nextOfOwn(options))
              },
              claimOne: (options) => {
                claims += 1
                return open.whenOpen(store.claimOne(options))
              }
            })
          )
        )
        yield* Effect.gen(function* () {
          const context = yield* Layer.build(
            Layer.fresh(Outbound.ownRounds).pipe(Layer.provide(counting), Layer.provide(Layer.succeed(WaitingLimit, 2)))
          )
          yield* yield* makeWindowSweep
          yield* Context.get(context, HeldMailboxes).renew
          const first = yield* Effect.forkChild(Context.get(context, OwnDispatch).round)
          const more = patience()
          while (claims < 3 && more()) yield* eventLoopTurn
          yield* turnsOfTheLoop
          assert.isBelow(looks, 10)
          yield* open.open
          const sent = yield* Fiber.join(first)
          assert.isBelow(sent, 10)
        }).pipe(Effect.ensuring(open.open), Effect.scoped)
        yield* ownPass("10 minutes", "5 minutes")
        assertOnce(yield* recipients(owner), 20)
      }).pipe(Effect.orDie)
    )
  })
}

/** What holds when clocks are set. */
export const ownClocksContract = <E>(name: string, service: Layer.Layer<OwnService, E>) => {
  describeStories(service)(`clocks that are set (${name})`, (it) => {
    it.effect("between a claim and its message, the message goes back, and is due as before", () =>
      Effect.gen(function* () {
        for (const millis of [-2 * HOUR, 2 * HOUR]) {
          yield* TestClock.setTime(THURSDAY + 10 * HOUR)
          const owner = yield* team(1)
          const campaign_id = yield* campaign(owner, { recipients: people(1, `set${millis}-`) })
          assert.strictEqual(yield* hostSends(Effect.tap(setBy(millis))), 0)
          assert.isEmpty(yield* taken(owner), String(millis))
          yield* ownPass("10 minutes", "5 minutes")
          assertOnce(yield* recipients(owner), 1)
          assert.lengthOf(yield* sentIn(owner, campaign_id), 1)
          assert.isEmpty(yield* stops(owner, campaign_id))

          yield* TestClock.setTime(THURSDAY + 10 * HOUR)
          const client = yield* sender()
          const bought = yield* launched(client, {
            recipients: silent(3, `set${millis}`),
            sequence: ONE_STEP
          })
          const around = Layer.fresh(dispatching).pipe(Layer.provide(storeWith(Effect.tap(setBy(millis)))))
          yield* Effect.provide(
            Effect.flatMap(Dispatcher, ({ round }) => round),
            around
          )
          assert.isEmpty(yield* deliveries(bought), String(millis))
          yield* work
          assert.lengthOf(yield* deliveries(bought), 3)
          assert.lengthOf(yield* trailOf(client, { campaign_id: bought, kind: "sent" }), 3)
        }
      }).pipe(Effect.orDie)
    )

    it.effect("forwards and back by hours, nobody is written to twice, and no window or cap is broken", () =>
      Effect.gen(function* () {
        const schedule = { timezone: "UTC", days: ["thu", "fri", "sat"], start_hour: 9, end_hour: 17 }
        yield* TestClock.setTime(THURSDAY + 9 * HOUR)
        // A new mailbox: five messages a day.
        const owner = yield* team(1, { ageDays: 0 })
        const campaign_id = yield* campaign(owner, { recipients: people(20, "jumps"), schedule })
        for (const hours of [4, -5, 19, -21, -2, 27, -1]) {
          yield* hoursOfHosts(3)
          yield* setBy(hours * HOUR)
        }
        yield* ownPass("30 hours", "1 hour")
        const reached = yield* recipients(owner)
        assertOnce(reached, reached.length)
        assert.isAtLeast(reached.length, 10)
        assert.lengthOf(yield* sentIn(owner, campaign_id), reached.length)
        assert.isEmpty(yield* stops(owner, campaign_id))
        const window = { timezone: "UTC", days: ["thu", "fri", "sat"] as const, startHour: 9, endHour: 17 }
        const days = new Map<number, number>()
        for (const { atMillis } of yield* taken(owner)) {
          const open = nextWindow(window, atMillis)
          assert.isTrue(open !== null && open.opensAtMillis <= atMillis, new Date(atMillis).toISOString())
          const day = Math.floor(atMillis / DAY)
          days.set(day, (days.get(day) ?? 0) + 1)
        }
        assert.isTrue(
          [...days.values()].every((count) => count <= 5),
          JSON.stringify([...days])
        )
      }).pipe(Effect.orDie)
    )

    it.effect("over midnight and back, a day's share is sent once", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(THURSDAY + 20 * HOUR)
        const client = yield* sender()
        const campaign_id = yield* launched(client, {
          recipients: silent(60, "midnight"),
          sequence: ONE_STEP
        })
        const sent = Effect.map(Effect.andThen(work, deliveries(campaign_id)), (all) => all.length)
        assert.strictEqual(yield* sent, 25)
        yield* setBy(10 * HOUR)
        assert.strictEqual(yield* sent, 50)
        yield* setBy(-10 * HOUR)
        assert.strictEqual(yield* sent, 50)
        yield* setBy(10 * HOUR)
        assert.strictEqual(yield* sent, 50)
        yield* setBy(24 * HOUR)
        assert.strictEqual(yield* sent, 60)
        const addresses = (yield* deliveries(campaign_id)).map((message) => message.to.address)
        assert.lengthOf(new Set(addresses), 60)
      })
    )

    it.effect("while a server has the content, it has one copy, and that is told or left to a human", () =>
      Effect.gen(function* () {
        const mail = yield* MemoryMail
        for (const millis of [5 * HOUR, -5 * HOUR]) {
          yield* TestClock.setTime(THURSDAY + 10 * HOUR)
          const owner = yield* team(1)
          const campaign_id = yield* campaign(owner, { recipients: people(1, `stall${millis}-`) })
          const claims = yield* mail.claims
          yield* mail.script([MailBehaviour.Stall({ at: "content" })])
          const turn = yield* Effect.forkChild(ownTurn)
          while ((yield* mail.claims) === claims || (yield* taken(owner)).length === 0) yield* eventLoopTurn
          yield* setBy(millis)
          // The session is given up by what has passed since, and not by what the clock says.
          for (const isPatient = patience(); isPatient() && turn.pollUnsafe() === undefined;) {
            yield* TestClock.setTime(Math.max(THURSDAY + 10 * HOUR, yield* Clock.currentTimeMillis) + 60_000)
            yield* eventLoopTurn
          }
          yield* Fiber.join(turn)
          yield* ownPass("1 hour", "10 minutes")
          assertOnce(yield* recipients(owner), 1)
          const told = [...(yield* sentIn(owner, campaign_id)), ...(yield* stops(owner, campaign_id))]
          assert.lengthOf(told, 1)
        }
      }).pipe(Effect.orDie)
    )
  })
}

/** What holds when an answer and the next step cross on two hosts. */
export const ownCrossingContract = <E>(name: string, service: Layer.Layer<OwnService, E>) => {
  describeStories(service)(`an answer and the next step (${name})`, (it) => {
    /** One step has gone, the next is due. */
    const due = (tag: string) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(THURSDAY + 10 * HOUR)
        const owner = yield* team(1)
        const campaign_id = yield* campaign(owner, {
          recipients: people(1, tag),
          sequence: [...ONE_STEP, AGAIN, AGAIN]
        })
        assert.strictEqual(yield* hostSends(), 1)
        const [first] = yield* taken(owner)
        yield* TestClock.adjust("25 hours")
        const { messageId, to } = first!.mail
        return { owner, campaign_id, message: { messageId, to: to.address } }
      })

    it.effect("that arrives on one host stops what the other claims after it, also before it is applied", () =>
      Effect.gen(function* () {
        const inbound = yield* Inbound
        const { campaign_id, message, owner } = yield* due("after")
        let times = 0
        const arrives = Effect.provideService(answers(owner, message), Inbound, inbound).pipe(
          Effect.tap(() => Effect.sync(() => (times += 1))),
          Effect.orDie
        )
        assert.strictEqual(yield* hostSends((claim) => Effect.andThen(arrives, claim)), 0)
        assert.strictEqual(times, 1, "nothing was claimed")
        assert.lengthOf(yield* taken(owner), 1)
        yield* ownPass("48 hours", "24 hours")
        assert.lengthOf(yield* taken(owner), 1)
        assert.deepStrictEqual(yield* stops(owner, campaign_id), ["reply"])
      }).pipe(Effect.orDie)
    )

    it.effect("that cross: the step had left, or never does, and nothing comes after the stop", () =>
      Effect.gen(function* () {
        const inbound = yield* Inbound
        const inbox = yield* Inbox
        for (let times = 0; times < 4; times += 1) {
          const { campaign_id, message, owner } = yield* due(`cross${times}-`)
          const arrives = Effect.andThen(answers(owner, message), inbox.round).pipe(
            Effect.provideService(Inbound, inbound),
            Effect.orDie
          )
          const around: Around = (claim) =>
            times % 2 === 0
              ? Effect.map(Effect.zip(claim, arrives, { concurrent: true }), ([claimed]) => claimed)
              : Effect.map(Effect.zip(arrives, claim, { concurrent: true }), ([, claimed]) => claimed)
          const left = yield* hostSends(around)
          yield* ownPass("48 hours", "24 hours")
          assert.lengthOf(yield* taken(owner), 1 + left)
          assert.lengthOf(yield* sentIn(owner, campaign_id), 1 + left)
          assert.deepStrictEqual(yield* stops(owner, campaign_id), ["reply"])
          assert.lengthOf(yield* trailOf(owner.client, { campaign_id, kind: "reply" }), 1)
        }
      }).pipe(Effect.orDie)
    )
  })
}

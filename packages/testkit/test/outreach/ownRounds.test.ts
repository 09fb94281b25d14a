import { assert, describe } from "@effect/vitest"
import { CLAIM_STALE_MILLIS } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { BegunLimit } from "@outbound/domain/outreach/sending/OwnDispatch.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { DAY, NOON, SECOND } from "../../src/contracts/fixtures.js"
import { MailBehaviour, MemoryMail } from "../../src/mail/MemoryMail.js"
import { Memory } from "../../src/memory/Memory.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import { keyOf } from "../../src/memory/Table.js"
import { anotherHost, given, people, SAYS, story, turns } from "./ownHost.js"

describe("a claim that its host did not end", () => {
  /** A message whose connection was lost, which the server kept or not; it is not stale before `staleAt`. */
  const lost = (says: "kept" | "lost") =>
    Effect.gen(function* () {
      const mail = yield* MemoryMail
      const of = yield* given(people(2))
      yield* mail.script([SAYS[says]])
      yield* of.round
      assert.deepStrictEqual(yield* of.states, ["claimed"])
      yield* of.change({ restsUntilMillis: NOON + DAY })
      return { ...of, mail }
    })
  const staleAt = NOON + CLAIM_STALE_MILLIS + 1

  story(
    "is looked up in the folder of sent mail: found proves it, otherwise nobody knows",
    Effect.gen(function* () {
      for (const [says, state] of [
        ["kept", "sent"],
        ["lost", "unknown"]
      ] as const) {
        const of = yield* lost(says)
        yield* TestClock.setTime(staleAt)
        assert.strictEqual(yield* of.uses("nextOfOwn", of.round), 0)
        assert.deepStrictEqual(yield* of.states, [state])
      }
    })
  )

  story(
    "is locked before the person is, and looked up once it may not be in transit any more, itself alone",
    Effect.gen(function* () {
      const of = yield* lost("kept")
      const { watch } = yield* MemoryFaults
      yield* TestClock.setTime(staleAt - 1)
      assert.strictEqual(yield* of.uses("staleClaimsOf", of.round), 0)
      assert.strictEqual(yield* of.mail.lookUps, 0)
      yield* TestClock.setTime(staleAt)
      yield* of.abandoned(1, -1)
      const used = yield* watch(of.round)
      const locks = used.filter((one) => one.startsWith("SendingStore.lock") || one === "CampaignStore.lockLead")
      assert.deepStrictEqual(locks.slice(0, 2), ["SendingStore.lockMessage", "CampaignStore.lockLead"])
      assert.strictEqual(yield* of.mail.lookUps, 1)
      assert.deepStrictEqual(yield* of.states, ["sent", "claimed"])
    })
  )

  story(
    "is looked for every thirty seconds while the folder can't be read",
    Effect.gen(function* () {
      const of = yield* lost("kept")
      yield* of.mail.unreadable(true)
      const looks = (atMillis: number) =>
        Effect.andThen(TestClock.setTime(staleAt + atMillis), of.uses("staleClaimsOf", of.round))
      const times = [0, 1, 29_999, 30_000, 59_999, 60_000]
      assert.deepStrictEqual(yield* Effect.forEach(times, looks), [1, 0, 0, 1, 0, 1])
      assert.deepStrictEqual(yield* of.states, ["claimed"])
      yield* of.mail.unreadable(false)
      yield* TestClock.setTime(staleAt + 90_000)
      assert.strictEqual(yield* of.round, 0)
      assert.deepStrictEqual(yield* of.states, ["sent"])
    })
  )

  story(
    "of a person or a campaign that is gone is left, and stops nothing",
    Effect.gen(function* () {
      for (const gone of ["leads", "campaigns"] as const) {
        const of = yield* lost("kept")
        const { atomically, write } = yield* Memory
        const id = gone === "leads" ? of.leads[0]!.campaignLeadId : of.campaign.campaignId
        yield* atomically(write((tables) => void tables[gone].delete(keyOf(of.workspaceId, id))))
        yield* TestClock.setTime(staleAt)
        assert.strictEqual(yield* of.round, 0)
        assert.deepStrictEqual(yield* of.states, ["claimed"])
      }
    })
  )

  story(
    "is ended by what was found, though its caller goes",
    Effect.gen(function* () {
      const of = yield* lost("kept")
      const { beforeEach } = yield* MemoryFaults
      yield* TestClock.setTime(staleAt)
      const gate = yield* Deferred.make<void>()
      yield* beforeEach((one) => (one === "SendingStore.lockMessage" ? Deferred.await(gate) : Effect.void))
      const fiber = yield* Effect.forkChild(of.round)
      yield* turns
      const gone = yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* turns
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(gone)
      assert.deepStrictEqual(yield* of.states, ["sent"])
    })
  )
})

describe("an own mailbox whose secret nobody can open", () => {
  story(
    "is paused when it is to send, and sends nothing",
    Effect.gen(function* () {
      const of = yield* given(people(1), { secret: "sealed" })
      assert.strictEqual(yield* of.round, 0)
      assert.deepInclude(yield* of.first, { state: "paused", pauseReason: "login" })
      const idle = yield* given([], { secret: "sealed" })
      assert.strictEqual(yield* idle.round, 0)
      assert.strictEqual((yield* idle.first).state, "active")
    })
  )

  story(
    "stays paused for the reason for which it was",
    Effect.gen(function* () {
      const of = yield* given(people(1), { secret: "sealed", mailbox: { state: "paused", pauseReason: "owner" } })
      yield* of.abandoned(0, CLAIM_STALE_MILLIS + 1)
      assert.strictEqual(yield* of.round, 0)
      assert.deepInclude(yield* of.first, { state: "paused", pauseReason: "owner" })
    })
  )
})

describe("the rounds of a host", () => {
  /** What is found while another host goes round after round; then it stops, and waits for servers that are silent. */
  const whileItRuns = <A, E, R>(find: (pass: Effect.Effect<void>) => Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const host = yield* Scope.provide(anotherHost, scope)
      yield* host.held.renew
      yield* Effect.forkIn(Scope.provide(host.own.run, scope), scope)
      yield* turns
      const second = Effect.orDie(Effect.andThen(host.held.renew, TestClock.adjust("1 second")))
      const found = yield* Effect.exit(find(Effect.andThen(second, turns)))
      const end = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* turns
      yield* TestClock.adjust("9 seconds")
      const isWaiting = end.pollUnsafe() === undefined
      yield* TestClock.adjust("1 second")
      const isOver = end.pollUnsafe() !== undefined
      // By then no session lasts.
      yield* TestClock.adjust("5 minutes")
      yield* Fiber.join(end)
      assert.isTrue(isOver)
      return { found: yield* found, isWaiting }
    })

  story(
    "look once a second, send, and look up what is stale; a host that has nothing under way stops at once",
    Effect.gen(function* () {
      const mail = yield* MemoryMail
      const of = yield* given(people(3), { mailboxes: 2 })
      yield* of.abandoned(2, CLAIM_STALE_MILLIS + 1)
      const { found, isWaiting } = yield* whileItRuns((pass) =>
        Effect.gen(function* () {
          return [
            yield* mail.sessions,
            yield* mail.lookUps,
            yield* of.uses("dueOfOwn", pass),
            yield* of.uses("dueOfOwn", pass)
          ]
        })
      )
      assert.deepStrictEqual(found, [2, 1, 1, 1])
      assert.isFalse(isWaiting)
      assert.sameMembers(yield* of.states, ["sent", "sent", "unknown"])
    })
  )

  story(
    "go on after one that failed",
    Effect.gen(function* () {
      const of = yield* given(people(2), { mailboxes: 2 })
      const { failNext } = yield* MemoryFaults
      yield* failNext("SendingStore.nextOfOwn", 2)
      yield* whileItRuns((pass) => Effect.andThen(pass, pass))
      assert.deepStrictEqual(yield* of.states, ["sent", "sent"])
    })
  )

  story(
    "begin with so many mailboxes at most, without those that have nothing to do or are busy; the others come next",
    Effect.gen(function* () {
      const mail = yield* MemoryMail
      const of = yield* given(people(4), { mailboxes: 4 })
      const [sending, { atomically }] = [yield* SendingStore, yield* Memory]
      const { mailboxId } = of.mailboxes[3]!
      yield* atomically(sending.restMailbox(of.workspaceId, mailboxId, NOON + 3 * SECOND))
      yield* mail.behave(MailBehaviour.Stall({ at: "recipient" }))
      const { found, isWaiting } = yield* whileItRuns((pass) =>
        Effect.gen(function* () {
          const counts = [yield* mail.sessions]
          for (let seconds = 0; seconds < 4; seconds += 1) {
            yield* pass
            counts.push(yield* mail.sessions)
          }
          return counts
        })
      ).pipe(Effect.provideService(BegunLimit, 2))
      assert.deepStrictEqual(found, [2, 3, 3, 4, 4])
      assert.isTrue(isWaiting)
      assert.isEmpty(yield* of.states)
    })
  )

  story(
    "pause no mailbox that nobody can open while it has nothing to do",
    Effect.gen(function* () {
      const of = yield* given([], { secret: "sealed" })
      yield* whileItRuns((pass) => pass)
      assert.strictEqual((yield* of.first).state, "active")
    })
  )
})

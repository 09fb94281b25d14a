import { assert, describe } from "@effect/vitest"
import type { MailBehaviour } from "../../src/mail/MemoryMail.js"
import { MemoryMail } from "../../src/mail/MemoryMail.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { TROUBLES_MAX } from "@outbound/domain/outreach/sending/OwnRecord.js"
import { WaitingLimit } from "@outbound/domain/outreach/sending/OwnSession.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Clock, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { HOUR, MINUTE, NOON, SECOND } from "../../src/contracts/fixtures.js"
import { Memory } from "../../src/memory/Memory.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import { keyOf } from "../../src/memory/Table.js"
import { given, hostWith, people, SAYS, story, turns } from "./ownHost.js"

describe("troubles of an own mailbox's server", () => {
  type Said = keyof typeof SAYS

  /** What the server says in turn, and for how many seconds the mailbox rests after each. Of one that sent: as long as it must. */
  const rests = (says: ReadonlyArray<Said>) =>
    Effect.gen(function* () {
      const mail = yield* MemoryMail
      const of = yield* given(people(says.length))
      const found: Array<number | "paused" | "sent"> = []
      let atMillis = NOON
      for (const said of says) {
        yield* TestClock.setTime(atMillis)
        yield* mail.script([SAYS[said] as MailBehaviour])
        const sent = yield* of.round
        const { restsUntilMillis, state } = yield* of.first
        const until = restsUntilMillis ?? 0
        found.push(state === "paused" ? "paused" : sent === 1 ? "sent" : Math.max(0, until - atMillis) / SECOND)
        atMillis = Math.max(until, atMillis + 2 * SECOND)
      }
      return found
    })

  const cases: Readonly<Record<string, readonly [ReadonlyArray<Said>, ReadonlyArray<number | "sent">]>> = {
    "let it rest ever longer, until a message is sent": [
      ["closing", "closing", "closing", "sent", "closing", "closing"],
      [60, 120, 240, "sent", 60, 120]
    ],
    "are those of the server alone: people who are unknown to theirs are none": [
      ["invalid", "invalid", "invalid", "invalid"],
      [0, 0, 0, 0]
    ],
    "still count after what was neither sent nor a trouble": [
      ["closing", "invalid", "closing", "later", "closing"],
      [60, 0, 120, 0, 240]
    ],
    "are also three in a row who are put off, from the third on": [
      ["later", "later", "later", "later", "sent", "later", "later", "later"],
      [0, 0, 60, 120, "sent", 0, 0, 60]
    ],
    "are no put off people with anything else between them": [
      ["later", "later", "sent", "later", "later", "invalid", "later", "later", "closing", "later", "later"],
      [0, 0, "sent", 0, 0, 0, 0, 0, 60, 0, 0]
    ]
  }
  for (const [name, [says, expected]] of Object.entries(cases)) {
    story(
      name,
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* rests(says), [...expected])
      })
    )
  }

  story(
    "pause it at last, and then count anew",
    Effect.gen(function* () {
      const mail = yield* MemoryMail
      const of = yield* given(people(1))
      yield* mail.behave(SAYS.closing)
      for (let times = 1; times <= TROUBLES_MAX; times += 1) {
        const { restsUntilMillis, state } = yield* of.first
        assert.strictEqual(state, "active")
        yield* TestClock.setTime(restsUntilMillis ?? NOON)
        assert.strictEqual(yield* of.round, 0)
      }
      assert.strictEqual((yield* of.first).state, "paused")
      yield* of.change({ state: "active", pauseReason: null, restsUntilMillis: null })
      // It stopped with its only mailbox.
      const [campaigns, { atomically }] = [yield* CampaignStore, yield* Memory]
      yield* atomically(campaigns.update(of.campaign))
      yield* TestClock.adjust("2 seconds")
      yield* of.round
      const { restsUntilMillis, state } = yield* of.first
      assert.deepStrictEqual([state, (restsUntilMillis ?? 0) - (yield* Clock.currentTimeMillis)], ["active", MINUTE])
    })
  )
})

describe("an own mailbox", () => {
  story(
    "sends one message a round, and says how many mailboxes sent one",
    Effect.gen(function* () {
      const mail = yield* MemoryMail
      const of = yield* given(people(7), { mailboxes: 3 })
      const [refused, ...others] = of.mailboxes.map(({ address }) => address)
      yield* mail.behave(SAYS.invalid, refused)
      const { watch } = yield* MemoryFaults
      const used = yield* watch(Effect.map(of.round, (sent) => assert.strictEqual(sent, 2)))
      assert.notInclude(used, "SendingStore.staleClaimsOf")
      assert.sameMembers(
        (yield* mail.taken(others)).map(({ mail: { to } }) => to.address),
        people(3).slice(1)
      )
    })
  )

  story(
    "begins with nobody else within two seconds of one who was not written to",
    Effect.gen(function* () {
      const mail = yield* MemoryMail
      const of = yield* given(people(3))
      yield* mail.behave(SAYS.invalid)
      yield* of.round
      const sessionsAt = (millis: number) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(NOON + millis)
          yield* of.round
          return yield* mail.sessions
        })
      assert.deepStrictEqual(
        yield* Effect.forEach([0, 1_999, 2_000, 2_001, 3_999, 4_000], sessionsAt),
        [1, 1, 2, 2, 2, 3]
      )
    })
  )

  story(
    "that sent goes on as soon as its rest in the store is over",
    Effect.gen(function* () {
      const of = yield* given(people(2))
      assert.strictEqual(yield* of.round, 1)
      yield* of.change({ restsUntilMillis: NOON + SECOND })
      yield* TestClock.setTime(NOON + SECOND)
      assert.strictEqual(yield* of.round, 1)
    })
  )

  story(
    "that has nobody whom it may write to is asked again after two seconds, then later each time, and soon once it wrote",
    Effect.gen(function* () {
      const mail = yield* MemoryMail
      const of = yield* given(people(3))
      const { atomically, write } = yield* Memory
      const suppress = (isSo: boolean) =>
        atomically(
          write(({ suppressions, leads }) => {
            for (const { addressHash } of leads.filter(({ workspaceId }) => workspaceId === of.workspaceId)) {
              const key = keyOf(of.workspaceId, addressHash, "added")
              if (isSo)
                suppressions.set(key, { workspaceId: of.workspaceId, addressHash, source: "added", atMillis: NOON })
              else suppressions.delete(key)
            }
          })
        )
      const asked: Array<number> = []
      const pass = (seconds: number) =>
        Effect.gen(function* () {
          for (let second = 0; second < seconds; second += 1) {
            const times = yield* of.uses("nextOfOwn", of.round)
            if (times > 0) asked.push(((yield* Clock.currentTimeMillis) - NOON) / SECOND)
            yield* TestClock.adjust("1 second")
          }
        })
      yield* suppress(true)
      yield* pass(91)
      assert.deepStrictEqual(asked, [0, 2, 6, 14, 30, 60, 90])
      yield* suppress(false)
      yield* pass(29)
      asked.length = 0
      yield* mail.script([SAYS.invalid])
      assert.strictEqual(yield* of.round, 0)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* of.round, 1)
      assert.deepStrictEqual(yield* of.states, ["failed", "sent"])
      yield* suppress(true)
      yield* TestClock.setTime((yield* of.first).restsUntilMillis ?? 0)
      const since = (yield* Clock.currentTimeMillis) - NOON
      yield* pass(7)
      assert.deepStrictEqual(
        asked.map((at) => at - since / SECOND),
        [0, 2, 6]
      )
    })
  )

  story(
    "of a host that holds none is not asked for, nor is one that has nothing to do",
    Effect.gen(function* () {
      const of = yield* given(people(1), { mailbox: { restsUntilMillis: NOON + HOUR } })
      assert.strictEqual(yield* of.uses("dueOfOwn", of.own.round), 0)
      assert.strictEqual(yield* of.uses("dueOfOwn", of.round), 1)
      assert.strictEqual(yield* of.uses("nextOfOwn", of.round), 0)
      assert.strictEqual(yield* of.uses("staleClaimsOf", of.round), 0)
    })
  )

  story(
    "is served once, by however many rounds at once",
    Effect.gen(function* () {
      const mail = yield* MemoryMail
      const of = yield* given(people(1))
      const { beforeEach } = yield* MemoryFaults
      yield* of.held.renew
      const bothLook = yield* Deferred.make<void>()
      let looks = 0
      yield* beforeEach((operation) => {
        if (operation !== "SendingStore.dueOfOwn") return Effect.void
        looks += 1
        return looks === 2 ? Effect.asVoid(Deferred.succeed(bothLook, undefined)) : Deferred.await(bothLook)
      })
      const counts = yield* Effect.all([of.own.round, of.own.round], { concurrency: "unbounded" })
      assert.sameMembers([...counts], [0, 1])
      assert.strictEqual(yield* mail.sessions, 1)
      assert.strictEqual(yield* of.uses("nextOfOwn", of.round), 0)
    })
  )

  story(
    "records what it handed over, though its caller goes",
    Effect.gen(function* () {
      const of = yield* given(people(1))
      const { beforeEach } = yield* MemoryFaults
      const gate = yield* Deferred.make<void>()
      yield* beforeEach((one) => (one === "SendingStore.endMessage" ? Deferred.await(gate) : Effect.void))
      const fiber = yield* Effect.forkChild(of.round)
      yield* turns
      const gone = yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* turns
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(gone)
      assert.deepStrictEqual(yield* of.states, ["sent"])
    })
  )

  story(
    "does not begin while as many wait for their claim as may, and is not put off for it",
    Effect.gen(function* () {
      const mail = yield* MemoryMail
      const of = yield* given(people(2), { mailboxes: 2 })
      const gate = yield* Deferred.make<void>()
      const host = yield* hostWith((store) => ({
        claimOne: (options) => Effect.andThen(Deferred.await(gate), store.claimOne(options))
      })).pipe(Effect.provideService(WaitingLimit, 1))
      const [sending, { atomically }] = [yield* SendingStore, yield* Memory]
      yield* atomically(sending.restMailbox(of.workspaceId, of.mailboxes[1]!.mailboxId, NOON + SECOND))
      yield* host.held.renew
      const round = Effect.tap(Effect.forkChild(host.own.round), turns)
      const waiting = yield* round
      yield* TestClock.setTime(NOON + SECOND)
      const asked = of.uses("nextOfOwn", round)
      const found = [yield* mail.sessions, yield* asked, yield* mail.sessions]
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(found, [1, 0, 1])
      assert.strictEqual(yield* Fiber.join(waiting), 1)
      assert.strictEqual(yield* host.own.round, 1)
    }).pipe(Effect.scoped)
  )

  story(
    "shares the database: four at once ask who is next, and three record",
    Effect.gen(function* () {
      yield* given(people(6), { mailboxes: 6 })
      const gate = yield* Deferred.make<void>()
      let asking = 0
      const recorded = yield* Deferred.make<void>()
      let recording = 0
      const host = yield* hostWith(
        (store) => ({
          nextOfOwn: (options) => {
            asking += 1
            return Effect.andThen(Deferred.await(gate), store.nextOfOwn(options))
          }
        }),
        (unit) => ({
          ...unit,
          atomically: (effect) =>
            Effect.suspend(() => {
              recording += 1
              return Effect.andThen(Deferred.await(recorded), unit.atomically(effect))
            })
        })
      )
      yield* host.held.renew
      const round = yield* Effect.forkChild(host.own.round)
      yield* turns
      const atOnce = asking
      yield* Deferred.succeed(gate, undefined)
      yield* turns
      const found = [atOnce, asking, recording]
      yield* Deferred.succeed(recorded, undefined)
      assert.deepStrictEqual(found, [4, 6, 3])
      assert.strictEqual(yield* Fiber.join(round), 6)
    }).pipe(Effect.scoped)
  )
})

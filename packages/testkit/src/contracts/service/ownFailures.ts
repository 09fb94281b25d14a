import { assert } from "@effect/vitest"
import { CLAIM_STALE_MILLIS } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { HeldMailboxes } from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, Exit, Fiber, type Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { MailBehaviour, MemoryMail } from "../../mail/MemoryMail.js"
import { describeStories } from "./describeStories.js"
import {
  anotherHost,
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
  THURSDAY,
  whileServers
} from "./ownStories.js"
import { eventLoopTurn } from "../../service/patience.js"
import { kindsOf, trailOf } from "./stories.js"

const MINUTE = 60_000

/** What an own mailbox's server says. */
const REFUSALS = {
  unknownPerson: MailBehaviour.Refuse({ phase: "recipient", code: 550, status: "5.1.1", reason: "invalid" }),
  greylisted: MailBehaviour.Refuse({ phase: "recipient", code: 450, status: "4.2.0", reason: "transient" }),
  notNow: MailBehaviour.Refuse({ phase: "recipient", code: 451, status: "4.3.0", reason: "transient" }),
  closing: MailBehaviour.Refuse({ phase: "connection", code: 421, status: "4.3.2", reason: "transient" }),
  noLogin: MailBehaviour.Refuse({ phase: "login", code: 535, status: "5.7.8", reason: "account" }),
  gone: MailBehaviour.Refuse({ phase: "connection", code: null, status: null, reason: "transient" }),
  distrusted: MailBehaviour.Refuse({ phase: "tls", code: null, status: null, reason: "account" }),
  contentRefused: MailBehaviour.Refuse({ phase: "content", code: 554, status: "5.6.0", reason: "invalid" })
}

/** What becomes of messages and mailboxes when servers and hosts fail. */
export const ownFailuresContract = <E>(name: string, service: Layer.Layer<OwnService, E>) => {
  describeStories(service)(`own mailboxes whose servers fail (${name})`, (it) => {
    it.effect(
      "a recipient refused for good ends their sequence; one refused for now is tried again, not for ever",
      () =>
        Effect.gen(function* () {
          const owner = yield* team(1)
          const refusedId = yield* campaign(owner, { recipients: people(1, "gone") })
          yield* whileServers(REFUSALS.unknownPerson, ownTurn)
          assert.deepStrictEqual(yield* stops(owner, refusedId), ["refused_by_provider"])
          const laterId = yield* campaign(owner, { recipients: people(1, "later") })
          yield* whileServers(REFUSALS.greylisted, ownTurn)
          yield* ownPass("6 minutes", "1 minute")
          assertOnce(yield* recipients(owner), 1)
          assert.isEmpty(yield* stops(owner, laterId))
          const neverId = yield* campaign(owner, { recipients: people(1, "never") })
          yield* whileServers(REFUSALS.greylisted, ownPass("48 hours", "30 minutes"))
          assert.deepStrictEqual(yield* stops(owner, neverId), ["undeliverable"])
          yield* ownPass("24 hours", "6 hours")
          assert.lengthOf(yield* taken(owner), 1)
        })
    )

    it.effect("a server that is closing or asks for patience gets it, and nobody's tries are used up by it", () =>
      Effect.gen(function* () {
        for (const refusal of [REFUSALS.closing, REFUSALS.notNow]) {
          const mail = yield* MemoryMail
          const owner = yield* team(1)
          const campaign_id = yield* campaign(owner, { recipients: people(3, `rest-${refusal.code}-`) })
          yield* ownTurn
          const before = yield* mail.sessions
          yield* whileServers(refusal, ownPass("90 minutes", "2 minutes"))
          // It was asked ever less often.
          assert.isBelow((yield* mail.sessions) - before, 10, String(refusal.code))
          yield* ownPass("4 hours", "20 minutes")
          assertOnce(yield* recipients(owner), 3)
          assert.isEmpty(yield* stops(owner, campaign_id))
        }
      })
    )

    it.effect("a server that lets the mailbox in no more pauses it, and what has no other mailbox", () =>
      Effect.gen(function* () {
        const mail = yield* MemoryMail
        const owner = yield* team(2)
        const campaign_id = yield* campaign(owner, { recipients: people(4, "login") })
        const [first = "", second = ""] = owner.addresses
        yield* mail.behave(REFUSALS.noLogin, first)
        yield* ownTurn
        const paused = yield* trailOf(owner.client, { kind: "mailbox_paused,paused" })
        assert.deepStrictEqual(
          paused.map(({ detail, kind }) => [kind, detail]),
          [["mailbox_paused", { mailbox: first, reason: "login", status: "5.7.8" }]]
        )
        yield* mail.behave(REFUSALS.noLogin, second)
        yield* ownPass("1 hour", "10 minutes")
        const all = yield* trailOf(owner.client, { kind: "mailbox_paused,paused" })
        assert.deepStrictEqual(kindsOf(all), ["mailbox_paused", "mailbox_paused", "paused"])
        assert.deepStrictEqual(
          [all[2]?.campaign_id, all[2]?.detail],
          [campaign_id, { reason: "capacity", provider_verified: true }]
        )
        assert.isEmpty(yield* stops(owner, campaign_id))
      })
    )

    it.effect("a server for sending that can't be reached is waited for, and its mailbox is read all the while", () =>
      Effect.gen(function* () {
        const sendings = yield* SendingStore
        const owns = yield* OwnMailboxStore
        for (const [word, trouble] of [
          ["gone", REFUSALS.gone],
          ["distrusted", REFUSALS.distrusted]
        ] as const) {
          const owner = yield* team(1)
          const { mailboxId, workspaceId } = owner.mailboxes[0]!
          const campaign_id = yield* campaign(owner, { recipients: people(2, word) })
          yield* whileServers(trouble, ownPass("3 hours", "5 minutes"))
          assert.isEmpty(yield* trailOf(owner.client, { kind: "mailbox_paused,paused" }), word)
          yield* ownPass("2 hours", "30 minutes")
          assertOnce(yield* recipients(owner), 2)

          yield* campaign(owner, { recipients: people(2, `long-${word}`) })
          yield* whileServers(trouble, ownPass("20 hours", "20 minutes"))
          const told = yield* trailOf(owner.client, { kind: "mailbox_paused" })
          assert.deepStrictEqual(
            told.map(({ detail }) => detail.reason),
            ["unreachable"]
          )
          const mailbox = Option.getOrThrow(yield* sendings.mailbox(workspaceId, mailboxId))
          assert.deepInclude(mailbox, { state: "paused", pauseReason: "unreachable" })
          const { hostId } = yield* HeldMailboxes
          assert.deepStrictEqual(yield* owns.holds(hostId, [mailboxId]), [mailboxId], "nobody reads it")
          assert.isEmpty(yield* stops(owner, campaign_id))
        }
      }).pipe(Effect.orDie)
    )

    it.effect("a message whose connection was lost is looked up once: found proves it, else a human looks", () =>
      Effect.gen(function* () {
        const mail = yield* MemoryMail
        const cases = [
          [MailBehaviour.Lose({ kept: true }), "Sent", "sent"],
          [MailBehaviour.Lose({ kept: false }), "Sent", "unknown"],
          [MailBehaviour.Lose({ kept: true }), null, "unknown"]
        ] as const
        for (const [behaviour, sentFolder, meaning] of cases) {
          const owner = yield* team(1, { sentFolder })
          const campaign_id = yield* campaign(owner, { recipients: people(1, `lost-${meaning}-${sentFolder}`) })
          const before = yield* mail.lookUps
          yield* whileServers(behaviour, ownTurn)
          assert.isEmpty(yield* sentIn(owner, campaign_id))
          assert.strictEqual(yield* mail.lookUps, before)
          yield* mail.unreadable(true)
          yield* ownPass(CLAIM_STALE_MILLIS + MINUTE, "30 seconds")
          assert.isEmpty(yield* stops(owner, campaign_id))
          yield* mail.unreadable(false)
          yield* ownPass("20 minutes", "2 minutes")
          assert.strictEqual(yield* mail.lookUps, before + 1)
          assert.lengthOf(yield* sentIn(owner, campaign_id), meaning === "sent" ? 1 : 0)
          assert.deepStrictEqual(yield* stops(owner, campaign_id), meaning === "sent" ? [] : ["outcome_unknown"])
          assert.lengthOf(yield* taken(owner), behaviour.kept ? 1 : 0)
        }
      })
    )

    it.effect("content that is refused never left; nothing else of it is tried", () =>
      Effect.gen(function* () {
        const owner = yield* team(1)
        const campaign_id = yield* campaign(owner, { recipients: people(1, "content") })
        yield* whileServers(REFUSALS.contentRefused, ownTurn)
        yield* ownPass("2 hours", "30 minutes")
        assert.deepStrictEqual(yield* stops(owner, campaign_id), ["refused_by_provider"])
        assert.isEmpty(yield* taken(owner))
      })
    )

    it.effect(
      "of two hosts one dies in the middle: at most one copy of each, and none is lost but those reported",
      () =>
        Effect.gen(function* () {
          const mail = yield* MemoryMail
          const owns = yield* OwnMailboxStore
          yield* TestClock.setTime(THURSDAY)
          const owner = yield* team(3)
          const campaign_id = yield* campaign(owner, { recipients: people(30, "hosts") })
          const dying = yield* anotherHost
          yield* dying.held.renew
          yield* dying.own.round
          yield* TestClock.adjust("2 hours")
          // It dies while each of its mailboxes is at another point of a session.
          yield* mail.script([
            MailBehaviour.Stall({ at: "content" }),
            MailBehaviour.Stall({ at: "recipient" }),
            MailBehaviour.Lose({ kept: false })
          ])
          yield* dying.held.renew
          const claims = yield* mail.claims
          const round = yield* Effect.forkChild(dying.own.round)
          while ((yield* mail.claims) < claims + 2 || (yield* taken(owner)).length < 4) yield* eventLoopTurn
          yield* owns.release(
            dying.held.hostId,
            owner.mailboxes.map(({ mailboxId }) => mailboxId)
          )
          yield* ownPass("14 hours", "10 minutes")
          const reached = yield* recipients(owner)
          assert.lengthOf(new Set(reached), reached.length, "somebody was written to twice")
          const unknown = yield* stops(owner, campaign_id)
          assert.deepStrictEqual(unknown, ["outcome_unknown"])
          assert.strictEqual(reached.length, 29)
          assert.lengthOf(yield* sentIn(owner, campaign_id), 29)
          round.interruptUnsafe()
        }).pipe(Effect.scoped, Effect.orDie)
    )

    it.effect("a host that stops waits ten seconds for servers: what had not begun to go is due for another", () =>
      Effect.gen(function* () {
        const mail = yield* MemoryMail
        yield* TestClock.setTime(THURSDAY)
        const owner = yield* team(2)
        const campaign_id = yield* campaign(owner, { recipients: people(2, "stops") })
        const [before, after] = [yield* mail.sessions, yield* mail.claims]
        const isUnderWay = Effect.map(
          Effect.all([mail.sessions, mail.claims]),
          ([sessions, claims]) => sessions >= before + 2 && claims > after
        )
        const scope = yield* Scope.make()
        const stopping = yield* Scope.provide(anotherHost, scope)
        yield* mail.script([MailBehaviour.Stall({ at: "content" }), MailBehaviour.Stall({ at: "recipient" })])
        yield* stopping.held.renew
        yield* Effect.forkIn(Scope.provide(stopping.own.run, scope), scope)
        while (!(yield* isUnderWay)) yield* eventLoopTurn

        const end = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        for (let turn = 0; turn < 20; turn += 1) yield* eventLoopTurn
        yield* TestClock.adjust("9 seconds")
        assert.isUndefined(end.pollUnsafe())
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(end)
        assert.lengthOf(yield* taken(owner), 1)
        assert.isEmpty(yield* sentIn(owner, campaign_id))

        // No rest and no try was used up by it.
        yield* ownTurn
        assertOnce(yield* recipients(owner), 2)
        assert.lengthOf(yield* sentIn(owner, campaign_id), 1)
        yield* ownPass(CLAIM_STALE_MILLIS + MINUTE, "30 seconds")
        assertOnce(yield* recipients(owner), 2)
        assert.lengthOf(yield* sentIn(owner, campaign_id), 2)
      }).pipe(Effect.orDie)
    )
  })
}

import { assert, describe, it } from "@effect/vitest"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import type { SmtpAnswer } from "@outbound/domain/outreach/mail/MailTransport.js"
import {
  isOfMailbox,
  isPutOff,
  makeOwnRecord,
  type ReceivedMessage,
  TROUBLES_MAX
} from "@outbound/domain/outreach/sending/OwnRecord.js"
import { Handing } from "@outbound/domain/outreach/sending/OwnSession.js"
import { gapMillis } from "@outbound/domain/outreach/sending/planner.js"
import { type OwnCandidate, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { leadOf } from "../../src/contracts/campaignFixtures.js"
import { DAY, freshId, HOUR, MINUTE, NOON } from "../../src/contracts/fixtures.js"
import {
  claimsOf,
  givenLaunched,
  givenMailboxes,
  givenSending,
  MIDNIGHT
} from "../../src/contracts/outboundFixtures.js"
import { Memory } from "../../src/memory/Memory.js"
import { layer as memory } from "../../src/memory/layer.js"
import { keyOf } from "../../src/memory/Table.js"
import * as TestHolidays from "../../src/memory/TestHolidays.js"
import * as TestIds from "../../src/memory/TestIds.js"

const service = Layer.mergeAll(memory, TestIds.layer, TestHolidays.layer)

const story = <E>(name: string, body: Effect.Effect<void, E, Layer.Success<typeof service>>) =>
  it.effect(name, () => Effect.provide(body, service))

type Failing = Partial<ConstructorParameters<typeof ProviderFailure>[0]>

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const

const failure = (given: Failing = {}) => new ProviderFailure({ provider: "own", reason: "transient", ...given })

/** A server's answer. */
const answering = (phase: SmtpAnswer["phase"], code: number, status: string | null = null): SmtpAnswer => ({
  _tag: "SmtpAnswer",
  phase,
  code,
  status,
  text: `${code} said to ann@x.test`
})

/** A message that the mailbox's server was given, claimed or not, and what becomes of it. */
const given = (isClaimed = true) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOON)
    const { atomically, read, write } = yield* Memory
    const [campaigns, sending, trail] = [yield* CampaignStore, yield* SendingStore, yield* TrailStore]
    const record = yield* makeOwnRecord
    const { workspaceId } = yield* givenSending(1, { workspace: { kind: "live" } })
    const [claim] = yield* claimsOf(workspaceId)
    const claimed: ReceivedMessage = { ...claim!, receiver: "big.example", failedTries: 0 }
    const { campaign, lead, mailbox, message } = claimed
    const key = keyOf(workspaceId, message.messageId)
    if (!isClaimed) yield* atomically(write(({ messages }) => messages.delete(key)))
    const candidate = { ...claimed, left: 20 } as unknown as OwnCandidate
    // Another mailbox writes for this one, so that it goes on.
    const others = [mailbox, ...(yield* givenMailboxes(workspaceId, 1))]
    const shared = yield* givenLaunched(workspaceId, others, ["one@y.test", "two@y.test"])
    const filter = { workspaceId, campaignId: null, email: null, sinceMillis: null, untilMillis: null, after: null }
    return {
      workspaceId,
      claimed,
      candidate,
      key,
      record,
      handed: (handing: Handing, inARow = 0, of: OwnCandidate = candidate) =>
        record.handed(of, claimed, handing, inARow),
      failed: (fault: ProviderFailure, inARow = 0, claim: "none" | "unsure" | "taken" = "taken") =>
        record.handed(candidate, claimed, Handing.Failed({ claim, failure: fault }), inARow),
      state: read(({ messages }) => messages.get(key)?.state ?? null),
      outcome: read(({ outcomes }) => outcomes.get(key) ?? null),
      lead: Effect.orDie(leadOf(workspaceId, lead.campaignLeadId)),
      mailbox: Effect.map(atomically(sending.lockMailbox(workspaceId, mailbox.mailboxId)), Option.getOrThrow),
      campaigns: Effect.forEach([campaign, shared.campaign], ({ campaignId }) =>
        Effect.map(campaigns.get(workspaceId, campaignId), (found) => Option.getOrThrow(found).state)
      ),
      paused: Effect.map(trail.page({ ...filter, kinds: ["mailbox_paused"], limit: 9 }), (events) =>
        events.map(({ detail }) => detail)
      )
    }
  })

describe("what was sent from an own mailbox", () => {
  const schedule = { timezone: "UTC", days: DAYS, startHour: 9, endHour: 17 }

  story(
    "is spread over what is left of the window, and of the day",
    Effect.gen(function* () {
      const of = yield* given()
      const { campaign, message } = of.claimed
      const rests = (hours: object, atMillis: number, left = 20) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(atMillis)
          const at = {
            ...of.candidate,
            left,
            campaign: { ...campaign, schedule: { ...campaign.schedule, ...schedule, ...hours } }
          }
          const until = yield* of.handed(Handing.Sent(), 0, at)
          assert.strictEqual((yield* of.mailbox).restsUntilMillis, until)
          yield* Memory.use(({ atomically, write }) =>
            atomically(
              write(({ mailboxes }) =>
                mailboxes.update(keyOf(of.workspaceId, message.mailboxId), (one) => ({
                  ...one,
                  restsUntilMillis: null
                }))
              )
            )
          )
          return until - atMillis
        })
      const gap = (nowMillis: number, closesAtMillis: number, left = 20) =>
        gapMillis({ nowMillis, closesAtMillis, left, seed: message.messageId })
      assert.strictEqual(yield* rests({}, NOON), gap(NOON, MIDNIGHT + 17 * HOUR))
      assert.strictEqual(yield* rests({}, NOON, 40), gap(NOON, MIDNIGHT + 17 * HOUR, 40))
      assert.notStrictEqual(gap(NOON, MIDNIGHT + 17 * HOUR, 40), gap(NOON, NOON, 40))
      const opening = MIDNIGHT + 9 * HOUR
      assert.strictEqual(yield* rests({}, opening), gap(opening, MIDNIGHT + 17 * HOUR))
      const evening = MIDNIGHT + 22 * HOUR
      assert.strictEqual(yield* rests({}, evening), gap(evening, evening), "the window is closed")
      // Nine to five in Honolulu ends after midnight here, when the caps of the next day begin.
      const west = { timezone: "Pacific/Honolulu" }
      assert.strictEqual(yield* rests(west, evening, 5), gap(evening, MIDNIGHT + DAY, 5))
      assert.strictEqual(yield* of.state, "sent")
    })
  )
})

describe("what was not sent from an own mailbox", () => {
  story(
    "because it was withdrawn is due as before, and was never claimed if it was not",
    Effect.gen(function* () {
      const taken = yield* given()
      assert.strictEqual(yield* taken.handed(Handing.Withdrawn({ claim: "taken" })), NOON)
      assert.notStrictEqual(yield* taken.state, "claimed")
      assert.strictEqual((yield* taken.lead).state, "ready")
      const none = yield* given()
      yield* none.handed(Handing.Withdrawn({ claim: "none" }))
      assert.strictEqual(yield* none.state, "claimed", "the claim of another session")
    })
  )

  story(
    "because nobody knows keeps its claim",
    Effect.gen(function* () {
      const of = yield* given()
      assert.strictEqual(yield* of.failed(failure({ reason: "unknown_outcome" }), 1), NOON)
      assert.strictEqual(yield* of.state, "claimed")
      assert.isNull((yield* of.mailbox).restsUntilMillis)
    })
  )

  story(
    "because the mailbox was at fault was not tried; because the recipient was counts as a try, claimed or not",
    Effect.gen(function* () {
      const due = (fault: ProviderFailure, claim: "none" | "taken") =>
        Effect.gen(function* () {
          const of = yield* given(claim === "taken")
          yield* of.failed(fault, 0, claim)
          const { nextAtMillis, state } = yield* of.lead
          return [yield* of.state, state, (nextAtMillis ?? 0) > NOON + MINUTE] as const
        })
      const tried = ["failed", "ready", true] as const
      for (const phase of ["recipient", "content"] as const) {
        const later = failure({ cause: answering(phase, 450) })
        assert.deepStrictEqual(yield* due(later, "taken"), tried)
        assert.deepStrictEqual(yield* due(later, "none"), tried)
      }
      const invalid = failure({ reason: "invalid" })
      assert.deepStrictEqual((yield* due(invalid, "none")).slice(0, 2), ["failed", "failed"])
      const server = failure({ cause: answering("connection", 421) })
      assert.deepStrictEqual(yield* due(server, "none"), [null, "ready", false])
      const [state, lead] = yield* due(server, "taken")
      assert.notStrictEqual(state, "claimed")
      assert.strictEqual(lead, "ready")
    })
  )

  story(
    "because the sender is refused by policy counts against the mailbox where the person's mail is received",
    Effect.gen(function* () {
      const refusal = (status: string | null, code = 550) => failure({ cause: answering("recipient", code, status) })
      const of = yield* given()
      yield* of.failed(refusal("5.7.1"))
      assert.strictEqual(yield* of.outcome, "refused")
      const other = yield* given()
      yield* other.failed(refusal("5.1.1"))
      assert.isNull(yield* other.outcome)
      // With five people of it who refused before. Without a status the code is its own.
      for (const status of [null, "5.7.1"]) {
        const many = yield* given()
        const { atomically, write } = yield* Memory
        yield* atomically(
          write(({ messages, outcomes, receivers }) => {
            for (let each = 0; each < 5; each += 1) {
              const message = {
                ...many.claimed.message,
                messageId: freshId(),
                campaignLeadId: freshId(),
                state: "failed" as const
              }
              messages.set(keyOf(many.workspaceId, message.messageId), message)
              outcomes.set(keyOf(many.workspaceId, message.messageId), "refused")
              receivers.set(keyOf(many.workspaceId, message.messageId), "big.example")
            }
          })
        )
        yield* many.failed(failure({ reason: "account", cause: answering("recipient", 554, status) }))
        const sending = yield* SendingStore
        const rest = yield* sending.receiverRest(many.workspaceId, many.claimed.mailbox.mailboxId, "big.example")
        assert.deepInclude(Option.getOrThrow(rest), { status: status ?? "554", says: "554 said to (address)" })
      }
    })
  )
})

describe("an own mailbox whose server gives trouble", () => {
  story(
    "rests, longer each time and no sooner than the server wishes",
    Effect.gen(function* () {
      const rests = (inARow: number, fault: Failing = {}) =>
        Effect.gen(function* () {
          const of = yield* given()
          const until = yield* of.failed(failure({ cause: answering("connection", 421), ...fault }), inARow)
          assert.strictEqual((yield* of.mailbox).restsUntilMillis, until)
          assert.strictEqual((yield* of.mailbox).state, "active")
          return until - NOON
        })
      assert.deepStrictEqual([yield* rests(1), yield* rests(2), yield* rests(9)], [MINUTE, 2 * MINUTE, 30 * MINUTE])
      assert.strictEqual(yield* rests(1, { retryAfterSeconds: 90 }), 1.5 * MINUTE)
      assert.strictEqual(yield* rests(1, { retryAfterSeconds: 10 }), MINUTE)
      assert.strictEqual(yield* rests(TROUBLES_MAX - 1), 30 * MINUTE)
      for (const phase of ["connection", "tls"] as const) {
        assert.strictEqual(yield* rests(1, { reason: "account", cause: answering(phase, 535) }), MINUTE)
      }
    })
  )

  story(
    "is paused where resting does not help, and says why",
    Effect.gen(function* () {
      const paused = (fault: ProviderFailure, inARow = 1) =>
        Effect.gen(function* () {
          const of = yield* given()
          assert.strictEqual(yield* of.failed(fault, inARow), NOON)
          const { pauseReason, restsUntilMillis, state } = yield* of.mailbox
          assert.deepStrictEqual([state, restsUntilMillis], ["paused", null])
          assert.deepStrictEqual(yield* of.campaigns, ["paused", "active"])
          const [{ mailbox, ...detail } = {}, ...others] = yield* of.paused
          assert.isEmpty(others)
          assert.strictEqual(mailbox, of.claimed.mailbox.address)
          return [pauseReason, detail]
        })
      const account = (cause?: SmtpAnswer) => failure({ reason: "account", ...(cause === undefined ? {} : { cause }) })
      assert.deepStrictEqual(yield* paused(account(answering("login", 535, "5.7.8"))), [
        "login",
        { reason: "login", status: "5.7.8" }
      ])
      assert.deepStrictEqual(yield* paused(account()), ["login", { reason: "login" }])
      assert.deepStrictEqual(yield* paused(account(answering("sender", 550, "5.1.8"))), [
        "bounces",
        { reason: "refused", status: "5.1.8", says: "550 said to (address)" }
      ])
      assert.deepStrictEqual(yield* paused(account(answering("recipient", 530))), [
        "bounces",
        { reason: "refused", says: "530 said to (address)" }
      ])
      assert.deepStrictEqual(yield* paused(failure({ cause: answering("connection", 421, "4.3.2") }), TROUBLES_MAX), [
        "unreachable",
        { reason: "unreachable", status: "4.3.2" }
      ])
    })
  )

  story(
    "and is gone meanwhile is left alone; one that can't be used at all is paused for its sign-in",
    Effect.gen(function* () {
      const of = yield* given()
      const gone = { ...of.claimed.mailbox, mailboxId: freshId() }
      assert.strictEqual(yield* of.record.trouble(gone, failure({ reason: "account" }), 1), NOON)
      assert.isEmpty(yield* of.paused)
      yield* of.record.trouble(of.claimed.mailbox, failure({ reason: "account" }), 1)
      assert.deepInclude(yield* of.mailbox, { state: "paused", pauseReason: "login" })
    })
  )
})

describe("whom a failure concerns", () => {
  const found = (fault: ProviderFailure) => [isOfMailbox(fault), isPutOff(fault)]

  it("is the mailbox, the server, or somebody who may be written to later", () => {
    assert.deepStrictEqual(found(failure({ cause: answering("login", 535) })), [true, false])
    assert.deepStrictEqual(found(failure({ cause: answering("connection", 421) })), [true, false])
    assert.deepStrictEqual(found(failure({ cause: answering("recipient", 450) })), [false, true])
    assert.deepStrictEqual(found(failure({ reason: "invalid" })), [false, false])
    const policy = (reason: "rate_limited" | "transient") =>
      failure({ reason, cause: answering("recipient", 450, "4.7.1") })
    assert.deepStrictEqual(found(policy("rate_limited")), [false, true])
    assert.deepStrictEqual(found(policy("transient")), [false, false])
    // A quota of the mailbox itself.
    assert.deepStrictEqual(found(failure({ reason: "rate_limited", cause: answering("recipient", 452) })), [
      true,
      false
    ])
  })
})

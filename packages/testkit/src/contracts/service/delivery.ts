import { assert, layer as describeLayer } from "@effect/vitest"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { contactedSince } from "@outbound/domain/outreach/suppression/Contactability.js"
import { CLAIM_STALE_MILLIS, dayStart, Dispatcher } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Clock, Effect, Fiber, type Layer } from "effect"
import * as FastCheck from "fast-check"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { Faults } from "../../service/Service.js"
import {
  deliveries,
  drive,
  freshKey,
  kindsOf,
  launched,
  leadOf,
  ok,
  pass,
  sender,
  SENDING,
  type ServiceOnStores,
  silent,
  SUITE,
  trailOf,
  whileSending,
  work
} from "./stories.js"

const ONE_STEP = [{ subject: "Hello", body: "Hi" }]
const TWO_STEPS = [...ONE_STEP, { body: "Again", wait_days: 1 }]

/** What a behaviour means for a message: it left, it provably did not, it never will, or nobody knows. */
const meaningOf = (behaviour: Behaviour): "sent" | "again" | "refused" | "unknown" => {
  switch (behaviour._tag) {
    case "Fail":
      return behaviour.reason === "unknown_outcome" ? "unknown" : behaviour.reason === "invalid" ? "refused" : "again"
    case "Late":
      return behaviour.after === "20 seconds" ? "sent" : "unknown"
    case "Never":
    case "Die":
    case "ActThenFail":
      return "unknown"
    default:
      return "sent"
  }
}

const behaviours = FastCheck.constantFrom(
  Behaviour.Answer(),
  Behaviour.Answer(),
  Behaviour.Fail({ reason: "transient" }),
  Behaviour.Fail({ reason: "transient" }),
  Behaviour.Fail({ reason: "rate_limited", retryAfterSeconds: 30 }),
  Behaviour.Fail({ reason: "account" }),
  Behaviour.Fail({ reason: "invalid" }),
  Behaviour.Fail({ reason: "unknown_outcome" }),
  Behaviour.ActThenFail({ reason: "unknown_outcome" }),
  Behaviour.Late({ after: "20 seconds" }),
  Behaviour.Late({ after: "40 seconds" }),
  Behaviour.Never(),
  Behaviour.Die({ defect: new Error("broken") })
)

/** Every message leaves at most once, whatever the provider and the hosts do. */
export const deliveryContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`delivery (${name})`, (it) => {
    it.effect("what provably did not leave is tried again, later", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(1), sequence: ONE_STEP })
        yield* work.pipe(whileSending(Behaviour.Fail({ reason: "transient" })))
        yield* pass("2 seconds")
        assert.lengthOf(yield* deliveries(campaign_id), 1)
        assert.isEmpty(yield* trailOf(client, { campaign_id, kind: "sent,stop" }))
        yield* pass("5 minutes", "1 minute")
        const sent = yield* deliveries(campaign_id)
        assert.lengthOf(sent, 2)
        assert.lengthOf(new Set(sent.map(({ messageId }) => messageId)), 2)
        assert.deepStrictEqual(kindsOf(yield* trailOf(client, { campaign_id, kind: "sent,stop" })), ["sent"])
      })
    )

    it.effect("what the provider refuses for good ends the sequence, and says why", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(1), sequence: TWO_STEPS })
        yield* work.pipe(whileSending(Behaviour.Fail({ reason: "invalid" })))
        yield* pass("20 minutes", "5 minutes")
        assert.lengthOf(yield* deliveries(campaign_id), 1)
        const [stop, ...more] = yield* trailOf(client, { campaign_id, kind: "sent,stop" })
        assert.deepStrictEqual([stop?.kind, stop?.detail, more.length], ["stop", { reason: "refused_by_provider" }, 0])
        assert.include(kindsOf(yield* trailOf(client, { campaign_id })), "completed")
      })
    )

    it.effect("what may have left is never sent again, and the sequence stops for a human to look at", () =>
      Effect.gen(function* () {
        for (const behaviour of [
          Behaviour.Fail({ reason: "unknown_outcome" }),
          Behaviour.ActThenFail({ reason: "unknown_outcome" }),
          Behaviour.Late({ after: "31 seconds" }),
          Behaviour.Never(),
          Behaviour.Die({ defect: new Error("broken") })
        ]) {
          const client = yield* sender()
          const campaign_id = yield* launched(client, { recipients: silent(1), sequence: TWO_STEPS })
          yield* drive(client, work).pipe(whileSending(behaviour))
          yield* pass("20 minutes", "5 minutes")
          assert.lengthOf(yield* deliveries(campaign_id), 1, behaviour._tag)
          const events = yield* trailOf(client, { campaign_id, kind: "sent,stop" })
          assert.deepStrictEqual(
            events.map(({ detail, kind, source }) => [kind, detail.reason, source]),
            [["stop", "outcome_unknown", "system"]],
            behaviour._tag
          )
        }
      })
    )

    it.effect("a host that claims and dies has sent nothing that another host sends again", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(1), sequence: TWO_STEPS })
        const [sendings, ids] = [yield* SendingStore, yield* Ids]
        const nowMillis = yield* Clock.currentTimeMillis
        const claims = yield* sendings.claimDue({
          nowMillis,
          dayStartMillis: dayStart(nowMillis),
          limit: 1_000,
          nextMessageId: () => ids.next(nowMillis),
          contactedSinceMillis: contactedSince(nowMillis)
        })
        assert.include(
          claims.map(({ campaign }) => campaign.campaignId),
          campaign_id
        )
        yield* TestClock.adjust(CLAIM_STALE_MILLIS)
        yield* work
        assert.isEmpty(yield* trailOf(client, { campaign_id, kind: "stop" }))
        yield* pass("20 minutes", "5 minutes")
        assert.isEmpty(yield* deliveries(campaign_id))
        const [stop] = yield* trailOf(client, { campaign_id, kind: "stop" })
        assert.deepStrictEqual(stop?.detail, { reason: "outcome_unknown" })
      }).pipe(Effect.orDie)
    )

    it.effect("hosts that send at once send each message once", () =>
      Effect.gen(function* () {
        const client = yield* sender(50)
        const campaign_id = yield* launched(client, { recipients: silent(30, "h"), sequence: ONE_STEP })
        const dispatcher = yield* Dispatcher
        const rounds = Effect.replicateEffect(dispatcher.round, 4)
        yield* Effect.replicateEffect(rounds, 5, { concurrency: "unbounded" })
        const addresses = (yield* deliveries(campaign_id)).map((message) => message.to.address)
        assert.lengthOf(addresses, 30)
        assert.lengthOf(new Set(addresses), 30)
        assert.lengthOf(yield* trailOf(client, { campaign_id, kind: "sent" }), 30)
      }).pipe(Effect.orDie)
    )

    it.effect("a host that stops writes down what it was sending", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(1), sequence: ONE_STEP })
        const dispatcher = yield* Dispatcher
        const stopping = Effect.gen(function* () {
          const round = yield* Effect.forkChild(dispatcher.round)
          while ((yield* deliveries(campaign_id)).length === 0) yield* Effect.yieldNow
          round.interruptUnsafe()
          yield* drive(client, Fiber.await(round))
        })
        yield* stopping.pipe(whileSending(Behaviour.Late({ after: "10 seconds" })))
        yield* pass("20 minutes", "5 minutes")
        assert.lengthOf(yield* deliveries(campaign_id), 1)
        assert.deepStrictEqual(kindsOf(yield* trailOf(client, { campaign_id, kind: "sent,stop" })), ["sent"])
      })
    )

    it.effect("a claim whose turn comes too late goes back unsent, and is checked anew", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const recipients = silent(20, "turn")
        const campaign_id = yield* launched(client, { recipients, sequence: ONE_STEP })
        const last = recipients[19]?.email ?? ""
        const campaign_lead_id = yield* leadOf(client, campaign_id, last)
        const slowly = Effect.gen(function* () {
          const sending = yield* Effect.forkChild(work)
          while ((yield* deliveries(campaign_id)).length < 16) {
            yield* TestClock.adjust("5 seconds")
            yield* client.call("get_usage")
          }
          const no = { campaign_lead_id, status: "not_interested" }
          ok(yield* client.call("set_lead_status", no, { key: freshKey() }))
          yield* drive(client, Fiber.join(sending))
        })
        yield* slowly.pipe(whileSending(Behaviour.Late({ after: "20 seconds" })))
        yield* pass("2 seconds")
        const addresses = (yield* deliveries(campaign_id)).map((message) => message.to.address)
        assert.lengthOf(addresses, 19)
        assert.lengthOf(new Set(addresses), 19)
        assert.notInclude(addresses, last)
      })
    )
  })

  describeLayer(service, SUITE)(`delivery under any script of faults (${name})`, (it) => {
    it.effect("every step leaves at most once, in order, and the trail says what is known", () =>
      Effect.gen(function* () {
        const faults = yield* Faults
        const scripts = FastCheck.sample(FastCheck.array(behaviours, { minLength: 3, maxLength: 12 }), {
          numRuns: 12,
          seed: 4711
        })
        for (const script of scripts) {
          const client = yield* sender()
          const campaign_id = yield* launched(client, { recipients: silent(3), sequence: TWO_STEPS })
          yield* faults.forgetCalls
          yield* faults.script(SENDING, script)
          for (let round = 0; round < 14; round += 1) {
            yield* drive(client, work)
            yield* TestClock.adjust("5 minutes")
          }
          const calls = yield* deliveries(campaign_id)
          const story = script.map(({ _tag }) => _tag).join(" ")
          const meanings = calls.map((_, index) => meaningOf(script[index] ?? Behaviour.Answer()))
          assert.lengthOf(new Set(calls.map(({ messageId }) => messageId)), calls.length, story)
          for (const address of new Set(calls.map((message) => message.to.address))) {
            let step = 0
            let isOver = false
            for (const [index, call] of calls.entries()) {
              if (call.to.address !== address) continue
              assert.isFalse(isOver, `${story}: ${address} was written to after the end`)
              assert.strictEqual(call.stepIndex, step, story)
              const meaning = meanings[index]
              if (meaning === "sent") step += 1
              isOver = meaning === "unknown" || meaning === "refused" || step === TWO_STEPS.length
            }
            assert.isTrue(isOver, `${story}: ${address} is not done`)
          }
          yield* faults.script(SENDING, [])
          const events = yield* trailOf(client, { campaign_id, kind: "sent,stop" })
          const count = (kind: string, reason?: string) =>
            events.filter((event) => event.kind === kind && event.detail.reason === reason).length
          const meant = (meaning: string) => meanings.filter((one) => one === meaning).length
          assert.deepStrictEqual(
            [count("sent"), count("stop", "outcome_unknown"), count("stop", "refused_by_provider")],
            [meant("sent"), meant("unknown"), meant("refused")],
            story
          )
        }
      })
    )
  })
}

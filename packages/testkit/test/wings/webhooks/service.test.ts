import { assert, layer as describeLayer } from "@effect/vitest"
import { CLAIM_LEASE_MILLIS, Deliveries } from "@outbound/domain/wings/webhooks/Deliveries.js"
import { RETRY_MILLIS } from "@outbound/domain/wings/webhooks/schedule.js"
import { Webhooks } from "@outbound/domain/wings/webhooks/Webhooks.js"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { office, signIn } from "../../../src/contracts/service/controlSupport.js"
import { SUITE } from "../../../src/contracts/service/stories.js"
import { admit, webhookServiceContract, withWebhooks } from "../../../src/wings/webhooks/serviceContract.js"
import { quietMemory } from "../../../src/service/Service.js"
import { answering, ScriptedReceiver } from "../../../src/wings/webhooks/ScriptedReceiver.js"

webhookServiceContract("memory", quietMemory)

const DAY = 24 * 60 * 60_000
const url = "https://receiver.example.com/events"

/** An endpoint that is told one event. */
const given = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const receiver = yield* ScriptedReceiver
  const { manager, owner } = yield* office()
  const { endpointId } = yield* webhooks.add(owner, { url, kinds: ["admitted"] })
  yield* admit(manager.workspaceId, "ann@example.com")
  return { endpointId, receiver, manager, before: receiver.messages(url).length }
})

describeLayer(withWebhooks(quietMemory), SUITE)("the schedule of webhooks", (it) => {
  it.effect("an event is tried twelve times over some three days, then kept for a human, under one id", () =>
    Effect.gen(function* () {
      const { round } = yield* Deliveries
      const { before, endpointId, manager, receiver } = yield* given
      receiver.react(url, () => answering(500))
      yield* round
      for (const [at, wait] of RETRY_MILLIS.entries()) {
        yield* TestClock.adjust(wait - 1)
        assert.strictEqual(yield* round, 0, `before attempt ${at + 2}`)
        yield* TestClock.adjust(5 * 60_000)
        assert.strictEqual(yield* round, 1, `attempt ${at + 2}`)
      }
      yield* TestClock.adjust(3 * DAY)
      assert.strictEqual(yield* round, 0)
      const messages = receiver.messages(url).slice(before)
      assert.lengthOf(messages, RETRY_MILLIS.length + 1)
      assert.lengthOf([...new Set(messages.map(({ id }) => id))], 1)
      const span = RETRY_MILLIS.reduce((sum, wait) => sum + wait, 0)
      assert.isTrue(span > 2.5 * DAY && span < 3.5 * DAY)
      const webhooks = yield* Webhooks
      const owner = yield* signIn(manager.ownerEmail)
      const standing = yield* webhooks.endpoint(owner, endpointId)
      assert.deepStrictEqual([standing.endpoint.state, standing.failed, standing.waiting], ["enabled", 1, 0])
      receiver.react(url, () => Effect.void)
      assert.strictEqual(yield* webhooks.sendFailedAgain(owner, endpointId), 1)
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(yield* round, 1)
      yield* webhooks.remove(owner, endpointId)
    }).pipe(Effect.orDie)
  )

  it.effect("a receiver that asks for a rest gets it", () =>
    Effect.gen(function* () {
      const { round } = yield* Deliveries
      const { receiver } = yield* given
      receiver.react(url, () => answering(429, 90_000))
      yield* round
      receiver.react(url, () => Effect.void)
      yield* TestClock.adjust("89 seconds")
      assert.strictEqual(yield* round, 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* round, 1)
    }).pipe(Effect.orDie)
  )

  it.effect("a host that is killed while it sends leaves the event to another, under the same id", () =>
    Effect.gen(function* () {
      const { round } = yield* Deliveries
      const { before, receiver } = yield* given
      receiver.react(url, () => Effect.never)
      const dying = yield* Effect.forkChild(round)
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(dying)
      receiver.react(url, () => Effect.void)
      assert.strictEqual(yield* round, 0)
      yield* TestClock.adjust(CLAIM_LEASE_MILLIS)
      assert.strictEqual(yield* round, 1)
      const [first, second] = receiver.messages(url).slice(before)
      assert.strictEqual(second?.id, first!.id)
    }).pipe(Effect.orDie)
  )

  it.effect("a receiver that never answers costs its endpoint an attempt, and holds up no other", () =>
    Effect.gen(function* () {
      const { round } = yield* Deliveries
      const { receiver } = yield* given
      receiver.react(url, () => Effect.never)
      const going = yield* Effect.forkChild(round)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* Fiber.join(going), 1)
    }).pipe(Effect.orDie)
  )
})

import { assert, layer as describeLayer } from "@effect/vitest"
import { makeKills } from "@outbound/domain/control/Kills.js"
import { KillStore } from "@outbound/domain/control/KillStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Dispatcher } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Clock, Effect, Fiber, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { Faults } from "../../service/Service.js"
import { type ControlOnStores } from "./controlSupport.js"
import { deliveries, launched, ok, sender, silent, SENDING, SUITE, trailOf, work } from "./stories.js"
import { patience } from "../../service/patience.js"
import { guardOf, kill, machineTurn, ticking, claim } from "./killSupport.js"

/** Each round builds a workspace that can send, on a real disk. */
const ROUNDS_MILLIS_MAX = 300_000

/** A kill that meets what is leaving, other kills, and death. `rounds`: how often it meets a host that is sending. */
export const killRacesContract = <E>(name: string, service: Layer.Layer<ControlOnStores, E>, rounds = 10) => {
  describeLayer(service, SUITE)(`a kill in a race (${name})`, (it) => {
    it.effect("waits ten seconds for a message that is leaving, and then names its campaign", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const guard = yield* guardOf(client)
        const campaign = yield* launched(client, { recipients: silent(1) })
        const [claimed] = yield* claim
        assert.strictEqual(claimed?.message.campaignId, campaign)
        const before = yield* Clock.currentTimeMillis
        const { result } = ok(yield* ticking(kill(guard), 10))
        assert.deepStrictEqual(result.campaigns_unconfirmed, [campaign])
        const waited = (yield* Clock.currentTimeMillis) - before
        assert.isAtLeast(waited, 10_000)
        assert.isAtMost(waited, 15_000)
        assert.isEmpty(yield* trailOf(client, { kind: "paused" }), "nothing is verified while a message leaves")
        assert.deepStrictEqual(ok(yield* kill(guard)).result, result, "a second one does not wait")
        assert.isEmpty(yield* claim)
      }).pipe(Effect.orDie)
    )

    it.effect("calls a campaign verified only once nothing of it leaves, and the others at once", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const guard = yield* guardOf(client)
        const leaving = yield* launched(client, { recipients: silent(1, "l") })
        const [claimed] = yield* claim
        assert.strictEqual(claimed?.message.campaignId, leaving)
        const idle = yield* launched(client, { recipients: silent(1, "i") })
        const { result } = ok(yield* ticking(kill(guard), 10))
        assert.deepStrictEqual(result.campaigns_unconfirmed, [leaving])
        const verified = () =>
          Effect.map(trailOf(client, { kind: "paused" }), (events) =>
            events.filter(({ detail }) => detail["provider_verified"] === true).map(({ campaign_id }) => campaign_id)
          )
        assert.deepStrictEqual(yield* verified(), [idle])
        const { atomically } = yield* UnitOfWork
        const sendings = yield* SendingStore
        yield* atomically(
          sendings.endMessage({ ...claimed!.message, state: "failed" }, claimed!.lead.addressHash, null)
        )
        for (const isPatient = patience(); isPatient();) {
          if ((yield* verified()).length > 1) break
          yield* TestClock.adjust("5 seconds")
        }
        assert.sameMembers(yield* verified(), [idle, leaving])
      }).pipe(Effect.orDie)
    )

    it.effect("a message that ends in time is waited for, and its campaign confirmed", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const guard = yield* guardOf(client)
        yield* launched(client, { recipients: silent(1) })
        const [claimed] = yield* claim
        const { atomically } = yield* UnitOfWork
        const sendings = yield* SendingStore
        const killing = yield* Effect.forkChild(ticking(kill(guard), 10))
        const kills = yield* KillStore
        while (Option.isNone(yield* kills.standing(client.workspaceId))) {
          yield* machineTurn
        }
        yield* atomically(
          sendings.endMessage({ ...claimed!.message, state: "failed" }, claimed!.lead.addressHash, null)
        )
        const { result } = ok(yield* Fiber.join(killing))
        assert.deepStrictEqual(result.campaigns_unconfirmed, [])
      }).pipe(Effect.orDie)
    )

    it.effect("stands whole when its host dies in the middle: another one finds out the rest", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const guard = yield* guardOf(client)
        const campaign = yield* launched(client, { recipients: silent(1) })
        const [claimed] = yield* claim
        const { stop } = yield* makeKills
        const { keyId, workspaceId } = guard
        const dying = yield* Effect.forkChild(
          stop({
            workspaceId,
            actor: { kind: "key", keyId, name: "test" },
            source: "api",
            reason: "dying",
            requestId: null
          })
        )
        const kills = yield* KillStore
        while (Option.isNone(yield* kills.standing(workspaceId))) yield* machineTurn
        yield* Fiber.interrupt(dying)
        const left = Option.getOrThrow(yield* kills.standing(workspaceId))
        assert.deepInclude(left, { unconfirmed: null, campaignsPaused: 1 })
        assert.isEmpty(yield* claim)
        const { atomically } = yield* UnitOfWork
        const sendings = yield* SendingStore
        yield* atomically(
          sendings.endMessage({ ...claimed!.message, state: "failed" }, claimed!.lead.addressHash, null)
        )
        for (const isPatient = patience(); isPatient();) {
          if ((yield* trailOf(client, { kind: "paused" })).length > 0) break
          yield* TestClock.adjust("1 second")
        }
        assert.lengthOf(yield* trailOf(client, { kind: "paused", campaign_id: campaign }), 1)
        const { result } = ok(yield* kill(guard, "the same again"))
        assert.deepInclude(result, {
          suspended_at: new Date(left.suspendedAtMillis).toISOString(),
          campaigns_paused: 1,
          campaigns_unconfirmed: []
        })
        assert.lengthOf(yield* trailOf(client, { kind: "killed" }), 1)
      }).pipe(Effect.orDie)
    )

    it.effect(
      "from its answer on no host claims a message, and none is on its way, whenever it comes",
      () =>
        Effect.gen(function* () {
          const dispatcher = yield* Dispatcher
          const { script } = yield* Faults
          for (let round = 0; round < rounds; round += 1) {
            const client = yield* sender()
            const guard = yield* guardOf(client)
            const campaign = yield* launched(client, { recipients: silent(5, `r${round}`) })
            const sent = Effect.map(trailOf(client, { campaign_id: campaign, kind: "sent" }), (events) => events.length)
            // Each message takes its time to leave; what comes after them does not.
            yield* script(
              SENDING,
              Array.from({ length: 5 }, () => Behaviour.Late({ after: "2 seconds" }))
            )
            const sending = yield* Effect.forkChild(
              Effect.all([dispatcher.round, dispatcher.round], { concurrency: 2 })
            )
            // The kill comes before, among and after the claims.
            yield* Effect.forEach(Array.from({ length: round % 5 }), () => machineTurn)
            const { result } = ok(yield* ticking(kill(guard)))
            assert.deepStrictEqual(result.campaigns_unconfirmed, [])
            const [left, reached] = [yield* sent, (yield* deliveries(campaign)).length]
            assert.isEmpty(yield* claim)
            yield* ticking(Fiber.join(sending))
            assert.deepStrictEqual([yield* sent, (yield* deliveries(campaign)).length], [left, reached])
            yield* script(SENDING, [])
            yield* work
            assert.lengthOf(yield* deliveries(campaign), yield* sent)
          }
        }).pipe(Effect.orDie),
      ROUNDS_MILLIS_MAX
    )

    it.effect("twenty at once are one", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const guard = yield* guardOf(client)
        yield* launched(client, { recipients: silent(1) })
        const answers = yield* ticking(
          Effect.all(
            Array.from({ length: 20 }, () => kill(guard)),
            { concurrency: "unbounded" }
          )
        )
        for (const answer of answers) assert.deepStrictEqual(ok(answer).result, answers[0]?.result)
        assert.strictEqual(answers[0]?.result.campaigns_paused, 1)
        for (const kind of ["killed", "pause_requested", "paused"]) {
          assert.lengthOf(yield* trailOf(client, { kind }), 1, kind)
        }
      }).pipe(Effect.orDie)
    )
  })
}

import { assert } from "@effect/vitest"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { Effect, Fiber, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { DOWN, type FakeVendor, LOST_AFTER, LOST_BEFORE } from "../../vendors/FakeVendor.js"
import { describeStories } from "./describeStories.js"
import { machineTurn, ticking } from "./killSupport.js"
import { patience } from "../../service/patience.js"
import { draft, kindsOf, launch, trailOf } from "./stories.js"
import {
  campaignAt,
  hostTurn,
  inState,
  MONDAY,
  patiently,
  retire,
  sentIn,
  strangers,
  TWO_STEPS,
  vendorPass,
  type VendorService,
  vendorTeam
} from "./vendorStories.js"

/** A vendor that runs a campaign never emails an erased person, whatever it reported about them before. */
export const vendorErasureContract = <E>(name: string, service: Layer.Layer<VendorService, E>, fake: FakeVendor) => {
  const { world } = fake

  describeStories(service)(`an erasure where a vendor holds the campaign (${name})`, (it) => {
    it.effect("a person erased just before or during their push ends up removed there, and gets nothing", () =>
      Effect.gen(function* () {
        const erasure = yield* Erasure
        for (const during of ["create", "push"] as const) {
          yield* TestClock.setTime(MONDAY)
          const { client } = yield* vendorTeam(1)
          const people = strangers(2)
          const [first = "", second = ""] = people.map(({ email }) => email)
          const { result } = yield* draft(client, { sequence: TWO_STEPS, recipients: people })
          const campaign_id = String(result.campaign_id)
          let isReached = false
          fake.onAsked = (method) => {
            isReached ||= method === during
            fake.slowness = isReached ? "5 seconds" : 0
            return "goes on"
          }
          const turn = yield* Effect.forkChild(hostTurn)
          for (const isPatient = patience(); isPatient() && !isReached;) yield* machineTurn
          const known = () => campaignAt(fake, campaign_id).people.map(({ email }) => email)
          // The vendor has been asked to take them, and has not answered yet.
          if (during === "push") assert.deepStrictEqual(known(), [])
          yield* Effect.orDie(erasure.eraseFor(client.workspaceId, first))
          yield* ticking(Fiber.join(turn), 1_000)
          fake.onAsked = () => "goes on"
          fake.slowness = 0
          assert.deepStrictEqual(known(), during === "push" ? [first, second] : [second])
          yield* vendorPass(fake, "4 minutes", "40 seconds")
          assert.deepStrictEqual(known(), [second])
          yield* launch(client, campaign_id)
          yield* vendorPass(fake, "2 minutes", "40 seconds")
          assert.deepStrictEqual(
            sentIn(fake, campaign_id).map(({ email }) => email),
            [second]
          )
          assert.deepStrictEqual(kindsOf(yield* trailOf(client, { campaign_id, kind: "erased" })), ["erased"])
          yield* retire(client.workspaceId, campaign_id)
        }
      })
    )

    it.effect("a person erased while their push is unconfirmed ends up removed there", () =>
      Effect.gen(function* () {
        for (const lost of [LOST_AFTER, LOST_BEFORE]) {
          yield* TestClock.setTime(MONDAY)
          const erasure = yield* Erasure
          const { client } = yield* vendorTeam(1)
          const people = strangers(2)
          const [first = "", second = ""] = people.map(({ email }) => email)
          const { result } = yield* draft(client, { sequence: TWO_STEPS, recipients: people })
          const campaign_id = String(result.campaign_id)
          fake.trouble("push", lost)
          yield* vendorPass(fake, "10 seconds")
          const vendorCampaign = campaignAt(fake, campaign_id)
          yield* Effect.orDie(erasure.eraseFor(client.workspaceId, first))
          yield* patiently(fake, hostTurn)
          if (!lost.acts) {
            // The request arrives late: that they were not there before proved nothing.
            const values = { subjectValues: {}, bodyValues: {} }
            const nameless = { campaignLeadId: "", firstName: null, lastName: null, companyName: null, ...values }
            world.take(vendorCampaign, { ...nameless, email: first })
          }
          yield* vendorPass(fake, "2 minutes")
          assert.deepStrictEqual(
            vendorCampaign.people.map(({ email }) => email),
            [second]
          )
          yield* launch(client, campaign_id)
          yield* vendorPass(fake, "2 minutes", "40 seconds")
          assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "active")
          assert.deepStrictEqual(
            sentIn(fake, campaign_id).map(({ email }) => email),
            [second]
          )
          yield* retire(client.workspaceId, campaign_id)
        }
      })
    )

    it.effect("a campaign in which somebody may be who was erased is not sent, and is paused", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const erasure = yield* Erasure
        const { client } = yield* vendorTeam(1)
        const people = strangers(2)
        const [first = "", second = ""] = people.map(({ email }) => email)
        const { result } = yield* draft(client, { sequence: TWO_STEPS, recipients: people })
        const campaign_id = String(result.campaign_id)
        fake.trouble("push", LOST_AFTER)
        yield* vendorPass(fake, "10 seconds")
        yield* Effect.orDie(erasure.eraseFor(client.workspaceId, first))
        fake.always(DOWN, "everybody")
        yield* vendorPass(fake, "40 seconds")
        const known = () => campaignAt(fake, campaign_id).people.map(({ email }) => email)
        assert.deepStrictEqual(known(), [first, second])
        yield* launch(client, campaign_id)
        yield* vendorPass(fake, "2 minutes")
        assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "paused capacity")
        const [told] = yield* trailOf(client, { campaign_id, kind: "pause_requested" })
        assert.deepStrictEqual(told?.detail, { reason: "capacity", cause: "removal_unconfirmed" })
        assert.deepStrictEqual(sentIn(fake, campaign_id), [])
        fake.always(null)
        yield* vendorPass(fake, "1 minute")
        assert.deepStrictEqual(known(), [second])
        yield* retire(client.workspaceId, campaign_id)
      })
    )
  })
}

import { assert, layer as describeLayer } from "@effect/vitest"
import { CampaignPauses } from "@outbound/domain/outreach/launching/pausing/CampaignPauses.js"
import { isWireError } from "@outbound/domain/kernel/errors/Wire.js"
import { Effect, type Layer } from "effect"
import type { Client } from "../../service/Client.js"
import { guardOf, kill, claim, ticking } from "./killSupport.js"
import {
  askLaunch,
  deliveries,
  draft,
  freshKey,
  launch,
  launched,
  member,
  ok,
  pass,
  refused,
  sender,
  type ServiceOnStores,
  silent,
  SUITE,
  to,
  trailOf,
  work
} from "./stories.js"
import { ID } from "./wellFormed.js"

const pause = (client: Client, campaign_id: string, body: { readonly reason?: string } = {}, key = freshKey()) =>
  client.call("pause_campaign", { campaign_id, ...body }, { key })

const of = (client: Client, campaignId: string) => ({
  workspaceId: client.workspaceId,
  campaignId,
  by: client.ownerEmail
})

const resume = (client: Client, campaignId: string) =>
  Effect.flatMap(CampaignPauses, (pauses) => pauses.resume(of(client, campaignId)))

const codeOf = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.match(work, { onFailure: (error) => (isWireError(error) ? error.code : error), onSuccess: () => null })

const stateOf = (client: Client, campaign_id: string) =>
  Effect.map(client.call("get_campaign", { campaign_id }), (answer) => {
    const { paused_because, state } = ok(answer).result
    return [state, paused_because]
  })

/** One campaign is paused and resumed (contract: campaigns, pause and resume). */
export const pauseCampaignContract = <E>(name: string, service: Layer.Layer<ServiceOnStores | CampaignPauses, E>) => {
  describeLayer(service, SUITE)(`pause_campaign (${name})`, (it) => {
    it.effect("holds back everything that is not claimed yet, counts what is, and says it once in the trail", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(3) })
        const other = yield* launched(client, { name: "Other", recipients: silent(1, "o") })
        const claimed = yield* claim
        assert.lengthOf(claimed, 4)
        const key = freshKey()
        const first = ok(yield* pause(client, campaign_id, { reason: "wrong offer" }, key))
        const expected = { campaign_id, state: "paused", paused_because: "owner", in_flight: 3 }
        assert.deepStrictEqual(first.result, expected)
        assert.strictEqual(first.svc.credits_charged, "0")
        // A repeat, another call, and one with another reason change nothing.
        assert.deepStrictEqual(ok(yield* pause(client, campaign_id, { reason: "wrong offer" }, key)).result, expected)
        assert.deepStrictEqual(ok(yield* pause(client, campaign_id, { reason: "again" })).result, expected)
        refused(yield* pause(client, campaign_id, {}, key), 409, "idempotency_conflict")
        assert.deepStrictEqual(yield* stateOf(client, campaign_id), ["paused", "owner"])
        assert.deepStrictEqual(yield* stateOf(client, other), ["active", null])
        const { key: own } = ok(yield* client.call("get_me")).result
        const [paused, ...more] = yield* trailOf(client, { campaign_id, kind: "paused" })
        assert.isEmpty(more)
        assert.deepInclude(paused, {
          source: "api",
          request_id: first.svc.request_id,
          detail: { reason: "owner", provider_verified: true, note: "wrong offer", by: own.id }
        })
      })
    )

    it.effect("nothing of it is claimed afterwards, until it is resumed; then what was approved goes on", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(2) })
        yield* work
        const before = (yield* deliveries(campaign_id)).length
        assert.isAbove(before, 0)
        ok(yield* pause(client, campaign_id))
        yield* pass("20 seconds")
        assert.lengthOf(yield* deliveries(campaign_id), before)
        assert.isEmpty((yield* claim).filter(({ message }) => message.campaignId === campaign_id))

        yield* resume(client, campaign_id)
        assert.deepStrictEqual(yield* stateOf(client, campaign_id), ["active", null])
        // A second press changes nothing.
        yield* resume(client, campaign_id)
        yield* pass("20 seconds")
        assert.lengthOf(yield* deliveries(campaign_id), 4)
        const told = yield* trailOf(client, { campaign_id, kind: ["paused", "resumed"] })
        assert.deepStrictEqual(
          told.map(({ kind, source }) => [kind, source]),
          [
            ["paused", "api"],
            ["resumed", "console"]
          ]
        )
        assert.deepStrictEqual(told[1]?.detail, { by: client.ownerEmail })
        // No second approval was asked for.
        assert.lengthOf(yield* trailOf(client, { campaign_id, kind: "approval_requested" }), 1)
      })
    )

    it.effect("people whom nobody approved stay out of what is resumed", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(1) })
        yield* work
        const leads = to("silent+late@magic.test")
        ok(yield* client.call("add_leads", { campaign_id, leads }, { key: freshKey() }))
        assert.deepStrictEqual(yield* stateOf(client, campaign_id), ["paused", "awaiting_approval"])
        const kept = ok(yield* pause(client, campaign_id)).result
        assert.deepInclude(kept, { state: "paused", paused_because: "awaiting_approval" })
        yield* resume(client, campaign_id)
        yield* pass("20 seconds")
        const sent = new Set((yield* deliveries(campaign_id)).map((message) => message.to.address))
        assert.deepStrictEqual([...sent], ["silent+s0@magic.test"])
      })
    )

    it.effect("launch_campaign with an approval resumes it, too", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(1) })
        yield* work
        const launchedAt = Effect.map(client.call("get_campaign", { campaign_id }), (one) => ok(one).result.launched_at)
        const first = yield* launchedAt
        yield* pass("1 second")
        ok(yield* pause(client, campaign_id))
        assert.strictEqual((yield* askLaunch(client, campaign_id)).result.status, "needs_confirmation")
        yield* launch(client, campaign_id)
        assert.deepStrictEqual(yield* stateOf(client, campaign_id), ["active", null])
        assert.isString(first)
        assert.strictEqual(yield* launchedAt, first, "it was launched when it was launched first")
        yield* pass("20 seconds")
        assert.lengthOf(yield* deliveries(campaign_id), 2)
      })
    )

    it.effect("refuses what never ran or is over, and what does not exist", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { campaign_id } = (yield* draft(client, { recipients: silent(1, "d") })).result
        refused(yield* pause(client, campaign_id), 400, "invalid_request", { reason: "campaign_state", state: "draft" })
        assert.strictEqual(yield* codeOf(resume(client, campaign_id)), "invalid_request")

        const over = yield* launched(client, { recipients: to("unsubscribe@magic.test") })
        yield* pass("20 seconds")
        assert.deepStrictEqual(yield* stateOf(client, over), ["completed", null])
        const state = { reason: "campaign_state", state: "completed" }
        refused(yield* pause(client, over), 400, "invalid_request", state)

        const stranger = yield* member()
        for (const one of [client, stranger]) {
          refused(yield* pause(one, one === client ? ID : campaign_id), 404, "not_found")
        }
        assert.strictEqual(yield* codeOf(resume(stranger, over)), "not_found")
        refused(yield* client.call("pause_campaign", { campaign_id }), 400, "invalid_request", {
          reason: "idempotency_key_required"
        })
        for (const reason of ["", " ", "x".repeat(501)]) {
          refused(yield* pause(client, over, { reason }), 400, "invalid_request")
        }
      })
    )

    it.effect("a kill's campaigns answer as paused, and are never resumed", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(1) })
        const slept = yield* launched(client, { recipients: silent(1, "z") })
        ok(yield* pause(client, slept))
        ok(yield* ticking(kill(yield* guardOf(client))))
        const paused = { campaign_id, state: "paused", paused_because: "killed", in_flight: 0 }
        assert.deepStrictEqual(ok(yield* pause(client, campaign_id)).result, paused)
        assert.strictEqual(yield* codeOf(resume(client, campaign_id)), "invalid_request")
        // While everything is stopped, nothing is resumed.
        assert.strictEqual(yield* codeOf(resume(client, slept)), "agent_suspended")
      })
    )
  })
}

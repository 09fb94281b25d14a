import { assert, layer as describeLayer } from "@effect/vitest"
import { Clock, Effect, type Layer } from "effect"
import { decide } from "../../service/Client.js"
import { TestSuspension } from "../../memory/Hooks.js"
import {
  askLaunch,
  deliveries,
  draft,
  freshKey,
  grant,
  launched,
  ok,
  pass,
  PURCHASE,
  refused,
  sender,
  type ServiceOnStores,
  silent,
  SUITE,
  trailOf,
  work
} from "./stories.js"

/** What a workspace whose sending was stopped can and can't do. */
export const suspensionContract = <E>(name: string, service: Layer.Layer<ServiceOnStores | TestSuspension, E>) => {
  describeLayer(service, SUITE)(`a suspended workspace (${name})`, (it) => {
    it.effect("sends nothing more, buys and launches nothing, and the dry runs say so", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        yield* grant(client, "10000")
        const running = yield* launched(client, { recipients: silent(2) })
        yield* work
        const { result } = yield* draft(client, { recipients: silent(1, "d") })
        const campaign_id = result.campaign_id as string
        const asked = yield* askLaunch(client, campaign_id)
        yield* decide(client, asked.result.approval_url, "approve")
        const quote = ok(yield* client.call("setup_sending", PURCHASE))
        yield* decide(client, quote.result.approval_url, "approve")

        const suspension = yield* TestSuspension
        const nowMillis = yield* Clock.currentTimeMillis
        yield* suspension.suspend(client.workspaceId, nowMillis, "enough")
        const about = { suspended_at: new Date(nowMillis).toISOString(), reason: "enough" }
        const launch = { campaign_id, confirmation_token: asked.result.confirmation_token as string }
        const purchase = { ...PURCHASE, confirmation_token: quote.result.confirmation_token as string }
        for (const [verb, input] of [
          ["launch_campaign", { campaign_id }],
          ["launch_campaign", launch],
          // Not what was approved either; and not a draft. The suspension comes before both.
          ["launch_campaign", { ...launch, confirmation_token: purchase.confirmation_token }],
          ["launch_campaign", { campaign_id: running }],
          ["add_leads", { campaign_id, leads: silent(1, "a") }],
          ["add_leads", { campaign_id: running, leads: silent(1, "a") }],
          ["add_leads", { campaign_id: running, leads: silent(1, "a"), confirmation_token: launch.confirmation_token }],
          ["setup_sending", PURCHASE],
          ["setup_sending", purchase],
          ["setup_sending", { ...purchase, daily_sends: 26 }]
        ] as const) {
          refused(yield* client.call(verb, input, { key: freshKey() }), 403, "agent_suspended", about)
        }
        // Nor does a token that was never issued: the state of the workspace comes before it.
        const unknown = { ...PURCHASE, confirmation_token: `svc_confirm_${"A".repeat(43)}` }
        refused(yield* client.call("setup_sending", unknown, { key: freshKey() }), 403, "agent_suspended", about)
        const dry = ok(yield* client.call("launch_campaign", { campaign_id: running, dry_run: true }))
        assert.deepStrictEqual(dry.result.plan.would_exceed, ["agent_suspended", "campaign_state"])
        const dryLeads = ok(
          yield* client.call("add_leads", { campaign_id: running, leads: silent(1, "a"), dry_run: true })
        )
        assert.deepStrictEqual(dryLeads.result.plan.would_exceed, ["agent_suspended"])
        const dryPurchase = ok(yield* client.call("setup_sending", { ...PURCHASE, dry_run: true }))
        assert.include(dryPurchase.result.plan.would_exceed, "agent_suspended")
        const me = ok(yield* client.call("get_me")).result
        assert.isTrue(me.workspace.sending_suspended)
        const reasonOf = (verb: string) => me.verbs.find((one: { verb: string }) => one.verb === verb)?.reason
        assert.deepStrictEqual(["launch_campaign", "add_leads", "setup_sending", "create_campaign"].map(reasonOf), [
          "agent_suspended",
          "agent_suspended",
          "agent_suspended",
          null
        ])
        ok(yield* draft(client, { recipients: silent(1, "e") }))

        yield* pass("10 seconds", "5 seconds")
        assert.lengthOf(yield* deliveries(running), 2, "the second step is not sent")
        assert.isEmpty(yield* trailOf(client, { campaign_id, kind: "launched" }))
      }).pipe(Effect.orDie)
    )
  })
}

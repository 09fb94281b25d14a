import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { VerbName } from "@outbound/domain/verbs/verbs.js"
import { Effect, type Layer } from "effect"
import { answerer } from "./replyStories.js"
import {
  buy,
  freshKey,
  grant,
  launched,
  leadOf,
  member,
  ok,
  pass,
  sender,
  type ServiceOnStores,
  SUITE,
  to
} from "./stories.js"

const NO_ID = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

/** One workspace never learns whether an id is another's. */
export const isolationContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`isolation (${name})`, (it) => {
    it.effect("another workspace's id answers exactly like one that does not exist", () =>
      Effect.gen(function* () {
        const [owner, stranger] = [yield* sender(), yield* answerer()]
        const campaign_id = yield* launched(owner, { recipients: to("interested@magic.test", "silent@magic.test") })
        yield* pass("2 seconds")
        const campaign_lead_id = yield* leadOf(owner, campaign_id, "interested@magic.test")
        const [{ reply_id }] = ok(yield* owner.call("get_replies")).result.replies
        yield* grant(owner, "10000")
        const bought = yield* buy(owner)
        const { operation_id } = bought.result
        const calls: ReadonlyArray<readonly [VerbName, string, (id: string) => JsonObject]> = [
          ["launch_campaign", campaign_id, (id) => ({ campaign_id: id })],
          ["launch_campaign", campaign_id, (id) => ({ campaign_id: id, dry_run: true })],
          ["add_leads", campaign_id, (id) => ({ campaign_id: id, leads: to("silent+more@magic.test") })],
          ["add_leads", campaign_id, (id) => ({ campaign_id: id, leads: to("silent+more@magic.test"), dry_run: true })],
          ["add_leads", campaign_id, (id) => ({ campaign_id: id, finalize_incomplete: true })],
          ["set_lead_status", campaign_lead_id, (id) => ({ campaign_lead_id: id, status: "not_interested" })],
          ["set_lead_status", campaign_lead_id, (id) => ({ campaign_lead_id: id, status: "won", dry_run: true })],
          ["get_reply", reply_id, (id) => ({ reply_id: id })],
          ["reply_to_thread", reply_id, (id) => ({ reply_id: id, body_text: "Gladly." })],
          ["reply_to_thread", reply_id, (id) => ({ reply_id: id, body_text: "Gladly.", dry_run: true })],
          ["get_operation", operation_id, (id) => ({ operation_id: id })],
          ["get_request", bought.svc.request_id, (id) => ({ request_id: id })]
        ]
        for (const [verb, id, input] of calls) {
          const foreign = yield* stranger.call(verb, input(id), { key: freshKey() })
          const missing = yield* stranger.call(verb, input(NO_ID), { key: freshKey() })
          assert.strictEqual(missing.status, 404, missing.text)
          assert.strictEqual(
            foreign.text.replaceAll(foreign.requestId, "…"),
            missing.text.replaceAll(missing.requestId, "…"),
            verb
          )
        }
        for (const [verb, input] of [
          ["get_replies", { campaign_id }],
          ["get_trail", { campaign_id }],
          ["get_trail", { email: "interested@magic.test" }]
        ] as const) {
          const { result } = ok(yield* stranger.call(verb, input))
          assert.isEmpty(verb === "get_trail" ? result.events : result.replies)
        }
        const { result } = ok(yield* owner.call("get_reply", { reply_id }))
        const { plan } = ok(
          yield* owner.call("add_leads", { campaign_id, leads: to("silent+more@magic.test"), dry_run: true })
        ).result
        assert.isTrue(plan.would.pauses_campaign, "a stranger's call paused nothing")
        assert.strictEqual(result.lead.interest_status, null, "a stranger's call changed nothing")
      })
    )

    it.effect("an Idempotency-Key belongs to its API key", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* member(), yield* member()]
        const key = freshKey()
        const body = { name: "Same", recipients: to("silent@magic.test"), sequence: [{ subject: "a", body: "b" }] }
        const first = ok(yield* one.call("create_campaign", body, { key }))
        const second = ok(yield* other.call("create_campaign", body, { key }))
        assert.notStrictEqual(first.result.campaign_id, second.result.campaign_id)
        assert.isUndefined(second.svc.replayed)
      })
    )
  })
}

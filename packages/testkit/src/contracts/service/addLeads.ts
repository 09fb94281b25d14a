import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Effect, type Layer } from "effect"
import { decide, makeKey } from "../../service/Client.js"
import { NO_ID, add, askLeads, dryRun, drafted, campaignOf, addressed, NONE } from "./addLeadsSupport.js"
import { alter } from "./launch.js"
import {
  askLaunch,
  deliveries,
  freshKey,
  launch,
  launched,
  listCounts,
  member,
  ok,
  pass,
  refused,
  SCOPES,
  sender,
  type ServiceOnStores,
  silent,
  SUITE,
  to,
  trailOf
} from "./stories.js"

/** Adding people to a campaign: who comes in, and how many. */
export const addLeadsContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`add_leads (${name})`, (it) => {
    it.effect("leads may be missing only to finalize; every mistake is named", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const campaign_id = yield* drafted(client, silent(1))
        const wrong: ReadonlyArray<readonly [JsonObject, string]> = [
          [{}, "leads"],
          [{ leads: [] }, "leads"],
          [{ leads: [], finalize_incomplete: false }, "leads"],
          [{ leads: silent(5001) }, "leads"],
          [{ leads: [{ first_name: "A" }] }, "leads.0.email"],
          [{ leads: to("a@b.test"), recipients: [] }, "recipients"],
          [{ leads: to("a@b.test"), finalize_incomplete: "yes" }, "finalize_incomplete"],
          [{ leads: to("a@b.test"), confirmation_token: "x" }, "confirmation_token"]
        ]
        for (const [body, path] of wrong) {
          const answer = yield* add(client, campaign_id, body)
          refused(answer, 400, "invalid_request")
          const issues = answer.error?.details?.issues as ReadonlyArray<{ readonly path: string }>
          assert.include(
            issues.map((issue) => issue.path),
            path,
            answer.text
          )
        }
        const leads = to("silent+new@magic.test")
        refused(yield* client.call("add_leads", { campaign_id, leads }), 400, "invalid_request", {
          reason: "idempotency_key_required"
        })
        refused(yield* add(client, NO_ID, { leads }), 404, "not_found")
        refused(yield* client.call("add_leads", { campaign_id: NO_ID, leads, dry_run: true }), 404, "not_found")
        const poor = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: ["campaign:launch"] })
        refused(yield* add(poor, campaign_id, { leads }), 403, "forbidden", { required_scope: "campaign:write" })
        assert.deepStrictEqual((yield* dryRun(poor, campaign_id, { leads })).would_exceed, ["forbidden"])
      })
    )

    it.effect("a draft takes people at once: who is in it already or named twice counts for nothing", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        yield* launched(client, { recipients: to("unsubscribe@magic.test", "silent+cap@magic.test") })
        yield* pass("3 seconds")
        const campaign_id = yield* drafted(client, silent(2, "d"))
        const leads = to(
          "SILENT+d0@magic.test",
          "silent+new@magic.test",
          "silent+New@magic.test",
          "unsubscribe@magic.test",
          "silent+cap@magic.test",
          "not an address"
        )
        const counts = {
          leads_accepted: 1,
          leads_suppressed: 3,
          suppressed_reasons: { invalid: 1, opted_out: 1, capped: 1 }
        }
        const plan = yield* dryRun(client, campaign_id.toUpperCase(), { leads })
        assert.deepStrictEqual(plan.would, {
          ...counts,
          list: listCounts({ unverified: 1 }),
          pauses_campaign: false,
          needs_confirmation: false
        })
        assert.deepStrictEqual([plan.plan_version, plan.credits_estimate, plan.would_exceed], [1, "0", []])
        const key = freshKey()
        const done = ok(yield* add(client, campaign_id.toUpperCase(), { leads }, key))
        const { invalid, ...result } = done.result
        assert.deepStrictEqual(
          invalid?.map(({ field, index }: { field: string; index: number }) => [index, field]),
          [[5, "email"]]
        )
        assert.include(plan.warnings[0], "leads.5.email")
        assert.deepStrictEqual(result, {
          ...NONE,
          campaign_id,
          state: "draft",
          leads_accepted: 1,
          leads_correlated: 1,
          leads_suppressed: 3,
          campaign_lead_total: 3
        })
        assert.strictEqual(done.svc.credits_charged, "0")
        const replay = ok(yield* add(client, campaign_id.toUpperCase(), { leads }, key))
        assert.deepStrictEqual([replay.result, replay.svc.replayed], [done.result, true])
        refused(yield* add(client, campaign_id, { leads: silent(1) }, key), 409, "idempotency_conflict")
        const own = (yield* trailOf(client, { campaign_id })).filter(
          ({ request_id }) => request_id === done.svc.request_id
        )
        assert.sameDeepMembers(
          own.map(({ detail, email, kind, source }) => [kind, email, detail, source]),
          [
            ["admitted", "silent+new@magic.test", {}, "api"],
            ["removed", "not an address", { reason: "invalid", field: "email", problem: "unusable_address" }, "api"],
            ["removed", "unsubscribe@magic.test", { reason: "opted_out" }, "api"],
            ["removed", "silent+cap@magic.test", { reason: "capped" }, "api"]
          ]
        )
        const again = ok(yield* add(client, campaign_id, { leads: silent(2, "d") }))
        assert.deepStrictEqual(again.result, { ...NONE, campaign_id, state: "draft", campaign_lead_total: 3 })
      })
    )

    it.effect("people added to a draft are shown and covered by its launch, and an older launch token is void", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* drafted(client, silent(1, "old"))
        const asked = yield* askLaunch(client, campaign_id)
        yield* decide(client, asked.result.approval_url, "approve")
        ok(yield* add(client, campaign_id, { leads: silent(1, "old") }))
        ok(yield* add(client, campaign_id, { leads: silent(1, "new") }))
        const { confirmation_token } = asked.result
        refused(
          yield* client.call("launch_campaign", { campaign_id, confirmation_token }, { key: freshKey() }),
          409,
          "approval_changed"
        )
        yield* pass("2 seconds")
        assert.isEmpty(yield* deliveries(campaign_id))
        const done = yield* launch(client, campaign_id)
        assert.strictEqual(done.result.leads_active, 2)
        yield* pass("2 seconds")
        assert.deepStrictEqual(yield* addressed(campaign_id), ["silent+new0@magic.test", "silent+old0@magic.test"])
      })
    )

    it.effect("nobody comes in who lacks a value that the messages need, unless they are in already", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const sequence = [{ subject: "Hello", body: "Hi {{first_name}}" }]
        const named = { email: "silent+a@magic.test", first_name: "Ann" }
        const campaign_id = yield* drafted(client, [named], { sequence })
        const leads = [{ email: named.email }, { email: "silent+b@magic.test" }, { ...named, email: "c@magic.test" }]
        const { would } = yield* dryRun(client, campaign_id, { leads })
        assert.deepStrictEqual([would.leads_accepted, would.suppressed_reasons], [1, { invalid: 1 }])
        const { result } = ok(yield* add(client, campaign_id, { leads }))
        assert.deepStrictEqual([result.leads_suppressed, result.campaign_lead_total], [1, 2])
      })
    )

    it.effect("an incomplete campaign takes people as a draft does, and finalizing makes it a draft again", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* drafted(client, silent(2, "i"))
        yield* alter(client, campaign_id, { state: "incomplete" })
        const leads = silent(1, "more")
        const plan = yield* dryRun(client, campaign_id, { leads })
        assert.deepStrictEqual(
          [plan.would.needs_confirmation, plan.would.pauses_campaign, plan.would_exceed],
          [false, false, []]
        )
        const added = ok(yield* add(client, campaign_id, { leads })).result
        assert.deepStrictEqual([added.state, added.leads_accepted, added.leads_correlated], ["incomplete", 1, 1])
        refused(yield* client.call("launch_campaign", { campaign_id }, { key: freshKey() }), 400, "invalid_request", {
          reason: "campaign_state",
          state: "incomplete"
        })
        const finalized = ok(yield* add(client, campaign_id, { leads: [], finalize_incomplete: true })).result
        assert.deepStrictEqual(finalized, {
          ...NONE,
          campaign_id,
          state: "draft",
          leads_correlated: 3,
          campaign_lead_total: 3
        })
        const again = ok(yield* add(client, campaign_id, { finalize_incomplete: true })).result
        assert.deepStrictEqual(again, { ...NONE, campaign_id, state: "draft", campaign_lead_total: 3 })
        yield* alter(client, campaign_id, { state: "incomplete" })
        const both = ok(yield* add(client, campaign_id, { leads: silent(1, "z"), finalize_incomplete: true })).result
        assert.deepStrictEqual(
          [both.state, both.leads_accepted, both.leads_correlated, both.campaign_lead_total],
          ["draft", 1, 4, 4]
        )
        yield* launch(client, campaign_id)
        const running = ok(yield* add(client, campaign_id, { finalize_incomplete: true })).result
        assert.deepStrictEqual(running, { ...NONE, campaign_id, state: "active", campaign_lead_total: 4 })
      })
    )

    it.effect("a campaign holds five thousand people, however they are added and however often they are named", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const campaign_id = yield* drafted(client, silent(4_998))
        const about = { reason: "campaign_full" }
        const three = silent(3, "more")
        refused(yield* add(client, campaign_id, { leads: three }), 400, "invalid_request", about)
        assert.deepStrictEqual((yield* dryRun(client, campaign_id, { leads: three })).would_exceed, ["campaign_full"])
        assert.strictEqual((yield* trailOf(client, { campaign_id, email: "silent+more0@magic.test" })).length, 0)
        const two = [...silent(2, "more"), ...silent(1_000), { email: "nobody" }]
        assert.deepStrictEqual((yield* dryRun(client, campaign_id, { leads: two })).would_exceed, [])
        const { result } = ok(yield* add(client, campaign_id, { leads: two }))
        assert.deepStrictEqual(
          [result.leads_accepted, result.leads_suppressed, result.campaign_lead_total],
          [2, 1, 5_000]
        )
        refused(yield* add(client, campaign_id, { leads: silent(1, "last") }), 400, "invalid_request", about)
        const full = ok(yield* add(client, campaign_id, { leads: [...silent(4_998), ...silent(2, "more")] }))
        assert.deepStrictEqual([full.result.leads_accepted, full.result.campaign_lead_total], [0, 5_000])
      })
    )

    it.effect("of calls at once that would fill it, none goes over the bound", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const campaign_id = yield* drafted(client, silent(4_990))
        const answers = yield* Effect.forEach(
          Array.from({ length: 8 }, (_, index) => silent(3, `p${index}x`)),
          (leads) => add(client, campaign_id, { leads }),
          { concurrency: "unbounded" }
        )
        const taken = answers.filter(({ status }) => status === 200)
        assert.lengthOf(taken, 3)
        for (const answer of answers) {
          if (answer.status !== 200) refused(answer, 400, "invalid_request", { reason: "campaign_full" })
        }
        assert.deepStrictEqual(taken.map(({ result }) => result.campaign_lead_total).sort(), [4_993, 4_996, 4_999])
      })
    )

    it.effect("a key without autonomy fills drafts, and neither asks nor uses what was approved", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const shy = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: SCOPES, autonomy: false })
        const draftId = yield* drafted(client, silent(1, "d"))
        ok(yield* add(shy, draftId, { leads: silent(1, "e") }))
        const campaign_id = yield* launched(client, { recipients: silent(1, "old") })
        const leads = silent(1, "new")
        const about = { reason: "autonomy_off" }
        refused(yield* add(shy, campaign_id, { leads }), 403, "forbidden", about)
        const plan = yield* dryRun(shy, campaign_id, { leads })
        assert.deepStrictEqual([plan.would_exceed, plan.would.needs_confirmation], [["forbidden"], true])
        assert.strictEqual((yield* campaignOf(client, campaign_id)).state, "active")
        ok(yield* add(shy, campaign_id, { finalize_incomplete: true }))
        const { approval_url, confirmation_token } = yield* askLeads(client, campaign_id, leads)
        yield* decide(client, approval_url, "approve")
        refused(yield* add(shy, campaign_id, { leads, confirmation_token }), 403, "forbidden", about)
        ok(yield* add(client, campaign_id, { leads, confirmation_token }))
      })
    )
  })
}

import { assert, layer } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES, type WorkspaceRules } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import type { LeadState } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { Effect } from "effect"
import { coversOf, drafted } from "../../src/contracts/service/addLeadsSupport.js"
import { alter } from "../../src/contracts/service/launch.js"
import { suppressAs } from "../../src/contracts/service/replyStories.js"
import {
  freshKey,
  launch,
  launched,
  ok,
  pass,
  sender,
  silent,
  SUITE,
  to,
  trailOf
} from "../../src/contracts/service/stories.js"
import { type Client, decide } from "../../src/service/Client.js"
import { quietMemory } from "../../src/service/Service.js"

const ruled = ({ workspaceId }: Client, rules: Partial<WorkspaceRules>) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    yield* atomically((yield* RuleStore).setRules(workspaceId, { ...DEFAULT_RULES, ...rules }))
  })

const dry = (client: Client, campaign_id: string, more: object = {}) =>
  Effect.map(client.call("launch_campaign", { campaign_id, dry_run: true, ...more }), (found) => ok(found).result.plan)

const inState = (client: Client, campaignId: string, state: LeadState) =>
  Effect.flatMap(CampaignStore, (campaigns) =>
    Effect.map(campaigns.firstLeads(client.workspaceId, campaignId, [state], 99), (leads) =>
      leads.map(({ email }) => email).sort()
    )
  )

layer(quietMemory, SUITE)("a launch", (it) => {
  it.effect("takes out whom nobody may write to: their lead is over, and not only never due", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const campaign_id = yield* drafted(client, to("silent+no@magic.test", "silent+yes@magic.test"))
      yield* suppressAs(client, "silent+no@magic.test", "unsubscribe")
      const done = yield* launch(client, campaign_id)
      assert.deepInclude(done.result, { leads_active: 1, leads_suppressed_at_launch: 1 })
      assert.deepStrictEqual(yield* inState(client, campaign_id, "removed"), ["silent+no@magic.test"])
      const [event] = yield* trailOf(client, { campaign_id, kind: "launched" })
      assert.deepStrictEqual(event?.detail, {}, "nobody was held out")
    })
  )

  it.effect("takes out whom it holds out, and says so of each", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const campaign_id = yield* drafted(client, silent(10))
      const asked = ok(
        yield* client.call("launch_campaign", { campaign_id, holdout_percent: 20 }, { key: freshKey() })
      ).result
      yield* decide(client, asked.approval_url, "approve")
      const { confirmation_token } = asked
      const input = { campaign_id, holdout_percent: 20, confirmation_token }
      const { result } = ok(yield* client.call("launch_campaign", input, { key: freshKey() }))
      assert.deepInclude(result, { leads_active: 8, leads_held_out: 2, leads_suppressed_at_launch: 0 })
      const out = yield* inState(client, campaign_id, "removed")
      const told = yield* trailOf(client, { campaign_id, kind: "removed" })
      assert.lengthOf(out, 2)
      assert.sameDeepMembers(
        told.map(({ detail, email }) => [email, detail]),
        out.map((email) => [email, { reason: "holdout" }])
      )
    })
  )

  it.effect("of a campaign that was paused covers who waits and who is under way, under the new approval", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const campaign_id = yield* launched(client, { recipients: silent(2) })
      const before = yield* coversOf(client, campaign_id)
      for (const state of ["ready", "active"] as const) {
        assert.lengthOf(yield* inState(client, campaign_id, state), 2)
        yield* alter(client, campaign_id, { state: "paused", pauseReason: "owner", launched: true })
        const plan = yield* dry(client, campaign_id.toUpperCase())
        assert.deepStrictEqual([plan.would.leads_active, plan.would_exceed], [2, []])
        assert.deepStrictEqual((yield* dry(client, campaign_id, { holdout_percent: 10 })).would_exceed, [
          "holdout_late"
        ])
        assert.strictEqual((yield* launch(client, campaign_id)).result.leads_active, 2)
        const now = yield* coversOf(client, campaign_id)
        for (const [email, approvalId] of Object.entries(now)) assert.notStrictEqual(approvalId, before[email])
        yield* pass("2 seconds")
      }
    })
  )

  it.effect("is foreseen by its dry run: whom a rule leaves out, and each rule that the list or its claims break", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const sequence = [{ subject: "A question", body: "I read this: {{custom.claim|nothing}}. Is it so?" }]
      const people = [{ email: "silent+one@magic.test", custom: { claim: "you grow" } }, { email: "info@role.test" }]
      const campaign_id = yield* drafted(client, people, { sequence })
      const said = (rules: Partial<WorkspaceRules>) =>
        Effect.andThen(
          ruled(client, rules),
          Effect.map(dry(client, campaign_id), ({ would, would_exceed }) => [would.leads_active, would_exceed])
        )
      assert.deepStrictEqual(yield* said({}), [2, []])
      assert.deepStrictEqual(yield* said({ roleAddresses: "leave_out" }), [1, []])
      assert.deepStrictEqual(yield* said({ unverifiedMaxPercent: 0 }), [2, ["list_not_verified"]])
      assert.deepStrictEqual(yield* said({ evidence: "require" }), [2, ["claims_without_evidence"]])
      assert.deepStrictEqual(yield* said({ unverifiedMaxPercent: 0, evidence: "require" }), [
        2,
        ["list_not_verified", "claims_without_evidence"]
      ])
    })
  )
})

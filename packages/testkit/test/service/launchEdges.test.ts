import { assert, layer } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES, type WorkspaceRules } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { campaignOf, drafted, idOf } from "../../src/contracts/service/addLeadsSupport.js"
import { alter } from "../../src/contracts/service/launch.js"
import { askLaunch, freshKey, launched, ok, refused, sender, SUITE } from "../../src/contracts/service/stories.js"
import { Memory } from "../../src/memory/Memory.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { type Client, decide } from "../../src/service/Client.js"
import { quietMemory } from "../../src/service/Service.js"

const service = Layer.provideMerge(MemoryHosts.layer, quietMemory)

layer(service, SUITE)("launching, where little is missing", (it) => {
  const ruled = ({ workspaceId }: Client, rules: Partial<WorkspaceRules>) =>
    Effect.flatMap(UnitOfWork, ({ atomically }) =>
      atomically(Effect.flatMap(RuleStore, ({ setRules }) => setRules(workspaceId, { ...DEFAULT_RULES, ...rules })))
    )

  const approvedLaunch = (client: Client, campaign_id: string) =>
    Effect.gen(function* () {
      const { result } = yield* askLaunch(client, campaign_id)
      yield* decide(client, result.approval_url, "approve")
      const { approval_url, confirmation_token } = result
      return {
        approval_url: approval_url as string,
        call: client.call("launch_campaign", { campaign_id, confirmation_token }, { key: freshKey() })
      }
    })

  it.effect("an id may be written in capitals, when it is planned, asked and launched", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const campaign_id = yield* drafted(client, [{ email: "silent+one@magic.test" }])
      const id = campaign_id.toUpperCase()
      const plan = ok(yield* client.call("launch_campaign", { campaign_id: id, dry_run: true })).result.plan
      assert.deepStrictEqual(plan.would_exceed, [])
      ok(yield* (yield* approvedLaunch(client, id)).call)
      assert.strictEqual((yield* campaignOf(client, campaign_id)).state, "active")
    })
  )

  it.effect("a plan names at once all that the workspace's rules ask for: verified addresses, and evidence", () =>
    Effect.gen(function* () {
      const sequence = [{ subject: "A question", body: "I read this: {{custom.claim}}. Is it so?" }]
      const client = yield* sender()
      const recipients = [{ email: "silent+one@magic.test", custom: { claim: "you grow" } }]
      const campaign_id = yield* drafted(client, recipients, { sequence })
      const exceeds = Effect.map(
        client.call("launch_campaign", { campaign_id, dry_run: true }),
        (found) => ok(found).result.plan.would_exceed
      )
      assert.deepStrictEqual(yield* exceeds, [])
      for (const [rules, limits, first] of [
        [{ unverifiedMaxPercent: 0 }, ["list_not_verified"], "list_not_verified"],
        [{ evidence: "require" }, ["claims_without_evidence"], "claims_without_evidence"],
        [
          { evidence: "require", unverifiedMaxPercent: 0 },
          ["list_not_verified", "claims_without_evidence"],
          "list_not_verified"
        ]
      ] as const) {
        yield* ruled(client, rules)
        assert.sameMembers(yield* exceeds, [...limits])
        const asked = yield* client.call("launch_campaign", { campaign_id }, { key: freshKey() })
        refused(asked, 400, "invalid_request", { reason: first })
      }
      yield* ruled(client, {})
      assert.deepStrictEqual(yield* exceeds, [])
    })
  )

  it.effect("a campaign that is launched again keeps when it was launched first", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const campaign_id = yield* launched(client, { recipients: [{ email: "silent+one@magic.test" }] })
      const { launchedAtMillis } = yield* campaignOf(client, campaign_id)
      yield* alter(client, campaign_id, { state: "paused", pauseReason: "owner", launched: true })
      yield* TestClock.adjust("1 minute")
      const again = yield* approvedLaunch(client, campaign_id)
      ok(yield* again.call)
      assert.strictEqual((yield* campaignOf(client, campaign_id)).launchedAtMillis, launchedAtMillis)
    })
  )

  it.effect("a launch is of the mailboxes that its approval showed", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const campaign_id = yield* drafted(client, [{ email: "silent+one@magic.test" }])
      const { approval_url, call } = yield* approvedLaunch(client, campaign_id)
      yield* Effect.flatMap(Memory, ({ atomically, write }) =>
        atomically(
          write(({ approvals }) => {
            const approvalId = idOf(approval_url)
            const [row] = approvals.filter((one) => one.approvalId === approvalId)
            if (row?.snapshot.kind !== "launch") return assert.fail("it shows no launch")
            const snapshot = { ...row.snapshot, mailboxes: ["another@elsewhere.test"] }
            for (const key of approvals.keysWhere((one) => one.approvalId === approvalId))
              approvals.set(key, { ...row, snapshot })
          })
        )
      )
      refused(yield* call, 409, "approval_changed", { approval_url })
      assert.strictEqual((yield* campaignOf(client, campaign_id)).state, "draft")
    })
  )
})

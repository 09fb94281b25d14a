import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { campaignOf, drafted, idOf } from "../../src/contracts/service/addLeadsSupport.js"
import { alter } from "../../src/contracts/service/launch.js"
import { askLaunch, freshKey, launched, ok, refused, sender, SUITE, to } from "../../src/contracts/service/stories.js"
import { Memory } from "../../src/memory/Memory.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { type Client, decide } from "../../src/service/Client.js"
import { quietMemory } from "../../src/service/Service.js"
import { team } from "../../src/service/Team.js"
import {
  CLAIM,
  claimed,
  dueAtVendor,
  namesIn,
  nepali,
  OWN_HOURS,
  readings,
  ruled,
  toVendor,
  unread,
  usedBy,
  windowsOf
} from "./aroundLaunch.js"

const service = Layer.provideMerge(MemoryHosts.layer, quietMemory)

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

layer(service, SUITE)("launching, where little is missing", (it) => {
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

const asks = (client: Client, campaign_id: string, more: object = {}) =>
  client.call("launch_campaign", { campaign_id, ...more }, { key: freshKey() })

const exceeds = (client: Client, campaign_id: string) =>
  Effect.map(
    client.call("launch_campaign", { campaign_id, dry_run: true }),
    (found) => ok(found).result.plan.would_exceed as ReadonlyArray<string>
  )

layer(service, SUITE)("what a launch looks at, holds and wakes", (it) => {
  it.effect(
    "it keeps additions out, then holds the campaign and its people; a call that only asks keeps nobody out",
    () =>
      Effect.gen(function* () {
        const locks = new Set([
          "WorkspaceStore.shareSending",
          "CampaignStore.holdToLaunch",
          "CampaignStore.lock",
          "CampaignStore.lockLeads"
        ])
        const client = yield* sender()
        const campaign_id = yield* drafted(client, to("silent+one@magic.test"))
        const asked = yield* usedBy(asks(client, campaign_id))
        assert.deepStrictEqual(
          asked.after.filter((one) => locks.has(one)),
          ["WorkspaceStore.shareSending", "CampaignStore.lock"]
        )
        const done = yield* usedBy((yield* approvedLaunch(client, campaign_id)).call)
        ok(done.made)
        assert.deepStrictEqual(
          done.after.filter((one) => locks.has(one)),
          [...locks]
        )
      })
  )

  it.effect("name servers are asked before it is admitted, so that no transaction waits for them", () =>
    Effect.gen(function* () {
      const { client } = yield* team(1)
      const campaign_id = yield* drafted(client, to("one@recipients.test"))
      yield* TestClock.adjust("2 hours")
      const { after, before, made } = yield* usedBy(asks(client, campaign_id))
      ok(made)
      assert.isBelow(before.indexOf("LookStore.looks"), before.indexOf("WorkspaceStore.sending"))
      assert.include([...before, ...after], "LookStore.put")
    })
  )

  it.effect("values without proof are told before a token that nobody has decided", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const people = [{ email: "silent+one@magic.test", custom: { claim: "you grow" } }]
      const campaign_id = yield* drafted(client, people, { sequence: CLAIM })
      const { confirmation_token } = (yield* askLaunch(client, campaign_id)).result
      refused(yield* asks(client, campaign_id, { confirmation_token }), 428, "confirmation_required")
      yield* ruled(client, { evidence: "require" })
      refused(yield* asks(client, campaign_id, { confirmation_token }), 400, "invalid_request", {
        reason: "claims_without_evidence"
      })
    })
  )

  it.effect("evidence that nobody could read is in its plan, and no reason before the pages are read again", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      yield* ruled(client, { evidence: "require" })
      const campaign_id = yield* unread(drafted(client, [claimed("one")], { sequence: CLAIM }))
      assert.deepStrictEqual(yield* exceeds(client, campaign_id), ["claims_without_evidence"])
      const asked = ok(yield* asks(client, campaign_id.toUpperCase()))
      assert.strictEqual(asked.result.preview.evidence.proven, 1)
      assert.deepStrictEqual(yield* exceeds(client, campaign_id), [])
    })
  )

  it.effect("an approved launch reads no page: what it launches was shown", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const campaign_id = yield* unread(drafted(client, [claimed("one")], { sequence: CLAIM }))
      const call = (yield* unread(approvedLaunch(client, campaign_id))).call
      const before = yield* readings
      assert.strictEqual(ok(yield* call).result.leads_active, 1)
      assert.strictEqual(yield* readings, before)
    })
  )

  it.effect("what can't be looked at before admission refuses nothing then: the call looks at it again", () =>
    Effect.gen(function* () {
      const { failNext } = yield* MemoryFaults
      for (const rules of [{ unverifiedMaxPercent: 100 }, { evidence: "require" }] as const) {
        const client = yield* sender()
        const campaign_id = yield* drafted(client, to("silent+one@magic.test"))
        yield* ruled(client, rules)
        yield* failNext("SuppressionStore.check", 1)
        assert.strictEqual(ok(yield* asks(client, campaign_id)).result.status, "needs_confirmation")
        yield* failNext("SuppressionStore.check", 9)
        refused(yield* asks(client, campaign_id), 503, "contact_history_unavailable")
        yield* failNext("SuppressionStore.check", 0)
      }
    })
  )

  it.effect("its preview says whose hours count where, and each zone among them gets its windows", () =>
    Effect.gen(function* () {
      const { client } = yield* team(1)
      const people = [nepali("a"), nepali("b"), { email: "silent+c@magic.test" }]
      const campaign_id = yield* drafted(client, people, { schedule: OWN_HOURS })
      const { preview } = ok(yield* asks(client, campaign_id)).result
      assert.deepStrictEqual(preview.timezones, [
        { timezone: "Asia/Kathmandu", people: 2 },
        { timezone: "UTC", people: 1 }
      ])
      assert.strictEqual(preview.timezone_unknown, 1)
      ok(yield* (yield* approvedLaunch(client, campaign_id)).call)
      assert.lengthOf(yield* windowsOf(campaign_id), 2)
    })
  )

  it.effect(
    "at a vendor who is confirmed is ready, the others wait, it is due at once, and has no windows of ours",
    () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* drafted(client, to("silent+here@magic.test", "silent+awaited@magic.test"))
        yield* toVendor(client, campaign_id, (email) => email.includes("here"))
        assert.isNull(yield* dueAtVendor(campaign_id))
        ok(yield* (yield* approvedLaunch(client, campaign_id)).call)
        assert.deepStrictEqual(yield* namesIn(client, campaign_id, "ready"), ["here"])
        assert.deepStrictEqual(yield* namesIn(client, campaign_id, "pending"), ["awaited"])
        assert.strictEqual(yield* dueAtVendor(campaign_id), yield* Clock.currentTimeMillis)
      })
  )
})

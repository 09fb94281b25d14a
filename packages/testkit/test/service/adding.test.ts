import { assert, layer } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES, type WorkspaceRules } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { Effect, Layer } from "effect"
import {
  add,
  askLeads,
  campaignOf,
  coversOf,
  drafted,
  dryRun,
  idOf
} from "../../src/contracts/service/addLeadsSupport.js"
import { alter } from "../../src/contracts/service/launch.js"
import { suppressAs } from "../../src/contracts/service/replyStories.js"
import { launched, ok, refused, sender, SUITE, trailOf } from "../../src/contracts/service/stories.js"
import { Memory } from "../../src/memory/Memory.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { keyOf } from "../../src/memory/Table.js"
import { type Client, decide } from "../../src/service/Client.js"
import { quietMemory } from "../../src/service/Service.js"

const service = Layer.provideMerge(MemoryHosts.layer, quietMemory)

const people = (...names: ReadonlyArray<string>) => names.map((name) => ({ email: `silent+${name}@magic.test` }))

layer(service, SUITE)("adding people, where little is missing", (it) => {
  const draft = Effect.gen(function* () {
    const client = yield* sender()
    return { client, campaign_id: yield* drafted(client, people("first")) }
  })

  const active = Effect.gen(function* () {
    const client = yield* sender()
    return { client, campaign_id: yield* launched(client, { recipients: people("first") }) }
  })

  const ruled = ({ workspaceId }: Client, rules: Partial<WorkspaceRules>) =>
    Effect.flatMap(UnitOfWork, ({ atomically }) =>
      atomically(Effect.flatMap(RuleStore, ({ setRules }) => setRules(workspaceId, { ...DEFAULT_RULES, ...rules })))
    )

  const leftOut = ({ workspaceId }: Client, campaign_id: string) =>
    Effect.flatMap(Memory, ({ read }) =>
      read((tables) =>
        tables.leftOut
          .filter((row) => row.workspaceId === workspaceId && row.campaignId === campaign_id)
          .map(({ person: one }) => [one.detail.email, one.reason])
      )
    )

  const approvedAs = (client: Client, campaign_id: string, leads: ReturnType<typeof people>) =>
    Effect.gen(function* () {
      const { approval_url, confirmation_token } = yield* askLeads(client, campaign_id, leads)
      yield* decide(client, approval_url, "approve")
      return { approval_url: approval_url as string, call: add(client, campaign_id, { leads, confirmation_token }) }
    })

  it.effect("an id may be written in capitals, and who is in already adds nothing to what an approval binds", () =>
    Effect.gen(function* () {
      const { campaign_id, client } = yield* draft
      const version = Effect.map(campaignOf(client, campaign_id), ({ recipientsVersion }) => recipientsVersion)
      const before = yield* version
      const added = ok(yield* add(client, campaign_id.toUpperCase(), { leads: people("second", "third") }))
      assert.deepInclude(added.result, { leads_accepted: 2, campaign_lead_total: 3, state: "draft" })
      assert.strictEqual(yield* version, before + 1)
      assert.deepInclude(ok(yield* add(client, campaign_id, { leads: people("second") })).result, { leads_accepted: 0 })
      assert.strictEqual(yield* version, before + 1)
      assert.strictEqual(
        (yield* dryRun(client, campaign_id.toUpperCase(), { leads: people("new") })).would.leads_accepted,
        1
      )
    })
  )

  it.effect("who was left out is kept with the campaign, of a draft and of an approved addition", () =>
    Effect.gen(function* () {
      for (const made of [draft, active]) {
        const { campaign_id, client } = yield* made
        yield* suppressAs(client, "silent+no@magic.test", "unsubscribe")
        const leads = people("yes", "no")
        const isDraft = (yield* campaignOf(client, campaign_id)).state === "draft"
        const done = yield* isDraft
          ? add(client, campaign_id, { leads })
          : (yield* approvedAs(client, campaign_id, leads)).call
        assert.deepInclude(ok(done).result, { leads_accepted: 1, leads_suppressed: 1 })
        assert.deepStrictEqual(yield* leftOut(client, campaign_id), [["silent+no@magic.test", "opted_out"]])
      }
    })
  )

  it.effect(
    "an approved addition goes on with the campaign, tells of it once, and counts as one change of its people",
    () =>
      Effect.gen(function* () {
        const { campaign_id, client } = yield* active
        const before = yield* campaignOf(client, campaign_id)
        const { call } = yield* approvedAs(client, campaign_id, people("second", "third"))
        assert.deepInclude(yield* campaignOf(client, campaign_id), {
          state: "paused",
          pauseReason: "awaiting_approval"
        })
        ok(yield* call)
        const after = yield* campaignOf(client, campaign_id)
        assert.deepInclude(after, { state: "active", pauseReason: null })
        assert.strictEqual(after.recipientsVersion, before.recipientsVersion + 1)
        assert.lengthOf(yield* trailOf(client, { kind: "resumed" }), 1)
      })
  )

  it.effect("an approver of an addition is shown why the campaign is paused", () =>
    Effect.gen(function* () {
      const { read } = yield* Memory
      const reasonOf = (approval_url: string) =>
        read(({ approvals }) => {
          const [approval] = approvals.filter(({ approvalId }) => approvalId === idOf(approval_url))
          return approval?.snapshot.kind === "add_leads" ? approval.snapshot.pause_reason : null
        })
      const running = yield* active
      const asked = yield* askLeads(running.client, running.campaign_id, people("second"))
      assert.strictEqual(yield* reasonOf(asked.approval_url), "awaiting_approval")
      const paused = yield* active
      yield* alter(paused.client, paused.campaign_id, { state: "paused", pauseReason: "owner", launched: true })
      const again = yield* askLeads(paused.client, paused.campaign_id, people("second"))
      assert.strictEqual(yield* reasonOf(again.approval_url), "owner")
      assert.deepInclude(yield* campaignOf(paused.client, paused.campaign_id), {
        state: "paused",
        pauseReason: "owner"
      })
    })
  )

  it.effect("what was shown of people is what is added: where it is another text by then, nobody is", () =>
    Effect.gen(function* () {
      const { campaign_id, client } = yield* active
      const { approval_url, call } = yield* approvedAs(client, campaign_id, people("second"))
      const { atomically, write } = yield* Memory
      yield* atomically(
        write(({ shownPeople }) => {
          for (const row of shownPeople.filter(({ approvalId }) => approvalId === idOf(approval_url)))
            shownPeople.set(keyOf(row.workspaceId, row.person.shownId), {
              ...row,
              person: { ...row.person, digest: "of another text" }
            })
        })
      )
      refused(yield* call, 409, "approval_changed", { approval_url })
      assert.lengthOf(Object.keys(yield* coversOf(client, campaign_id)), 1)
    })
  )

  it.effect("a plan says whether the campaign would be paused, and whether a human would be asked", () =>
    Effect.gen(function* () {
      const would = (client: Client, campaign_id: string, body: Parameters<typeof dryRun>[2]) =>
        Effect.map(dryRun(client, campaign_id, body), ({ would: { needs_confirmation, pauses_campaign } }) => [
          pauses_campaign,
          needs_confirmation
        ])
      const [filled, running, paused] = [yield* draft, yield* active, yield* active]
      yield* alter(paused.client, paused.campaign_id, { state: "paused", pauseReason: "owner", launched: true })
      const body = { leads: people("second") }
      assert.deepStrictEqual(yield* would(filled.client, filled.campaign_id, body), [false, false])
      assert.deepStrictEqual(yield* would(running.client, running.campaign_id, body), [true, true])
      assert.deepStrictEqual(yield* would(paused.client, paused.campaign_id, body), [false, true])
    })
  )

  it.effect("rules about evidence and verified lists hold for a launched campaign, and not yet for a draft", () =>
    Effect.gen(function* () {
      const sequence = [{ subject: "A question", body: "I read this: {{custom.claim}}. Is it so?" }]
      const claiming = (name: string) => ({ email: `silent+${name}@magic.test`, custom: { claim: "you grow" } })
      for (const [rules, limit] of [
        [{ evidence: "require" }, "claims_without_evidence"],
        [{ unverifiedMaxPercent: 0 }, "list_not_verified"]
      ] as const) {
        const client = yield* sender()
        const filled = yield* drafted(client, [claiming("first")], { sequence })
        const running = yield* launched(client, { recipients: [claiming("one")], sequence })
        const body = { leads: [claiming("second")] }
        assert.deepStrictEqual((yield* dryRun(client, running, body)).would_exceed, [])
        yield* ruled(client, rules)
        assert.deepStrictEqual((yield* dryRun(client, running, body)).would_exceed, [limit])
        assert.deepStrictEqual((yield* dryRun(client, filled, body)).would_exceed, [])
        assert.deepInclude(ok(yield* add(client, filled, body)).result, { leads_accepted: 1 })
        refused(yield* add(client, running, body), 400, "invalid_request", { reason: limit })
      }
    })
  )

  it.effect("a check of people that can't be made before admission refuses nothing: the call makes it again", () =>
    Effect.gen(function* () {
      const { campaign_id, client } = yield* active
      yield* ruled(client, { unverifiedMaxPercent: 100 })
      const { failNext } = yield* MemoryFaults
      yield* failNext("SuppressionStore.check", 1)
      assert.strictEqual(
        ok(yield* add(client, campaign_id, { leads: people("second") })).result.status,
        "needs_confirmation"
      )
      yield* failNext("SuppressionStore.check", 2)
      assert.strictEqual(
        (yield* add(client, campaign_id, { leads: people("third") })).error?.code,
        "contact_history_unavailable"
      )
    })
  )
})

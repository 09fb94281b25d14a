import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { add, askLeads, campaignOf, drafted, dryRun, idOf } from "../../src/contracts/service/addLeadsSupport.js"
import { alter } from "../../src/contracts/service/launch.js"
import { suppressAs } from "../../src/contracts/service/replyStories.js"
import { launched, ok, sender, SUITE, to, trailOf } from "../../src/contracts/service/stories.js"
import { Memory } from "../../src/memory/Memory.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { type Client, decide } from "../../src/service/Client.js"
import { quietMemory } from "../../src/service/Service.js"
import { team } from "../../src/service/Team.js"
import {
  CLAIM,
  claimed,
  confirmedAtVendor,
  dueAtVendor,
  namesIn,
  nepali,
  OWN_HOURS,
  readings,
  ruled,
  settledAtVendor,
  toVendor,
  unread,
  usedBy,
  windowsOf
} from "./aroundLaunch.js"

const service = Layer.provideMerge(MemoryHosts.layer, quietMemory)

const people = (...names: ReadonlyArray<string>) => to(...names.map((name) => `silent+${name}@magic.test`))

/** Has the people approved. The call that adds them. */
const approved = (client: Client, campaign_id: string, leads: Parameters<typeof askLeads>[2]) =>
  Effect.gen(function* () {
    const { approval_url, confirmation_token } = yield* askLeads(client, campaign_id, leads)
    yield* decide(client, approval_url, "approve")
    return { approvalId: idOf(approval_url), call: add(client, campaign_id, { leads, confirmation_token }) }
  })

const proven = (result: { readonly evidence?: { readonly proven: number } }) => result.evidence?.proven

layer(service, SUITE)("what an addition looks at, writes and wakes", (it) => {
  const draft = Effect.gen(function* () {
    const client = yield* sender()
    return { client, campaign_id: yield* drafted(client, people("first")) }
  })

  const active = Effect.gen(function* () {
    const client = yield* sender()
    return { client, campaign_id: yield* launched(client, { recipients: people("first") }) }
  })

  /** A draft at a vendor that has confirmed its only person. */
  const atVendor = Effect.tap(draft, ({ campaign_id, client }) => toVendor(client, campaign_id, () => true))

  const HURRY = "VendorStore.hurry"
  const WRITES = ["CampaignStore.addLeads", "VendorStore.addLeads"]

  it.effect("only who comes is written, at a vendor as well, and only a vendor is asked again about who waits", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      for (const [isAtVendor, count, finalize_incomplete, used] of [
        [false, 0, true, []],
        [false, 1, false, ["CampaignStore.addLeads"]],
        [false, 1, true, ["CampaignStore.addLeads"]],
        [true, 0, true, [HURRY]],
        [true, 1, false, WRITES],
        [true, 1, true, [HURRY, ...WRITES]]
      ] as const) {
        const campaign_id = yield* drafted(client, people("first"))
        if (isAtVendor) yield* toVendor(client, campaign_id, () => true)
        const body = { leads: people("second").slice(0, count), finalize_incomplete }
        const { after, made } = yield* usedBy(add(client, campaign_id, count === 0 ? { finalize_incomplete } : body))
        ok(made)
        const told = `${isAtVendor ? "at a vendor" : "here"}, ${count}, ${finalize_incomplete}`
        assert.deepStrictEqual(
          after.filter((one) => one === HURRY || WRITES.includes(one)),
          [...used],
          told
        )
        assert.strictEqual(after.includes("VendorStore.counts"), isAtVendor, told)
      }
    })
  )

  it.effect("one person makes a draft at a vendor wait for its word, and counts as a change of its people", () =>
    Effect.gen(function* () {
      const { campaign_id, client } = yield* atVendor
      const { recipientsVersion } = yield* campaignOf(client, campaign_id)
      const { result } = ok(yield* add(client, campaign_id, { leads: people("second") }))
      assert.deepInclude(result, { state: "incomplete", leads_accepted: 1, leads_pending: 1, leads_correlated: 0 })
      assert.deepInclude(yield* campaignOf(client, campaign_id), {
        state: "incomplete",
        recipientsVersion: recipientsVersion + 1
      })
      assert.isEmpty(yield* trailOf(client, { kind: "resumed" }))
      const again = ok(yield* add(client, campaign_id, { finalize_incomplete: true }))
      assert.deepInclude(again.result, { state: "incomplete", leads_accepted: 0, leads_pending: 1 })
      yield* confirmedAtVendor(campaign_id)
      const whole = ok(yield* add(client, campaign_id, { finalize_incomplete: true }))
      assert.deepInclude(whole.result, { state: "draft", leads_pending: 0, leads_correlated: 0 })
      assert.strictEqual((yield* campaignOf(client, campaign_id)).recipientsVersion, recipientsVersion + 1)
    })
  )

  it.effect("whom a vendor confirms while it is asked again counts as new", () =>
    Effect.gen(function* () {
      const { campaign_id, client } = yield* atVendor
      ok(yield* add(client, campaign_id, { leads: people("second") }))
      const { beforeEach } = yield* MemoryFaults
      const memory = yield* Memory
      let isAsked = false
      yield* beforeEach((operation) => {
        if (operation !== HURRY || isAsked) return Effect.void
        isAsked = true
        return Effect.orDie(Effect.provideService(confirmedAtVendor(campaign_id), Memory, memory))
      })
      const call = add(client, campaign_id, { finalize_incomplete: true })
      const { result } = ok(yield* Effect.ensuring(call, beforeEach(null)))
      assert.deepInclude(result, { state: "draft", leads_correlated: 1, leads_pending: 0 })
    })
  )

  it.effect(
    "an approved addition at a vendor waits for its word, and is due there at once, even if nobody is left of it",
    () =>
      Effect.gen(function* () {
        for (const isLeft of [true, false]) {
          const { campaign_id, client } = yield* atVendor
          yield* alter(client, campaign_id, { state: "active" })
          const { call } = yield* approved(client, campaign_id, people("second"))
          yield* settledAtVendor(campaign_id)
          if (!isLeft) yield* suppressAs(client, "silent+second@magic.test", "unsubscribe")
          ok(yield* call)
          assert.strictEqual(yield* dueAtVendor(campaign_id), yield* Clock.currentTimeMillis)
          assert.include(yield* namesIn(client, campaign_id, "pending"), isLeft ? "second" : "first")
          assert.isEmpty(yield* windowsOf(campaign_id))
        }
      })
  )

  it.effect(
    "its preview says whose hours count where; each zone that is new gets its windows, the campaign's own has them",
    () =>
      Effect.gen(function* () {
        const { client } = yield* team(1)
        const campaign_id = yield* launched(client, { recipients: people("first"), schedule: OWN_HOURS })
        assert.lengthOf(yield* windowsOf(campaign_id), 1)
        const leads = [nepali("a"), ...people("b")]
        const { approval_url, confirmation_token, preview } = yield* askLeads(client, campaign_id, leads)
        assert.deepInclude(preview, {
          timezones: [
            { timezone: "Asia/Kathmandu", people: 1 },
            { timezone: "UTC", people: 1 }
          ],
          timezone_unknown: 1
        })
        yield* decide(client, approval_url, "approve")
        ok(yield* add(client, campaign_id, { leads, confirmation_token }))
        assert.lengthOf(yield* windowsOf(campaign_id), 2)
        const { call } = yield* approved(client, campaign_id, people("c"))
        const { after, made } = yield* usedBy(call)
        ok(made)
        assert.notInclude(after, "SendingStore.setWindows")
      })
  )

  it.effect(
    "a campaign that runs again by then is not resumed twice, and one that is paused stays so for its reason",
    () =>
      Effect.gen(function* () {
        const { campaign_id, client } = yield* active
        const { call } = yield* approved(client, campaign_id, people("second"))
        yield* alter(client, campaign_id, { state: "active" })
        ok(yield* call)
        assert.isEmpty(yield* trailOf(client, { kind: "resumed" }))
        yield* alter(client, campaign_id, { state: "paused", pauseReason: "owner", launched: true })
        ok(yield* add(client, campaign_id, { finalize_incomplete: true }))
        assert.deepInclude(yield* campaignOf(client, campaign_id), { state: "paused", pauseReason: "owner" })
      })
  )

  it.effect("an approval that switches the rule of variants on does so with the people whom it adds", () =>
    Effect.gen(function* () {
      const { campaign_id, client } = yield* active
      const { approvalId, call } = yield* approved(client, campaign_id, people("second"))
      const { atomically, write } = yield* Memory
      yield* atomically(
        write(({ approvals }) => {
          for (const key of approvals.keysWhere((one) => one.approvalId === approvalId))
            approvals.update(key, (row) => ({ ...row, approvesWinnerRule: true }))
        })
      )
      ok(yield* call)
      assert.deepInclude((yield* campaignOf(client, campaign_id)).winnerRule, { isOn: true, approvalId })
    })
  )

  it.effect("evidence is counted in a plan and in a result, and an approved call reads no page", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const filled = yield* drafted(client, [claimed("one")], { sequence: CLAIM })
      const body = { leads: [claimed("two")] }
      assert.strictEqual((yield* dryRun(client, filled, body)).would.evidence.unchecked, 1)
      assert.strictEqual(proven(ok(yield* add(client, filled, body)).result), 1)
      const running = yield* launched(client, { recipients: [claimed("one")], sequence: CLAIM })
      const { call } = yield* approved(client, running, [claimed("two")])
      const before = yield* readings
      assert.strictEqual(proven(ok(yield* call).result), 1)
      assert.strictEqual(yield* readings, before)
      const { call: later } = yield* unread(approved(client, running, [claimed("three")]))
      assert.strictEqual(ok(yield* later).result.evidence.unchecked, 1, "it was shown so")
    })
  )

  it.effect("who was left out of what was shown stays out, with the evidence that was given of them", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const campaign_id = yield* launched(client, { recipients: [claimed("one")], sequence: CLAIM })
      yield* suppressAs(client, "silent+no@magic.test", "unsubscribe")
      const { call } = yield* approved(client, campaign_id, [claimed("yes"), claimed("no")])
      assert.deepInclude(ok(yield* call).result, { leads_accepted: 1, leads_suppressed: 1 })
    })
  )

  it.effect("before admission people are looked up only for a launched campaign whose list has a rule", () =>
    Effect.gen(function* () {
      const { campaign_id: running, client } = yield* active
      const filled = yield* drafted(client, people("third"))
      for (const [campaign_id, rules, isLookedUp] of [
        [running, {}, false],
        [filled, { unverifiedMaxPercent: 100 }, false],
        [running, { unverifiedMaxPercent: 100 }, true]
      ] as const) {
        yield* ruled(client, rules)
        const { before, made: answer } = yield* usedBy(add(client, campaign_id, { leads: people("second") }))
        ok(answer)
        assert.strictEqual(before.includes("SuppressionStore.check"), isLookedUp)
      }
    })
  )

  it.effect("name servers are asked before an addition to a launched campaign, and for no other call", () =>
    Effect.gen(function* () {
      const { client } = yield* team(1)
      const running = yield* launched(client, { recipients: people("first") })
      const filled = yield* drafted(client, people("first"))
      for (const [campaign_id, body, isAsked] of [
        [filled, { leads: people("second") }, false],
        [running, { finalize_incomplete: true }, false],
        [running, { leads: people("second") }, true]
      ] as const) {
        yield* TestClock.adjust("2 hours")
        const { after, before, made } = yield* usedBy(add(client, campaign_id, body))
        ok(made)
        assert.strictEqual([...before, ...after].includes("LookStore.put"), isAsked)
      }
    })
  )

  it.effect("a call that adds nobody pauses nothing, in its plan either", () =>
    Effect.gen(function* () {
      const { campaign_id, client } = yield* active
      assert.deepInclude((yield* dryRun(client, campaign_id, { finalize_incomplete: true })).would, {
        pauses_campaign: false,
        needs_confirmation: false
      })
    })
  )
})

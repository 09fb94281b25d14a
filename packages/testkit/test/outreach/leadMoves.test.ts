import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { LEAVING, makeLeave } from "@outbound/domain/outreach/campaigns/leave.js"
import { leadAfter, makeMoveLead } from "@outbound/domain/outreach/campaigns/moveLead.js"
import { Effect, Layer, Option } from "effect"
import { leadOf } from "../../src/contracts/campaignFixtures.js"
import { NOON } from "../../src/contracts/fixtures.js"
import { claimsOf, givenSending } from "../../src/contracts/outboundFixtures.js"
import { layer as memory } from "../../src/memory/layer.js"
import * as TestIds from "../../src/memory/TestIds.js"

/** People of a campaign who are written to, and what the trail says of them. */
const given = Effect.gen(function* () {
  const { atomically } = yield* UnitOfWork
  const [campaigns, trail] = [yield* CampaignStore, yield* TrailStore]
  const moveLead = yield* makeMoveLead
  const leave = yield* makeLeave
  const { workspaceId } = yield* givenSending(3)
  const claims = yield* claimsOf(workspaceId)
  const ids = claims.map(({ lead }) => lead.campaignLeadId)
  const lead = (at: number) => leadOf(workspaceId, ids[at] ?? "").pipe(Effect.orDie)
  const put = (at: number, changed: object) =>
    Effect.flatMap(lead(at), (one) => atomically(campaigns.updateLead({ ...one, ...changed })))
  const filter = { workspaceId, campaignId: null, email: null, sinceMillis: null, untilMillis: null, after: null }
  const told = Effect.map(trail.page({ ...filter, kinds: ["removed", "stop"], limit: 9 }), (events) =>
    events.map(({ campaignLeadId, detail, email, kind, requestId, source }) => ({
      kind,
      campaignLeadId,
      email,
      detail,
      requestId,
      source
    }))
  )
  return { atomically, ids, lead, leave, moveLead, put, told, workspaceId }
})

const story = <E>(name: string, body: Effect.Effect<void, E, Effect.Services<typeof given>>) =>
  it.effect(name, () => Effect.provide(body, Layer.merge(memory, TestIds.layer)))

story(
  "a lead that moves is written with what else changes, told once, and has nothing due once it has ended",
  Effect.gen(function* () {
    const { atomically, ids, lead, moveLead, put, told } = yield* given
    yield* put(0, { state: "active", nextAtMillis: NOON })
    const tell = { kind: "stop", nowMillis: NOON, detail: { because: "reply" } } as const
    assert.isTrue(yield* atomically(moveLead(yield* lead(0), "reply", { and: { stepsSent: 2 }, tell })))
    assert.deepInclude(yield* lead(0), { state: "replied", nextAtMillis: null, stepsSent: 2 })
    const one = { campaignLeadId: ids[0] ?? "", email: (yield* lead(0)).email }
    assert.deepStrictEqual(yield* told, [
      { ...one, kind: "stop", detail: { because: "reply" }, requestId: null, source: "system" }
    ])
    // Somebody else's doing is told as theirs.
    yield* put(1, { state: "active" })
    const theirs = { ...tell, source: "provider_webhook" } as const
    assert.isTrue(yield* atomically(moveLead(yield* lead(1), "unsubscribe", { tell: theirs })))
    assert.strictEqual(
      (yield* told).find(({ campaignLeadId }) => campaignLeadId === ids[1])?.source,
      "provider_webhook"
    )
    // What moves on stays due, and nobody needs to be told.
    yield* put(2, { state: "ready", nextAtMillis: NOON })
    assert.isTrue(yield* atomically(moveLead(yield* lead(2), "send")))
    assert.deepInclude(yield* lead(2), { state: "active", nextAtMillis: NOON })
    assert.lengthOf(yield* told, 2)
  })
)

story(
  "what is refused, or changes no state, is not told, and writes only what holds at any rate",
  Effect.gen(function* () {
    const { atomically, lead, moveLead, put, told } = yield* given
    yield* put(0, { state: "replied", nextAtMillis: null, stepsSent: 1 })
    const tell = { kind: "stop", nowMillis: NOON } as const
    assert.isFalse(yield* atomically(moveLead(yield* lead(0), "send", { and: { stepsSent: 5 }, tell })))
    assert.deepInclude(yield* lead(0), { state: "replied", stepsSent: 1 })
    const more = { always: { stepsSent: 3 }, and: { stepsSent: 5 }, tell }
    assert.isFalse(yield* atomically(moveLead(yield* lead(0), "send", more)))
    assert.deepInclude(yield* lead(0), { state: "replied", stepsSent: 3 })
    assert.isFalse(yield* atomically(moveLead(yield* lead(0), "send", { always: { stepsSent: 4 } })))
    assert.deepInclude(yield* lead(0), { state: "replied", stepsSent: 4 })
    // The same state again: what else changes is written.
    assert.isFalse(yield* atomically(moveLead(yield* lead(0), "reply", { and: { stepsSent: 6 }, tell })))
    assert.deepInclude(yield* lead(0), { state: "replied", stepsSent: 6 })
    assert.isEmpty(yield* told)
  })
)

story(
  "a refused step leaves no lead, and a state that goes on keeps when the next is due",
  Effect.gen(function* () {
    const { lead, put } = yield* given
    yield* put(0, { state: "replied", nextAtMillis: null })
    assert.isTrue(Option.isNone(leadAfter(yield* lead(0), "send")))
    yield* put(1, { state: "active", nextAtMillis: NOON })
    const after = leadAfter(yield* lead(1), "finish")
    assert.deepInclude(Option.getOrThrow(after), { state: "finished", nextAtMillis: null })
  })
)

story(
  "who is suppressed leaves their campaigns: each is removed and told with whom it comes from, and nobody beside them",
  Effect.gen(function* () {
    const { atomically, ids, lead, leave, told, workspaceId } = yield* given
    const leads = [yield* lead(0), yield* lead(1)]
    const why = { source: "console", detail: { reason: "opted_out" }, requestId: null } as const
    assert.strictEqual(yield* atomically(leave(workspaceId, leads, why, NOON)), 2)
    const states = yield* Effect.forEach([0, 1, 2], (at) => Effect.map(lead(at), ({ state }) => state))
    assert.deepStrictEqual(states.slice(0, 2), ["removed", "removed"])
    assert.notStrictEqual(states[2], "removed")
    const events = yield* told
    assert.sameDeepMembers(
      [...events],
      leads.map(({ campaignLeadId, email }) => ({ ...why, kind: "removed" as const, campaignLeadId, email }))
    )
    assert.sameMembers(
      events.map(({ campaignLeadId }) => campaignLeadId),
      ids.slice(0, 2)
    )
    assert.strictEqual(yield* atomically(leave(workspaceId, [], why, NOON)), 0)
    assert.lengthOf(yield* told, 2)
    assert.strictEqual(yield* atomically(leave(workspaceId, [yield* lead(2)], why, NOON)), 1)
    assert.strictEqual((yield* lead(2)).state, "removed")
    assert.lengthOf(yield* told, 3)
  })
)

it("those leave who may still be written to, and those to whom everything was sent", () => {
  assert.sameMembers([...LEAVING], ["ready", "active", "finished", "failed"])
})

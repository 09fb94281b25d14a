import { assert, describe, it } from "@effect/vitest"
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { type Approval, ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { makeExpire, makeExpirySweep, makeRelease } from "@outbound/domain/calls/approvals/Expiry.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { freshId, givenKey, givenWorkspace, HOUR, NOON } from "../../src/contracts/fixtures.js"
import { makeApproval } from "../../src/contracts/outboundFixtures.js"
import { layer as memory } from "../../src/memory/layer.js"
import * as TestIds from "../../src/memory/TestIds.js"

const service = Layer.merge(memory, TestIds.layer)

const story = <E>(name: string, body: Effect.Effect<void, E, Layer.Success<typeof service>>) =>
  it.effect(name, () => Effect.provide(body, service))

/** An approval of a workspace, and what becomes of it. */
const given = (of: Partial<Approval> = {}) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const [store, trail] = [yield* ApprovalStore, yield* TrailStore]
    const { workspaceId } = yield* givenWorkspace()
    const { key } = yield* givenKey(workspaceId)
    const campaignId = freshId()
    const approval = makeApproval({
      workspaceId,
      keyId: key.keyId,
      target: `campaign:${campaignId}`,
      expiresAtMillis: NOON + HOUR,
      ...of
    })
    yield* atomically(store.insert(approval))
    const filter = { workspaceId, campaignId: null, email: null, sinceMillis: null, untilMillis: null, after: null }
    const kinds = ["approval_expired", "approval_cancelled"] as const
    const told = Effect.map(trail.page({ ...filter, kinds, limit: 9 }), (events) =>
      events.map(({ campaignId: about, detail, kind, source }) => ({ kind, about, source, detail }))
    )
    const now = Effect.map(store.find(workspaceId, approval.approvalId), (found) => {
      const { state, usedByIdempotencyKey } = Option.getOrThrow(found).approval
      return [state, usedByIdempotencyKey]
    })
    const detail = { verb: approval.verb, approval_id: approval.approvalId, by: "system" }
    const event = (kind: (typeof kinds)[number]) => ({ kind, about: campaignId, source: "system" as const, detail })
    return { atomically, approval, workspaceId, told, now, event }
  })

describe("an approval that is overdue", () => {
  story(
    "expires if it was open, and is told once; any other is left alone",
    Effect.gen(function* () {
      const expire = yield* makeExpire
      for (const state of ApprovalMachine.states) {
        const of = yield* given({ state, ...(state === "used" ? { usedByIdempotencyKey: "key" } : {}) })
        yield* of.atomically(expire(of.approval, NOON))
        const isOpen = state === "pending" || state === "approved"
        assert.strictEqual((yield* of.now)[0], isOpen ? "expired" : state)
        assert.deepStrictEqual(yield* of.told, isOpen ? [of.event("approval_expired")] : [])
      }
    })
  )

  story(
    "is found by the sweep from its very moment on, which says how many there were",
    Effect.gen(function* () {
      const sweep = yield* makeExpirySweep
      const early = yield* given({ state: "approved" })
      const late = yield* given({ expiresAtMillis: NOON + HOUR + 1 })
      yield* TestClock.setTime(NOON + HOUR - 1)
      assert.strictEqual(yield* sweep, 0)
      yield* TestClock.setTime(NOON + HOUR)
      assert.strictEqual(yield* sweep, 1)
      assert.deepStrictEqual([(yield* early.now)[0], (yield* late.now)[0]], ["expired", "pending"])
      yield* TestClock.setTime(NOON + HOUR + 1)
      assert.deepStrictEqual([yield* sweep, yield* sweep], [1, 0])
      assert.deepStrictEqual(yield* late.told, [late.event("approval_expired")])
    })
  )
})

describe("a used approval of which nothing came", () => {
  const used = { state: "used", usedByIdempotencyKey: "key", decidedAtMillis: NOON } as const

  const released = (of: Effect.Success<ReturnType<typeof given>>, nowMillis: number) =>
    Effect.gen(function* () {
      const release = yield* makeRelease
      yield* of.atomically(release(of.workspaceId, of.approval.approvalId, nowMillis))
      return [...(yield* of.now), (yield* of.told).map(({ kind }) => kind)]
    })

  const suspend = ({ workspaceId }: { readonly workspaceId: string }) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const { setSending } = yield* WorkspaceStore
      yield* atomically(setSending(workspaceId, { suspendedAtMillis: NOON, suspendedReason: "enough" }))
    })

  story(
    "may be used again while it has not expired, by another call",
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* released(yield* given(used), NOON + HOUR - 1), ["approved", null, []])
    })
  )

  story(
    "has expired if its time was over meanwhile, whatever else happened",
    Effect.gen(function* () {
      const over = yield* given(used)
      assert.deepStrictEqual(yield* released(over, NOON + HOUR), ["expired", null, ["approval_expired"]])
      assert.deepStrictEqual(yield* over.told, [over.event("approval_expired")])
      const both = yield* given(used)
      yield* suspend(both)
      assert.deepStrictEqual(yield* released(both, NOON + HOUR), ["expired", null, ["approval_expired"]])
    })
  )

  story(
    "is cancelled if everything was stopped meanwhile, as any other is, and that is told",
    Effect.gen(function* () {
      const of = yield* given(used)
      yield* suspend(of)
      assert.deepStrictEqual(yield* released(of, NOON), ["cancelled", null, ["approval_cancelled"]])
      assert.deepStrictEqual(yield* of.told, [of.event("approval_cancelled")])
    })
  )

  story(
    "is the only one that is given back: others stay as they are, and an unknown one is none",
    Effect.gen(function* () {
      for (const state of ApprovalMachine.states) {
        if (state === "used") continue
        const of = yield* given({ state })
        yield* suspend(of)
        assert.deepStrictEqual(yield* released(of, NOON + HOUR), [state, null, []])
      }
      const of = yield* given(used)
      const release = yield* makeRelease
      yield* of.atomically(release(of.workspaceId, freshId(), NOON))
      assert.deepStrictEqual(yield* of.now, ["used", "key"])
    })
  )
})

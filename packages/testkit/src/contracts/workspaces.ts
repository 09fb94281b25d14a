import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { zero } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { type TrailEvent, type TrailKind, TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { DAY, freshId, givenWorkspace, MINUTE, NOON, SUITE } from "./fixtures.js"
import { TestSuspension } from "../memory/Hooks.js"
import { claimsOf, end, givenSending, MIDNIGHT } from "./outboundFixtures.js"

const TOMORROW = MIDNIGHT + DAY

type Stores =
  | ApprovalStore
  | CampaignStore
  | CreditStore
  | SendingStore
  | TestSuspension
  | TrailStore
  | UnitOfWork
  | WorkspaceStore

/** What every store of workspaces guarantees. */
export const workspacesContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const append = (workspaceId: string, kind: TrailKind, observedAtMillis: number) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const trail = yield* TrailStore
      const event: TrailEvent = {
        eventId: freshId(),
        workspaceId,
        kind,
        source: "api",
        observedAtMillis,
        campaignId: null,
        campaignLeadId: null,
        replyId: null,
        requestId: null,
        operationId: null,
        email: null,
        detail: {}
      }
      yield* atomically(trail.append([event]))
    })

  it.layer(adapter, SUITE)(`workspaces (${name})`, (it) => {
    it.effect(
      "its calls and its trail stay as long as the archiving command says, until the workspace has its own retention",
      () =>
        Effect.gen(function* () {
          const { atomically } = yield* UnitOfWork
          const { retention, setRetention } = yield* WorkspaceStore
          const { archivedUntil } = yield* TrailStore
          const [{ workspaceId }, other] = [yield* givenWorkspace(), yield* givenWorkspace()]
          const unsaid = { callMonths: null, trailMonths: null }
          assert.deepStrictEqual(yield* retention(workspaceId), unsaid)
          yield* atomically(setRetention(workspaceId, { callMonths: 0, trailMonths: 36 }))
          assert.deepStrictEqual(yield* retention(workspaceId), { callMonths: 0, trailMonths: 36 })
          assert.deepStrictEqual(yield* retention(other.workspaceId), unsaid)
          assert.isNull(yield* archivedUntil(workspaceId))
          yield* atomically(setRetention(workspaceId, unsaid))
          assert.deepStrictEqual(yield* retention(workspaceId), unsaid)
        })
    )

    it.effect("a workspace comes back as it was made, with an empty account and free to send", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* WorkspaceStore
        const credit = yield* CreditStore
        const caps = {
          dailySends: 7,
          dailyReplies: 0,
          mailboxDailyReplies: 3,
          mailboxDailySends: 4,
          refusalsMin: 9,
          mailboxRefusalsPercent: 11,
          receiverRefusalsPercent: 0
        }
        const workspace = yield* givenWorkspace({ name: "Ünïcode & Co", kind: "live", postalAddress: null, caps })
        const { workspaceId } = workspace
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId)), workspace)
        assert.deepStrictEqual({ ...(yield* credit.balance(workspaceId)) }, { balance: zero, reserved: zero })
        const free = { suspendedAtMillis: null, suspendedReason: null }
        assert.deepStrictEqual({ ...(yield* store.sending(workspaceId)) }, free)
        assert.deepStrictEqual({ ...(yield* atomically(store.shareSending(workspaceId))) }, free)
        assert.isTrue(Option.isNone(yield* store.get(freshId())))
      })
    )

    it.effect("a workspace in a body that fails was never made", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* WorkspaceStore
        const workspaceId = freshId()
        const making = Effect.andThen(givenWorkspace({ workspaceId }), Effect.fail("refused"))
        yield* Effect.result(atomically(making))
        assert.isTrue(Option.isNone(yield* store.get(workspaceId)))
      })
    )

    it.effect("a suspension shows when it began and why, in its own workspace alone", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* WorkspaceStore
        const { suspend } = yield* TestSuspension
        const { workspaceId } = yield* givenWorkspace()
        const other = yield* givenWorkspace()
        yield* suspend(workspaceId, NOON, "complaints")
        const suspended = { suspendedAtMillis: NOON, suspendedReason: "complaints" }
        assert.deepStrictEqual({ ...(yield* store.sending(workspaceId)) }, suspended)
        assert.deepStrictEqual({ ...(yield* atomically(store.shareSending(workspaceId))) }, suspended)
        assert.isNull((yield* store.sending(other.workspaceId)).suspendedAtMillis)
      })
    )

    it.effect("what was sent and launched counts from midnight on, each workspace for itself", () =>
      Effect.gen(function* () {
        const store = yield* WorkspaceStore
        const { workspaceId } = yield* givenSending(4)
        const claims = yield* claimsOf(workspaceId, TOMORROW - MINUTE)
        assert.lengthOf(claims, 4)
        const none = { sends: 0, launches: 0, replies: 0 }
        assert.deepStrictEqual({ ...(yield* store.sentToday(workspaceId, MIDNIGHT)) }, none)
        const [first, second, third] = claims
        yield* end(first!, "sent", null, TOMORROW - 1)
        yield* end(second!, "sent", null, TOMORROW)
        yield* end(third!, "failed")
        for (const kind of ["launched", "launch_requested", "sent"] as const) {
          yield* append(workspaceId, kind, MIDNIGHT - 1)
          yield* append(workspaceId, kind, MIDNIGHT)
        }
        const today = yield* store.sentToday(workspaceId, MIDNIGHT)
        assert.deepStrictEqual({ ...today }, { sends: 2, launches: 1, replies: 0 })
        const tomorrow = yield* store.sentToday(workspaceId, TOMORROW)
        assert.deepStrictEqual({ ...tomorrow }, { sends: 1, launches: 0, replies: 0 })
        const other = yield* givenWorkspace()
        assert.deepStrictEqual({ ...(yield* store.sentToday(other.workspaceId, MIDNIGHT)) }, none)
      })
    )
  })
}

import { Clock, Effect, Option, Result } from "effect"
import { step } from "../../kernel/machine.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import { ApprovalMachine } from "./ApprovalMachine.js"
import { type Approval, ApprovalStore, campaignOf } from "./ApprovalStore.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"

const SWEEP_MAX = 100

/** Expires a locked approval and records it in the trail. */
export const makeExpire = Effect.gen(function* () {
  const approvals = yield* ApprovalStore
  const tell = yield* makeTell
  return (approval: Approval, nowMillis: number) =>
    Effect.gen(function* () {
      const expired = step(ApprovalMachine, approval.state, "expire")
      if (Result.isFailure(expired) || expired.success === approval.state) return
      yield* approvals.update({ ...approval, state: expired.success })
      yield* tell(nowMillis, {
        workspaceId: approval.workspaceId,
        kind: "approval_expired",
        source: "system",
        campaignId: campaignOf(approval.target),
        detail: { verb: approval.verb, approval_id: approval.approvalId, by: "system" }
      })
    })
})

/** Expires approvals that are overdue. Returns how many. */
export const makeExpirySweep = Effect.gen(function* () {
  const approvals = yield* ApprovalStore
  const expire = yield* makeExpire
  const { atomically } = yield* UnitOfWork
  return Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    Effect.gen(function* () {
      const expired = yield* approvals.lockExpired(nowMillis, SWEEP_MAX)
      yield* Effect.forEach(expired, (approval) => expire(approval, nowMillis), { discard: true })
      return expired.length
    }).pipe(atomically)
  )
})

/**
 * Makes a used approval approved again if nothing happened outside (contract: approvals, states). It keeps its expiry.
 * A kill in between cancels it like any other.
 */
export const makeRelease = Effect.gen(function* () {
  const approvals = yield* ApprovalStore
  const workspaces = yield* WorkspaceStore
  const tell = yield* makeTell
  const expire = yield* makeExpire

  const cancel = (approval: Approval, nowMillis: number) =>
    Effect.gen(function* () {
      const cancelled = step(ApprovalMachine, approval.state, "cancel")
      if (Result.isFailure(cancelled)) return
      yield* approvals.update({ ...approval, state: cancelled.success })
      yield* tell(nowMillis, {
        workspaceId: approval.workspaceId,
        kind: "approval_cancelled",
        source: "system",
        campaignId: campaignOf(approval.target),
        detail: { verb: approval.verb, approval_id: approval.approvalId, by: "system" }
      })
    })

  return (workspaceId: string, approvalId: string, nowMillis: number) =>
    Effect.gen(function* () {
      // Locked before the approval, in the same order as a kill.
      const { suspendedAtMillis } = yield* workspaces.shareSending(workspaceId)
      const locked = yield* approvals.lock(workspaceId, approvalId)
      if (Option.isNone(locked)) return
      const released = step(ApprovalMachine, locked.value.state, "release")
      if (Result.isFailure(released)) return
      const approval = { ...locked.value, state: released.success, usedByIdempotencyKey: null }
      yield* approvals.update(approval)
      if (approval.expiresAtMillis <= nowMillis) yield* expire(approval, nowMillis)
      else if (suspendedAtMillis !== null) yield* cancel(approval, nowMillis)
    })
})

import { Effect, Either, Option } from "effect"
import { step } from "../../kernel/machine.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { ApprovalMachine } from "./ApprovalMachine.js"
import { type Approval, ApprovalStore, campaignOf } from "./ApprovalStore.js"
import { makeExpire } from "./Expiry.js"

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
      if (Either.isLeft(cancelled)) return
      yield* approvals.update({ ...approval, state: cancelled.right })
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
      if (Either.isLeft(released)) return
      const approval = { ...locked.value, state: released.right, usedByIdempotencyKey: null }
      yield* approvals.update(approval)
      if (approval.expiresAtMillis <= nowMillis) yield* expire(approval, nowMillis)
      else if (suspendedAtMillis !== null) yield* cancel(approval, nowMillis)
    })
})

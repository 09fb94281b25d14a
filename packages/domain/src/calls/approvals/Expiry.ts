import { Clock, Effect, Either } from "effect"
import { step } from "../../kernel/machine.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import { ApprovalMachine } from "./ApprovalMachine.js"
import { type Approval, ApprovalStore, campaignOf } from "./ApprovalStore.js"

const SWEEP_MAX = 100

/** Expires a locked approval and records it in the trail. */
export const makeExpire = Effect.gen(function* () {
  const approvals = yield* ApprovalStore
  const tell = yield* makeTell
  return (approval: Approval, nowMillis: number) =>
    Effect.gen(function* () {
      const expired = step(ApprovalMachine, approval.state, "expire")
      if (Either.isLeft(expired) || expired.right === approval.state) return
      yield* approvals.update({ ...approval, state: expired.right })
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

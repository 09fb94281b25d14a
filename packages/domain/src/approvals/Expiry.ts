import { Clock, Effect, Either } from "effect"
import { step } from "../machine.js"
import { Ids } from "../ports/Ids.js"
import { UnitOfWork } from "../ports/UnitOfWork.js"
import { eventOf } from "../trail/events.js"
import { TrailStore } from "../trail/TrailStore.js"
import { ApprovalMachine } from "./ApprovalMachine.js"
import { ApprovalStore } from "./ApprovalStore.js"

const SWEEP_MAX = 100

/** Ends approvals whose time is over, and tells the trail. How many there were. */
export const makeExpirySweep = Effect.gen(function* () {
  const approvals = yield* ApprovalStore
  const trail = yield* TrailStore
  const ids = yield* Ids
  const { atomically } = yield* UnitOfWork
  return Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    atomically(
      Effect.gen(function* () {
        const expired = yield* approvals.lockExpired(nowMillis, SWEEP_MAX)
        for (const approval of expired) {
          const next = step(ApprovalMachine, approval.state, "expire")
          if (Either.isLeft(next)) continue
          yield* approvals.update({ ...approval, state: next.right })
          const campaign = approval.target.startsWith("campaign:") ? approval.target.slice("campaign:".length) : null
          yield* trail.append([
            eventOf(ids, nowMillis, {
              workspaceId: approval.workspaceId,
              kind: "approval_expired",
              source: "system",
              campaignId: campaign,
              detail: { verb: approval.verb, approval_id: approval.approvalId, by: "system" }
            })
          ])
        }
        return expired.length
      })
    )
  )
})

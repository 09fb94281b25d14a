import { Effect, Either } from "effect"
import { ApprovalMachine } from "../calls/approvals/ApprovalMachine.js"
import { type Approval, ApprovalStore, campaignOf } from "../calls/approvals/ApprovalStore.js"
import { step } from "../kernel/machine.js"
import { makeTell, type TrailSource } from "../kernel/trail/TrailEvent.js"

const replyOf = (target: string): string | null => (target.startsWith("reply:") ? target.slice("reply:".length) : null)

/** Cancels locked open approvals and records it in the trail. Returns how many there were. */
export const makeCancelApprovals = Effect.gen(function* () {
  const approvals = yield* ApprovalStore
  const tell = yield* makeTell
  return (
    open: ReadonlyArray<Approval>,
    why: {
      readonly nowMillis: number
      readonly source: TrailSource
      readonly by: string
      readonly requestId?: string | null
    }
  ) =>
    Effect.gen(function* () {
      const cancelled: Array<Approval> = []
      for (const approval of open) {
        const state = step(ApprovalMachine, approval.state, "cancel")
        if (Either.isLeft(state) || state.right === approval.state) continue
        yield* approvals.update({ ...approval, state: state.right })
        cancelled.push(approval)
      }
      yield* tell(
        why.nowMillis,
        cancelled.map((approval) => ({
          workspaceId: approval.workspaceId,
          kind: "approval_cancelled",
          source: why.source,
          requestId: why.requestId ?? null,
          campaignId: campaignOf(approval.target),
          replyId: replyOf(approval.target),
          detail: { verb: approval.verb, approval_id: approval.approvalId, by: why.by }
        }))
      )
      return cancelled.length
    })
})

import type { ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { ConsoleReads, Part } from "@outbound/domain/control/console/ConsoleReads.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"

import type { Inside } from "../Visit.js"

/** A request that waits, and whether the viewer can do no more for it than decline. */
export interface WaitingApproval {
  readonly of: ApprovalSummary
  readonly isForOthers: boolean
}

/** The most pending approvals that a page reads at once. */
export const PENDING_MAX = 50

/** The newest requests that wait, and for which of them only others can still approve. */
export const waitingFor = (
  reads: ConsoleReads["Service"],
  { viewer, workspaceId }: Pick<Inside, "viewer" | "workspaceId">,
  part: Part
): Effect.Effect<ReadonlyArray<WaitingApproval>, StoreUnavailable> =>
  Effect.gen(function* () {
    const { userId } = viewer.signedIn.user
    const pending = yield* reads.approvals(workspaceId, "pending", part)
    const ids = pending.map(({ approval }) => approval.approvalId)
    const approved = new Set(ids.length === 0 ? [] : yield* reads.approvedBy(workspaceId, userId, ids))
    return pending.map((of) => ({
      of,
      isForOthers: of.approval.excludedUserId === userId || approved.has(of.approval.approvalId)
    }))
  })

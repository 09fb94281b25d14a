import { queueOf } from "@outbound/domain/control/risks/queue.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { Effect } from "effect"
import { isDone, LastDone } from "./approvals/SittingNote.js"
import { QUEUE_PATH, queueAddress, skippedOf } from "./approvals/sitting.js"
import { PENDING_MAX, waitingFor } from "./approvals/waiting.js"
import { Nothing } from "./Parts.js"
import type { Given } from "./pages.js"
import { titledPage } from "./Shell.js"
import type { makeShowApproval, SHOWING } from "./showApproval.js"
import { type Inside, member, type Page, type Route } from "./Visit.js"

/** Shows the small requests that wait for the viewer one after another, the riskiest first. Each is decided by itself. */
export const queueRoute = (
  { reads, workspaces }: Pick<Given<typeof SHOWING>, "reads" | "workspaces">,
  show: ReturnType<typeof makeShowApproval>
): Route => {
  const get = (visit: Inside): Page =>
    Effect.gen(function* () {
      const { query, viewer, workspaceId } = visit
      const skipped = skippedOf(query.get("skip"))
      const [done, last] = [query.get("done"), query.get("of")]
      const said =
        isDone(done) && last !== null && isUuid(last) ? { said: <LastDone done={done} approvalId={last} /> } : {}
      const waiting = yield* waitingFor(reads, visit, { after: null, limit: PENDING_MAX })
      const mine = waiting.flatMap(({ isForOthers, of }) => (isForOthers ? [] : [of]))
      const small = queueOf(mine, {
        forecast: null,
        available: null,
        overlap: yield* workspaces.overlap(workspaceId)
      })
      const left = small.filter(({ approval }) => !skipped.includes(approval.approvalId))
      const [next] = left
      if (next !== undefined) {
        const { approvalId } = next.approval
        return yield* show(visit, approvalId, { sitting: { left: left.length, approvalId, skipped }, ...said })
      }
      return titledPage(
        { title: "One after another", viewer, at: "approvals", isNarrow: true, ...said },
        <>
          <Nothing>
            {small.length === 0 ? "No small request waits for you." : "You have skipped the others that wait."}
          </Nothing>
          <p class="actions">
            {small.length === 0 ? null : (
              <a class="button" href={queueAddress([])}>
                Begin again
              </a>
            )}
            <a class="button" href="/console/approvals">
              All requests
            </a>
          </p>
        </>
      )
    })
  return member(QUEUE_PATH, { get })
}

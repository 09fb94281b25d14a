import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import type { ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { Moment } from "../../web/Words.js"
import { STATE_MEANING, STATE_WORDS } from "../ApprovalWords.js"

const NOTE_KIND: Readonly<Record<string, string>> = {
  approved: "good",
  used: "good",
  declined: "bad",
  cancelled: "bad"
}

/** What became of a request. */
export const Outcome = (props: { readonly of: ApprovalSummary }) => {
  const { approval } = props.of
  const { declineReason, state } = approval
  // Who had approved what was cancelled or replaced did not do that.
  const decidedByEmail = ApprovalMachine.is.decided(state) ? props.of.decidedByEmail : null
  return (
    <div class={`note ${NOTE_KIND[approval.state] ?? ""}`} role="status">
      <p>
        <strong>{STATE_WORDS[state]}</strong>
        {decidedByEmail === null || approval.decidedAtMillis === null ? null : (
          <>
            {" by "}
            {decidedByEmail}, <Moment atMillis={approval.decidedAtMillis} />
          </>
        )}
        . {STATE_MEANING[state]}
      </p>
      {declineReason === null ? null : <p>Reason: {declineReason}</p>}
    </div>
  )
}

import type { Approval } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { DECLINE_REASON_CHARS_MAX } from "@outbound/domain/control/console/Console.js"
import { gistOf } from "../ApprovalWords.js"
import { Field, Form } from "../Parts.js"
import { Marked } from "./Marked.js"
import { APPROVE_FORM } from "./WinnerRuleSection.js"

const Digest = (props: { readonly of: Approval }) => (
  <input type="hidden" name="digest" value={props.of.snapshotDigest} />
)

const pathOf = ({ approvalId }: Approval): string => `/console/approvals/${approvalId}`

/** Declining with words that the agent reads. */
const DeclineWhy = (props: { readonly of: Approval }) => (
  <details class="why">
    <summary>Decline and say why</summary>
    <Form action={`${pathOf(props.of)}/decline`} button="Decline with this reason" tone="stop">
      <Digest of={props.of} />
      <Field
        label="Reason, for the agent"
        name="reason"
        required
        maxLength={DECLINE_REASON_CHARS_MAX}
        hint="The agent reads it, and the trail keeps it."
      />
    </Form>
  </details>
)

/** Both decisions. They stay in sight: below the card where the page has two columns, otherwise as a bar. */
export const Decide = (props: {
  readonly of: Approval
  readonly mayApprove: boolean
  readonly isUnattended: boolean
}) => (
  <section class="card decide" id="decide" aria-label="Decide">
    <p class="gist">
      <Marked text={gistOf(props.of.snapshot)} />.
    </p>
    <Form action={`${pathOf(props.of)}/decline`} button="Decline" tone="stop">
      <Digest of={props.of} />
    </Form>
    {!props.mayApprove ? null : props.isUnattended ? (
      <a class="button go" href={`${pathOf(props.of)}/look`}>
        Look first
      </a>
    ) : (
      <Form id={APPROVE_FORM} action={`${pathOf(props.of)}/approve`} button="Approve" tone="go">
        <Digest of={props.of} />
      </Form>
    )}
    <DeclineWhy of={props.of} />
  </section>
)

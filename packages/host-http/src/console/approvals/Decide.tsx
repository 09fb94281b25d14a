import type { Approval } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { DECLINE_REASON_CHARS_MAX } from "@outbound/domain/control/console/Console.js"
import { gistOf } from "../ApprovalWords.js"
import { Field, Form } from "../Parts.js"
import { maySend } from "../roles.js"
import { useViewer } from "../Viewer.js"
import { type After, answerPath, editAddress } from "./editing.js"
import { Marked, spelledOut } from "./Marked.js"
import type { Sitting } from "./sitting.js"
import { APPROVE_FORM } from "./WinnerRuleSection.js"

/** What each decision carries: the request that was shown, and in a sitting the way to the next. */
const Carried = (props: { readonly of: Approval; readonly sitting: Sitting | undefined }) => (
  <>
    <input type="hidden" name="digest" value={props.of.snapshotDigest} />
    {props.sitting === undefined ? null : (
      <>
        <input type="hidden" name="after" value="next" />
        <input type="hidden" name="skip" value={props.sitting.skipped.join(",")} />
      </>
    )}
  </>
)

const pathOf = ({ approvalId }: Approval): string => `/console/approvals/${approvalId}`

/** Declining with words that the agent reads. */
const DeclineWhy = (props: { readonly of: Approval; readonly sitting: Sitting | undefined }) => (
  <details class="why">
    <summary>Decline and say why</summary>
    <Form action={`${pathOf(props.of)}/decline`} button="Decline with this reason" tone="stop">
      <Carried of={props.of} sitting={props.sitting} />
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

/** The way to answer with other words: what is sent then is the person's own text, and this request is declined. */
export const EditInstead = (props: {
  readonly of: Approval
  readonly after: After
  readonly accessKey?: string | undefined
}) => {
  const { after, of } = props
  const { role } = useViewer().signedIn
  return of.snapshot.kind !== "reply" || !maySend(role, answerPath(of.snapshot.reply_id)) ? null : (
    <a class="button" href={editAddress(of.snapshot.reply_id, of.approvalId, after)} accessKey={props.accessKey}>
      Edit and send
      <span class="unseen"> the answer to {spelledOut(of.snapshot.to_email)}</span>
    </a>
  )
}

/** Both decisions. They stay in sight: below the card where the page has two columns, otherwise as a bar. */
export const Decide = (props: {
  readonly of: Approval
  readonly mayApprove: boolean
  readonly isUnattended: boolean
  readonly sitting: Sitting | undefined
}) => (
  <section class="card decide" id="decide" aria-label="Decide">
    <p class="gist">
      <Marked text={gistOf(props.of.snapshot)} />.
    </p>
    <Form
      action={`${pathOf(props.of)}/decline`}
      button="Decline"
      tone="stop"
      accessKey={props.sitting === undefined ? undefined : "d"}
    >
      <Carried of={props.of} sitting={props.sitting} />
    </Form>
    {!props.mayApprove ? null : props.isUnattended ? (
      <a class="button go" href={`${pathOf(props.of)}/look`}>
        Look first
      </a>
    ) : (
      <Form
        id={APPROVE_FORM}
        action={`${pathOf(props.of)}/approve`}
        button="Approve"
        tone="go"
        accessKey={props.sitting === undefined ? undefined : "a"}
      >
        <Carried of={props.of} sitting={props.sitting} />
      </Form>
    )}
    {props.mayApprove ? (
      <EditInstead
        of={props.of}
        after={props.sitting === undefined ? { to: "page" } : { to: "next", skipped: props.sitting.skipped }}
        accessKey={props.sitting === undefined ? undefined : "e"}
      />
    ) : null}
    <DeclineWhy of={props.of} sitting={props.sitting} />
  </section>
)

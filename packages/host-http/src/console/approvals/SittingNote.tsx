import { count } from "../../web/Words.js"
import { type Done, queueAddress, type Sitting } from "./sitting.js"

const DONE: Readonly<Record<Done, string>> = {
  approved: "Approved.",
  counted: "Your approval counts; somebody else has to approve too.",
  declined: "Declined.",
  edited: "Your own text was sent, and the request was declined."
}

export const isDone = (text: string | null): text is Done => text !== null && Object.hasOwn(DONE, text)

/** What became of the one before, with a way to it: what was approved is withdrawn there. */
export const LastDone = (props: { readonly done: Done; readonly approvalId: string }) => (
  <>
    {DONE[props.done]} <a href={`/console/approvals/${props.approvalId}`}>Look at it again</a>
  </>
)

/** How many are left, and the way past this one. */
export const SittingNote = (props: { readonly of: Sitting }) => {
  const { approvalId, left, skipped } = props.of
  return (
    <p class="soft">
      {count(left, "request")} left in this sitting.{" "}
      <a href={queueAddress([...skipped, approvalId])} accessKey="s">
        Skip it
      </a>
      . With your browser’s access keys, <kbd>A</kbd> approves, <kbd>D</kbd> declines, <kbd>E</kbd> edits an answer and{" "}
      <kbd>S</kbd> skips.
    </p>
  )
}

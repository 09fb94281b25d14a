import { STATED_SENDS_MAX } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { STARTS, USE_DAYS } from "@outbound/domain/outreach/sending/ramp.js"
import type { Reply } from "../../http/Reply.js"
import { formPage } from "../control/acting.js"
import { Field, Form, type Problem } from "../Parts.js"
import type { Viewer } from "../Viewer.js"

/** Where an owner states what a mailbox sends elsewhere. */
export const declarePage = (options: {
  readonly viewer: Viewer
  readonly mailboxId: string
  readonly address: string
  readonly problem: Problem | undefined
}): Reply => {
  const { address, mailboxId, problem, viewer } = options
  const path = `/console/mailboxes/${mailboxId}/declare` as const
  return formPage(
    {
      viewer,
      problem,
      title: `What ${address} sends elsewhere`,
      lead: `A mailbox starts with ${STARTS.mailbox.first} messages a day and grows by what is delivered. If it has been sending for weeks elsewhere, state how much: it may start from there.`,
      at: "sending",
      path,
      loosening: "state what a mailbox sends"
    },
    <Form class="card" action={path} button="State it" tone="go">
      <div class="pairs">
        <Field
          label="Messages a day"
          name="sends"
          required
          maxLength={4}
          hint={`What it sent on a usual day of the last weeks: 1 to ${STATED_SENDS_MAX}.`}
        />
        <Field label="Since" name="since" required maxLength={10} hint="The day when it began, such as 2026-03-01." />
      </div>
      <p class="soft">
        Receivers judge what they see. If the statement is too high, their refusals halve what the mailbox may send. It
        counts for {USE_DAYS} days, like mail that was delivered today, and the trail shows who stated it.
      </p>
    </Form>
  )
}

import { type ReplyDraft, replyDraftTo } from "@outbound/domain/outreach/replies/outgoingReply.js"
import type { Reply as Received } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { REPLY_BODY_CHARS_MAX } from "@outbound/domain/verbs/ReplyToThread.js"
import { Form } from "../Fields.js"
import { Facts, Note, Section } from "../Parts.js"

/** An answer that the person has begun, and why it was not sent. */
export interface Unsent {
  readonly text: string
  readonly formId: string
  readonly why: string
}

/** What the form binds: the answer goes exactly there, from there, under that subject. */
export const shownOf = ({ fromEmail, subject, toEmail }: Pick<ReplyDraft, "toEmail" | "fromEmail" | "subject">) =>
  JSON.stringify([toEmail, fromEmail, subject])

/** A form by which the person answers themselves. */
export const AnswerSection = (props: {
  readonly of: Received
  /** Of a form that was not sent before. */
  readonly formId: string
  readonly unsent: Unsent | undefined
}) => {
  const draft = replyDraftTo(props.of)
  if (draft === null) return null
  const { formId, of, unsent } = props
  return (
    <Section id="answer" title="Your answer">
      {unsent === undefined ? null : (
        <Note tone="bad" role="alert">
          {unsent.why}
        </Note>
      )}
      <Form class="card" action={`/console/replies/${of.replyId}/answer`} button="Send" tone="go">
        <input type="hidden" name="form_id" value={unsent?.formId ?? formId} />
        <input type="hidden" name="shown" value={shownOf(draft)} />
        <Facts
          isInCard
          of={[
            ["To", draft.toEmail],
            ["From", draft.fromEmail],
            ["Subject", draft.subject]
          ]}
        />
        <p class="field">
          <label for="f-body">Text</label>
          <textarea
            id="f-body"
            name="body"
            rows={8}
            required
            maxLength={REPLY_BODY_CHARS_MAX}
            aria-describedby="f-body-hint"
          >
            {unsent?.text ?? ""}
          </textarea>
          <span class="hint" id="f-body-hint">
            Plain text, sent as you wrote it, in this thread. You can answer each message once.
          </span>
        </p>
      </Form>
    </Section>
  )
}

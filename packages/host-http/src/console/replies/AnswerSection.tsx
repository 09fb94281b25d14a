import { type ReplyDraft, replyDraftTo } from "@outbound/domain/outreach/replies/outgoingReply.js"
import type { Reply as Received } from "@outbound/domain/outreach/replies/ReplyStore.js"
import type { SavedAnswer } from "@outbound/domain/outreach/replies/SavedAnswerStore.js"
import { REPLY_BODY_CHARS_MAX } from "@outbound/domain/verbs/ReplyToThread.js"
import { type After, answerPath, fieldsOf } from "../approvals/editing.js"
import { Marked } from "../approvals/Marked.js"
import { Facts, Form, Note, Section, Select } from "../Parts.js"
import { SAVED_PATH } from "./saved/SavedAnswersPage.js"

/** An answer that the person has begun, and why it was not sent; null: it did not have to be yet. */
export interface Unsent {
  readonly text: string
  readonly formId: string
  readonly why: string | null
  /** Binds a text of which the page shows what nobody sees; null: it holds nothing like that. */
  readonly seen: string | null
}

/** An agent's answer that waits, which the person changes and sends as their own. */
export interface Edited {
  readonly approvalId: string
  readonly digest: string
  readonly text: string
  readonly after: After
}

/** What the form binds: the answer goes exactly there, from there, under that subject. */
export const shownOf = ({ fromEmail, subject, toEmail }: Pick<ReplyDraft, "toEmail" | "fromEmail" | "subject">) =>
  JSON.stringify([toEmail, fromEmail, subject])

/** Where the form is sent to begin with a saved answer. */
const insertPath = (replyId: string): string => `${answerPath(replyId)}/insert`

/** A form by which the person answers themselves. */
export const AnswerSection = (props: {
  readonly of: Received
  /** Of a form that was not sent before. */
  readonly formId: string
  readonly unsent: Unsent | undefined
  readonly edited: Edited | undefined
  /** Texts that people saved, to begin with. */
  readonly saved: ReadonlyArray<Pick<SavedAnswer, "savedAnswerId" | "title">>
}) => {
  const draft = replyDraftTo(props.of)
  if (draft === null) return null
  const { edited, formId, of, saved, unsent } = props
  return (
    <Section id="answer" title="Your answer">
      {unsent === undefined || unsent.why === null ? null : (
        <Note tone="bad" role="alert">
          {unsent.why}
        </Note>
      )}
      {unsent === undefined || unsent.seen === null ? null : (
        <div class="card mail" aria-label="Your text, with what can’t be seen">
          <Marked text={unsent.text} />
        </div>
      )}
      <Form class="card" action={answerPath(of.replyId)} button="Send" tone="go">
        <input type="hidden" name="form_id" value={unsent?.formId ?? formId} />
        <input type="hidden" name="shown" value={shownOf(draft)} />
        {unsent === undefined || unsent.seen === null ? null : <input type="hidden" name="seen" value={unsent.seen} />}
        {edited === undefined ? null : (
          <>
            <input type="hidden" name="edit" value={edited.approvalId} />
            <input type="hidden" name="edit_digest" value={edited.digest} />
            {Object.entries(fieldsOf(edited.after)).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <p>
              This is the text of <a href={`/console/approvals/${edited.approvalId}`}>a request that waits</a>. Change
              it as you like: what you send is your own answer, and the request is declined.
            </p>
          </>
        )}
        <Facts
          isInCard
          of={[
            ["To", <Marked text={draft.toEmail} />],
            ["From", <Marked text={draft.fromEmail} />],
            ["Subject", <Marked text={draft.subject} />]
          ]}
        />
        {saved.length === 0 ? null : (
          <div class="insert">
            <Select
              label="Saved answer"
              name="saved"
              options={saved.map(({ savedAnswerId, title }) => [savedAnswerId, title] as const)}
            />
            <button type="submit" formAction={`${insertPath(of.replyId)}#f-body`} formNoValidate>
              Insert
            </button>
          </div>
        )}
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
            {unsent?.text ?? edited?.text ?? ""}
          </textarea>
          <span class="hint" id="f-body-hint">
            Plain text, sent as you wrote it, in this thread. You can answer each message once.{" "}
            <a href={SAVED_PATH}>Saved answers</a>
          </span>
        </p>
      </Form>
    </Section>
  )
}
